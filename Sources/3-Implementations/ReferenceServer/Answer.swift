internal import Faults
internal import Tree
internal import Wire

/// How a request is answered.
enum Answer {
  /// Accepted. Requests about data are answered with an empty mapping, as recorded.
  case ok
  /// A listen was accepted, whose query needs an index that the rules do not state (SEC-6).
  case lacksIndex
  /// Accepted. Requests about the connection are answered with an empty text, as recorded.
  case done
  /// Accepted, with what was asked for.
  case found(Node)
  case refused(String)
  /// The hash of a conditional write is not that of the data.
  case stale
  case signedIn(user: String)
  case invalidToken
  case expiredToken

  func response(to request: Int) -> ServerMessage.Response {
    switch self {
    case .ok: .init(to: request)
    case .lacksIndex: .init(to: request, payload: ["w": ["no_index"]])
    case .done: .init(to: request, payload: "")
    case let .found(node): .init(to: request, payload: node.json)
    case .refused(SecurityRule.permissionDenied):
      .init(to: request, status: SecurityRule.permissionDenied, payload: "Permission denied")
    case let .refused(status): .init(to: request, status: status, payload: .string(status))
    case .stale:
      .init(to: request, status: "datastale", payload: "Transaction hash does not match")
    case let .signedIn(user):
      .init(to: request, payload: ["auth": ["uid": .string(user)]])
    case .invalidToken:
      .init(to: request, status: "invalid_token", payload: "Invalid token")
    case .expiredToken:
      .init(to: request, status: "expired_token", payload: "Token has expired")
    }
  }
}
