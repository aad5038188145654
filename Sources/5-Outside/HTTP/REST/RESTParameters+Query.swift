internal import Document
package import Tree

extension RESTParameters {
  private static let names = [
    "startAt", "startAfter", "endAt", "endBefore", "equalTo", "limitToFirst", "limitToLast",
  ]

  /// Which children are meant; `nil` when no query is asked for.
  ///
  /// - Throws: `Refused` when the arguments mean nothing.
  package func query() throws(Refused) -> Query? {
    guard let order = request.argument("orderBy") else {
      for name in Self.names where request.argument(name) != nil {
        throw Refused(400, "orderBy must be defined when other query parameters are defined")
      }
      return nil
    }
    var query = Query(ordering: try ordering(order))
    query.start = try bound("startAt", "startAfter")
    query.end = try bound("endAt", "endBefore")
    if let equal = try bound("equalTo", nil) {
      guard query.start == nil, query.end == nil else {
        throw Refused(400, "equalTo cannot be used together with a start or an end")
      }
      (query.start, query.end) = (equal, equal)
    }
    query.limit = try limit()
    return query
  }

  private func ordering(_ text: String) throws(Refused) -> Query.Ordering {
    guard let name = (try? JSON(parsing: text))?.string, !name.isEmpty else {
      throw Refused(400, "orderBy must be a valid JSON encoded path")
    }
    switch name {
    case "$key": return .key
    case "$value": return .value
    case "$priority": return .priority
    default:
      let path = Path(name)
      guard !path.isRoot, path.problem == nil else {
        throw Refused(400, "orderBy must be a valid JSON encoded path")
      }
      return .child(path)
    }
  }

  /// One end of the range: a value in JSON, and perhaps a comma and a key in JSON.
  private func bound(
    _ inclusive: String, _ exclusive: String?
  ) throws(Refused) -> Query.Bound? {
    let outer = exclusive.flatMap { request.argument($0) }
    guard let text = request.argument(inclusive) ?? outer else { return nil }
    if outer != nil, request.argument(inclusive) != nil {
      throw Refused(400, "\(inclusive) cannot be used together with \(exclusive ?? "")")
    }
    let edge: Query.Bound.Edge = outer == nil ? .inclusive : .exclusive
    let name = outer == nil ? inclusive : exclusive ?? ""
    guard let parts = (try? JSON(parsing: "[" + text + "]"))?.elements,
      (1...2).contains(parts.count),
      let first = parts.first, first == .null || Scalar(first) != nil
    else { throw Refused(400, "\(name) must be a number, string, boolean, or null, in JSON") }
    guard parts.count == 2 else { return Query.Bound(Scalar(first), edge: edge) }
    guard let key = parts[1].string, Key(key).problem == nil else {
      throw Refused(400, "the key in \(name) must be a string that is a key, in JSON")
    }
    return Query.Bound(Scalar(first), key: Key(key), edge: edge)
  }

  private func limit() throws(Refused) -> Query.Limit? {
    func count(_ name: String) throws(Refused) -> Int? {
      guard let text = request.argument(name) else { return nil }
      guard let count = Int(text), count > 0 else {
        throw Refused(400, "\(name) must be a positive integer")
      }
      return count
    }
    let (first, last) = (try count("limitToFirst"), try count("limitToLast"))
    if first != nil, last != nil {
      throw Refused(400, "limitToFirst cannot be used together with limitToLast")
    }
    return first.map { .first($0) } ?? last.map { .last($0) }
  }
}
