import ClientInterface
import Document
import Scenario
import Tree

extension Query {
  /// What a query states, in the words of the adapter protocol.
  static let keys: [FieldKey] = [
    .init("orderBy", Schema.text, "`.key`, `.value`, `.priority` or the path of a child."),
    .init("startAt", "The start of a range."),
    .init("startAfter", "The start of a range, which does not belong to it."),
    .init("endAt", "The end of a range."),
    .init("endBefore", "The end of a range, which does not belong to it."),
    .init("equalTo", "Both ends of a range."),
    .init("limitToFirst", Form.count(from: 1).schema, "How many children, from the start."),
    .init("limitToLast", Form.count(from: 1).schema, "How many children, up to the end."),
  ]

  static let names = keys.map(\.name)
}

extension Form<Query> {
  static let query = Form(
    ["type": ["object", "array", "string"]], read: { reading, node, _ in reading.query(node) },
    write: { .value($0.arguments) })
}

extension Reading {
  fileprivate mutating func query(_ node: DocumentNode) -> Query? {
    guard let fields = fields(of: node, "query", keys: Query.names) else { return nil }
    if fields.entries.isEmpty {
      report(node.position, "query is empty; expected \(alternatives(Query.names))")
    }
    checkPairs(fields)
    let ordering = fields["orderBy"].flatMap { self.ordering($0) } ?? .priority
    for entry in fields.entries where Query.names.contains(entry.key) {
      switch entry.key {
      case "orderBy": break
      case "limitToFirst", "limitToLast": _ = count(entry.value, entry.key, atLeast: 1)
      default: checkBound(entry, ordering)
      }
    }
    do {
      return try Query(arguments: node.json)
    } catch {
      // What is wrong has been reported, with its position.
      return nil
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
  private mutating func checkBound(_ entry: DocumentNode.Entry, _ ordering: Query.Ordering) {
    guard case .mapping = entry.value.content else {
      return checkBound(entry.value, entry.key, under: ordering)
    }
    let keys = ["value", "key"]
    let fields = fields(of: entry.value, entry.key, keys: keys, required: keys)
    guard let value = fields?["value"], let key = fields?["key"] else { return }
    if ordering == .key {
      report(key.position, "\(entry.key) names a key under orderBy .key; expected a string alone")
    }
    _ = string(key, "the key of \(entry.key)")
    checkBound(value, entry.key, under: ordering)
  }

  private mutating func checkBound(
    _ value: DocumentNode, _ what: String, under ordering: Query.Ordering
  ) {
    let (allowed, expected) =
      switch (ordering, value.content) {
      case (_, .list), (_, .mapping): (false, "a scalar, or {value: SCALAR, key: KEY}")
      case (.key, .string): (true, "")
      case (.key, _): (false, "a string under orderBy .key")
      case (.priority, .bool): (false, "a number, a string or null, since priorities order")
      case (.priority, _), (.value, _), (.child, _): (true, "")
      }
    if !allowed { mismatch(what, value, expected: expected) }
  }
}
