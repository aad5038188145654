internal import ClientInterface
internal import Tree
internal import Wire

extension ReferenceClient {
  mutating func open(_ opening: ClientInput.Opening) {
    random = RandomNumbers(seed: opening.seed)
    host = opening.host
    reportConnected(false)
    remember(opening)
    connect()
  }

  mutating func connect() {
    link.state = .connecting
    link.lastAttempt = now
    outputs.append(link.newHost.map { .connectTo($0) } ?? .connect)
  }

  /// The server sent hello: everything that waited goes out, in a fixed order (CON-7), and only
  /// then the application is notified that it is connected.
  mutating func becomeReady(_ hello: ServerMessage.Hello) {
    link.state = .ready
    link.readySince = now
    serverTimeOffset = hello.timestamp - now.milliseconds
    notify(.serverTimeOffset, Node(.number(serverTimeOffset)))
    if profile.stats == .everyConnection || link.isFirstConnection { sendStats() }
    link.isFirstConnection = false
    introduce()
    for listen in wireListens.inRestoreOrder { sendListen(listen) }
    if writesFlow {
      for index in requests.puts.indices { transmitPut(index) }
    }
    for index in requests.onDisconnects.indices { transmitOnDisconnect(index) }
    for get in requests.gets { transmit(get) }
    reportConnected(true)
  }

  private mutating func sendStats() {
    let name = profile.dialect == .wilddog ? "sdk.kennel.wilddog" : "sdk.kennel.firebase"
    transmit(.stats([.init(name, 1)]), expecting: .nothing)
  }

  mutating func connectionLost() {
    let wasReady = link.state == .ready
    guard link.state != .offline else { return }
    stopKeepAlive()
    link.state = .waiting
    let delay = link.nextDelay(at: now, random: &random)
    outputs.append(.setTimer(.backOff, after: delay, .backOff))
    if wasReady { forgetConnection() }
  }

  mutating func goOffline() {
    let wasReady = link.state == .ready
    switch link.state {
    case .offline: return
    case .waiting: outputs.append(.cancelTimer(.backOff))
    case .connecting, .opened, .ready: break
    }
    stopKeepAlive()
    outputs.append(.disconnect)
    link.state = .offline
    link.readySince = nil
    if wasReady { forgetConnection() }
  }

  /// CON-15: the server is elsewhere, and the client follows at once.
  mutating func follow(to host: String) {
    let wasReady = link.state == .ready
    stopKeepAlive()
    outputs.append(.disconnect)
    link.readySince = nil
    link.newHost = host
    connect()
    if wasReady { forgetConnection() }
  }

  mutating func goOnline() {
    link.delay = ClientConnection.firstDelay
    switch link.state {
    case .connecting, .opened, .ready: return
    case .waiting: outputs.append(.cancelTimer(.backOff))
    case .offline: break
    }
    connect()
  }

  /// What a lost connection means for what was under way (TXN-13, OFF-4): transactions that were on
  /// the wire fail, plain writes wait to be sent again, and what the server will do on
  /// disconnection is done here as well (OND-8).
  mutating func forgetConnection() {
    let resends = mutationFlags.contains(.sentTransactionsAreResent)
    for put in resends ? [] : requests.takeSentTransactions() {
      if case let .transactions(ids) = put.purpose {
        finishTransactions(ids, at: put.path, status: "disconnect")
      }
    }
    requests.forgetConnection()
    if identity.gate == .awaitingAnswer { identity.gate = .open }
    rememberAnsweredOnDisconnects()
    reportConnected(false)
    for (path, node) in onDisconnects.takeAll(order: profile.onDisconnectOrder) {
      queue.add(tree.put(estimated(node, at: path), at: path))
      rerunTransactions(at: abortTransactions(relatedTo: path))
    }
    raise()
  }

  // MARK: .info

  private mutating func reportConnected(_ isConnected: Bool) {
    notify(.connected, Node(.bool(isConnected)))
  }

  private mutating func notify(_ path: Path, _ node: Node) {
    raise(info.notify(node, at: path))
  }
}

extension Path {
  fileprivate static let connected: Path = ".info/connected"
  fileprivate static let serverTimeOffset: Path = ".info/serverTimeOffset"
}

extension LocalTree {
  /// Sets a value of `.info`. Unlike the server's data it is known even without a listener.
  fileprivate mutating func notify(_ node: Node, at path: Path) -> [PendingEvent] {
    if !views.has(.related, path) {
      // There is no listener to which it could be reported.
      _ = register(nil, at: path, .all, events: [], .lasting, knowing: node)
      return []
    }
    if index(at: path, .all) == nil {
      _ = register(nil, at: path, .all, events: [], .lasting)
    }
    return put(node, at: path)
  }
}
