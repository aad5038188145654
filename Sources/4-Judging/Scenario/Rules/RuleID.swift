/// The immutable name of a rule: a family and a number, such as `EVT-7`.
///
/// Ids are ordered by family and then by number, so `EVT-9` precedes `EVT-10`.
public struct RuleID: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The three capital letters of the family, such as `EVT`.
  public let family: String

  /// The number within the family, from 1.
  public let number: Int

  /// Reads an id exactly as it is printed: three capital letters, a hyphen, a number without
  /// leading zeros.
  ///
  /// - Returns: nil for any other text. Whether a rule of that id exists is another question.
  public init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let number = Int(parts[1]), number > 0 else { return nil }
    let capitals = parts[0].utf8.allSatisfy { $0 >= UInt8(ascii: "A") && $0 <= UInt8(ascii: "Z") }
    guard parts[0].utf8.count == 3, capitals, String(number) == parts[1] else { return nil }
    self.family = String(parts[0])
    self.number = number
  }

  public var description: String { "\(family)-\(number)" }

  public static func < (left: RuleID, right: RuleID) -> Bool {
    (left.family, left.number) < (right.family, right.number)
  }
}
