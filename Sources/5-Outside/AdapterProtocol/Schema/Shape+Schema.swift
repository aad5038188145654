public import Tree

extension Shape {
  /// The JSON Schema of a shape. Shapes with names are referred to.
  var schema: JSON {
    switch self {
    case .anything: true
    case .text: ["type": "string"]
    case .number: ["type": "number"]
    case .length: ["type": "number", "minimum": 0]
    case .whole: ["type": "integer"]
    case .flag: ["type": "boolean"]
    case .null: ["type": "null"]
    case let .word(words): ["enum": .array(words.map { .string($0) })]
    case let .exactly(number): ["const": .number(Double(number))]
    case let .list(shape): ["type": "array", "items": shape.schema]
    case let .mapping(shape): ["type": "object", "additionalProperties": shape.schema]
    case let .object(fields): Self.schema(of: fields)
    case let .either(shapes): ["anyOf": .array(shapes.map(\.schema))]
    case let .named(name, _): ["$ref": .string("#/$defs/\(name)")]
    case let .verb(lines, _):
      ["oneOf": .array(lines.map { Self.schema(of: $0.fields, $0.summary) })]
    case let .operation(operations):
      [
        "oneOf": .array(
          operations.map { operation in
            let fields = operation.fields.map {
              $0.name == "op" ? Field.needs("op", .word([operation.name])) : $0
            }
            return Self.schema(of: fields)
          })
      ]
    }
  }

  private static func schema(of fields: [Field], _ summary: String? = nil) -> JSON {
    var members: [JSON.Member] = summary.map { [.init("description", .string($0))] } ?? []
    members.append(.init("type", "object"))
    members.append(
      .init("properties", .object(fields.map { .init($0.name, $0.shape.schema) })))
    let required = fields.filter(\.isRequired).map { JSON.string($0.name) }
    if !required.isEmpty { members.append(.init("required", .array(required))) }
    members.append(.init("additionalProperties", false))
    return .object(members)
  }

  /// The shapes with names that it uses, itself included, each once.
  func collectNames(into found: inout [(name: String, shape: Shape)]) {
    switch self {
    case let .named(name, shape):
      guard !found.contains(where: { $0.name == name }) else { return }
      found.append((name, shape))
      shape.collectNames(into: &found)
    case let .list(shape), let .mapping(shape): shape.collectNames(into: &found)
    case let .either(shapes): for shape in shapes { shape.collectNames(into: &found) }
    case let .object(fields): for field in fields { field.shape.collectNames(into: &found) }
    case let .verb(lines, _):
      for field in lines.flatMap(\.fields) { field.shape.collectNames(into: &found) }
    case let .operation(operations):
      for field in operations.flatMap(\.fields) { field.shape.collectNames(into: &found) }
    case .anything, .text, .number, .length, .whole, .flag, .null, .word, .exactly: break
    }
  }
}

extension AdapterSchema {
  /// The published JSON Schema, for validators in any language: a line in either direction, and in
  /// `$defs` each direction by itself.
  public static var json: JSON {
    var named: [(name: String, shape: Shape)] = []
    request.collectNames(into: &named)
    answer.collectNames(into: &named)
    return [
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "title": "Lines of the adapter protocol",
      "description":
        "A request goes from the kit to the adapter, an answer from the adapter to the kit.",
      "anyOf": [request.schema, answer.schema],
      "$defs": .object(named.map { .init($0.name, $0.shape.schema) }),
    ]
  }
}
