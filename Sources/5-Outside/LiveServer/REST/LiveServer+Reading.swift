internal import ClientInterface
internal import ReferenceServer
internal import Tree
internal import Wire

// Reading by REST.

extension LiveServer {
  mutating func read(
    _ request: HTTPRequest, _ place: Path, at now: Instant
  ) throws(Refused) -> HTTPResponse {
    let query = try Self.query(of: request)
    let isShallow = request.argument("shallow") == "true"
    let wantsTag = request.headers["x-firebase-etag"]?.lowercased() == "true"
    if isShallow, query != nil {
      throw Refused(400, "Mixing 'shallow' and querying parameters is not supported")
    }
    if wantsTag, isShallow || query != nil {
      throw Refused(400, "ETags are not supported for shallow reads and for queries")
    }
    // Reading tells nobody anything.
    var none: [Effect] = []
    let response = try perform(.get(place, query ?? .all), request, at: now, into: &none)
    let node = Node(json: response.payload)
    if let known = request.headers["if-none-match"], known == Self.tag(of: node) {
      return HTTPResponse(304, [.init("ETag", known)])
    }
    let json = isShallow ? Self.shallow(node) : form(node, request)
    return try wrapped(answered(json, node, request), request)
  }

  static func query(of request: HTTPRequest) throws(Refused) -> Query? {
    do throws(RESTQuery.Mistake) {
      return try RESTQuery(request: request).query()
    } catch {
      throw Refused(400, error.message)
    }
  }

  /// What is there without what is below: `true` for each child.
  private static func shallow(_ node: Node) -> JSON {
    if let scalar = node.scalar { return scalar.json }
    if node.isEmpty { return .null }
    return .object(node.children.map { JSON.Member($0.key.string, .bool(true)) })
  }

  /// The answer as a script, or as a file to be kept, where that is asked for.
  private func wrapped(
    _ response: HTTPResponse, _ request: HTTPRequest
  ) throws(Refused) -> HTTPResponse {
    var response = response
    if let name = request.argument("callback") {
      let allowed = name.utf8.allSatisfy {
        ($0 | 32) >= 97 && ($0 | 32) <= 122 || $0 >= 48 && $0 <= 57 || $0 == 36 || $0 == 46
          || $0 == 95
      }
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
