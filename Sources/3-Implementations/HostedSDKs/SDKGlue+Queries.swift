internal import ClientEngine
internal import ClientInterface
internal import Tree
internal import Wire

extension SDKGlue {
  /// Builds a query, a condition after the other.
  func query(_ target: Operation.Target) -> Query {
    let given = target.query
    var query = reference(target.path).query
    if given == .all { return query }
    query = ordered(query, by: given.ordering)
    if let start = given.start, start == given.end, start.edge == .inclusive {
      query = equal(query, start.value?.json.plain, start.key?.string)
    } else {
      if let start = given.start {
        query = starting(query, start.edge, start.value?.json.plain, start.key?.string)
      }
      if let end = given.end {
        query = ending(query, end.edge, end.value?.json.plain, end.key?.string)
      }
    }
    switch given.limit {
    case let .first(count)?: return limited(query, Double(count)) { $0.queryLimited(toFirst: $1) }
    case let .last(count)?: return limited(query, Double(count)) { $0.queryLimited(toLast: $1) }
    case nil: return query
    }
  }

  /// Builds a query as an inspection describes it.
  func query(_ path: Path, _ steps: [JSON]) -> Query {
    steps.reduce(reference(path).query) { adding($1, to: $0) }
  }

  /// The same query with one more condition, such as `{"startAt": 3}`.
  func adding(_ step: JSON, to query: Query) -> Query {
    guard let condition = step.members?.first, step.members?.count == 1 else {
      refuse("invalid_query")
      return query
    }
    let argument = condition.value
    let value = argument.members == nil ? argument : argument["value"] ?? .null
    let key = argument["key"]?.string
    switch condition.name {
    case "orderBy":
      if let name = argument.string { return ordered(query, by: .init(indexName: name)) }
    case "startAt": return starting(query, .inclusive, value.plain, key)
    case "startAfter": return starting(query, .exclusive, value.plain, key)
    case "endAt": return ending(query, .inclusive, value.plain, key)
    case "endBefore": return ending(query, .exclusive, value.plain, key)
    case "equalTo": return equal(query, value.plain, key)
    case "limitToFirst":
      return limited(query, argument.number) { $0.queryLimited(toFirst: $1) }
    case "limitToLast": return limited(query, argument.number) { $0.queryLimited(toLast: $1) }
    default: break
    }
    refuse("invalid_query")
    return query
  }

  private func ordered(_ query: Query, by ordering: Tree.Query.Ordering) -> Query {
    switch ordering {
    case .key: query.queryOrderedByKey()
    case .value: query.queryOrderedByValue()
    case .priority: query.queryOrderedByPriority()
    case let .child(path): query.queryOrdered(byChild: path.relativeText)
    }
  }

  private func starting(
    _ query: Query, _ edge: Tree.Query.Bound.Edge, _ value: Any?, _ key: String?
  ) -> Query {
    if edge == .exclusive { return query.queryStarting(afterValue: value, childKey: key) }
    return key == nil
      ? query.queryStarting(atValue: value) : query.queryStarting(atValue: value, childKey: key)
  }

  private func ending(
    _ query: Query, _ edge: Tree.Query.Bound.Edge, _ value: Any?, _ key: String?
  ) -> Query {
    if edge == .exclusive { return query.queryEnding(beforeValue: value, childKey: key) }
    return key == nil
      ? query.queryEnding(atValue: value) : query.queryEnding(atValue: value, childKey: key)
  }

  private func equal(_ query: Query, _ value: Any?, _ key: String?) -> Query {
    key == nil ? query.queryEqual(toValue: value) : query.queryEqual(toValue: value, childKey: key)
  }

  /// The type of the interface knows no negative numbers and no fractions.
  private func limited(
    _ query: Query, _ count: Double?, _ limit: (Query, UInt) -> Query
  ) -> Query {
    if let count = count.flatMap({ UInt(exactly: $0) }) { return limit(query, count) }
    refuse("invalid_query")
    return query
  }
}
