internal import Document
package import Tree

/// The parameters of a request of REST, by what they mean; what is not here means nothing.
package struct RESTParameters {
  let request: HTTPRequest

  /// The names whose values are secret.
  package static let secrets = ["auth", "access_token"]

  /// What to sign in with.
  package var token: String? { request.argument("auth") ?? request.argument("access_token") }

  /// Whom the administrator wants to be taken for, in JSON.
  package var userOverride: String? { request.argument("auth_variable_override") }

  /// Whether only the names of children are wanted.
  package var isShallow: Bool { request.argument("shallow") == "true" }

  /// Whether data are written with their priorities.
  package var isExport: Bool { request.argument("format") == "export" }

  /// How data are written: for people, or with priorities.
  package func form(_ node: Node) -> JSON { node.json(isExport: isExport) }

  /// An answer that says `json`, as `print` wants it.
  package func response(_ json: JSON) -> HTTPResponse {
    switch request.argument("print") {
    case "silent" where request.argument("callback") == nil: HTTPResponse(204)
    case "pretty": HTTPResponse(200, text: json.prettyText + "\n", type: HTTPResponse.json)
    default: HTTPResponse(200, json: json)
    }
  }

  /// The answer as a script, or as a file to be kept, where that is asked for.
  package func wrapped(_ response: HTTPResponse) throws(Refused) -> HTTPResponse {
    var response = response
    if let name = request.argument("callback") {
      let allowed = name.utf8.allSatisfy { $0.isLetterOrDigit || "$._".utf8.contains($0) }
      guard !name.isEmpty, allowed else { throw Refused(400, "callback is no name") }
      let body = Array("/**/\(name)(".utf8) + response.body.dropLast() + Array(");\n".utf8)
      let headers = response.headers.filter { $0.name != "Content-Type" }
      response = HTTPResponse(
        200, headers + [.init("Content-Type", "application/javascript; charset=utf-8")], body: body)
    }
    if let name = request.argument("download") {
      let safe = name.filter { $0 != "\"" && $0 != "\\" && $0 != "/" }
      response.headers.append(
        .init("Content-Disposition", "attachment; filename=\"\(safe.isEmpty ? "data" : safe)\""))
    }
    return response
  }
}

extension HTTPRequest {
  package var parameters: RESTParameters { RESTParameters(request: self) }
}

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
  private func bound(_ inclusive: String, _ exclusive: String?) throws(Refused) -> Query.Bound? {
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

extension RESTParameters {
  /// How long a read may take at most, in minutes.
  private static let longestTimeout = 15.0
  /// How many bytes a write may have for each limit of its time: one megabyte is taken for a second.
  private static let writeSizes = [
    "tiny": 1_000_000, "small": 10_000_000, "medium": 30_000_000, "large": 60_000_000,
    "unlimited": Int.max,
  ]

  /// Checks `timeout`. Reads here are answered at once, so that no time is too short.
  ///
  /// - Throws: `Refused` for what is no time, and for more than 15 minutes.
  package func checkTimeout() throws(Refused) {
    guard let text = request.argument("timeout") else { return }
    let units = [("ms", 1.0 / 60_000), ("min", 1.0), ("s", 1.0 / 60)]
    guard let (unit, minutes) = units.first(where: { text.hasSuffix($0.0) }),
      let count = Double(String(text.dropLast(unit.count))), count > 0,
      count * minutes <= Self.longestTimeout
    else {
      throw Refused(
        400, "timeout must be a time up to 15min: a number with ms, s or min, such as 10s")
    }
  }

  /// Checks that a write is within `writeSizeLimit`.
  ///
  /// - Throws: `Refused` for a limit that is not known, and for a larger write.
  package func checkWriteSize() throws(Refused) {
    guard let name = request.argument("writeSizeLimit") else { return }
    guard let limit = Self.writeSizes[name] else {
      throw Refused(
        400, "writeSizeLimit must be one of tiny, small, medium, large and unlimited")
    }
    if request.body.count > limit {
      throw Refused(
        400, "the write has \(request.body.count) bytes; writeSizeLimit \(name) allows \(limit)")
    }
  }
}
