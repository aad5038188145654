internal import ClientInterface
internal import Tree
internal import Wire

/// The connection to the server: when to try again, and when to ask for a keep-alive.
struct ClientConnection {
  enum State: Hashable {
    /// Not wanted: the application took the client offline.
    case offline
    /// Waiting for the next attempt.
    case waiting
    case connecting
    /// Up, but without the server's hello.
    case opened
    case ready
  }

  /// CON-5: the first delay, its growth, and its bound.
  static let firstDelay = 1000.0
  static let growth = 1.3
  static let longestDelay = 300_000.0
  /// A connection that lived longer than this many milliseconds was a good one.
  static let stableAfter = 30_000.0

  var state = State.waiting
  /// Milliseconds; what the next delay is drawn from.
  var delay = firstDelay
  var lastAttempt = Instant(nanoseconds: 0)
  var readySince: Instant?
  var isFirstConnection = true
  /// CON-15: where the server has sent the client; `nil` where it was opened.
  var newHost: String?

  // What distinguishes a dead connection from one on which there is nothing to say (CON-19).

  /// How long nothing must be received before the client asks for a keep-alive. A connection that
  /// is up must have sent hello by then.
  static let silence = Interval.seconds(45)
  /// How long the server may take to give it.
  static let timeout = Interval.seconds(30)

  private var lastReceived = Instant(nanoseconds: 0)
  /// Whether a keep-alive was asked for and nothing was received since.
  var isKeepAliveAwaited = false

  /// Whether there is a connection that has not ended.
  var isUp: Bool { state == .opened || state == .ready }
  /// Whether there is one, or one was asked for.
  var isUnderWay: Bool { isUp || state == .connecting }

  /// Something was received.
  mutating func receive(at now: Instant) {
    lastReceived = now
    isKeepAliveAwaited = false
  }

  /// How long it may still be silent. A clock that was set back says nothing of that: the timer has
  /// run, so it was long enough.
  func rest(at now: Instant) -> Interval {
    guard now >= lastReceived else { return .zero }
    return Self.silence - min(Self.silence, now - lastReceived)
  }

  /// Draws the delay before the next attempt (CON-5).
  mutating func nextDelay(at now: Instant, random: inout RandomNumbers) -> Interval {
    if let since = readySince, (now - since).milliseconds > Self.stableAfter {
      delay = Self.firstDelay
    }
    readySince = nil
    let sinceAttempt = max(0, (now - lastAttempt).milliseconds)
    let drawn = random.nextUnit() * max(0, delay - sinceAttempt)
    delay = min(Self.longestDelay, delay * Self.growth)
    return Interval(nanoseconds: Int64(drawn * 1_000_000))
  }
}

// MARK: - Keep-alives

extension ReferenceClient {
  mutating func opened() {
    link.state = .opened
    link.receive(at: now)
    outputs.append(.setTimer(.keepAlive, after: ClientConnection.silence, .keepAlive))
  }

  /// It is time to see whether the connection lives. Only what is received counts: what the client
  /// sends may vanish.
  mutating func receiveKeepAlive() {
    guard link.isUp else { return }
    if link.state == .opened || link.isKeepAliveAwaited {
      outputs.append(.disconnect)
      connectionLost()
      return
    }
    let rest = link.rest(at: now)
    if rest > .zero {
      outputs.append(.setTimer(.keepAlive, after: rest, .keepAlive))
    } else {
      link.isKeepAliveAwaited = true
      outputs += [.send(.ping), .setTimer(.keepAlive, after: ClientConnection.timeout, .keepAlive)]
    }
  }
}

// MARK: - Coming and going

extension ReferenceClient {
  mutating func open(_ opening: ClientInput.Opening) {
    random = RandomNumbers(seed: opening.seed)
    host = opening.host
    know(.connected, Node(false))
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
    know(.serverTimeOffset, Node(.number(serverTimeOffset)))
    if profile.stats == .everyConnection || link.isFirstConnection {
      let name = profile.dialect == .wilddog ? "sdk.kennel.wilddog" : "sdk.kennel.firebase"
      transmit(.stats([.init(name, 1)]), expecting: nil)
    }
    link.isFirstConnection = false
    introduce()
    restoreListens()
    for kind in [OutstandingRequest.Kind.write, .onDisconnect, .get] { sendWaiting(kind) }
    know(.connected, Node(true))
  }

  mutating func connectionLost() {
    if link.state == .offline { return }
    leaveConnection { client in
      client.link.state = .waiting
      let delay = client.link.nextDelay(at: client.now, random: &client.random)
      client.outputs.append(.setTimer(.backOff, after: delay, .backOff))
    }
  }

  mutating func goOffline() {
    if link.state == .offline { return }
    if link.state == .waiting { outputs.append(.cancelTimer(.backOff)) }
    leaveConnection { client in
      client.outputs.append(.disconnect)
      client.link.state = .offline
    }
  }

  /// CON-15: the server is elsewhere, and the client follows at once.
  mutating func follow(to host: String) {
    leaveConnection { client in
      client.outputs.append(.disconnect)
      client.link.newHost = host
      client.connect()
    }
  }

  /// Ends the connection, if there is one, and does what comes instead of it.
  private mutating func leaveConnection(for next: (inout ReferenceClient) -> Void) {
    let wasReady = link.state == .ready
    if link.isUp { outputs.append(.cancelTimer(.keepAlive)) }
    next(&self)
    link.readySince = nil
    if wasReady { forgetConnection() }
  }

  mutating func goOnline() {
    link.delay = ClientConnection.firstDelay
    if link.isUnderWay { return }
    if link.state == .waiting { outputs.append(.cancelTimer(.backOff)) }
    connect()
  }

  /// What a lost connection means for what was under way (TXN-13, OFF-4): transactions that were on
  /// the wire fail, plain writes wait to be sent again, and what the server will do on
  /// disconnection is done here as well (OND-8).
  private mutating func forgetConnection() {
    for put in requests.forgetConnection(policy) {
      if case let .transactions(ids) = put.purpose {
        finishTransactions(ids, at: put.path, status: "disconnect")
      }
    }
    if identity.gate == .awaitingAnswer { identity.gate = .open }
    know(.connected, Node(false))
    for (path, node) in onDisconnects.takeAll(
      order: policy.onDisconnectOrder ?? profile.onDisconnectOrder)
    {
      queue.add(tree.learn([(path, estimated(node, at: path))], at: path, as: .put))
      rerunTransactions(at: abortTransactions(relatedTo: path))
    }
    raise()
  }

  /// States a value of `.info`, which is known even without a listener.
  private mutating func know(_ path: Path, _ node: Node) { raise(info.know(node, at: path)) }
}

extension Path {
  fileprivate static let connected: Path = ".info/connected"
  fileprivate static let serverTimeOffset: Path = ".info/serverTimeOffset"
}
