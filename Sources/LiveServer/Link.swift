internal import ReferenceServer
internal import Tree
internal import Wire

/// One connection of the protocol, and what carries it.
struct Link: Sendable {
  enum Carrier: Sendable {
    /// A WebSocket with the Firebase framing.
    case segments(Socket, Assembly)
    /// An engine.io session: one or several requests, or a WebSocket.
    case engine(EngineSession)
    /// A request whose answer does not end.
    case events(Socket, EventStream)
  }

  let id: ReferenceServer.ConnectionID
  let namespace: String
  let dialect: Dialect
  var carrier: Carrier
  /// Whether it has signed in with the administrator's token: no rule applies to it.
  var isAdministrator = false
  /// Whether its client has said that it goes.
  var isLeaving = false
  /// What it has asked for and may ask for only so often.
  var listens = 0
  var onDisconnects = 0

  /// A message as it is sent here; the hello tells the version of the family that is spoken.
  func message(_ message: ServerMessage) -> ServerMessage {
    guard case var .hello(hello) = message else { return message }
    hello.version = dialect.version
    return .hello(hello)
  }
}

/// Puts messages of the Firebase framing together, and counts what that keeps in memory.
struct Assembly: Sendable {
  /// What a part costs besides its text.
  private static let overhead = 32

  private var assembler = SegmentAssembler()
  /// What the parts so far cost, in bytes.
  private(set) var size = 0

  /// What one frame comes to.
  enum Outcome: Hashable {
    case message(String)
    /// Part of a message, or a keep-alive.
    case nothing
    case tooLong
    /// Together with what others have begun.
    case tooMuch
  }

  mutating func receive(_ frame: String, limit: Int) -> Outcome {
    size += frame.utf8.count + Self.overhead
    if size > limit + Self.overhead { return .tooLong }
    let isPart = assembler.isIncomplete
    if let message = assembler.receive(frame) {
      size = 0
      return .message(message)
    }
    if !isPart { size = 0 }
    return .nothing
  }
}
