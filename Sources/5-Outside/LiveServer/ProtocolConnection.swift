internal import ReferenceServer
internal import Wire

/// One connection of the protocol, and what carries it.
struct ProtocolConnection: Sendable {
  enum Carrier: Sendable {
    /// A WebSocket with the Firebase framing.
    case segments(Socket, BoundedAssembler)
    /// An engine.io session: one or several requests, or a WebSocket.
    case engine(EngineSession)
    /// Scripts that a page of the Firebase family fetches.
    case longPoll(LongPollSession)
    /// A request whose answer does not end.
    case events(Socket, EventStream)
  }

  let id: ReferenceServer.ConnectionID
  let namespace: String
  let dialect: Dialect
  var carrier: Carrier
  /// Whose it is, if that is known.
  var client: String?
  /// The host under which its client came.
  var host = ""
  /// The connection that its client had before, if it states that.
  var previous: Int?
  /// Whether the server knows of it, and has sent hello.
  var hasReceivedHello = false
  /// What came before that, and how many bytes it has.
  var early: [String] = []
  var earlyBytes = 0
  /// Whether nothing gets through it any more.
  var isDead = false
  /// Whether messages wait for the time being: keep-alives wait as well.
  var isStalled = false
  /// Those that wait.
  private(set) var unanswered: [String] = []
  /// How it came to its end at the client, while the server has not noticed.
  var ending = Effect.Ending.lost
  /// Whether it has signed in with the administrator's token: no rule applies to it.
  var isAdministrator = false
  /// Whether its client has announced that it goes.
  var isLeaving = false
  /// What it has asked for and may ask for only so often.
  var listens = 0
  var onDisconnects = 0

  /// Has a keep-alive wait; few do, because clients wait for the last one.
  mutating func addUnanswered(_ packet: String) {
    if unanswered.count < 16 { unanswered.append(packet) }
  }

  mutating func takeUnanswered() -> [String] {
    defer { unanswered = [] }
    return unanswered
  }

  /// A message as it is sent here; the hello contains the name of the session with its suffix.
  func message(_ message: ServerMessage, sessionSuffix: String) -> ServerMessage {
    guard case var .hello(hello) = message else { return message }
    hello.session += sessionSuffix
    return .hello(hello)
  }
}

/// Puts messages of the Firebase framing together, and counts what that keeps in memory.
struct BoundedAssembler: Sendable {
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
