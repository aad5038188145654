internal import ClientEngine
internal import Document
internal import EngineIO
internal import Tree
internal import Wire

/// What carries messages to a server and back: one connection, in the framing of its dialect.
///
/// Unchecked: it is made anywhere, and used on the thread of sockets only.
final class Carrier: @unchecked Sendable {
  enum Event {
    case opened
    case message(String)
    /// It could not be made; nothing follows.
    case refused(String)
    /// It is gone; nothing follows.
    case closed(String)
  }

  /// How far an engine.io connection has come.
  private enum Stage {
    case asking
    case probing
    case open
    case over
  }

  /// How long a client of Firebase's framing may be silent, in seconds (WIR-16).
  private static let silence = 45.0
  /// The longest message of engine.io, in bytes, and the most packets of one answer.
  static let longest = 1 << 28

  private let address: DatabaseAddress
  /// A file of certificates that are trusted besides those of the system.
  private let authorities: String?
  private let report: (Carrier, Event) -> Void
  private var stage = Stage.asking
  private var exchange: Exchange?
  private var assembler = SegmentAssembler()
  /// What came before the connection was up.
  private var early: [String] = []
  private var pingInterval = 25.0
  private var pingTimeout = 60.0
  private var isPingAnswered = true
  private var hasSpoken = false

  init(
    _ address: DatabaseAddress, trusting authorities: String?,
    _ report: @escaping (Carrier, Event) -> Void
  ) {
    self.address = address
    self.authorities = authorities
    self.report = report
  }

  func begin() {
    if case .over = stage { return }
    switch address.dialect {
    case .firebase: openSocket("/.ws?v=5&\(address.query)")
    case .wilddog: ask()
    }
  }

  /// Sends a message.
  func send(_ text: String) {
    guard case .open = stage, let exchange else { return }
    hasSpoken = true
    switch address.dialect {
    case .firebase: for frame in Segments.frames(of: text) { exchange.send(frame) }
    case .wilddog: exchange.send(Packet.message(text))
    }
  }

  /// Closes it. Nothing is reported any more.
  func end() {
    if case .open = stage, address.dialect == .wilddog { exchange?.send(Packet.close) }
    stage = .over
    exchange?.close()
    exchange = nil
  }

  private func finish(_ reason: String) {
    let wasOpen = if case .open = stage { true } else { false }
    if case .over = stage { return }
    end()
    report(self, wasOpen ? .closed(reason) : .refused(reason))
  }

  private func openSocket(_ path: String) {
    let exchange = Exchange(.socket) { [weak self] event in
      switch event {
      case .opened: self?.socketOpened()
      case let .text(text): self?.take(text)
      case let .ended(reason): self?.finish(reason)
      }
    }
    self.exchange = exchange
    exchange.begin(address, path: path, trusting: authorities)
  }

  private func socketOpened() {
    switch address.dialect {
    case .firebase:
      opened()
      keepAlive()
    case .wilddog: exchange?.send("2probe")
    }
  }

  private func opened() {
    stage = .open
    report(self, .opened)
    for packet in early { take(packet: packet) }
    early = []
  }

  private func take(_ text: String) {
    switch address.dialect {
    case .firebase: if let message = assembler.receive(text) { report(self, .message(message)) }
    case .wilddog: take(packet: text)
    }
  }

  /// WIR-16: a client that has nothing to say says so.
  private func keepAlive() {
    SocketThread.shared.perform(after: Self.silence) { [weak self] in
      guard let self, case .open = stage else { return }
      if !hasSpoken { exchange?.send("0") }
      hasSpoken = false
      keepAlive()
    }
  }
}

// engine.io 3: a request begins the session, and a WebSocket takes it over.

extension Carrier {
  private var enginePath: String { "/.ws/?EIO=3&\(address.query)" }

  private func ask() {
    let exchange = Exchange(.get) { [weak self] event in
      switch event {
      case .opened: break
      case let .text(body): self?.takeHandshake(body)
      case let .ended(reason): if case .asking? = self?.stage { self?.finish(reason) }
      }
    }
    self.exchange = exchange
    exchange.begin(
      address, path: enginePath + "&transport=polling", trusting: authorities)
  }

  private func takeHandshake(_ body: String) {
    guard case .asking = stage else { return }
    let packets = Payload.decode(Array(body.utf8), upTo: 1000) ?? []
    guard let first = packets.first, first.first == "0",
      let terms = try? JSON(parsing: String(first.dropFirst())), let sid = terms["sid"]?.string
    else { return finish("the answer is no handshake of engine.io") }
    pingInterval = (terms["pingInterval"]?.number ?? 25_000) / 1000
    pingTimeout = (terms["pingTimeout"]?.number ?? 60_000) / 1000
    early = Array(packets.dropFirst())
    stage = .probing
    openSocket(enginePath + "&transport=websocket&sid=\(sid)")
  }

  private func take(packet: String) {
    switch packet.first {
    case "1": finish("the server closes")
    case "2": exchange?.send("3" + packet.dropFirst())
    case "3":
      isPingAnswered = true
      guard case .probing = stage, packet == "3probe" else { return }
      exchange?.send("5")
      opened()
      ping()
    case "4":
      guard case .open = stage else { return early.append(packet) }
      switch Packet.content(of: packet.dropFirst(), limit: Self.longest) {
      case let .message(text): report(self, .message(text))
      case .ignored: break
      case let .mistake(reason): finish(reason)
      }
    case "0", "5", "6": break
    default: finish("a packet that is none of engine.io")
    }
  }

  /// Finds out now and then whether the server is still there.
  private func ping() {
    SocketThread.shared.perform(after: pingInterval) { [weak self] in
      guard let self, case .open = stage else { return }
      isPingAnswered = false
      exchange?.send("2")
      SocketThread.shared.perform(after: pingTimeout) { [weak self] in
        guard let self, case .open = stage else { return }
        if isPingAnswered { ping() } else { finish("the server does not answer") }
      }
    }
  }
}
