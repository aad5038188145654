internal import ClientEngine
internal import Wire

/// What carries messages to a server and back: one connection, in the framing of its dialect.
///
/// Unchecked: it is made anywhere, and used on the thread of sockets only.
final class Carrier: @unchecked Sendable {
  enum Event {
    case opened
    case message(ServerMessage)
    /// It could not be made; nothing follows.
    case refused(String)
    /// It is gone; nothing follows.
    case closed(String)
  }

  /// How long a client of Firebase's framing may be silent, in seconds (WIR-16).
  private static let silence = 45.0

  private let address: DatabaseAddress
  /// A file of certificates that are trusted besides those of the system.
  private let authorities: String?
  private let report: (Carrier, Event) -> Void
  private var framing: Framing
  private var exchange: Exchange?
  /// Whether there is, or was, a WebSocket, and not only the request that comes before it.
  private var hasSocket = false
  private var isOver = false
  private var hasSpoken = false

  init(
    _ address: DatabaseAddress, trusting authorities: String?,
    _ report: @escaping (Carrier, Event) -> Void
  ) {
    self.address = address
    self.authorities = authorities
    self.report = report
    framing = Framing(address.dialect)
  }

  private var isOpen: Bool { framing.isOpen && !isOver }
  private var enginePath: String { "/.ws/?EIO=3&\(address.query)" }

  func begin() {
    if isOver { return }
    switch address.dialect {
    case .firebase: openSocket("/.ws?v=5&\(address.query)")
    case .wilddog: ask()
    }
  }

  func send(_ message: ClientMessage) {
    guard isOpen, let exchange else { return }
    hasSpoken = true
    for frame in framing.frames(of: message) { exchange.send(frame) }
  }

  /// Closes it. Nothing is reported any more.
  func end() {
    if isOpen, address.dialect == .wilddog { exchange?.send(Packet.close) }
    isOver = true
    exchange?.close()
    exchange = nil
  }

  private func finish(_ reason: String) {
    if isOver { return }
    end()
    report(self, framing.isOpen ? .closed(reason) : .refused(reason))
  }

  /// The request that begins a session of engine.io, which a WebSocket takes over.
  private func ask() {
    let exchange = Exchange(.get) { [weak self] event in
      guard let self else { return }
      switch event {
      case .opened: break
      case let .text(body): carryOut(framing.receive(handshake: body))
      case let .ended(reason): if !hasSocket { finish(reason) }
      }
    }
    self.exchange = exchange
    exchange.begin(
      address, path: enginePath + "&transport=polling", trusting: authorities)
  }

  private func openSocket(_ path: String) {
    hasSocket = true
    let exchange = Exchange(.socket) { [weak self] event in
      guard let self else { return }
      switch event {
      case .opened: carryOut(framing.socketOpened())
      case let .text(text): carryOut(framing.receive(text))
      case let .ended(reason): finish(reason)
      }
    }
    self.exchange = exchange
    exchange.begin(address, path: path, trusting: authorities)
  }

  private func carryOut(_ steps: [Framing.Step]) {
    for step in steps where !isOver {
      switch step {
      case .opened:
        report(self, .opened)
        switch address.dialect {
        case .firebase: keepAlive()
        case .wilddog: ping()
        }
      case let .message(message): report(self, .message(message))
      case let .send(text): exchange?.send(text)
      case let .upgrade(session):
        openSocket(enginePath + "&transport=websocket&sid=\(session)")
      case let .end(reason): finish(reason)
      }
    }
  }

  /// WIR-16: a client that has nothing to say says so.
  private func keepAlive() {
    SocketThread.shared.perform(after: Self.silence) { [weak self] in
      guard let self, isOpen else { return }
      if !hasSpoken { exchange?.send("0") }
      hasSpoken = false
      keepAlive()
    }
  }

  /// Finds out now and then whether the server is still there.
  private func ping() {
    SocketThread.shared.perform(after: framing.pingInterval) { [weak self] in
      guard let self, isOpen else { return }
      exchange?.send(framing.ping())
      SocketThread.shared.perform(after: framing.pingTimeout) { [weak self] in
        guard let self, isOpen else { return }
        if framing.isPingAnswered { ping() } else { finish("the server does not answer") }
      }
    }
  }
}
