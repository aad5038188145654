import Document
import Scenario
import Tree

extension Reading {
  static let queryKeys = [
    "orderBy", "startAt", "startAfter", "endAt", "endBefore", "equalTo", "limitToFirst",
    "limitToLast",
  ]

  mutating func query(_ node: DocumentNode) -> Query? {
    guard let fields = fields(of: node, "query", keys: Self.queryKeys) else { return nil }
    if fields.entries.isEmpty {
      report(node.position, "query is empty; expected \(alternatives(Self.queryKeys))")
    }
    var query = Query()
    if let node = fields["orderBy"] { query.ordering = ordering(node) ?? .priority }
    checkPairs(fields)
    for entry in fields.entries { read(entry, into: &query) }
    return query
  }

  private mutating func read(_ entry: DocumentNode.Entry, into query: inout Query) {
    func edge(_ exclusive: String) -> Query.Bound.Edge {
      entry.key == exclusive ? .exclusive : .inclusive
    }
    switch entry.key {
    case "startAt", "startAfter":
      query.start = bound(entry, query.ordering, edge("startAfter"))
    case "endAt", "endBefore":
      query.end = bound(entry, query.ordering, edge("endBefore"))
    case "equalTo":
      query.start = bound(entry, query.ordering, .inclusive)
      query.end = query.start
    case "limitToFirst":
      query.limit = count(entry.value, entry.key, atLeast: 1).map { .first($0) }
    case "limitToLast":
      query.limit = count(entry.value, entry.key, atLeast: 1).map { .last($0) }
    default: break
    }
  }

  /// Reports parts of a query that exclude each other, at the second one.
  private mutating func checkPairs(_ fields: Fields) {
    let groups = [
      ["startAt", "startAfter", "equalTo"], ["endAt", "endBefore", "equalTo"],
      ["limitToFirst", "limitToLast"],
    ]
    for group in groups {
      let found = fields.entries.filter { group.contains($0.key) }
      guard found.count > 1, let last = found.last else { continue }
      report(
        last.keyPosition,
        "\(found.map(\.key).joined(separator: " and ")) exclude each other; expected one of them")
    }
  }

  private mutating func ordering(_ node: DocumentNode) -> Query.Ordering? {
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
