/// The smallest part of an expression that means something.
struct Token: Hashable {
  enum Kind: Hashable {
    case number(Double)
    case string(String)
    /// What is between the slashes, and whether an `i` follows.
    case pattern(String, ignoresCase: Bool)
    /// A variable, a member or a word of the language.
    case name(String)
    /// An operator, a bracket, a comma or a dot.
    case symbol(String)
    case end
  }

  let kind: Kind
  /// The number of Unicode scalars before it.
  let offset: Int

  /// Whether an operator can follow it: then a slash divides, and begins no pattern.
  var endsOperand: Bool {
    switch kind {
    case .number, .string, .pattern, .name: true
    case let .symbol(text): text == ")" || text == "]"
    case .end: false
    }
  }

  /// How messages call it.
  var shown: String {
    switch kind {
    case let .number(number): "\(number)"
    case .string: "a string"
    case .pattern: "a regular expression"
    case let .name(text), let .symbol(text): "\"\(text)\""
    case .end: "the end of the expression"
    }
  }
}
