/// Which move was made at each point of a run where there were several, by its position.
///
/// 0 is what time alone would have chosen. Zeros at the end need not be written.
public struct Order: Hashable, Sendable, CustomStringConvertible {
  /// The position of the chosen move at each point where there were several, from 0; zeros at the
  /// end are kept if they were given.
  public private(set) var choices: [Int]
  /// What goes wrong in it, `cut:alice`, at a moment that is one of the choices; `nil` for nothing.
  public var fault: String?

  /// Takes positions from 0 on; without any, time alone chooses.
  public init(_ choices: [Int] = [], fault: String? = nil) {
    self.choices = choices
    self.fault = fault
  }

  /// Reads `0.2.1`, or `cut:alice@0.2.1` where something goes wrong.
  ///
  /// - Returns: `nil` for anything but whole numbers with points between them.
  public init?(text: String) {
    choices = []
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    guard let last = parts.last, parts.count <= 2, parts.count == 1 || !parts[0].isEmpty else {
      return nil
    }
    fault = parts.count == 2 ? String(parts[0]) : nil
    for word in last.split(separator: ".", omittingEmptySubsequences: false) {
      guard let choice = Int(word), choice >= 0 else { return nil }
      choices.append(choice)
    }
  }

  mutating func append(_ choice: Int) { choices.append(choice) }

  func appending(_ choice: Int) -> Order { Order(choices + [choice], fault: fault) }

  /// Why a run does not have these choices; `nil` when it has. Of it is given how many moves there were
  /// at each point where there were several.
  func objection(in counts: [Int]) -> String? {
    let given = choices[..<((choices.lastIndex { $0 != 0 } ?? -1) + 1)]
    let wrong = zip(given, counts).enumerated().first { $1.0 >= $1.1 }
    if wrong == nil, given.count <= counts.count { return nil }
    let range = wrong.map { "choice \($0.offset + 1) has 0..\($0.element.1 - 1)" }
    let total = "there \(counts.count == 1 ? "is 1 choice" : "are \(counts.count) choices")"
    return [range, given.count > counts.count ? total : nil].compactMap(\.self).joined(
      separator: ", and ")
  }

  /// Without the zeros at the end, but never empty.
  public var description: String {
    let end = (choices.lastIndex { $0 != 0 } ?? 0) + 1
    let text = choices.isEmpty ? "0" : choices[..<end].map(String.init).joined(separator: ".")
    return fault.map { "\($0)@\(text)" } ?? text
  }
}

/// How the orders to be tried are found.
public enum Strategy: String, CaseIterable, Hashable, Sendable {
  /// Every order, except those in which only things changed places that do not concern each other.
  case exhaustive
  /// At each point any move is as likely as another.
  case random
  /// Moves have priorities that change at few points: finds what needs few changes of mind.
  case pct
  /// Moves have priorities, drawn again when something conflicting happened: close to drawing from
  /// the orders evenly.
  case pos
  /// The order of time, with few delays.
  case delay
}

/// Whether a search leaves out orders that can come to nothing new.
public enum Reduction: Hashable, Sendable {
  case reduced
  case none
}
