import ClientInterface
import Document
import Scenario
import Tree

extension Query {
  /// What a query states, and what is wrong with it under its ordering. What is right is read and
  /// written by the words of the adapter protocol, which are the same.
  static let table = Table<Ordering>([
    Field(
      "orderBy", Schema.text, summary: "`.key`, `.value`, `.priority` or the path of a child.",
      read: { $2 = $0.ordering($1) ?? $2 }),
    bound("startAt", "The start of a range."),
    bound("startAfter", "The start of a range, which does not belong to it."),
    bound("endAt", "The end of a range."),
    bound("endBefore", "The end of a range, which does not belong to it."),
    bound("equalTo", "Both ends of a range."),
    limit("limitToFirst", "How many children, from the start."),
    limit("limitToLast", "How many children, up to the end."),
  ])

  private static func bound(_ name: String, _ summary: String) -> Field<Ordering> {
    Field(name, summary: summary, read: { $0.checkBound($1, name, $2) })
  }

  private static func limit(_ name: String, _ summary: String) -> Field<Ordering> {
    let form = Form.count(from: 1)
    return Field(
      name, form.schema, summary: summary,
      read: { reading, node, _ in _ = form.read(&reading, node, name) })
  }
}

extension Form<Query> {
  static let query = Form(
    ["type": ["object", "array", "string"]], read: { reading, node, _ in reading.query(node) },
    write: { .value($0.arguments) })
}

extension Reading {
  fileprivate mutating func query(_ node: DocumentNode) -> Query? {
    var ordering = Query.Ordering.priority
    guard let fields = read(node, "query", by: Query.table, into: &ordering) else { return nil }
    if fields.entries.isEmpty {
      report(node.position, "query is empty; expected \(alternatives(Query.table.names))")
    }
    checkPairs(fields)
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

  /// A scalar, or `{value: V, key: K}`.
  fileprivate mutating func checkBound(
    _ node: DocumentNode, _ what: String, _ ordering: Query.Ordering
  ) {
    guard case .mapping = node.content else { return checkBound(node, what, under: ordering) }
    let keys = ["value", "key"]
    let fields = fields(of: node, what, keys: keys, required: keys)
    guard let value = fields?["value"], let key = fields?["key"] else { return }
    if ordering == .key {
      report(key.position, "\(what) names a key under orderBy .key; expected a string alone")
    }
    _ = string(key, "the key of \(what)")
    checkBound(value, what, under: ordering)
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
