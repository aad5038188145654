import LiveServer
import ReferenceServer
import RunModel
import Tree
import Wire

// Messages of a run whose data lie below a path of their own.

extension ReferenceServer.Write {
  /// The request by which a client makes it.
  var request: Request {
    switch self {
    case let .put(path, node): .put(path, node, hash: nil)
    case let .merge(path, assignments): .merge(path, assignments, hash: nil)
    }
  }

  /// The request by which it is made by REST.
  var requestOfREST: HTTPRequest {
    let (method, path, body): (String, Path, JSON?) =
      switch self {
      case let .put(path, node): node.isEmpty ? ("DELETE", path, nil) : ("PUT", path, node.json)
      case let .merge(path, assignments): ("PATCH", path, assignments.json)
      }
    return HTTPRequest(
      method, "\(path).json", headers: body == nil ? [:] : ["content-type": "application/json"],
      body: body.map { Array($0.text.utf8) } ?? [])
  }
}

extension ClientMessage {
  /// The same about a location below `base`.
  func below(_ base: Path) -> ClientMessage {
    guard case let .request(number, request) = self else { return self }
    return .request(number, request.below(base))
  }

  /// The same with a token that the server knows.
  func signed(with tokens: [String: String]) -> ClientMessage {
    guard case let .request(number, .authenticate(credential)) = self,
      let token = tokens[credential.token]
    else { return self }
    return .request(number, .authenticate(.init(token)))
  }
}

extension Request {
  func below(_ base: Path) -> Request {
    switch self {
    case var .listen(listen):
      listen.path = base.appending(listen.path)
      return .listen(listen)
    case let .unlisten(path, query, tag):
      return .unlisten(base.appending(path), query: query, tag: tag)
    case let .put(path, node, hash): return .put(base.appending(path), node, hash: hash)
    case let .merge(path, assignments, hash):
      return .merge(base.appending(path), assignments, hash: hash)
    case let .onDisconnectPut(path, node): return .onDisconnectPut(base.appending(path), node)
    case let .onDisconnectMerge(path, assignments):
      return .onDisconnectMerge(base.appending(path), assignments)
    case let .onDisconnectCancel(path): return .onDisconnectCancel(base.appending(path))
    case let .get(path, query): return .get(base.appending(path), query)
    case .stats, .authenticate, .unauthenticate: return self
    }
  }
}

extension ServerMessage {
  /// Data after a message about them; `base` is their root.
  func applied(to tree: Node, at base: Path) -> Node {
    switch self {
    case let .put(path, node, _): [(path, node)].applied(to: tree, at: base)
    case let .merge(path, assignments, _):
      assignments.sets(below: path).applied(to: tree, at: base)
    case .response, .hello, .revoked, .credentialRevoked, .shutdown, .reset, .pong, .notice, .other:
      tree
    }
  }

  /// The same for a client to which `base` is the root. What is about another location stays.
  func relative(to base: Path) -> ServerMessage {
    func own(_ path: Path) -> Path { path.relative(to: base) ?? path }
    return switch self {
    case let .put(path, node, tag): .put(own(path), node, tag: tag)
    case let .merge(path, assignments, tag): .merge(own(path), assignments, tag: tag)
    case let .revoked(path, queries): .revoked(own(path), queries: queries)
    case .hello, .response, .credentialRevoked, .shutdown, .reset, .pong, .notice, .other: self
    }
  }
}
