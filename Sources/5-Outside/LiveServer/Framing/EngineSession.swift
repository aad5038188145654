internal import ClientInterface
internal import Tree

/// What carries a connection of the Wilddog family: a session of engine.io, version 3.
///
/// It begins with requests that wait for what there is to send, or with a WebSocket, and may go
/// over from the first to the second.
struct EngineSession: Sendable {
  /// How often clients are asked to send a keep-alive, in milliseconds.
  static let pingInterval = 25_000
  /// How long after that they may be late, in milliseconds.
  static let pingTimeout = 60_000

  let id: String
  /// The WebSocket, once there is one.
  var socket: Socket?
  /// A WebSocket that may take over.
  var candidate: Socket?
  /// The request that waits for packets.
  var poll: Socket?
  /// What has not been fetched yet.
  var waiting: [String] = []
  var waitingBytes = 0
  /// When something last came from the client.
  var lastActivity: Instant
  /// What the answers to its requests have in their heads.
  let origin: String?

  /// The first packet of a session, which states its terms.
  func handshake(canUpgrade: Bool) -> String {
    let terms: JSON = [
      "sid": .string(id), "upgrades": .array(canUpgrade ? ["websocket"] : []),
      "pingInterval": .number(Double(Self.pingInterval)),
      "pingTimeout": .number(Double(Self.pingTimeout)),
    ]
    return "0" + terms.text
  }

  /// Whether the client has been silent for too long.
  func isSilent(at now: Instant) -> Bool {
    now - lastActivity > .milliseconds(Self.pingInterval + Self.pingTimeout)
  }
}

extension ProtocolConnection.Carrier {
  /// By what the requests of a session name it; `nil` where there is none.
  var sessionID: String? {
    switch self {
    case .segments, .events: nil
    case let .engine(session): session.id
    case let .longPoll(session): session.id
    }
  }
}
