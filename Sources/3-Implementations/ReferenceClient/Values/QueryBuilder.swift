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
    if let problem = path.problem { throw .invalidPath(problem.description) }
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

  /// What it answers without the server.
  package func answer(_ question: String, _ argument: JSON) throws(Refusal) -> JSON {
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
    case "startAt": try set(\.start, to: bound(value, .inclusive))
    case "startAfter": try set(\.start, to: bound(value, .exclusive))
    case "endAt": try set(\.end, to: bound(value, .inclusive))
    case "endBefore": try set(\.end, to: bound(value, .exclusive))
    case "equalTo":
      try set(\.start, to: bound(value, .inclusive))
      try set(\.end, to: bound(value, .inclusive))
    case "limitToFirst": try set(\.limit, to: .first(value.integer ?? 0))
    case "limitToLast": try set(\.limit, to: .last(value.integer ?? 0))
    default: throw .invalidQuery
    }
  }

  private mutating func order(by name: JSON) throws(Refusal) {
    if isOrdered { throw .repeatedCondition }
    guard let name = name.string else { throw .invalidQuery }
    let ordering = Query.Ordering(indexName: name)
    if case let .child(path) = ordering {
      if path.isRoot { throw .invalidPath("the path of an order is empty") }
      if let problem = path.problem { throw .invalidPath(problem.description) }
    }
    query.ordering = ordering
    isOrdered = true
  }

  private mutating func set<Part>(
    _ part: WritableKeyPath<Query, Part?>, to value: Part
  ) throws(Refusal) {
    if query[keyPath: part] != nil { throw .repeatedCondition }
    query[keyPath: part] = value
  }

  /// A scalar, or `{value, key}`.
  private func bound(
    _ argument: JSON, _ edge: Query.Bound.Edge
  ) throws(Refusal) -> Query.Bound {
    let value = argument.members == nil ? argument : argument["value"] ?? .null
    guard value == .null || Scalar(value) != nil else {
      throw .invalidQuery("a bound is a number, a string, a boolean or nothing")
    }
    return Query.Bound(Scalar(value), key: argument["key"]?.string.map { Key($0) }, edge: edge)
  }
}
