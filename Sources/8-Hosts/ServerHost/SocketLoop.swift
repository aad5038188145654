import CWebsockets
package import ClientInterface
import Document
import Faults
import Glibc
package import LiveServer
package import RunModel
import System
import Trace

/// Looks on at what happens at sockets, and has a clock.
package protocol SocketObserver: AnyObject {
  /// What time it is for the server.
  var now: Instant { get }
  func receive(_ record: Effect.Record, of connection: Int)
  func reportProblem(_ text: String, of connection: Int)
  /// Something was found that the protocol does not allow, or advise.
  func receive(_ finding: WireFinding, of connection: Int)
  /// Something is for the server elsewhere that does what clients ask.
  func relay(_ relayed: Effect.Relayed, of connection: Int)
  /// Something is on its way to a client.
  func delivers()
  /// Something is for a socket that is none of the system's.
  func deliver(_ piece: Channel.Piece, to socket: Socket)
  /// Is called again and again while the loop serves by itself.
  func look()
}

extension SocketObserver {
  package func receive(_ finding: WireFinding, of connection: Int) {
    reportProblem(finding.sentence, of: connection)
  }

  package func look() {}
}

/// Serves a ``LiveServer`` on loopback sockets, in one thread, until it is asked to end.
package final class SocketLoop {
  /// How often it asks whether it is to end, and how often where things are on their way or somebody looks on, in
  /// microseconds.
  private static let beat: (usual: lws_usec_t, disturbed: lws_usec_t) = (50_000, 2_000)
  /// How long clients have for what still waits for them when the server ends, in nanoseconds.
  private static let shutdownGrace: Int64 = 400_000_000

  package var live: FaultyServer
  /// What is shown to a watcher.
  var watch = Dashboard(token: "")
  var recordings: RecordingThread?
  var channels: [OpaquePointer: Channel] = [:]
  /// Who looks on, and says what time it is; nil for a server that serves by itself.
  package weak var observer: (any SocketObserver)?
  /// Whose port it is, by what libwebsockets knows it by.
  package var owners: [OpaquePointer: String] = [:]
  /// The client to whose port belongs what is being handled.
  package private(set) var currentClient: String?
  /// Who carries a socket.
  var carriers: [Socket: OpaquePointer] = [:]
  private var sockets = 0
  /// How many events were handled.
  private var events = 0
  private var context: OpaquePointer?
  /// What libwebsockets knows the port for control by.
  private(set) var controlHost: OpaquePointer?
  private var lastTick = Instant(nanoseconds: 0)
  private var stopsAt: Instant?
  /// Who may use it from other machines; nil where it listens on this one alone.
  var lan: LANAccess?
  let maxConnections: Int
  private(set) var connections = 0
  /// How many files and sockets there may be at once.
  private(set) var maxDescriptors = 0
  /// When it was last said that there may be no more.
  var lastFull: Instant?
  var load = MemoryInUse()
  private let largeMessages = LargeMessageThread()
  /// What was sent last.
  private var lastText: (text: String, bytes: [UInt8]) = ("", [])

  /// Whether the server is asked to end.
  var isAskedToEnd: () -> Bool = { false }
  /// Receives warnings.
  let warn: (String) -> Void

  /// What holds from the beginning.
  var rules: [FaultRule] = []

  package init(_ live: FaultyServer, maxConnections: Int, warn: @escaping (String) -> Void) {
    self.live = live
    self.maxConnections = maxConnections
    self.warn = warn
  }

  package var now: Instant { observer?.now ?? Self.now }

  /// The time of day.
  package static var now: Instant {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  package func newSocket() -> Socket {
    sockets += 1
    return Socket(sockets)
  }

  /// Listens and serves.
  ///
  /// - Parameters:
  ///   - port: The port; 0 for one that is free.
  ///   - controlPort: The port for control; nil for none.
  ///   - started: Receives the ports when clients can connect.
  /// - Throws: `Failure.notStarted` when the port is not to be had.
  func run(
    port: Int, controlPort: Int?, started: (Int, Int?) throws(Failure) -> Void
  ) throws(Failure) {
    let listening = makeListening()
    defer { listening.end() }
    defer { largeMessages.finish() }
    defer { recordings?.finish() }
    let port = try listening.begin(port: port, onEveryAddress: lan != nil)
    if listening.isTakenOnIPv6 {
      warn(
        "port \(port) of ::1 belongs to another program, which localhost may lead to; use 127.0.0.1"
      )
    }
    context = listening.context
    var control: Int?
    if let controlPort { control = try listening.beginControl(port: controlPort) }
    controlHost = listening.control
    let alarm = RepeatingTimer(
      pause: { [unowned self] in pause }, action: { [unowned self] in beat() })
    alarm.start(in: listening)
    defer { alarm.end() }
    perform { live in for rule in rules { live.add(rule) } }
    try started(port, control)
    while !isFinished, listening.serve() {
      resumeLargeMessages()
      observer?.look()
    }
  }

  private func resumeLargeMessages() {
    largeMessages.takeOutcomes { outcome in
      perform { $0.disturb { $0.resume(with: outcome) } }
    }
  }

  /// How long until the next beat, in microseconds.
  var pause: lws_usec_t {
    live.isDisturbed || observer != nil ? Self.beat.disturbed : Self.beat.usual
  }

  /// Whether the server is about to end.
  var isStopping: Bool { stopsAt != nil }

  /// What libwebsockets is to call this with.
  package func makeListening() -> Listening {
    // Each connection may have a recording.
    maxDescriptors = Descriptors.allow(2 * maxConnections + 2 * Descriptors.reserve)
    return Listening(user: Unmanaged.passUnretained(self).toOpaque(), callback: socketEvent)
  }

  private var isFinished: Bool {
    guard let stopsAt else { return false }
    return channels.isEmpty || now > stopsAt
  }

  /// What is to be done now and then.
  func beat() {
    let now = now
    if stopsAt == nil, isAskedToEnd() {
      stopsAt = Instant(nanoseconds: now.nanoseconds + Self.shutdownGrace)
      perform { $0.disturb { $0.shutDown() } }
      dismissIdle()
      perform { watch.shutDown(by: &$0) }
    }
    if now - lastTick >= .seconds(1) {
      lastTick = now
      perform { $0.disturb { $0.tick() } }
      askSilent(at: now)
      if load.returnsMemory() { malloc_trim(0) }
    }
    perform { $0.arriveDue() }
    if watch.isOn { perform { watch.flush(by: &$0, waiting: waitingBytes) } }
  }

  private func waitingBytes(for socket: Socket) -> Int {
    carriers[socket].flatMap { channels[$0] }?.waitingBytes ?? 0
  }

  /// Handles one event; what it returns ends the TCP connection when it is not 0.
  fileprivate func handle(
    _ wsi: OpaquePointer, _ reason: lws_callback_reasons, _ input: UnsafeMutableRawPointer?,
    _ length: Int
  ) -> Int32? {
    let bytes = UnsafeRawBufferPointer(start: input, count: input == nil ? 0 : length)
    currentClient = owners.isEmpty ? nil : lws_get_vhost(wsi).flatMap { owners[$0] }
    switch reason {
    // There is something to read where it was watched: the wait ends.
    case LWS_CALLBACK_RAW_RX_FILE: return 0
    case LWS_CALLBACK_FILTER_NETWORK_CONNECTION:
      return filter(Int32(truncatingIfNeeded: Int(bitPattern: input)))
    case LWS_CALLBACK_WSI_CREATE:
      connections += 1
      return 0
    case LWS_CALLBACK_WSI_DESTROY:
      connections -= 1
      return gone(wsi)
    case LWS_CALLBACK_RAW_ADOPT: return adopted(wsi)
    case LWS_CALLBACK_RAW_RX: return receive(bytes, wsi)
    case LWS_CALLBACK_RAW_WRITEABLE: return write(wsi)
    case LWS_CALLBACK_TIMER: return timeIsUp(wsi)
    case LWS_CALLBACK_RAW_CLOSE: return gone(wsi)
    default: return nil
    }
  }

  /// A TCP connection, or one request on it, is over.
  private func gone(_ wsi: OpaquePointer) -> Int32 {
    guard let channel = channels.removeValue(forKey: wsi) else { return 0 }
    load.forget(channel)
    if let socket = channel.socket { end(socket) }
    return 0
  }

  /// Notifies the server that a socket is closed, however that came about.
  func end(_ socket: Socket) {
    guard carriers.removeValue(forKey: socket) != nil else { return }
    watch.closed(socket)
    perform { $0.closed(socket) }
  }

  /// Whether nothing waits to be written.
  package var isFlushed: Bool { channels.values.allSatisfy(\.isEmpty) }

  /// Lets the server do something, and does what comes of it.
  ///
  /// It all happens at one moment. Within `body` the server is reached by its argument only.
  @discardableResult
  package func perform<Result>(_ body: (inout FaultyServer) -> Result) -> Result {
    var effects: [Effect] = []
    events += 1
    let now = now
    let result = live.perform(at: now, into: &effects, body)
    if watch.isOn, !effects.isEmpty { watch.take(effects, by: live) }
    for effect in effects { carryOut(effect, at: now) }
    return result
  }

  private func carryOut(_ effect: Effect, at now: Instant) {
    switch effect {
    case let .send(socket, text): append(.frame(bytes(of: text)), to: socket)
    case let .respond(socket, response): respond(response, to: socket)
    case let .begin(socket, response): append(.bytes(response.head(isStream: true)), to: socket)
    case let .write(socket, text): append(.bytes(bytes(of: text)), to: socket)
    case let .close(socket, code, reason): append(.close(code: code, reason: reason), to: socket)
    case let .work(work): largeMessages.begin(work, waking: context)
    case let .record(record, connection):
      observer?.receive(record, of: connection)
      recordings?.receive(record, of: connection, at: now)
    case let .relay(relayed, connection): observer?.relay(relayed, of: connection)
    case let .reportProblem(text, connection):
      if let observer { return observer.reportProblem(text, of: connection) }
      warn("connection \(connection): \(printable(text))")
    case let .fault(fault):
      recordings?.receive(
        fault, of: fault.client.map { live.clients[$0.number] }, at: now)
    case let .found(finding, connection):
      if let observer { return observer.receive(finding, of: connection) }
      if finding.isNote { break }
      let client = live.server.client(of: connection).map { " (\($0))" } ?? ""
      warn("connection \(connection)\(client): \(finding.sentence)")
    }
  }

  /// The bytes of a text. Clients that are sent the same one after the other share them: where none of
  /// them reads, it waits once.
  private func bytes(of text: String) -> [UInt8] {
    if text == lastText.text { return lastText.bytes }
    lastText = (text, Array(text.utf8))
    return lastText.bytes
  }

  func append(_ piece: Channel.Piece, to socket: Socket) {
    guard let wsi = carriers[socket], let channel = channels[wsi] else {
      observer?.deliver(piece, to: socket)
      return
    }
    observer?.delivers()
    channel.append(piece, of: events)
    load.count(channel)
    if channel.waitingBefore > Channel.byteLimit
      || load.isTooMuch(of: channel, among: channels.count)
    {
      warn("a client does not read what it is sent, and is cut off")
      lws_set_timeout(wsi, PENDING_TIMEOUT_CLOSE_SEND, LWS_TO_KILL_ASYNC)
    } else {
      lws_callback_on_writable(wsi)
    }
  }
}

/// What libwebsockets calls.
private func socketEvent(
  wsi: OpaquePointer?, reason: lws_callback_reasons, user: UnsafeMutableRawPointer?,
  input: UnsafeMutableRawPointer?, length: Int
) -> Int32 {
  guard let wsi, let context = lws_get_context(wsi), let owner = lws_context_user(context) else {
    return 0
  }
  let loop = Unmanaged<SocketLoop>.fromOpaque(owner).takeUnretainedValue()
  return loop.handle(wsi, reason, input, length)
    ?? lws_callback_http_dummy(wsi, reason, user, input, length)
}

// Requests of HTTP. libwebsockets hands on bytes as they come; they are read here, because it does
// not read bodies in chunks, and closes connections where clients expect an answer.

extension SocketLoop {
  /// How long a client may take, in microseconds: for the head of a request, for its body, for the
  /// next request, and until it closes after the last answer.
  private enum Timeouts {
    static let head: lws_usec_t = 10_000_000
    static let body: lws_usec_t = 60_000_000
    static let next: lws_usec_t = 60_000_000
    static let shutdownGrace: lws_usec_t = 2_000_000
    static let none: lws_usec_t = -1
  }

  /// How much may wait behind a request that is being answered, in bytes.
  private static let maxPipelined = 1 << 16

  /// Whether a client that connects is taken, 0 for yes. One that is not is refused.
  func filter(_ descriptor: Int32) -> Int32 {
    if isStopping { return -1 }
    let isFull = Int(descriptor) >= maxDescriptors - Descriptors.reserve
    guard isFull || connections >= maxConnections else { return 0 }
    let reason =
      isFull
      ? "this process may have only \(maxDescriptors) files and sockets open (see ulimit -n)"
      : "there are \(connections); --connections allows more"
    if lastFull.map({ now >= $0 + .seconds(60) }) ?? true {
      lastFull = now
      warn("a client is refused, there are too many connections: \(reason)")
    }
    let response = HTTPResponse.error(503, "there are too many connections").open
    let bytes = response.head(isLast: true) + response.body
    _ = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    return -1
  }

  /// A client has connected.
  func adopted(_ wsi: OpaquePointer) -> Int32 {
    let channel = Channel(maxBodyBytes: live.server.settings.bounds.message)
    channel.isRemote = lan != nil && LANAccess.isRemote(lws_get_socket_fd(wsi))
    channels[wsi] = channel
    lws_set_timer_usecs(wsi, Timeouts.head)
    return 0
  }

  /// Takes bytes that have arrived.
  func receive(_ bytes: UnsafeRawBufferPointer, _ wsi: OpaquePointer) -> Int32 {
    guard let channel = channels[wsi], !channel.ignoresInput else { return 0 }
    return channel.isWebSocket
      ? receiveFrames(bytes, channel, wsi) : receiveRequests(bytes, channel, wsi)
  }

  private func receiveRequests(
    _ bytes: UnsafeRawBufferPointer, _ channel: Channel, _ wsi: OpaquePointer
  ) -> Int32 {
    let wasIdle = channel.requests?.isIdle ?? false
    channel.requests?.append(bytes)
    load.count(channel)
    if channel.socket == nil {
      if wasIdle { lws_set_timer_usecs(wsi, Timeouts.head) }
      let ending = readOn(channel, wsi)
      // At once: a client that has closed its half is gone when libwebsockets looks next.
      return ending == 0 ? write(wsi) : ending
    }
    if channel.requests?.waiting ?? 0 > Self.maxPipelined { lws_rx_flow_control(wsi, 0) }
    return 0
  }

  /// A request that states whose it is, where the port does.
  private func owned(_ request: HTTPRequest) -> HTTPRequest {
    guard let currentClient else { return request }
    var request = request
    request.client = currentClient
    return request
  }

  /// The request, if it comes from this machine or names the token.
  private func admitted(_ request: HTTPRequest, _ channel: Channel) -> HTTPRequest? {
    guard channel.isRemote, let lan else { return request }
    return lan.admitted(request)
  }

  /// Takes the next request, if it is whole.
  private func readOn(_ channel: Channel, _ wsi: OpaquePointer) -> Int32 {
    while channel.socket == nil, !channel.ignoresInput {
      let wasInBody = channel.requests?.isInBody ?? false
      guard let outcome = channel.requests?.next() else { return -1 }
      load.count(channel)
      switch outcome {
      case .nothing:
        if !wasInBody, channel.requests?.isInBody ?? false {
          lws_set_timer_usecs(wsi, Timeouts.body)
        }
        guard load.isTooMuch(of: channel, among: channels.count) else { return 0 }
        return refuse(channel, wsi, .error(503, "the server has too much to keep"))
      case .expectContinue:
        channel.append(.bytes(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)))
        lws_callback_on_writable(wsi)
      case let .request(found, isLast):
        guard let request = admitted(owned(found), channel) else {
          return refuse(channel, wsi, LANAccess.refusal)
        }
        if lws_get_vhost(wsi) != controlHost, isRefused(request) { return -1 }
        channel.isLast = isLast || isStopping
        dispatch(request, channel, wsi)
      case let .webSocket(found, key):
        guard let request = admitted(owned(found), channel) else {
          return refuse(channel, wsi, LANAccess.refusal)
        }
        return open(request, key, channel, wsi)
      case let .refusal(response):
        return refuse(channel, wsi, response)
      }
    }
    return 0
  }

  /// Whether the connection is to break, as if there were no server.
  private func isRefused(_ request: HTTPRequest) -> Bool {
    // A watcher is no client, and must be able to repair things.
    !watch.isAsked(by: request) && perform { $0.refuses(request) }
  }

  /// Lets the server answer a request, now or later.
  private func dispatch(_ request: HTTPRequest, _ channel: Channel, _ wsi: OpaquePointer) {
    let socket = newSocket()
    channel.socket = socket
    channel.request = request
    carriers[socket] = wsi
    // An answer may take its time: a client that polls, or listens to a stream, waits.
    lws_set_timer_usecs(wsi, Timeouts.none)
    if let controlHost, lws_get_vhost(wsi) == controlHost {
      perform { watch.control(request, from: socket, by: &$0) }
      return
    }
    // The page is for this machine alone.
    if channel.isRemote { return perform { $0.handle(request, from: socket) } }
    if perform({ watch.handle(request, from: socket, by: &$0) }) { return }
    watch.take(request, on: socket)
    perform { $0.handle(request, from: socket) }
  }

  /// Sends the answer to a request.
  func respond(_ response: HTTPResponse, to socket: Socket) {
    guard let wsi = carriers[socket], let channel = channels[wsi] else { return }
    let response = channel.request.coded(response)
    let body = channel.request.method == "HEAD" ? [] : response.body
    append(.bytes(response.head(isLast: channel.isLast)), to: socket)
    if !body.isEmpty { append(.bytes(body), to: socket) }
    append(.end, to: socket)
  }

  /// An answer is written: the next request, if the client has sent one, gets its turn.
  func answered(_ channel: Channel, _ wsi: OpaquePointer) -> Int32 {
    if let socket = channel.socket {
      channel.socket = nil
      end(socket)
    }
    if channel.isLast || isStopping { return linger(channel, wsi) }
    lws_rx_flow_control(wsi, 1)
    let isIdle = channel.requests?.isIdle ?? true
    lws_set_timer_usecs(wsi, isIdle ? Timeouts.next : Timeouts.head)
    return readOn(channel, wsi)
  }

  /// Answers something that is no request, and closes.
  private func refuse(_ channel: Channel, _ wsi: OpaquePointer, _ response: HTTPResponse) -> Int32 {
    channel.ignoresInput = true
    channel.requests?.end()
    load.count(channel)
    // At the port for control no other origin reads anything.
    let response = lws_get_vhost(wsi) == controlHost ? response : response.open
    channel.append(.bytes(response.head(isLast: true) + response.body))
    channel.append(.close(code: 1000, reason: ""))
    lws_callback_on_writable(wsi)
    return 0
  }

  /// Waits until the client has read everything and closes: closing while it still sends would
  /// take the answer away from it.
  func linger(_ channel: Channel, _ wsi: OpaquePointer) -> Int32 {
    channel.ignoresInput = true
    channel.isLingering = true
    channel.requests?.end()
    if let socket = channel.socket {
      channel.socket = nil
      end(socket)
    }
    lws_rx_flow_control(wsi, 1)
    lws_set_timer_usecs(wsi, Timeouts.shutdownGrace)
    return shutdown(lws_get_socket_fd(wsi), Int32(SHUT_WR)) == 0 ? 0 : -1
  }

  /// A client has taken too long.
  func timeIsUp(_ wsi: OpaquePointer) -> Int32 {
    guard let channel = channels[wsi] else { return 0 }
    if channel.isLingering { return -1 }
    if channel.isWebSocket || channel.socket != nil || channel.ignoresInput { return 0 }
    if channel.requests?.isIdle ?? true { return -1 }
    return refuse(channel, wsi, .error(408, "the request has not arrived in time"))
  }

  /// Lets go of clients that only might ask for something.
  func dismissIdle() {
    for (wsi, channel) in channels where !channel.isWebSocket && channel.socket == nil {
      if channel.isEmpty, !channel.isLingering {
        channel.append(.close(code: 1000, reason: ""))
        lws_callback_on_writable(wsi)
      }
    }
  }
}

extension SocketLoop {
  /// Takes a request for a WebSocket.
  private func open(
    _ request: HTTPRequest, _ key: String, _ channel: Channel, _ wsi: OpaquePointer
  ) -> Int32 {
    guard lws_get_vhost(wsi) != controlHost else {
      return refuse(channel, wsi, .error(404, "there are no WebSockets at the port for control"))
    }
    if isRefused(request) { return -1 }
    if let response = live.server.refusal(ofSocketFor: request) {
      return refuse(channel, wsi, response)
    }
    if isStopping {
      return refuse(channel, wsi, .error(503, "the server takes no more connections"))
    }
    lws_set_timer_usecs(wsi, Timeouts.none)
    return begin(request, key, channel, wsi)
  }
}

// WebSockets, and writing to any connection.

extension SocketLoop {
  /// Room that libwebsockets wants in front of what it writes (its LWS_PRE).
  private static let room = 16
  /// How much is written at a time before others have their turn, in bytes and in pieces.
  private static let writeBudget = (bytes: 1 << 18, pieces: 256)
  /// How long a client may be silent before a ping asks for a sign, and before it is given up.
  private static let silence = (allowed: Interval.seconds(300), longest: Interval.seconds(310))

  /// Makes a WebSocket of the connection over which a request for one has come.
  func begin(
    _ request: HTTPRequest, _ key: String, _ channel: Channel, _ wsi: OpaquePointer
  ) -> Int32 {
    let socket = newSocket()
    let rest = channel.becomeWebSocket(
      socket, request, maxMessageBytes: live.server.settings.bounds.message)
    carriers[socket] = wsi
    channel.append(.bytes(WebSocketFrame.handshake(key: key)))
    lws_callback_on_writable(wsi)
    perform { $0.open(socket, for: request) }
    return rest.withUnsafeBytes { receiveFrames($0, channel, wsi) }
  }

  /// Takes bytes of a WebSocket.
  func receiveFrames(
    _ bytes: UnsafeRawBufferPointer, _ channel: Channel, _ wsi: OpaquePointer
  ) -> Int32 {
    defer { load.count(channel) }
    (channel.lastInput, channel.isPinged) = (now, false)
    channel.frames?.append(bytes)
    while !channel.ignoresInput, let socket = channel.socket, let next = channel.frames?.next() {
      switch next {
      case .nothing:
        load.count(channel)
        guard load.isTooMuch(of: channel, among: channels.count) else { return 0 }
        return refuse(channel, wsi, 1013, "the server has too much to keep")
      case let .text(text): perform { $0.receive(text, from: socket) }
      case .binary:
        perform { $0.disturb { $0.receiveBinary(from: socket) } }
      case let .ping(payload): append(.bytes(WebSocketFrame.pong.bytes(payload)), to: socket)
      case let .close(code):
        live.server.leaves(socket)
        return refuse(channel, wsi, code, "")
      case let .violation(code, reason):
        warn("a client does not send what a WebSocket allows, and is cut off: \(reason)")
        return refuse(channel, wsi, code, reason)
      }
    }
    return 0
  }

  /// Closes a WebSocket of which nothing more is read.
  private func refuse(
    _ channel: Channel, _ wsi: OpaquePointer, _ code: Int, _ reason: String
  ) -> Int32 {
    channel.ignoresInput = true
    channel.append(.close(code: code, reason: reason))
    lws_callback_on_writable(wsi)
    return 0
  }

  /// Asks WebSockets that are silent for a sign, and gives up those that give none.
  func askSilent(at now: Instant) {
    for (wsi, channel) in channels where channel.isWebSocket && !channel.isLingering {
      let silence = now - channel.lastInput
      if silence >= Self.silence.longest {
        lws_set_timeout(wsi, PENDING_TIMEOUT_CLOSE_SEND, LWS_TO_KILL_ASYNC)
      } else if silence >= Self.silence.allowed, !channel.isPinged {
        channel.isPinged = true
        channel.append(.bytes(WebSocketFrame.ping.bytes([])))
        lws_callback_on_writable(wsi)
      }
    }
  }

  /// Writes what waits, as much as the connection takes now.
  func write(_ wsi: OpaquePointer) -> Int32 {
    guard let channel = channels[wsi] else { return 0 }
    defer { load.count(channel) }
    var (bytes, pieces) = (0, 0)
    while bytes < Self.writeBudget.bytes, pieces < Self.writeBudget.pieces,
      lws_send_pipe_choked(wsi) == 0
    {
      guard let piece = channel.next() else { return 0 }
      pieces += 1
      switch piece {
      case let .frame(part), let .bytes(part):
        bytes += part.count
        guard writeBytes(part, wsi) else { return -1 }
      case .end:
        let ending = answered(channel, wsi)
        if ending != 0 { return ending }
      case let .close(code, _): return code == Channel.breaking ? -1 : linger(channel, wsi)
      }
    }
    lws_callback_on_writable(wsi)
    return 0
  }

  private func writeBytes(_ bytes: [UInt8], _ wsi: OpaquePointer) -> Bool {
    var buffer = [UInt8](repeating: 0, count: Self.room)
    buffer.reserveCapacity(Self.room + bytes.count)
    buffer += bytes
    let count = buffer.withUnsafeMutableBufferPointer { buffer in
      // LWS_WRITE_HTTP is what LWS_WRITE_RAW stands for: bytes as they are.
      buffer.baseAddress.map { lws_write(wsi, $0 + Self.room, bytes.count, LWS_WRITE_HTTP) } ?? -1
    }
    return count >= 0
  }
}
