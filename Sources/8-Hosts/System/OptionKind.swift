import Document

/// What the value of an option is, and how it is written.
package struct OptionKind<Value> {
  /// The values that can be given, where these are few.
  let choices: [String]
  /// The value that a text stands for, or nil.
  let value: (String) -> Value?
  let text: (Value) -> String
  /// What a value is, for messages: `a number above 0`.
  private let expected: String
  fileprivate var file = OptionDescription.FileUse.none

  /// A value of which a message says that the option needs it: `a number above 0`.
  package init(
    _ expected: String, _ value: @escaping (String) -> Value?,
    text: @escaping (Value) -> String = { "\($0)" }
  ) {
    choices = []
    self.value = value
    self.text = text
    self.expected = expected
  }

  /// One of a few values.
  private init(
    among choices: [String], _ value: @escaping (String) -> Value?,
    text: @escaping (Value) -> String
  ) {
    self.choices = choices
    self.value = value
    self.text = text
    expected = alternatives(choices)
  }

  func description(
    _ name: String, _ placeholder: String, _ letter: Character?, _ summary: String
  ) -> OptionDescription {
    var description = OptionDescription(
      name: name, value: placeholder, letter: letter, summary: summary, choices: choices)
    (description.expected, description.file) = (expected, file)
    return description
  }

  /// What was expected in place of a text that stands for no value; nil for one that does.
  func expectation(_ text: String) -> String? { value(text) == nil ? expected : nil }

  /// What is wrong with a text that stands for no value.
  private func problem(_ option: String, _ text: String, isRepeatable: Bool) -> String {
    let words = text.split { $0 == "," || $0 == " " }.map(String.init)
    if isRepeatable, words.count > 1, words.allSatisfy(choices.contains) {
      let each = words.map { "--\(option) \($0)" }.joined(separator: " ")
      return "unknown value \"\(text)\" for --\(option); expected one at a time: \(each)"
    }
    return choices.isEmpty
      ? "--\(option) needs \(expected), not \"\(text)\""
      : unknown("value", text, of: option, among: choices)
  }

  /// Hands on the values that texts stand for. Returns what is wrong with the first that stands for
  /// none.
  func read(
    _ texts: [String], of option: String, isRepeatable: Bool = false, _ take: ([Value]) -> Void
  ) -> String? {
    var values: [Value] = []
    for text in texts {
      guard let value = value(text) else {
        return problem(option, text, isRepeatable: isRepeatable)
      }
      values.append(value)
    }
    take(values)
    return nil
  }
}

extension OptionKind where Value == String {
  /// Any text.
  package static var text: OptionKind { OptionKind("a text", { $0 }, text: { $0 }) }

  /// The path of a file.
  package static func path(_ use: OptionDescription.FileUse) -> OptionKind {
    var kind = OptionKind("the path of a file", { $0.isEmpty ? nil : $0 }, text: { $0 })
    kind.file = use
    return kind
  }

  /// A text that is one of these.
  package static func name(among names: [String]) -> OptionKind {
    OptionKind(among: names, { names.contains($0) ? $0 : nil }, text: { $0 })
  }
}

extension OptionKind where Value: RawRepresentable<String> & CaseIterable {
  /// The name of a case.
  package static var choice: OptionKind {
    OptionKind(
      among: Value.allCases.map(\.rawValue), { Value(rawValue: $0) }, text: { $0.rawValue })
  }
}

extension OptionKind where Value == Int {
  /// A number from 1 up.
  package static var count: OptionKind {
    OptionKind("a whole number above 0") { Int($0).flatMap { $0 > 0 ? $0 : nil } }
  }

  /// How many processes share some work. Each takes memory, and all of them start at once.
  package static var processes: OptionKind { number(1...256) }

  /// A number in a range.
  package static func number(_ range: ClosedRange<Int>) -> OptionKind {
    OptionKind("a whole number from \(range.lowerBound) to \(range.upperBound)") {
      Int($0).flatMap { range.contains($0) ? $0 : nil }
    }
  }
}

extension OptionKind where Value == UInt64 {
  /// A seed.
  package static var seed: OptionKind {
    OptionKind("a whole number from 0 to \(UInt64.max)") { UInt64($0) }
  }
}

extension OptionKind where Value == ClosedRange<UInt64> {
  /// Seeds that follow each other, as the functions read and write them.
  package static func seeds(
    _ range: @escaping (String) -> Value?, text: @escaping (Value) -> String
  ) -> OptionKind {
    OptionKind("two whole numbers, the smaller first, such as 1..1000", range, text: text)
  }
}
