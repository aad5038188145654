public import Tree

/// What a JSON value must look like.
///
/// One table of shapes is both what lines are checked against and what the published JSON Schema is
/// written from, so that the two cannot differ.
public indirect enum Shape: Sendable {
  case anything
  case text
  case number
  /// A number from 0 on.
  case length
  /// A number without a fraction.
  case whole
  case flag
  case null
  /// One of these texts.
  case word([String])
  /// This whole number.
  case exactly(Int)
  case list(Shape)
  /// A mapping with any keys to values of one shape.
  case mapping(Shape)
  case object([Field])
  case either([Shape])
  /// A shape that has a name of its own in the schema.
  case named(String, Shape)
  /// A mapping with exactly one of several members, which decides about the rest.
  case verb(of: [Line], in: String)
  /// A mapping whose member `op` decides about the rest.
  case operation([(name: String, fields: [Field])])

  /// A member of a mapping.
  public struct Field: Sendable {
    /// The key of the member.
    public var name: String
    /// What the value of the member must look like.
    public var shape: Shape
    /// Whether a mapping without the member is a mismatch.
    public var isRequired: Bool

    static func needs(_ name: String, _ shape: Shape) -> Field {
      Field(name: name, shape: shape, isRequired: true)
    }

    static func may(_ name: String, _ shape: Shape) -> Field {
      Field(name: name, shape: shape, isRequired: false)
    }
  }

  /// A line with a certain verb.
  public struct Line: Sendable {
    /// The key by which the line is recognised, such as `open`.
    public var verb: String
    /// What it is for, as a clause.
    public var summary: String
    /// What the value of the verb must look like.
    public var arguments: Shape
    /// What is beside the verb.
    public var envelope: [Field]

    var fields: [Field] { envelope + [.needs(verb, arguments)] }
  }
}

extension Shape {
  /// What is wrong with a value.
  ///
  /// - Parameters:
  ///   - json: The value.
  ///   - subject: How the value is called in what is returned.
  /// - Returns: A clause; `nil` when nothing is wrong.
  public func mismatch(to json: JSON, as subject: String = "the line") -> String? {
    switch self {
    case .anything: nil
    case .text: json.string == nil ? wrong(json, subject) : nil
    case .number: json.number == nil ? wrong(json, subject) : nil
    case .length: json.number.map { $0 >= 0 } == true ? nil : wrong(json, subject)
    case .whole: json.integer == nil ? wrong(json, subject) : nil
    case .flag: json.bool == nil ? wrong(json, subject) : nil
    case .null: json == .null ? nil : wrong(json, subject)
    case let .word(words): json.string.map(words.contains) == true ? nil : wrong(json, subject)
    case let .exactly(number): json.integer == number ? nil : wrong(json, subject)
    case let .named(_, shape): shape.mismatch(to: json, as: subject)
    case let .either(shapes):
      shapes.contains { $0.mismatch(to: json) == nil } ? nil : wrong(json, subject)
    case let .list(shape):
      members(json.elements?.map { ("an element of \(subject)", $0) }, of: shape, json, subject)
    case let .mapping(shape):
      members(
        json.members?.map { ("\"\($0.name)\" of \(subject)", $0.value) }, of: shape, json, subject)
    case let .object(fields): mismatch(to: json, fields, subject)
    case let .verb(lines, direction): mismatch(to: json, lines, direction)
    case let .operation(operations): mismatch(to: json, operations, subject)
    }
  }

  private func wrong(_ json: JSON, _ subject: String) -> String {
    let text = json.text
    let found = text.utf8.count > 40 || json.members != nil ? json.kind : text
    return "\(subject) is \(found), expected \(name)"
  }

  private func members(
    _ values: [(subject: String, value: JSON)]?, of shape: Shape, _ json: JSON, _ subject: String
  ) -> String? {
    guard let values else { return wrong(json, subject) }
    for (subject, value) in values {
      if let mismatch = shape.mismatch(to: value, as: subject) { return mismatch }
    }
    return nil
  }

  private func mismatch(to json: JSON, _ fields: [Field], _ subject: String) -> String? {
    guard let members = json.members else { return wrong(json, subject) }
    for field in fields {
      guard let value = json[field.name] else {
        if field.isRequired { return "\"\(field.name)\" is missing in \(subject)" }
        continue
      }
      let name = "\"\(field.name)\" of \(subject)"
      if let mismatch = field.shape.mismatch(to: value, as: name) { return mismatch }
    }
    let known = fields.map(\.name)
    guard let other = members.first(where: { !known.contains($0.name) }) else { return nil }
    let expected = known.isEmpty ? "no members" : known.joined(separator: ", ")
    return "\"\(other.name)\" is no member of \(subject), which has \(expected)"
  }

  private func mismatch(to json: JSON, _ lines: [Line], _ direction: String) -> String? {
    guard let members = json.members else { return wrong(json, "the line") }
    let found = lines.filter { line in members.contains { $0.name == line.verb } }
    guard let line = found.first, found.count == 1 else {
      let verbs = lines.map(\.verb).joined(separator: ", ")
      let number = found.isEmpty ? "no verb" : "\(found.count) verbs"
      return "there is \(number) in the line, expected one of \(verbs)"
    }
    if case .object = line.arguments, let arguments = json[line.verb],
      let mismatch = line.arguments.mismatch(to: arguments, as: line.verb)
    {
      return mismatch
    }
    return mismatch(to: json, line.fields, "a \(direction) \"\(line.verb)\"")
  }

  private func mismatch(
    to json: JSON, _ operations: [(name: String, fields: [Field])], _ subject: String
  ) -> String? {
    let names = operations.map(\.name)
    let choice = Shape.word(names)
    guard let op = json["op"] else { return "\"op\" is missing in \(subject)" }
    if let mismatch = choice.mismatch(to: op, as: "\"op\" of \(subject)") { return mismatch }
    let fields = operations.first { $0.name == op.string }?.fields ?? []
    return mismatch(to: json, fields, "\(subject) \(op.string ?? "")")
  }

  /// What is expected, in words.
  private var name: String {
    switch self {
    case .anything: "anything"
    case .text: "a string"
    case .number: "a number"
    case .length: "a number from 0 on"
    case .whole: "a whole number"
    case .flag: "true or false"
    case .null: "null"
    case let .word(words):
      words.count == 1 ? "\"\(words[0])\"" : "one of \(words.joined(separator: ", "))"
    case let .exactly(number): String(number)
    case .list: "a list"
    case .mapping, .object, .verb, .operation: "a mapping"
    case let .either(shapes): shapes.map(\.name).joined(separator: " or ")
    case let .named(_, shape): shape.name
    }
  }
}
