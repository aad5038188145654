package import Tree
internal import Wire

/// What a request of REST is answered, before it is put into words.
package struct RESTAnswer: Sendable {
  package enum Content: Sendable {
    /// A complete answer.
    case response(HTTPResponse)
    /// What a write without data of its own says.
    case json(JSON)
    /// What is at the location after a write.
    case written(Node)
    /// What is there instead of what `If-Match` expects.
    case stale(Node)
    /// What a read found, as the protocol writes it.
    case found(JSON)
  }

  /// The ETag of a location where nothing is.
  package static let tagOfNothing = "null_etag"

  package let request: HTTPRequest
  private let content: Content

  package init(_ content: Content, to request: HTTPRequest) {
    (self.content, self.request) = (content, request)
  }

  /// The answer in words.
  ///
  /// - Complexity: O(*n*) in the size of the data.
  package func response() -> HTTPResponse {
    let parameters = request.parameters
    switch content {
    case let .response(response): return response
    case let .json(json): return parameters.response(json)
    case let .written(node): return tagged(parameters.response(parameters.form(node)), node)
    case let .stale(node):
      var answer = HTTPResponse(412, json: parameters.form(node))
      answer.headers.append(.init("ETag", Self.tag(of: node)))
      return answer
    case let .found(json): return found(Node(json: json))
    }
  }

  /// Whether its data have more than about `limit` bytes.
  ///
  /// - Complexity: O(*limit*).
  package func isLarger(than limit: Int) -> Bool {
    switch content {
    case .response: false
    case .json: request.body.count > limit
    case let .written(node), let .stale(node): node.byteCount(upTo: limit) > limit
    case let .found(json): json.byteCount(upTo: limit) > limit
    }
  }

  private func found(_ node: Node) -> HTTPResponse {
    if let known = request.headers["if-none-match"], known == Self.tag(of: node) {
      return HTTPResponse(304, [.init("ETag", known)])
    }
    let parameters = request.parameters
    let json = parameters.isShallow ? Self.shallow(node) : parameters.form(node)
    do throws(Refused) {
      return try parameters.wrapped(tagged(parameters.response(json), node))
    } catch {
      return error.response
    }
  }

  /// With an ETag, where one is wanted.
  private func tagged(_ plain: HTTPResponse, _ node: Node) -> HTTPResponse {
    var response = plain
    let isAsked = request.headers["x-firebase-etag"]?.lowercased() == "true"
    // The admin SDKs look for it after conditional writes too, without asking for it.
    if isAsked || request.headers["if-match"] != nil {
      response.headers.append(.init("ETag", Self.tag(of: node)))
    }
    return response
  }

  private static func tag(of node: Node) -> String { node.isEmpty ? tagOfNothing : node.hash }

  /// What is there without what is below: `true` for each child.
  private static func shallow(_ node: Node) -> JSON {
    if let scalar = node.scalar { return scalar.json }
    if node.isEmpty { return .null }
    return .object(node.children.map { JSON.Member($0.key.string, .bool(true)) })
  }
}
