internal import RunModel
internal import Wire

extension ClientMessage {
  /// What it is, in a few words.
  var described: String {
    switch self {
    case .ping: "a ping"
    case let .request(number, request):
      "request \(number), \(Requests.Subject.request(request)),"
    }
  }
}

extension ServerMessage {
  /// What it is, in a few words.
  var described: String {
    switch self {
    case .hello: "its hello"
    case let .response(response): "the answer to request \(response.request)"
    case let .put(path, _, _), let .merge(path, _, _): "data of \(path)"
    case let .revoked(path, _): "the end of a listen to \(path)"
    case .credentialRevoked: "that a credential is revoked"
    case .shutdown: "a shutdown"
    case .reset: "a reset"
    case .pong: "a keep-alive"
    case .notice: "a notice"
    case .other: "an unknown message"
    }
  }
}
