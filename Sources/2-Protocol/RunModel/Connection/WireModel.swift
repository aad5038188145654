package import ClientInterface
internal import Tree
package import Wire

/// What is known of one client from its messages alone: how far its connection has come, which
/// requests wait, and which listens are in place.
///
/// It knows nothing of applications and judges nothing, so that recorded clients, live connections
/// and simulated runs are followed by the same.
package struct WireModel: Sendable {
  /// How far a connection has come.
  package enum Phase: Hashable, Sendable {
    case none
    case asked
    /// Up, but without the server's hello (WIR-1).
    case opened
    case helloReceived
    /// The server has sent the client away for good (CON-18).
    case sentAway
  }

  package private(set) var phase = Phase.none
  package var requests = Requests()
  package var listens: Listens

  /// Before the first connection. Messages that cross on their way have another order at a server.
  package init(atServer isAtServer: Bool = false) {
    listens = Listens(atServer: isAtServer)
  }

  /// A connection comes to a phase in which nothing has been sent over it.
  package mutating func begin(_ phase: Phase) {
    self.phase = phase
    // Servers guess whose a connection is, unless clients say it: the numbers of the one before
    // may be those of another client.
    if listens.isAtServer { requests = Requests() } else { requests.clear() }
    listens.clear()
  }

  /// The client sends a request.
  package mutating func send(_ number: Int, _ request: Request, at now: Instant) {
    requests.add(number, .request(request), at: now)
    switch request {
    case let .listen(listen): listens.add(listen, request: number)
    case let .unlisten(path, query, _): listens.takeBack(path, query, request: number)
    case .put, .merge, .get, .onDisconnectPut, .onDisconnectMerge, .onDisconnectCancel, .stats,
      .authenticate, .unauthenticate:
      break
    }
  }

  /// The client sends a request that the vocabulary has no word for.
  package mutating func send(_ number: Int, _ action: String, at now: Instant) {
    requests.add(number, .other(action), at: now)
  }

  /// The client receives a message of the server, or the server sends it.
  ///
  /// - Returns: What the message answers.
  @discardableResult
  package mutating func receive(_ message: ServerMessage) -> Requests.Open? {
    if phase == .opened { phase = .helloReceived }
    switch message {
    case .hello: phase = .helloReceived
    case let .response(response): return receive(response)
    case let .put(path, node, tag): listens.receive([(path, node)], at: path, tag: tag)
    case let .merge(path, assignments, tag):
      listens.receive(assignments.sets(below: path), at: path, tag: tag)
    case let .revoked(path, queries): listens.revoke(path, queries)
    case .shutdown: phase = .sentAway
    case .credentialRevoked, .reset, .pong, .notice, .other: break
    }
    return nil
  }

  private mutating func receive(_ response: ServerMessage.Response) -> Requests.Open? {
    let open = requests.answer(response.request)
    guard case let .request(request)? = open?.subject else { return open }
    switch request {
    case let .listen(listen):
      listens.answer(listen, request: response.request, isRefused: response.status != "ok")
    case .unlisten: listens.answerTakingBack(response.request)
    // What a read brings is known of the listens beside it too.
    case let .get(path, _): listens.doubt(path)
    default: break
    }
    return open
  }
}
