public import ClientInterface
internal import Faults
public import ReferenceServer
internal import RunModel
internal import Tree
internal import Wire

/// The reference server as clients on real sockets meet it: both framings of the protocol, and
/// REST.
///
/// A value without sockets, clock or threads. The caller does the input and output and hands over
/// what arrived and when, and carries out the effects in their order. What is sent to clients as
/// data comes from one ``ReferenceServer`` for each namespace, the same that the simulator runs.
public struct LiveServer: Sendable {
  /// What the server began with, and the security rules that faults have added since.
  public internal(set) var settings: LiveServerSettings
  /// By name. A namespace begins when it is first named.
  var namespaces: [String: ReferenceServer] = [:]
  /// By the number of the connection.
  var links: [Int: ProtocolConnection] = [:]
  /// Who watches them, apart, so that nothing is copied when a link is. Streams are not watched.
  var watches: [Int: ConnectionMonitor] = [:]
  /// The connection about which something was found last.
  var lastFound: (connection: Int, client: String?)?
  /// The connection that a WebSocket or a stream carries.
  var carried: [Socket: Int] = [:]
  /// The connection of a session of engine.io, or of long polling.
  var sessions: [String: Int] = [:]
  /// The connection for whose session a request waits, or a WebSocket that may take over.
  var holders: [Socket: Int] = [:]
  /// What messages cost of which parts are missing, in bytes.
  var assembling = 0
  /// What waits for clients that poll, in bytes.
  var waitingBytes = 0
  /// By the name of the namespace.
  var stored: [String: StoredBytes] = [:]
  /// The text of the message that was sent last.
  var rendering: OutgoingText?
  /// The large messages that are read elsewhere, by their connections, and those that are written;
  /// how many there were.
  var reading: [Int: LargeWork] = [:]
  var writing: [LargeWork] = []
  /// How many bodies and answers of requests are read and written elsewhere.
  var workForRequests = 0
  var lastWork = 0
  var eventText: EventText?
  /// What is known of the write that is being taken.
  var prepared: ReferenceServer.PreparedWrite?
  var lastNumber = 0
  var random: RandomNumbers
  var pushes = PushIDs()
  /// The moment at which what happens now happens.
  var now = Instant(nanoseconds: 0)
  /// What is to be done in consequence, in this order, until the caller takes it.
  var effects: [Effect] = []
  /// What happened that the network between it and its clients is to know, in this order.
  var news: [ServerNotice] = []
  /// Whether the news are taken.
  var isObserved = false
  /// Whether messages do not arrive by themselves: they are news, and the network passes them on.
  var isDisturbed = false
  /// Which refused tokens have been reported, with the names of their clients.
  var refusedTokens: Set<String> = []
  /// How much its clock shows too much.
  var skew = Interval.zero
  /// How many conditional writes were refused as stale whatever their hash.
  var staleRefusals = 0
  /// How many conditional writes are refused in each namespace that begins.
  var staleness: (count: Int, data: StaleData)?

  /// A server without namespaces and connections; the seed of the settings determines its random
  /// parts.
  public init(_ settings: LiveServerSettings = LiveServerSettings()) {
    self.settings = settings
    random = RandomNumbers(seed: settings.seed)
  }

  /// What time it is for the server, whose clock may be wrong.
  var time: Instant { now + skew }

  /// Lets something happen at a moment, and hands out what is to be done in consequence.
  @discardableResult
  public mutating func perform<Result>(
    at now: Instant, into effects: inout [Effect], _ body: (inout LiveServer) -> Result
  ) -> Result {
    self.now = now
    defer { effects += takeEffects() }
    return body(&self)
  }

  /// Takes out what is to be done.
  mutating func takeEffects() -> [Effect] {
    defer { effects = [] }
    return effects
  }

  /// How many connections of the protocol are open, streams included.
  public var connectionCount: Int { links.count }

  /// The namespaces that have begun, sorted.
  public var namespaceNames: [String] { namespaces.keys.sorted() }

  /// The data of a namespace.
  public func server(of namespace: String) -> ReferenceServer? { namespaces[namespace] }

  /// When something is to be done although nothing arrives: call `tick` about once a second.
  public mutating func tick() {
    for number in links.keys.sorted() {
      guard let link = links[number] else { continue }
      if link.isSilent(at: now) { end(number, code: 1001, "the client is silent") }
      if link.isStream { keepAlive(number) }
    }
  }

  /// Ends all connections, as a server does that goes away in good order.
  public mutating func shutDown() {
    for number in links.keys.sorted() {
      end(number, code: 1001, "the server stops")
    }
  }
}

extension LiveServer {
  /// Whether a namespace exists or may begin; it begins then.
  mutating func hasNamespace(_ name: String) -> Bool {
    if namespaces[name] != nil { return true }
    guard namespaces.count < settings.bounds.namespaces, Self.isName(name) else { return false }
    var tokens = settings.tokens
    tokens[LiveServerSettings.administrator] = TokenClaims(user: LiveServerSettings.administrator)
    var server = ReferenceServer(
      data: settings.data, security: settings.security, tokens: tokens, dialect: .firebase,
      host: "localhost", ranges: settings.ranges)
    server.acceptsUnsignedTokens = settings.acceptsUnsignedTokens
    server.rules = settings.databaseRules
    server.offersForms = settings.form != .asWritten
    if let staleness { server.refuseAsStale(next: staleness.count, staleness.data) }
    namespaces[name] = server
    return true
  }

  static func isName(_ text: String) -> Bool {
    (1...128).contains(text.utf8.count)
      && text.unicodeScalars.allSatisfy {
        $0.properties.isAlphabetic || $0.properties.numericType != nil
          || "-_.".contains(Character($0))
      }
  }

  /// Begins a connection and sends hello, unless the caller decides when. The request may name the
  /// session that its client had before.
  mutating func begin(
    _ carrier: ProtocolConnection.Carrier, _ dialect: Dialect, _ request: HTTPRequest
  ) -> Int {
    let session = request.argument(dialect == .wilddog ? "s" : "ls")
    let (previous, isKnown) = (connection(named: session), isKnown(session))
    lastNumber += 1
    let number = lastNumber
    links[number] = ProtocolConnection(
      id: ReferenceServer.ConnectionID(number), namespace: request.namespace, dialect: dialect,
      carrier: carrier, client: request.client, host: request.host, previous: previous)
    beginWatch(number)
    notify(.began(number))
    if !isDisturbed { sendHello(number) }
    watch(number) {
      dialect == .wilddog
        ? $0.judgeOpening(session: session, isKnown: isKnown)
        : $0.judgeOpening(version: request.argument("v"), session: session, isKnown: isKnown)
    }
    return number
  }

  /// Ends a connection: what it left for its end is done, and its client is sent away.
  mutating func end(_ number: Int, code: Int, _ reason: String) {
    readNow(number)
    writeNow(number)
    guard let link = links[number] else { return }
    switch link.carrier {
    case _ where link.isDead: break
    case let .segments(socket, _), let .events(socket, _):
      carried[socket] = nil
      effects.append(.close(socket, code: code, reason: reason))
    case let .engine(session): close(session, code, reason)
    case let .longPoll(session): close(session, of: link, code, reason)
    }
    forget(number, .server)
  }

  /// Ends a connection whose client is gone already.
  mutating func forget(_ number: Int, _ ending: Effect.Ending) {
    if reading[number] != nil {
      links[number]?.departure = ending
      return
    }
    let isByClient = ending != .server || links[number]?.isLeaving == true
    guard isDisturbed, isByClient else { return finish(number, ending) }
    links[number]?.ending = ending
    notify(.left(number))
  }

  /// Sends what the server has to say to whom it is for, or lets the network pass it on.
  mutating func transmit(_ out: [ReferenceServer.Outgoing]) {
    for outgoing in out {
      if outgoing.hasForms {
        let messages = outgoing.messages(as: settings.form)
        transmit(messages.map { .init(outgoing.connection, $0) })
      } else if isDisturbed {
        notify(.departing(outgoing))
      } else {
        emit(outgoing)
      }
    }
  }

  /// Hands a message to what carries its connection, or has it wait until it is written.
  mutating func emit(_ outgoing: ReferenceServer.Outgoing) {
    let number = outgoing.connection.number
    if deferWriting(outgoing.message, number) {
      links[number]?.outbox.append(outgoing.message)
    } else {
      emit(outgoing.message, number)
    }
  }

  /// Hands a message to what carries its connection.
  mutating func emit(_ message: ServerMessage, _ number: Int) {
    if let packet = send(message, number) { enqueue(packet, number) }
  }

  /// Sends one message.
  ///
  /// - Returns: The packet, where it is for a session by requests and not sent yet: the owner of
  ///   the session here would let it be copied with all that waits in it.
  private mutating func send(_ plain: ServerMessage, _ number: Int) -> String? {
    guard let link = links[number] else { return nil }
    let message = link.message(plain, sessionSuffix: settings.sessionSuffix)
    if case let .events(socket, stream) = link.carrier {
      if settings.isRecorded { record(.received(text(of: message, in: link.dialect).text), number) }
      notify(message, to: stream, on: socket, number)
      return nil
    }
    let written = text(of: message, in: link.dialect)
    let (text, now) = (written.text, now)
    watch(number) { written.findings + $0.received(message, at: now) }
    record(.received(text), number)
    if case .longPoll = link.carrier { return text }
    guard case let .segments(socket, _) = link.carrier else { return Packet.message(text) }
    for frame in written.frames {
      watch(number) { $0.frame(frame, by: .server, at: now) }
      effects.append(.send(socket, frame))
    }
    return nil
  }
  /// A message in words; the last one is kept.
  private mutating func text(of message: ServerMessage, in dialect: Dialect) -> OutgoingText {
    if let rendering, rendering.isText(of: message, in: dialect) { return rendering }
    let written = OutgoingText(of: message, in: dialect)
    rendering = written
    return written
  }
}
