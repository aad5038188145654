internal import ClientEngine
internal import Dispatch
internal import Glibc
package import Wire

/// What carries messages to a server and back: one connection, in the framing of its dialect.
///
/// Unchecked: it is made anywhere, and used on the thread of sockets only.
package final class Carrier: @unchecked Sendable {
  package enum Event: Sendable {
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
  private let findHost: Application.HostFinder
  /// Where the host is, and what is tried if nothing answers there.
  private var places: ArraySlice<String> = []
  /// Whether anything has come from there.
  private var isAnswered = false
  private var framing: Framing
  private var exchange: Exchange?
  /// Whether there is, or was, a WebSocket, and not only the request that comes before it.
  private var hasSocket = false
  private var isOver = false
  private var hasSpoken = false

  init(
    _ address: DatabaseAddress, trusting authorities: String?,
    findingHostsWith findHost: Application.HostFinder? = nil,
    _ report: @escaping (Carrier, Event) -> Void
  ) {
    self.address = address
    self.authorities = authorities
    self.findHost = findHost ?? Self.addresses
    self.report = report
    framing = Framing(address.dialect)
  }

  private var isOpen: Bool { framing.isOpen && !isOver }
  private var enginePath: String { "/.ws/?EIO=3&\(address.query)" }

  /// How long a name server may take, in seconds.
  private static let patience = 20.0

  /// Finds the host, on a thread of its own: a name server that does not answer holds up nothing else.
  func begin() {
    if isOver { return }
    let name = address.endpoint?.name ?? address.host
    DispatchQueue(label: "kennel.names").async { [self] in
      let found = findHost(name)
      SocketThread.shared.perform { [self] in
        if found.isEmpty { return finish("the name \(name) is not known") }
        places = found[...]
        beginAtPlace()
      }
    }
    SocketThread.shared.perform(after: Self.patience) { [weak self] in
      guard let self, places.isEmpty else { return }
      finish("no name server answers for \(name)")
    }
  }

  /// The numeric addresses of a host, as the system knows them.
  static func addresses(of name: String) -> [String] {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(name, nil, &hints, &list) == 0 else { return [] }
    defer { freeaddrinfo(list) }
    var found: [String] = []
    var next = list
    while let entry = next {
      var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
      let status = getnameinfo(
        entry.pointee.ai_addr, entry.pointee.ai_addrlen, &text, socklen_t(text.count), nil, 0,
        NI_NUMERICHOST)
      if status == 0 {
        found.append(
          String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
      }
      next = entry.pointee.ai_next
    }
    return found
  }

  private func beginAtPlace() {
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
    if !isAnswered, places.count > 1 {
      places.removeFirst()
      return beginAtPlace()
    }
    end()
    report(self, framing.isOpen ? .closed(reason) : .refused(reason))
  }

  /// The request that begins a session of engine.io, which a WebSocket takes over.
  private func ask() {
    let exchange = Exchange(.get) { [weak self] event in
      guard let self else { return }
      switch event {
      case .opened: break
      case .bytes: break
      case let .text(body):
        isAnswered = true
        carryOut(framing.receive(handshake: body))
      case let .ended(reason): if !hasSocket { finish(reason) }
      }
    }
    self.exchange = exchange
    begin(exchange, enginePath + "&transport=polling")
  }

  private func openSocket(_ path: String) {
    hasSocket = true
    let exchange = Exchange(.socket) { [weak self] event in
      guard let self else { return }
      switch event {
      case .opened:
        isAnswered = true
        carryOut(framing.socketOpened())
      case .bytes: break
      case let .text(text): carryOut(framing.receive(text))
      case let .ended(reason): finish(reason)
      }
    }
    self.exchange = exchange
    begin(exchange, path)
  }

  private func begin(_ exchange: Exchange, _ path: String) {
    exchange.begin(address, at: places.first ?? "", path: path, trusting: authorities)
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
