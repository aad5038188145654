import CWebsockets
package import ClientInterface
import Faults
import Glibc
import HTTP
package import LiveServer
import System
import Text
import Trace
import WireMonitor

/// Looks on at what happens at sockets, and has a clock.
package protocol SocketObserver: AnyObject {
  /// What time it is for the server.
  var now: Instant { get }
  func receive(_ record: Effect.Record, of connection: Int)
  func reportProblem(_ text: String, of connection: Int)
  /// Something is on its way to a client.
  func delivers()
  /// Something is for a socket that is none of the system's.
  func deliver(_ piece: Channel.Piece, to socket: Socket)
  /// There is something to read where it was watched.
  func hasInput()
}

/// Serves a ``LiveServer`` on loopback sockets, in one thread, until it is asked to end.
package final class SocketLoop {
  /// How often it asks whether it is to end, and how often where things are on their way, in
  /// microseconds.
  private static let beat: (usual: lws_usec_t, disturbed: lws_usec_t) = (50_000, 2_000)
  /// How long clients have for what still waits for them when the server ends, in nanoseconds.
  private static let shutdownGrace: Int64 = 400_000_000

  package var live: FaultyServer
  /// What is shown to a watcher.
  var watch = Dashboard(token: "")
  let recordings: RecordingThread?
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

  /// Whether the server is asked to end.
  var isAskedToEnd: () -> Bool = { false }
  /// Receives warnings.
  let warn: (String) -> Void

  private let rules: [FaultRule]

  init(
    _ live: FaultyServer, rules: [FaultRule], recordings: RecordingThread?,
    maxConnections: Int, warn: @escaping (String) -> Void
  ) {
    self.live = live
    self.rules = rules
    self.recordings = recordings
    self.maxConnections = maxConnections
    self.warn = warn
  }

  /// A server whose sockets are served by ``Listening/serve()``, without recordings.
  package convenience init(
    _ live: FaultyServer, maxConnections: Int, warn: @escaping (String) -> Void
  ) {
    self.init(live, rules: [], recordings: nil, maxConnections: maxConnections, warn: warn)
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
    while !isFinished, listening.serve() { resumeLargeMessages() }
  }

  private func resumeLargeMessages() {
    largeMessages.takeOutcomes { outcome in
      perform { $0.disturb { $0.resume(with: outcome) } }
    }
  }

  /// How long until the next beat, in microseconds.
  var pause: lws_usec_t { live.isDisturbed ? Self.beat.disturbed : Self.beat.usual }

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
    case LWS_CALLBACK_RAW_RX_FILE:
      observer?.hasInput()
      return 0
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
    case let .send(socket, text): append(.frame(Array(text.utf8)), to: socket)
    case let .respond(socket, response): respond(response, to: socket)
    case let .begin(socket, response): append(.bytes(response.head(isStream: true)), to: socket)
    case let .write(socket, text): append(.bytes(Array(text.utf8)), to: socket)
    case let .close(socket, code, reason): append(.close(code: code, reason: reason), to: socket)
    case let .work(work): largeMessages.begin(work, waking: context)
    case let .record(record, connection):
      observer?.receive(record, of: connection)
      recordings?.receive(record, of: connection, at: now)
    case let .reportProblem(text, connection):
      if let observer { return observer.reportProblem(text, of: connection) }
      warn("connection \(connection): \(printable(text))")
    case let .fault(fault):
      recordings?.receive(
        fault, of: fault.client.map { live.clients[$0.number] }, at: now)
    case let .found(finding, connection):
      if let observer { return observer.reportProblem(finding.sentence, of: connection) }
      if finding.isNote { break }
      let client = live.server.client(of: connection).map { " (\($0))" } ?? ""
      warn("connection \(connection)\(client): \(finding.sentence)")
    }
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
