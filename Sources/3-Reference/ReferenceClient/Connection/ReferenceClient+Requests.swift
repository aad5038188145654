internal import ClientInterface
internal import Tree
internal import Wire

extension ReferenceClient {
  /// Puts a request on the wire.
  ///
  /// - Precondition: The connection is ready.
  mutating func transmit(_ request: Request, expecting expectation: RequestLog.Expectation) {
    let number = requests.nextRequest(expecting: expectation)
    outputs.append(.send(.request(number, request)))
  }

  // MARK: Listens

  mutating func startListen(_ view: View) {
    let listen = wireListens.add(view)
    if link.state == .ready { sendListen(listen) }
  }

  mutating func stopListen(_ view: View) {
    guard let listen = wireListens.remove(view), link.state == .ready else { return }
    transmit(
      .unlisten(listen.path, query: listen.query, tag: listen.tag), expecting: .endOf(listen))
  }

  /// HSH-7: the hash says what is here already, so that the server need not send it.
  mutating func sendListen(_ listen: WireListen) {
    let hash = tree.claim(at: listen.path, listen.query)?.hash ?? ""
    transmit(
      .listen(.init(path: listen.path, query: listen.query, tag: listen.tag, hash: hash)),
      expecting: .listen(listen))
  }

  // MARK: Writes

  /// Queues a write for the server, and sends it if there is a connection.
  mutating func send(_ request: Request, for purpose: OutstandingPut.Purpose) {
    requests.puts.append(
      OutstandingPut(number: requests.nextNumber(), request: request, purpose: purpose))
    if writesFlow { transmitPut(requests.puts.count - 1) }
  }

  mutating func transmitPut(_ index: Int) {
    requests.puts[index].isSent = true
    let put = requests.puts[index]
    transmit(put.request, expecting: .put(number: put.number))
  }

  mutating func transmitOnDisconnect(_ index: Int) {
    requests.onDisconnects[index].isSent = true
    let request = requests.onDisconnects[index]
    transmit(request.request, expecting: .onDisconnect(number: request.number))
  }
}

// MARK: - What the server sends

extension ReferenceClient {
  mutating func receive(_ message: ServerMessage) {
    switch message {
    case let .hello(hello):
      if link.state == .opened { becomeReady(hello) }
    case let .response(response): receive(response)
    case let .put(path, node, tag):
      guard let view = addressee(of: tag, at: path) else { return }
      raiseAfterRerun(at: path) { $0.put(node, at: path, only: view.id) }
    case let .merge(path, assignments, tag):
      guard let view = addressee(of: tag, at: path) else { return }
      let sets = assignments.sets(below: path)
      raiseAfterRerun(at: path) { $0.merge(sets, at: path, only: view.id) }
    case let .revoked(path, queries): revoke(path, queries)
    case let .shutdown(reason):
      outputs.append(.log("the server shut the connection down: \(reason)"))
      // CON-18: not before the application asks for it.
      goOffline()
    case let .reset(host): follow(to: host)
    case let .credentialRevoked(status, _): credentialRevoked(status: status)
    case .pong, .notice, .other: break
    }
  }

  private struct Addressee {
    /// `nil` when the message is for everybody.
    let id: Int?
  }

  /// Whom a message is for; `nil` when its tag names a query that is not listened to any more.
  private func addressee(of tag: Int?, at path: Path) -> Addressee? {
    guard let tag, !mutationFlags.contains(.tagsAreIgnored) else { return Addressee(id: nil) }
    return tree.id(ofViewTagged: tag, at: path).map { Addressee(id: $0) }
  }

  /// TXN-16: transactions that saw other data run again before the data raise events, also where
  /// pending writes cover the data so that they raise none. What they then show comes later than the
  /// data, and so do its events.
  private mutating func raiseAfterRerun(
    at path: Path, change: (inout LocalTree) -> [PendingEvent]
  ) {
    let events = change(&tree)
    if !mutationFlags.contains(.resultsPrecedeData) { queue.add(events) }
    if !events.isEmpty || hasOutdatedTransactions(near: path) { rerunTransactions(at: path) }
    raise(mutationFlags.contains(.resultsPrecedeData) ? events : [])
  }

  private mutating func receive(_ response: ServerMessage.Response) {
    switch requests.takeExpectation(of: response.request) {
    case nil, .nothing: break
    case let .listen(listen): listenAnswered(listen, status: response.status)
    case let .endOf(listen): if listen.tag == nil { tree.passOver(listenAt: listen.path) }
    case let .credential(number): credentialAnswered(number, status: response.status)
    case let .put(number):
      guard let put = requests.takePut(number) else { return }
      switch put.purpose {
      case let .write(id, call, isUpdate):
        finishWrite(id, call: call, isUpdate: isUpdate, at: put.path, status: response.status)
      case let .transactions(ids):
        finishTransactions(ids, at: put.path, status: response.status)
      }
    case let .get(number):
      if let get = requests.takeGet(number) { finish(get, response) }
    case let .onDisconnect(number):
      guard let request = requests.takeOnDisconnect(number) else { return }
      inNextTurn(.finishOnDisconnect(request, status: response.status))
    }
  }

  private mutating func listenAnswered(_ listen: WireListen, status: String) {
    guard wireListens.contains(listen) || mutationFlags.contains(.staleAnswersAreTaken) else {
      if listen.tag == nil { tree.passOver(listenAt: listen.path) }
      return
    }
    guard status == "ok" else {
      wireListens.remove(listen)
      cancel(at: listen.path, listen.query, status)
      return
    }
    if let tag = listen.tag {
      guard let view = tree.id(ofViewTagged: tag, at: listen.path) else { return }
      raise(tree.completeListen(at: listen.path, only: view))
    } else {
      raise(tree.completeListen(at: listen.path, only: nil))
    }
  }

  private mutating func revoke(_ path: Path, _ queries: [Query]?) {
    for query in queries.map({ $0.map(Optional.some) }) ?? [nil] {
      // The wire does not say how far ranges reach; the profile does.
      let filtered = query.flatMap { $0.filters ? $0.reaching(profile.ranges) : nil }
      // A listen that was taken back meanwhile has no listeners any more: those that are left there
      // are served by another one (ACC-10).
      guard let listen = wireListens.listens(at: path).first(where: { $0.query == filtered }) else {
        continue
      }
      wireListens.remove(listen)
      if filtered == nil { takeBackListens(at: path) }
      cancel(at: path, filtered, "permission_denied")
    }
  }

  /// Takes back filtered listens that crossed the end of the unfiltered one, which ends their
  /// listeners too.
  private mutating func takeBackListens(at path: Path) {
    for listen in wireListens.listens(at: path) {
      wireListens.remove(listen)
      guard link.state == .ready else { continue }
      transmit(.unlisten(listen.path, query: listen.query, tag: listen.tag), expecting: .nothing)
    }
  }

  /// The server will not serve a listen: all its listeners end with the reason (ACC-1). A plain
  /// listen takes the filtered ones at its location with it (ACC-11).
  private mutating func cancel(at path: Path, _ query: Query?, _ status: String) {
    func isMeant(_ view: View, _: Registration) -> Bool { query == nil || view.query == query }
    let cancelled = registeredListeners(at: path, where: isMeant)
    removeRegistrations(.refused, at: path, where: isMeant)
    if !mutationFlags.contains(.refusedStaySynchronized) { forgetSynchronization(at: path, query) }
    tree.kept?.forget(path)
    for listener in cancelled {
      listeners.removeValue(forKey: listener)
      outputs.append(.cancelled(listener, ErrorCode(status)))
    }
  }
}
