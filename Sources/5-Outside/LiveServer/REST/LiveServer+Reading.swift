internal import ClientInterface
import HTTP
internal import Tree
internal import Wire

// Reading by REST.

extension LiveServer {
  mutating func read(
    _ request: HTTPRequest, _ path: Path, at now: Instant
  ) throws(Refused) -> HTTPResponse {
    let parameters = request.parameters
    let query = try parameters.query()
    try parameters.checkTimeout()
    try checkIndex(of: path, query, in: request.namespace)
    let isShallow = parameters.isShallow
    let wantsTag = request.headers["x-firebase-etag"]?.lowercased() == "true"
    if isShallow, query != nil {
      throw Refused(400, "Mixing 'shallow' and querying parameters is not supported")
    }
    if wantsTag, isShallow || query != nil {
      throw Refused(400, "ETags are not supported for shallow reads and for queries")
    }
    // Reading notifies no client.
    var none: [Effect] = []
    let response = try perform(.get(path, query ?? .all), request, at: now, into: &none)
    let node = Node(json: response.payload)
    if let known = request.headers["if-none-match"], known == Self.tag(of: node) {
      return HTTPResponse(304, [.init("ETag", known)])
    }
    let json = isShallow ? Self.shallow(node) : parameters.form(node)
    return try parameters.wrapped(answered(json, node, request))
  }

  /// What is there without what is below: `true` for each child.
  private static func shallow(_ node: Node) -> JSON {
    if let scalar = node.scalar { return scalar.json }
    if node.isEmpty { return .null }
    return .object(node.children.map { JSON.Member($0.key.string, .bool(true)) })
  }
}
