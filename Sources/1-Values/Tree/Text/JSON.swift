/// A JSON value: what messages, scenario files and adapter lines are made of.
///
/// Numbers are IEEE doubles, as in the database itself. Members keep the order of the text they
/// came from, because the order of messages on the wire is part of what is compared; equality
/// ignores it, because JSON does.
public indirect enum JSON: Sendable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSON])
  case object([Member])

  /// One `name: value` of an object.
  public struct Member: Sendable {
    /// The name without quotes or escapes.
    public var name: String
    /// What comes after the colon, which may be null.
    public var value: JSON

    /// Pairs a name with its value; whether an object has the name already is not checked.
    public init(_ name: String, _ value: JSON) {
      self.name = name
      self.value = value
    }
  }
}

extension JSON {
  /// An object of those members that have a value, in their order.
  package static func object(having members: KeyValuePairs<String, JSON?>) -> JSON {
    .object(members.compactMap { name, value in value.map { Member(name, $0) } })
  }

  /// A whole number.
  package static func count(_ number: some BinaryInteger) -> JSON { .number(Double(number)) }

  /// A text, or null where there is none.
  package static func optional(_ text: String?) -> JSON { text.map { .string($0) } ?? .null }

  /// A list of texts.
  package static func strings(_ texts: some Sequence<String>) -> JSON {
    .array(texts.map { .string($0) })
  }

  /// The value of the member `name`, or `nil` when this is no object or has no such member.
  ///
  /// - Complexity: O(*n*) in the number of members; messages have few.
  public subscript(name: String) -> JSON? {
    guard case let .object(members) = self else { return nil }
    return members.first { Text($0.name) == Text(name) }?.value
  }

  /// The members of an object, or `nil` for any other kind of value.
  public var members: [Member]? {
    if case let .object(members) = self { members } else { nil }
  }

  /// The elements of an array, or `nil` for any other kind of value.
  public var elements: [JSON]? {
    if case let .array(elements) = self { elements } else { nil }
  }

  /// The text of a string, or `nil` for any other kind of value.
  public var string: String? {
    if case let .string(text) = self { text } else { nil }
  }

  /// The number, or `nil` for any other kind of value.
  public var number: Double? {
    if case let .number(number) = self { number } else { nil }
  }

  /// The number when it is whole and fits an `Int`, else `nil`.
  public var integer: Int? {
    guard case let .number(number) = self else { return nil }
    return Int(exactly: number)
  }

  /// The truth value, or `nil` for any other kind of value.
  public var bool: Bool? {
    if case let .bool(bool) = self { bool } else { nil }
  }

  /// What kind of value this is, for messages: `an object`, `a number`, …
  public var kind: String {
    switch self {
    case .null: "null"
    case .bool: "a boolean"
    case .number: "a number"
    case .string: "a string"
    case .array: "a list"
    case .object: "a mapping"
    }
  }
}
