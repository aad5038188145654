import LiveServer
import Tree
import Wire

extension Net {
  /// Asks by REST; nil when there is no answer yet, or the connection broke.
  mutating func ask(
    _ method: String, _ target: String, _ body: String = "", _ headers: [String: String] = [:]
  ) -> Socket? {
    let parts = target.split(separator: "?")
    let arguments = parts.count == 2 ? parts[1].split(separator: "&") : []
    let isStream = method == "STREAM"
    let request = HTTPRequest(
      isStream ? "GET" : method, String(parts[0]),
      arguments.map { HTTPRequest.Argument(String($0)) },
      headers: isStream ? ["accept": "text/event-stream"] : headers, body: Array(body.utf8))
    guard !perform({ $0.refuses(request) }) else { return nil }
    let socket = newSocket()
    perform { $0.handle(request, from: socket) }
    return socket
  }

  /// What has come of a request or a stream.
  mutating func came(to socket: Socket?) -> [String] {
    let own = effects.filter { $0.socket == socket }
    effects.removeAll { $0.socket == socket }
    return own.map { effect in
      switch effect {
      case let .respond(_, response): "\(response.status)"
      case let .begin(_, response): "stream \(response.status)"
      case let .write(_, text): text.split(separator: "\n").joined(separator: " ")
      case let .close(_, code, _): "closed \(code)"
      default: "\(effect)"
      }
    }
  }
}

extension ServerMessage {
  /// `ok 1`, `put /a 1`, `hello`: enough to tell messages apart.
  var short: String {
    switch self {
    case .hello: "hello"
    case let .response(response): "\(response.status) \(response.request)"
    case let .put(path, node, _): "put \(path) \(node.json.text)"
    case let .merge(path, _, _): "merge \(path)"
    case let .revoked(path, _): "revoked \(path)"
    case .credentialRevoked: "credential revoked"
    case let .shutdown(reason): "shutdown \(reason)"
    case let .reset(host): "reset \(host)"
    case .pong: "pong"
    case .notice, .other: "other"
    }
  }
}
