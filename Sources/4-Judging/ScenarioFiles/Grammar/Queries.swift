import Document
import Scenario
import Tree

extension Query {
  /// What a query states. A query that states nothing selects everything at the location.
  static let table = Table<Query>([
    Field(
      "orderBy", Schema.text, summary: "`.key`, `.value`, `.priority` or the path of a child.",
      read: { $2.ordering = $0.ordering($1) ?? .priority }, write: \.ordering.yaml),
    Field(
      [
        .init("startAt", "The start of a range."),
        .init("startAfter", "The start of a range, which does not belong to it."),
        .init("endAt", "The end of a range."),
        .init("endBefore", "The end of a range, which does not belong to it."),
        .init("equalTo", "Both ends of a range."),
      ],
      read: { reading, fields, query in
        for entry in fields.entries { reading.readBound(entry, of: &query) }
      }, write: \.bounds),
    Field(limits, \.limit),
  ])

  private static let limits = OneOf<Limit>(
    [
      .init(
        "limitToFirst", .count(from: 1), "How many children, from the start.", { .first($0) },
        of: { if case let .first(count) = $0 { count } else { nil } }),
      .init(
        "limitToLast", .count(from: 1), "How many children, up to the end.", { .last($0) },
        of: { if case let .last(count) = $0 { count } else { nil } }),
    ], .init(several: { found, _ in exclusion(found) }))

  fileprivate static func exclusion(_ keys: [String]) -> String {
    "\(keys.joined(separator: " and ")) exclude each other; expected one of them"
  }
}

extension Reading {
  mutating func query(_ node: DocumentNode) -> Query? {
    let names = Query.table.names
    guard let fields = fields(of: node, "query", keys: names) else { return nil }
    if fields.entries.isEmpty {
      report(node.position, "query is empty; expected \(alternatives(names))")
    }
    checkPairs(fields)
    var query = Query()
    read(fields, by: Query.table, into: &query)
    return query
  }

  /// Reports parts of a query that exclude each other, at the second one.
  private mutating func checkPairs(_ fields: Fields) {
    for group in [["startAt", "startAfter", "equalTo"], ["endAt", "endBefore", "equalTo"]] {
      let found = fields.entries.filter { group.contains($0.key) }
      guard found.count > 1, let last = found.last else { continue }
      report(last.keyPosition, Query.exclusion(found.map(\.key)))
    }
  }

  fileprivate mutating func ordering(_ node: DocumentNode) -> Query.Ordering? {
    guard let text = string(node, "orderBy") else { return nil }
    switch text {
    case ".key": return .key
    case ".value": return .value
    case ".priority": return .priority
    case _ where text.hasPrefix("."):
      unknown("ordering", text, at: node.position, among: [".key", ".value", ".priority"])
      return nil
    default:
      let path = Path(text)
      if path.isRoot {
        report(node.position, "orderBy is empty; expected .key, .value, .priority or a child")
      }
      if let problem = path.problem { report(node.position, problem.description) }
      return .child(path)
    }
  }

  fileprivate mutating func readBound(_ entry: DocumentNode.Entry, of query: inout Query) {
    switch entry.key {
    case "startAt": query.start = bound(entry, query.ordering, .inclusive)
    case "startAfter": query.start = bound(entry, query.ordering, .exclusive)
    case "endAt": query.end = bound(entry, query.ordering, .inclusive)
    case "endBefore": query.end = bound(entry, query.ordering, .exclusive)
    case "equalTo":
      query.start = bound(entry, query.ordering, .inclusive)
      query.end = query.start
    default: break
    }
  }

  /// A scalar, or `{value: V, key: K}`.
  private mutating func bound(
    _ entry: DocumentNode.Entry, _ ordering: Query.Ordering, _ edge: Query.Bound.Edge
  ) -> Query.Bound? {
    var value = entry.value
    var key: Key?
    if case .mapping = value.content {
      guard
        let fields = fields(
          of: value, entry.key, keys: ["value", "key"], required: ["value", "key"]),
        let inner = fields["value"], let name = fields["key"]
      else { return nil }
      if ordering == .key {
        report(
          name.position, "\(entry.key) names a key under orderBy .key; expected a string alone")
      }
      key = string(name, "the key of \(entry.key)").map { Key($0) }
      value = inner
    }
    guard isBound(value, entry.key, under: ordering) else { return nil }
    return Query.Bound(Scalar(value.json), key: key, edge: edge)
  }

  private mutating func isBound(
    _ value: DocumentNode, _ what: String, under ordering: Query.Ordering
  ) -> Bool {
    let (allowed, expected) =
      switch (ordering, value.content) {
      case (_, .list), (_, .mapping): (false, "a scalar, or {value: SCALAR, key: KEY}")
      case (.key, .string): (true, "")
      case (.key, _): (false, "a string under orderBy .key")
      case (.priority, .bool): (false, "a number, a string or null, since priorities order")
      case (.priority, _), (.value, _), (.child, _): (true, "")
      }
    if !allowed { mismatch(what, value, expected: expected) }
    return allowed
  }
}

extension Query.Ordering {
  /// Nothing for the order by priority, which need not be stated.
  fileprivate var yaml: YAML? {
    switch self {
    case .key: .text(".key")
    case .value: .text(".value")
    case .priority: nil
    case let .child(path): .path(path)
    }
  }
}

extension Query {
  fileprivate var bounds: [YAML.Entry] {
    if let start, start == end, start.edge == .inclusive { return [.init("equalTo", start.yaml)] }
    var entries: [YAML.Entry] = []
    if let start {
      entries.append(.init(start.edge == .inclusive ? "startAt" : "startAfter", start.yaml))
    }
    if let end { entries.append(.init(end.edge == .inclusive ? "endAt" : "endBefore", end.yaml)) }
    return entries
  }
}

extension Query.Bound {
  fileprivate var yaml: YAML {
    guard let key else { return .value(value) }
    return .mapping([.init("value", .value(value)), .init("key", .text(key.string))])
  }
}
