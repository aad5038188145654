internal import ClientInterface
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
  /// What came before that, or while something is read, and how many bytes it has.
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
  /// How its client has gone while something that it has sent is read elsewhere.
  var departure: Effect.Ending?
  /// What is to be sent, the first of which is written elsewhere.
  var outbox: [ServerMessage] = []
  /// What it has asked for and may ask for only so often.
  var listens = 0
  var onDisconnects = 0

  var isStream: Bool { eventForm != nil }

  /// What a stream shows; `nil` for a client of the protocol.
  var eventForm: EventForm? {
    if case let .events(_, stream) = carrier { stream.form } else { nil }
  }

  /// By what the requests of a session name it; `nil` where there is none.
  var sessionID: String? {
    switch carrier {
    case .segments, .events: nil
    case let .engine(session): session.id
    case let .longPoll(session): session.id
    }
  }

  /// Whether the client of a session has been silent for too long.
  func isSilent(at now: Instant) -> Bool {
    if isDead { return false }
    return switch carrier {
    case .segments, .events: false
    case let .engine(session): session.isSilent(at: now)
    case let .longPoll(session): session.isSilent(at: now)
    }
  }

  /// Has a keep-alive wait; few do, because clients wait for the last one.
  mutating func addUnanswered(_ packet: String) {
    if unanswered.count < 16 { unanswered.append(packet) }
  }

  /// Keeps what comes before it can be taken.
  mutating func keepEarly(_ text: String) {
    early.append(text)
    earlyBytes += text.utf8.count + 32
  }

  mutating func takeEarly() -> [String] {
    defer { (early, earlyBytes) = ([], 0) }
    return early
  }

  mutating func takeOutbox() -> [ServerMessage] {
    defer { outbox = [] }
    return outbox
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
