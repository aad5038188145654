/// Which move was made at each point of a run where there were several, by its position.
///
/// 0 is what time alone would have chosen. Zeros at the end need not be written.
public struct Order: Hashable, Sendable, CustomStringConvertible {
  /// The position of the chosen move at each point where there were several, from 0; zeros at the
  /// end are kept if they were given.
  public private(set) var choices: [Int]

  /// Takes positions from 0 on; without any, time alone chooses.
  public init(_ choices: [Int] = []) {
    self.choices = choices
  }

  /// Reads `0.2.1`.
  ///
  /// - Returns: `nil` for anything but whole numbers with points between them.
  public init?(text: String) {
    choices = []
    for word in text.split(separator: ".", omittingEmptySubsequences: false) {
      guard let choice = Int(word), choice >= 0 else { return nil }
      choices.append(choice)
    }
  }

  mutating func append(_ choice: Int) { choices.append(choice) }

  /// Without the zeros at the end, but never empty.
  public var description: String {
    let end = (choices.lastIndex { $0 != 0 } ?? 0) + 1
    return choices.isEmpty ? "0" : choices[..<end].map(String.init).joined(separator: ".")
  }
}
