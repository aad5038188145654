internal import ClientInterface
package import Tree
internal import Wire

/// A query that conditions are added to one by one. Each gives a new query (QRY-26).
package struct QueryBuilder: Sendable {
  private let path: Path
  package private(set) var query = Query.all
  private var isOrdered = false

  /// Starts with everything at a location, and adds conditions in the form of scenarios, such as
  /// `{"orderBy": "score"}`.
  package init(at path: Path, _ steps: [JSON] = []) throws(Refusal) {
    if path.problem != nil { throw Refusal(code: "invalid_path") }
    self.path = path
    for step in steps { try add(step) }
    try check()
  }

  /// The same query with one more condition.
  package func adding(_ step: JSON) throws(Refusal) -> QueryBuilder {
    var derived = self
    try derived.add(step)
    try derived.check()
    return derived
  }

  func answer(_ question: String, _ argument: JSON) throws(Refusal) -> JSON {
    switch question {
    case "ref": return .string(path.description)  // QRY-25
    case "valid":
      // Each condition by itself, on top of what there is.
      for step in argument.elements ?? [] {
        _ = try adding(step)
      }
      return true
    default: throw .unknownQuestion
    }
  }

  private func check() throws(Refusal) {
    if let refusal = Refusal.query(query) { throw refusal }
  }

  /// ERR-4, ERR-13: what is there already is not given again.
  private mutating func add(_ step: JSON) throws(Refusal) {
    guard let condition = step.members?.first, step.members?.count == 1 else {
      throw .invalidQuery
    }
    let value = condition.value
    switch condition.name {
    case "orderBy": try order(by: value)
    case "startAt": try setStart(bound(value, .inclusive))
    case "startAfter": try setStart(bound(value, .exclusive))
    case "endAt": try setEnd(bound(value, .inclusive))
    case "endBefore": try setEnd(bound(value, .exclusive))
    case "equalTo":
      try setStart(bound(value, .inclusive))
      try setEnd(bound(value, .inclusive))
    case "limitToFirst": try setLimit(.first(value.integer ?? 0))
    case "limitToLast": try setLimit(.last(value.integer ?? 0))
    default: throw .invalidQuery
    }
  }

  private mutating func order(by name: JSON) throws(Refusal) {
    guard !isOrdered, let name = name.string else { throw .invalidQuery }
    let ordering = Query.Ordering(indexName: name)
    if case let .child(path) = ordering, path.problem != nil || path.isRoot {
      throw Refusal(code: "invalid_path")
    }
    query.ordering = ordering
    isOrdered = true
  }

  private mutating func setStart(_ bound: Query.Bound) throws(Refusal) {
    if query.start != nil { throw .invalidQuery }
    query.start = bound
  }

  private mutating func setEnd(_ bound: Query.Bound) throws(Refusal) {
    if query.end != nil { throw .invalidQuery }
    query.end = bound
  }

  private mutating func setLimit(_ limit: Query.Limit) throws(Refusal) {
    if query.limit != nil { throw .invalidQuery }
    query.limit = limit
  }

  /// A scalar, or `{value, key}`.
  private func bound(
    _ argument: JSON, _ edge: Query.Bound.Edge
  ) throws(Refusal) -> Query.Bound {
    let value = argument.members == nil ? argument : argument["value"] ?? .null
    guard value == .null || Scalar(value) != nil else { throw .invalidQuery }
    return Query.Bound(Scalar(value), key: argument["key"]?.string.map { Key($0) }, edge: edge)
  }
}

extension Refusal {
  fileprivate static let invalidQuery = Refusal(code: "invalid_query")
}
