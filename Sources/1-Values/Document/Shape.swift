public import Tree

/// What a JSON value must look like.
///
/// Tables of shapes are what messages and lines are checked against, and what a published JSON
/// Schema is written from, so that these cannot differ.
public indirect enum Shape: Sendable {
  case anything
  case text
  case number
  /// A number from 0 on.
  case length
  /// A number without a fraction.
  case whole
  /// The same from 0 on.
  case count
  case flag
  case null
  /// What a leaf of the database can have as its value, or null.
  case scalar
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
  /// A mapping with exactly one of several members, by which a case is recognised: its last field.
  case verb(of: [Case], in: String)
  /// A mapping whose member `op` names the case.
  case operation([Case])

  /// A member of a mapping.
  public struct Field: Sendable {
    /// The key of the member.
    public var name: String
    /// What the value of the member must look like.
    public var shape: Shape
    /// Whether a mapping without the member is a mismatch.
    public var isRequired: Bool
    /// What it stands for, and how to write it, where messages state that.
    public var meaning: String

    package static func needs(_ name: String, _ shape: Shape, _ meaning: String = "") -> Field {
      Field(name: name, shape: shape, isRequired: true, meaning: meaning)
    }

    package static func may(_ name: String, _ shape: Shape, _ meaning: String = "") -> Field {
      Field(name: name, shape: shape, isRequired: false, meaning: meaning)
    }
  }

  /// One of several mappings.
  public struct Case: Sendable {
    /// By what it is recognised, such as `open`.
    public var name: String
    /// What it is for, as a clause; empty where that is not stated.
    public var summary: String
    /// The members that it has.
    public var fields: [Field]

    package init(_ name: String, _ summary: String, _ fields: [Field]) {
      self.name = name
      self.summary = summary
      self.fields = fields
    }
  }
}

// MARK: - Checking

extension Shape {
  /// One way in which a value differs from its shape.
  package struct Mismatch {
    package enum Problem {
      /// A value of another kind; with the field whose value it is.
      case wrong(JSON, Shape, Field?)
      /// One that is not there; with the member in whose name it probably is.
      case missing(Field, JSON.Member?)
      case unknown(JSON.Member, among: [Field])
      /// No case is recognised, or several are.
      case cases(Int, among: [Case])
    }

    package let problem: Problem
    /// How the value, or the mapping around it, is called.
    package let subject: String
  }

  /// What is wrong with a value.
  ///
  /// - Parameters:
  ///   - json: The value.
  ///   - subject: How the value is called in what is returned.
  /// - Returns: A clause; `nil` when nothing is wrong.
  public func mismatch(to json: JSON, as subject: String = "the line") -> String? {
    mismatches(to: json) { subject }.first?.text
  }

  private func mismatches(
    to json: JSON, of field: Field? = nil, _ subject: () -> String
  ) -> [Mismatch] {
    let isRight =
      switch self {
      case .anything: true
      case .text: json.string != nil
      case .number: json.number != nil
      case .length: json.number.map { $0 >= 0 } == true
      case .whole: json.integer != nil
      case .count: json.integer.map { $0 >= 0 } == true
      case .flag: json.bool != nil
      case .null: json == .null
      case .scalar: json == .null || Scalar(json) != nil
      case let .word(words): json.string.map(words.contains) == true
      case let .exactly(number): json.integer == number
      case let .either(shapes): shapes.contains { $0.mismatches(to: json) { "" }.isEmpty }
      case .list: json.elements != nil
      case .mapping, .object, .verb, .operation: json.members != nil
      case .named: true
      }
    guard isRight else { return [Mismatch(problem: .wrong(json, self, field), subject: subject())] }
    return switch self {
    case let .list(shape):
      (json.elements ?? []).flatMap { shape.mismatches(to: $0) { "an element of \(subject())" } }
    case let .mapping(shape):
      (json.members ?? []).flatMap { member in
        shape.mismatches(to: member.value) { "\"\(member.name)\" of \(subject())" }
      }
    case let .object(fields): Self.mismatches(in: json, fields, subject)
    case let .named(_, shape): shape.mismatches(to: json, of: field, subject)
    case let .verb(cases, direction): Self.mismatches(in: json, verbs: cases, direction)
    case let .operation(cases): Self.mismatches(in: json, operations: cases, subject)
    default: []
    }
  }

  /// What is wrong with the members of a mapping: first with those that it can have, in their
  /// order, then which it cannot have.
  package static func mismatches(
    in json: JSON, _ fields: [Field], _ subject: () -> String
  ) -> [Mismatch] {
    var found: [Mismatch] = []
    let others = (json.members ?? []).filter { member in
      !fields.contains { Text($0.name) == Text(member.name) }
    }
    for field in fields {
      guard let value = json[field.name] else {
        guard field.isRequired else { continue }
        let slip = others.first {
          closestMatches(to: $0.name, in: fields.map(\.name)).first == field.name
        }
        found.append(Mismatch(problem: .missing(field, slip), subject: subject()))
        continue
      }
      found += field.shape.mismatches(to: value, of: field) {
        "\"\(field.name)\" of \(subject())"
      }
    }
    for member in others {
      found.append(Mismatch(problem: .unknown(member, among: fields), subject: subject()))
    }
    return found
  }

  private static func mismatches(
    in json: JSON, verbs cases: [Case], _ direction: String
  ) -> [Mismatch] {
    let found = cases.filter { json[$0.name] != nil }
    guard let one = found.first, found.count == 1 else {
      return [Mismatch(problem: .cases(found.count, among: cases), subject: "the line")]
    }
    // What is wrong within the arguments of a verb is named by the verb alone.
    if case let .object(fields)? = one.fields.last?.shape, let arguments = json[one.name] {
      let inner = Shape.object(fields).mismatches(to: arguments) { one.name }
      if !inner.isEmpty { return inner }
    }
    return mismatches(in: json, one.fields) { "a \(direction) \"\(one.name)\"" }
  }

  private static func mismatches(
    in json: JSON, operations cases: [Case], _ subject: () -> String
  ) -> [Mismatch] {
    let choice = Field.needs("op", .word(cases.map(\.name)))
    let members = json["op"].map { [JSON.Member("op", $0)] } ?? []
    let wrong = mismatches(in: .object(members), [choice], subject)
    let one = cases.first { $0.name == json["op"]?.string }
    guard wrong.isEmpty, let one else { return wrong }
    return mismatches(in: json, one.fields) { "\(subject()) \(one.name)" }
  }

  /// What is expected, in words.
  package var name: String {
    switch self {
    case .anything: "anything"
    case .text: "a string"
    case .number: "a number"
    case .length: "a number from 0 on"
    case .whole: "a whole number"
    case .count: "a whole number from 0 on"
    case .flag: "true or false"
    case .null: "null"
    case .scalar: "a scalar or null"
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

extension Shape.Mismatch {
  fileprivate var text: String {
    switch problem {
    case let .wrong(json, shape, _):
      let text = json.text
      let found = text.utf8.count > 40 || json.members != nil ? json.kind : text
      let hint =
        if case let .word(words) = shape { didYouMean(json.string ?? "", words) } else { "" }
      return "\(subject) is \(found), expected \(shape.name)\(hint)"
    case let .missing(field, slip):
      let hint = slip.map { "; found \"\($0.name)\": did you mean \"\(field.name)\"?" } ?? ""
      return "\"\(field.name)\" is missing in \(subject)\(hint)"
    case let .unknown(member, fields):
      let expected =
        fields.isEmpty ? "no members" : fields.map(\.name).joined(separator: ", ")
      return "\"\(member.name)\" is no member of \(subject), which has \(expected)"
        + didYouMean(member.name, fields.map(\.name))
    case let .cases(count, cases):
      let number = count == 0 ? "no verb" : "\(count) verbs"
      let verbs = cases.map(\.name).joined(separator: ", ")
      return "there is \(number) in \(subject), expected one of \(verbs)"
    }
  }
}

// MARK: - Schema

extension Shape {
  /// The JSON Schema of a shape, which adds those of the shapes with names that it refers to, each
  /// once.
  public func schema(_ definitions: inout [JSON.Member]) -> JSON {
    switch self {
    case .anything: return true
    case .text: return ["type": "string"]
    case .number: return ["type": "number"]
    case .length: return ["type": "number", "minimum": 0]
    case .whole: return ["type": "integer"]
    case .count: return ["type": "integer", "minimum": 0]
    case .flag: return ["type": "boolean"]
    case .null: return ["type": "null"]
    case .scalar: return ["type": ["string", "number", "boolean", "object", "null"]]
    case let .word(words): return ["enum": .array(words.map { .string($0) })]
    case let .exactly(number): return ["const": .number(Double(number))]
    case let .list(shape): return ["type": "array", "items": shape.schema(&definitions)]
    case let .mapping(shape):
      return ["type": "object", "additionalProperties": shape.schema(&definitions)]
    case let .object(fields): return Self.schema(of: fields, "", &definitions)
    case let .either(shapes): return ["anyOf": .array(shapes.map { $0.schema(&definitions) })]
    case let .named(name, shape):
      if !definitions.contains(where: { $0.name == name }) {
        let index = definitions.count
        definitions.append(.init(name, .null))
        definitions[index].value = shape.schema(&definitions)
      }
      return ["$ref": .string("#/$defs/\(name)")]
    case let .verb(cases, _), let .operation(cases):
      return [
        "oneOf": .array(cases.map { Self.schema(of: $0.fields, $0.summary, &definitions) })
      ]
    }
  }

  private static func schema(
    of fields: [Field], _ summary: String, _ definitions: inout [JSON.Member]
  ) -> JSON {
    var members: [JSON.Member] = []
    if !summary.isEmpty { members.append(.init("description", .string(summary))) }
    let properties = fields.map { JSON.Member($0.name, $0.shape.schema(&definitions)) }
    members += [.init("type", "object"), .init("properties", .object(properties))]
    let required = fields.filter(\.isRequired).map { JSON.string($0.name) }
    if !required.isEmpty { members.append(.init("required", .array(required))) }
    members.append(.init("additionalProperties", false))
    return .object(members)
  }
}
