public import Tree

extension Pattern: CustomStringConvertible {
  /// The pattern as a scenario file writes it, in JSON.
  public var json: JSON {
    switch self {
    case let .exactly(value): value
    case let .mapping(members): Self.json(of: members)
    case let .list(patterns): .array(patterns.map(\.json))
    case .any: "$any"
    case .pushID: "$pushId"
    case .serverTime: "$serverTime"
    case let .type(type): ["$type": .string(type.rawValue)]
    case let .oneOf(patterns): ["$oneOf": .array(patterns.map(\.json))]
    case let .not(pattern): ["$not": pattern.json]
    case let .subset(members): ["$subset": Self.json(of: members)]
    case let .unordered(patterns): ["$unordered": .array(patterns.map(\.json))]
    case let .each(pattern): ["$each": pattern.json]
    case let .gte(bound): ["$gte": .number(bound)]
    case let .lte(bound): ["$lte": .number(bound)]
    case let .approx(center, tolerance):
      ["$approx": ["value": .number(center), "tolerance": .number(tolerance)]]
    case let .bind(name): ["$bind": .string(name)]
    case let .ref(name): ["$ref": .string(name)]
    case let .all(patterns):
      .object(
        patterns.flatMap { pattern in
          let json = pattern.json
          return json.members ?? json.string.map { [JSON.Member($0, .null)] } ?? []
        })
    }
  }

  public var description: String { json.text }

  private static func json(of members: [Member]) -> JSON {
    .object(members.map { JSON.Member($0.name, $0.pattern.json) })
  }
}
