internal import ClientInterface
internal import Tree
internal import Wire

/// A request that is made again on the next connection unless the server has answered it.
struct OutstandingRequest {
  enum Purpose {
    /// The call is `nil` where an earlier process has made it.
    case write(id: Int, call: CallID?)
    /// One put for all transactions below a location, by their numbers.
    case transactions([Int])
    case onDisconnect(CallID)
    case get(ListenerID, Operation.Target)
    /// Who is signed in.
    case credential(CallID)
  }

  /// What goes out together on a new connection (CON-7).
  enum Kind {
    case write, onDisconnect, get, credential
  }

  /// Distinguishes requests; counts up in order of issue.
  let number: Int
  let request: Request
  let purpose: Purpose
  /// Whether it is on the wire of the current connection.
  var isSent = false

  var path: Path { request.path ?? .root }

  var kind: Kind {
    switch purpose {
    case .write, .transactions: .write
    case .onDisconnect: .onDisconnect
    case .get: .get
    case .credential: .credential
    }
  }
}

/// Everything that was asked of the server and not answered.
struct RequestLog {
  /// What to do with an answer.
  enum Expectation {
    case listen(WireListen)
    /// The end of a listen.
    case endOf(WireListen)
    /// An outstanding request, by its number.
    case request(Int)
    /// The credential that was accepted on an earlier connection: no call asked for it.
    case credential
  }

  /// In order of issue, which is also the order on the wire among those of a kind (CON-7).
  ///
  /// A slice, because most are answered in that order: the first one goes without moving the others.
  private var waiting = Boxed<ArraySlice<OutstandingRequest>>([])
  private var expectations = RequestTable<Expectation>()
  /// WIR-12: request numbers go on across connections.
  private var lastRequest = 0
  /// The number of the last outstanding request, which a write of an earlier process may have.
  var lastNumber = 0
  var lastListen = 0

  var outstanding: ArraySlice<OutstandingRequest> {
    get { waiting.value }
    _modify { yield &waiting.value }
  }

  /// The number of the next request; what it expects is `nil` where its answer means nothing.
  mutating func nextRequest(expecting expectation: Expectation?) -> Int {
    lastRequest += 1
    if let expectation { expectations[lastRequest] = expectation }
    return lastRequest
  }

  /// What the answer to a request means; `nil` for one that is not waited for.
  mutating func takeExpectation(of request: Int) -> Expectation? {
    expectations.removeValue(forKey: request)
  }

  mutating func take(_ number: Int) -> OutstandingRequest? {
    guard let index = outstanding.firstIndex(where: { $0.number == number }) else { return nil }
    if index > outstanding.startIndex { return outstanding.remove(at: index) }
    let first = outstanding.removeFirst()
    // What the others have left behind goes with the last one.
    if outstanding.isEmpty { outstanding = [] }
    return first
  }

  /// Takes out all writes, transactions and requests about disconnection.
  mutating func takeGivenUp() -> [OutstandingRequest] {
    let given = Array(outstanding.filter { $0.kind == .write || $0.kind == .onDisconnect })
    outstanding.removeAll { $0.kind == .write || $0.kind == .onDisconnect }
    return given
  }

  /// What was on the wire will be sent again, except requests about disconnection (OND-9) and
  /// transactions: whether those were carried out is not known (TXN-13).
  ///
  /// - Returns: The transactions.
  mutating func forgetConnection(_ policy: ClientPolicy) -> [OutstandingRequest] {
    var lost: [OutstandingRequest] = []
    outstanding.removeAll { request in
      guard request.isSent else { return false }
      switch request.purpose {
      case .onDisconnect: return true
      case .transactions:
        if policy.sentTransactionsFail { lost.append(request) }
        return policy.sentTransactionsFail
      case .write, .get, .credential: return false
      }
    }
    for index in outstanding.indices { outstanding[index].isSent = false }
    expectations.removeAll()
    return lost
  }
}

/// A listen that the server has, or will have once there is a connection.
struct WireListen: Hashable {
  let path: Path
  /// `nil` for a plain listen. A query that only orders is listened to plainly (WIR-13).
  let query: Query?
  let tag: Int?
  /// Distinguishes a listen from a later one for the same query.
  let number: Int
  /// The number of the first listen at the location since there was none.
  let group: Int
}

// MARK: - Sending

extension ReferenceClient {
  /// Puts a request on the wire.
  ///
  /// - Precondition: The connection is ready.
  mutating func transmit(_ request: Request, expecting expectation: RequestLog.Expectation?) {
    let number = requests.nextRequest(expecting: expectation)
    outputs.append(.send(.request(number, request)))
  }

  // MARK: Listens

  /// Listens for the view at this position of the tree.
  mutating func startListen(_ view: Int) {
    requests.lastListen += 1
    let (path, query) = (tree.views[view].path, tree.views[view].query)
    let oldest = wireListens.first(.at, path) { _ in true }
    let listen = WireListen(
      path: path, query: query.filters ? query : nil, tag: tree.views[view].tag,
      number: requests.lastListen,
      group: oldest.map { wireListens[$0].group } ?? requests.lastListen)
    wireListens.append(listen, at: path)
    if link.state == .ready { sendListen(listen) }
  }

  mutating func stopListen(at path: Path, _ query: Query) {
    guard let index = listen(at: path, query.filters ? query : nil) else { return }
    let listen = wireListens.remove(at: index)
    sendEnd(of: listen, expecting: .endOf(listen))
  }

  /// Where the plain listen of a location is, or that of a query.
  private func listen(at path: Path, _ query: Query?) -> Int? {
    wireListens.first(.at, path) { wireListens[$0].query == query }
  }

  private mutating func sendEnd(of listen: WireListen, expecting answer: RequestLog.Expectation?) {
    if link.state != .ready { return }
    transmit(.unlisten(listen.path, query: listen.query, tag: listen.tag), expecting: answer)
  }

  /// HSH-7: the hash says what is here already, so that the server need not send it.
  private mutating func sendListen(_ listen: WireListen) {
    let hash = tree.claim(at: listen.path, listen.query)?.hash ?? ""
    transmit(
      .listen(.init(path: listen.path, query: listen.query, tag: listen.tag, hash: hash)),
      expecting: .listen(listen))
  }

  /// CON-7: location by location, the location with the oldest listen first.
  mutating func restoreListens() {
    if wireListens.isEmpty { return }
    let listens = wireListens.sorted { a, b in
      a.group != b.group ? a.group < b.group : a.number < b.number
    }
    for listen in listens { sendListen(listen) }
  }

  // MARK: What is sent again

  /// Queues a request for the server, and sends it if there is a connection for it.
  mutating func send(_ request: Request, for purpose: OutstandingRequest.Purpose) {
    requests.lastNumber += 1
    enqueue(request, requests.lastNumber, for: purpose)
    let last = requests.outstanding.endIndex - 1
    if flows(requests.outstanding[last].kind) { transmit(last) }
  }

  mutating func enqueue(
    _ request: Request, _ number: Int, for purpose: OutstandingRequest.Purpose
  ) {
    let request = OutstandingRequest(number: number, request: request, purpose: purpose)
    requests.outstanding.append(request)
    memory.keep(request)
  }

  /// Sends what waits of one kind, if there is a connection for it.
  mutating func sendWaiting(_ kind: OutstandingRequest.Kind) {
    guard flows(kind) else { return }
    for index in requests.outstanding.indices
    where !requests.outstanding[index].isSent && requests.outstanding[index].kind == kind {
      transmit(index)
    }
  }

  /// Whether a request that is made now goes out now.
  private func flows(_ kind: OutstandingRequest.Kind) -> Bool {
    link.state == .ready && (kind != .write || identity.gate == .open)
  }

  private mutating func transmit(_ index: Int) {
    requests.outstanding[index].isSent = true
    let outstanding = requests.outstanding[index]
    transmit(outstanding.request, expecting: .request(outstanding.number))
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
      learn([(path, node)], at: path, as: .put, tag)
    case let .merge(path, assignments, tag):
      learn(ordered(assignments.sets(below: path)), at: path, as: .merge, tag)
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

  /// TXN-16: transactions that saw other data run again before the data raise events, also where
  /// pending writes cover the data so that they raise none. What they then show comes later than the
  /// data, and so do its events.
  mutating func learn(
    _ sets: [(path: Path, node: Node)], at path: Path, as form: ServerCache.Form, _ tag: Int?
  ) {
    let view = tag.flatMap { tree.index(ofViewTagged: $0, at: path) }
    // What has a tag is for one query, which may not be listened to any more.
    if tag != nil, view == nil { return }
    let events = tree.learn(sets, at: path, as: form, only: view)
    if policy.dataPrecedeResults { queue.add(events) }
    if !events.isEmpty || hasOutdatedTransactions(near: path) { rerunTransactions(at: path) }
    raise(policy.dataPrecedeResults ? [] : events)
  }

  private mutating func receive(_ response: ServerMessage.Response) {
    switch requests.takeExpectation(of: response.request) {
    case nil: break
    case let .listen(listen): listenAnswered(listen, status: response.status)
    case let .endOf(listen): if listen.tag == nil { tree.passOver(listenAt: listen.path) }
    case .credential: credentialAnswered(nil, status: response.status)
    case let .request(number):
      if let request = requests.take(number) { finish(request, response) }
    }
  }

  private mutating func finish(
    _ request: OutstandingRequest, _ response: ServerMessage.Response
  ) {
    let status = response.status
    switch request.purpose {
    case let .write(id, call):
      memory.forget(request)
      finishWrite(id, request.request, call: call, status: status)
    case let .transactions(ids): finishTransactions(ids, at: request.path, status: status)
    case let .onDisconnect(call):
      if status == "ok" {
        if policy.acknowledgementsCountAtOnce {
          onDisconnects.remember(request.request)
        } else {
          inNextTurn(.remember(request.request))
        }
      }
      inNextTurn(.complete(call, status: status))
    case let .get(listener, target): finishGet(listener, target, response)
    case let .credential(call):
      credentialAnswered(request.request, status: status)
      complete(call, status: status)
    }
  }

  private mutating func listenAnswered(_ listen: WireListen, status: String) {
    let index = wireListens.first(.at, listen.path) { wireListens[$0] == listen }
    if index == nil, policy.staleAnswersAreIgnored {
      if listen.tag == nil { tree.passOver(listenAt: listen.path) }
    } else if status != "ok" {
      if let index { wireListens.remove(at: index) }
      cancel(at: listen.path, listen.query, status)
    } else {
      let view = listen.tag.flatMap { tree.index(ofViewTagged: $0, at: listen.path) }
      if listen.tag != nil, view == nil { return }
      raise(tree.completeListen(at: listen.path, only: view))
    }
  }

  private mutating func revoke(_ path: Path, _ queries: [Query]?) {
    for query in queries.map({ $0.map(Optional.some) }) ?? [nil] {
      // The wire does not say how far ranges reach; the profile does.
      let filtered = query.flatMap { $0.filters ? $0.reaching(profile.ranges) : nil }
      // A listen that was taken back meanwhile has no listeners any more: those that are left there
      // are served by another one (ACC-10).
      guard let index = listen(at: path, filtered) else {
        if policy.crossingRevocationsEndAll {
          while let index = wireListens.first(.at, path, where: { _ in true }) {
            wireListens.remove(at: index)
          }
          cancel(at: path, nil, "permission_denied")
        }
        continue
      }
      wireListens.remove(at: index)
      if filtered == nil {
        // Takes back filtered listens that crossed the end of the unfiltered one, which ends their
        // listeners too.
        while let index = wireListens.first(.at, path, where: { _ in true }) {
          sendEnd(of: wireListens.remove(at: index), expecting: nil)
        }
      }
      cancel(at: path, filtered, "permission_denied")
    }
  }

  /// The server will not serve a listen: all its listeners end with the reason (ACC-1). A plain
  /// listen takes the filtered ones at its location with it (ACC-11).
  private mutating func cancel(at path: Path, _ query: Query?, _ status: String) {
    let cancelled = removeRegistrations(.refused, at: path) { view, _ in
      query == nil || view.query == query
    }
    if policy.refusalsEndSynchronization {
      synchronized.removeAll {
        $0.target.path == path && (query == nil || $0.target.query == query)
      }
    }
    tree.kept?.forget(path)
    for listener in cancelled {
      listeners.removeValue(forKey: listener)
      outputs.append(.cancelled(listener, ErrorCode(status)))
    }
  }
}
