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
  /// Whether a server elsewhere works on what it was given last: until it has done so, nothing else
  /// arrives there. The caller ends that.
  public var isHeld = false
  /// The requests that a server elsewhere has not answered, by their numbers.
  var relayed: [Int: RelayedRequest] = [:]
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
    guard Self.isName(name), hasRoom(forNamespace: name) else { return false }
    var tokens = settings.tokens
    tokens[LiveServerSettings.administrator] = TokenClaims(user: LiveServerSettings.administrator)
    var server = ReferenceServer(
      data: data(atStartOf: name), security: settings.security, tokens: tokens,
      dialect: .firebase, host: "localhost", ranges: settings.ranges)
    if let keep = settings.storage?.keep { server.keeps = { keep($0, $1, name) } }
    server.acceptsUnsignedTokens = settings.acceptsUnsignedTokens
    server.defect = settings.defect
    server.rules = settings.databaseRules
    server.offersForms = settings.form != .asWritten
    if let staleness { server.refuseAsStale(next: staleness.count, staleness.data) }
    namespaces[name] = server
    return true
  }

  private func data(atStartOf name: String) -> Node {
    settings.storage?.data(name) ?? settings.data
  }

  /// Whether another namespace may begin. One that nobody uses and in which nothing has changed makes
  /// room: when it is named again it is the same again. There is always room for the default one.
  private mutating func hasRoom(forNamespace name: String) -> Bool {
    let isDefault = name == HTTPRequest.defaultNamespace
    let others = namespaces.count - (namespaces[HTTPRequest.defaultNamespace] == nil ? 0 : 1)
    if isDefault || others < settings.bounds.namespaces { return true }
    let used = Set(links.values.map(\.namespace))
    let unused = namespaces.keys.sorted().first { name in
      guard !used.contains(name), name != HTTPRequest.defaultNamespace,
        let server = namespaces[name]
      else { return false }
      return server.tree.fingerprint == data(atStartOf: name).fingerprint
        && server.rules?.json ?? Self.openRules == settings.databaseRules?.json ?? Self.openRules
    }
    guard let unused else { return false }
    (namespaces[unused], stored[unused]) = (nil, nil)
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

/// What has happened at a server that the network between it and its clients is to know.
///
/// With ``LiveServer/isDisturbed`` messages do not arrive by themselves: they are news, and the
/// caller who takes the news passes them on when it is time, or loses them.
enum ServerNotice: Sendable {
  /// A client has asked for a connection; `sendHello` lets the server know.
  case began(Int)
  /// A client has sent something; `deliver` lets it arrive.
  case arrived(Int, ClientMessage)
  /// The server has sent something; `emit` lets it arrive.
  case departing(ReferenceServer.Outgoing)
  /// A client has sent something into a connection that lets nothing through.
  case lost(Int)
  /// A client is gone; `finish` lets the server know.
  case left(Int)
  /// The server has forgotten a connection.
  case ended(Int)
  /// The server has answered a request, by whatever way it came.
  case answered(Request, ServerMessage.Response)
}

// What the network between the server and its clients does in place of the network.

extension LiveServer {
  mutating func notify(_ one: ServerNotice) {
    if isObserved { news.append(one) }
  }

  /// Reports how the server has answered a message.
  mutating func sendAnswers(
    to message: ClientMessage, in out: [ReferenceServer.Outgoing],
    of id: ReferenceServer.ConnectionID
  ) {
    guard isDisturbed, case let .request(number, request) = message else { return }
    for outgoing in out where outgoing.connection == id {
      guard case let .response(response) = outgoing.message, response.request == number else {
        continue
      }
      notify(.answered(request, response))
    }
  }

  /// The server learns of a connection, and sends hello.
  mutating func sendHello(_ number: Int) {
    guard let link = links[number], !link.hasReceivedHello else { return }
    links[number]?.hasReceivedHello = true
    if let previous = link.previous, links[previous]?.namespace == link.namespace,
      previous != number
    {
      end(previous, code: 1000, "the client has connected again")
    }
    record(
      .opened(
        Effect.Opening(
          dialect: link.dialect.rawValue, namespace: link.namespace, previous: link.previous,
          client: link.client)), number)
    if settings.isRelay {
      relay(.opened(link.dialect), number)
    } else {
      let time = time
      var out: [ReferenceServer.Outgoing] = []
      namespaces[link.namespace]?.open(
        link.id, at: time, host: link.host, in: link.dialect, into: &out)
      transmit(out)
    }
    for text in links[number]?.takeEarly() ?? [] {
      receive(message: text, from: number)
    }
  }

  /// Keeps what a client sends before the server knows of it.
  mutating func keepEarly(_ text: String, _ number: Int) {
    watch(number) { $0.judgeEarly() }
    links[number]?.keepEarly(text)
    if let bytes = links[number]?.earlyBytes, bytes > settings.bounds.message {
      refuse(number, 1009, "too much before the connection is open")
    }
  }

  /// The server notices that a connection has ended: what its client left for that is done.
  mutating func finish(_ number: Int, _ ending: Effect.Ending) {
    detach(number)
    let now = now
    watch(number) { $0.ended(at: now) }
    watches[number] = nil
    guard let link = remove(number) else { return }
    guard link.hasReceivedHello else { return }
    record(.closed(link.isLeaving ? .client : ending), number)
    if settings.isRelay { return relay(.closed, number) }
    let time = time
    var out: [ReferenceServer.Outgoing] = []
    withServer(of: link.namespace, isAdministrator: link.isAdministrator) {
      $0.close(link.id, at: time, into: &out)
    }
    transmit(out)
  }

  /// Forgets a connection, with what it keeps.
  private mutating func remove(_ number: Int) -> ProtocolConnection? {
    guard let link = links.removeValue(forKey: number) else { return nil }
    reading[number] = nil
    switch link.carrier {
    case let .segments(_, assembly): assembling -= assembly.size
    case let .engine(session): waitingBytes -= session.waitingBytes
    case let .longPoll(session):
      waitingBytes -= session.waitingBytes
      assembling -= session.assembling
    case .events: break
    }
    notify(.ended(number))
    return link
  }

  /// The sockets that carry a connection.
  func sockets(of number: Int) -> [Socket] {
    switch links[number]?.carrier {
    case let .segments(socket, _), let .events(socket, _):
      carried[socket] == number ? [socket] : []
    case let .engine(session):
      own([session.socket, session.candidate, session.poll], number)
    case let .longPoll(session): own([session.poll, session.handover?.socket], number)
    case nil: []
    }
  }

  private func own(_ sockets: [Socket?], _ number: Int) -> [Socket] {
    sockets.compactMap { $0 }.filter { carried[$0] == number || holders[$0] == number }
  }

  /// Forgets what carries a connection, and notifies no client.
  mutating func detach(_ number: Int) {
    for socket in sockets(of: number) { (carried[socket], holders[socket]) = (nil, nil) }
    forgetSession(of: number)
  }

  /// Breaks what carries a connection, without a word; the server does not learn of it.
  mutating func abandon(_ number: Int) {
    let sockets = sockets(of: number)
    detach(number)
    // 1006 is never sent: the caller closes without a word.
    for socket in sockets { effects.append(.close(socket, code: 1006, reason: "")) }
  }

  /// Lets keep-alives wait, or go on.
  mutating func stall(_ number: Int, _ isStalled: Bool) {
    guard links[number]?.isStalled != isStalled else { return }
    links[number]?.isStalled = isStalled
    if isStalled { return }
    for packet in links[number]?.takeUnanswered() ?? [] { enqueue(packet, number) }
  }

  /// Starts all namespaces again: their data stay, their connections are gone.
  mutating func restart(_ left: OnDisconnectFate) {
    let time = time
    // No client is connected that could receive what the connections left for their end.
    var out: [ReferenceServer.Outgoing] = []
    for number in links.keys.sorted() {
      detach(number)
      watches[number] = nil
      if links[number]?.hasReceivedHello == true { record(.closed(.lost), number) }
      guard let link = remove(number), left == .done else { continue }
      withServer(of: link.namespace, isAdministrator: link.isAdministrator) {
        $0.close(link.id, at: time, into: &out)
      }
    }
    for name in namespaces.keys.sorted() {
      namespaces[name]?.restart(left, at: time, into: &out)
    }
  }

  /// Lets the server of each namespace act without a request, and sends the messages.
  mutating func everywhere(
    _ body: (inout ReferenceServer, inout [ReferenceServer.Outgoing]) -> Void
  ) -> Bool {
    var out: [ReferenceServer.Outgoing] = []
    for name in namespaces.keys.sorted() {
      guard var server = namespaces.removeValue(forKey: name) else { continue }
      body(&server, &out)
      namespaces[name] = server
    }
    transmit(out)
    return !out.isEmpty
  }

  /// Whether the end of a connection writes the time.
  func leavesTimestamp(_ number: Int) -> Bool {
    guard let link = links[number] else { return false }
    return namespaces[link.namespace]?.leavesTimestamp(link.id) ?? false
  }
}

// What the server does not do although the protocol has words for it.

extension LiveServer {
  typealias DataCheck = ReferenceServer.Write.Check

  /// Why a request is not done; `nil` when it is.
  func refusal(of request: Request, _ check: DataCheck, by number: Int) -> String? {
    guard let link = links[number] else { return nil }
    switch request {
    case .listen where link.listens >= settings.bounds.listens:
      return "a connection has at most \(settings.bounds.listens) listens"
    case .onDisconnectPut, .onDisconnectMerge:
      if link.onDisconnects >= settings.bounds.onDisconnects {
        return "a connection leaves at most \(settings.bounds.onDisconnects) writes for its end"
      }
    default: break
    }
    switch request {
    case let .merge(path, assignments, _), let .onDisconnectMerge(path, assignments):
      return problem(of: .merge(path, assignments), check)
    case let .put(path, node, _), let .onDisconnectPut(path, node):
      return problem(of: .put(path, node), check)
    case _ where check == .passed: return nil
    case let .listen(listen): return listen.path.storageProblem
    case let .get(path, _): return path.storageProblem
    default: return nil
    }
  }

  /// Remembers what a request uses.
  mutating func record(_ request: Request, _ number: Int) {
    switch request {
    case .listen: links[number]?.listens += 1
    case .unlisten:
      if let count = links[number]?.listens { links[number]?.listens = max(0, count - 1) }
    case .onDisconnectPut, .onDisconnectMerge: links[number]?.onDisconnects += 1
    case .onDisconnectCancel(.root): links[number]?.onDisconnects = 0
    case let .authenticate(credential):
      links[number]?.isAdministrator = credential.token == LiveServerSettings.administrator
    case .unauthenticate: links[number]?.isAdministrator = false
    default: break
    }
  }

  /// What is wrong with a write, which may have been found out already.
  func problem(of write: ReferenceServer.Write, _ check: DataCheck = .due) -> String? {
    if let prepared, prepared.write == write { return prepared.problem }
    return write.problem(check)
  }
}

/// About how much a namespace stores. Measuring takes time, so that writes are added up meanwhile,
/// and what they overwrite is not subtracted until it is measured again.
struct StoredBytes: Sendable {
  /// The last measurement, and the writes since then.
  private(set) var estimate = 0
  private var sinceMeasured = 0

  /// Adds a write.
  ///
  /// - Returns: Whether it goes beyond the limit.
  mutating func exceeds(_ limit: Int, adding bytes: Int, to tree: Node) -> Bool {
    sinceMeasured += bytes
    if estimate + bytes > limit, sinceMeasured > limit / 8 {
      (estimate, sinceMeasured) = (tree.byteCount(), 0)
    }
    if estimate + bytes > limit { return true }
    estimate += bytes
    return false
  }
}

extension LiveServer {
  /// Why a write is not done although the rules allow it; `nil` when there is room for it.
  mutating func storageRefusal(of request: Request, in namespace: String) -> String? {
    guard let write = ReferenceServer.Write(request) else { return nil }
    let known = prepared.flatMap { $0.write == write ? $0.byteCount : nil }
    let bytes = known ?? write.byteCount
    guard bytes > 0, let tree = namespaces[namespace]?.tree,
      stored[namespace, default: StoredBytes()].exceeds(
        settings.bounds.stored, adding: bytes, to: tree)
    else { return nil }
    return "a namespace stores at most \(settings.bounds.stored) bytes; remove something first"
  }
}
