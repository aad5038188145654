internal import ClientInterface
internal import Tree
internal import Wire

/// A write that the server has not answered.
struct OutstandingPut {
  enum Purpose {
    /// The call is `nil` where an earlier process has made it.
    case write(id: Int, call: CallID?, isUpdate: Bool)
    /// One put for all transactions below a location, by their numbers.
    case transactions([Int])
  }

  /// Distinguishes puts; counts up in order of issue.
  let number: Int
  let request: Request
  let purpose: Purpose
  /// Whether it is on the wire of the current connection.
  var isSent = false

  var path: Path { request.path ?? .root }
}

/// A request about what to do on disconnection that the server has not answered.
struct OutstandingOnDisconnect {
  let number: Int
  let request: Request
  let call: CallID
  var isSent = false
}

/// A single read that the server has not answered.
struct OutstandingGet {
  let number: Int
  let listener: ListenerID
  let target: Operation.Target
}

/// Everything that was asked of the server and not answered.
struct RequestLog {
  /// What to do with an answer.
  enum Expectation {
    case nothing
    case listen(WireListen)
    /// The end of a listen.
    case endOf(WireListen)
    case put(number: Int)
    case onDisconnect(number: Int)
    case get(number: Int)
    /// Who the client is; without a number it was not a call that asked.
    case credential(number: Int?)
  }

  /// In order of issue, which is also the order on the wire (CON-7).
  var puts: [OutstandingPut] = []
  var onDisconnects: [OutstandingOnDisconnect] = []
  var gets: [OutstandingGet] = []
  private var expectations = RequestTable<Expectation>()
  /// WIR-12: request numbers go on across connections.
  private var lastRequest = 0
  private var lastNumber = 0

  mutating func nextRequest(expecting expectation: Expectation) -> Int {
    lastRequest += 1
    if case .nothing = expectation { return lastRequest }
    expectations[lastRequest] = expectation
    return lastRequest
  }

  mutating func nextNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }

  /// Gives no number up to this one, which a write of an earlier process has, to another write.
  mutating func reserve(_ number: Int) { lastNumber = max(lastNumber, number) }

  /// What the answer to a request means; `nil` for one that is not waited for.
  mutating func takeExpectation(of request: Int) -> Expectation? {
    expectations.removeValue(forKey: request)
  }

  mutating func takePut(_ number: Int) -> OutstandingPut? {
    guard let index = puts.firstIndex(where: { $0.number == number }) else { return nil }
    return puts.remove(at: index)
  }

  mutating func takeOnDisconnect(_ number: Int) -> OutstandingOnDisconnect? {
    guard let index = onDisconnects.firstIndex(where: { $0.number == number }) else { return nil }
    return onDisconnects.remove(at: index)
  }

  mutating func takeGet(_ number: Int) -> OutstandingGet? {
    guard let index = gets.firstIndex(where: { $0.number == number }) else { return nil }
    return gets.remove(at: index)
  }

  /// TXN-13: whether a transaction that was on the wire was carried out is not known, and it cannot
  /// be sent again. One that only waits can.
  mutating func takeSentTransactions() -> [OutstandingPut] {
    func isLost(_ put: OutstandingPut) -> Bool {
      if case .transactions = put.purpose { put.isSent } else { false }
    }
    let lost = puts.filter(isLost)
    puts.removeAll(where: isLost)
    return lost
  }

  /// Plain writes will be sent again; requests about disconnection that were sent will not
  /// (OND-9).
  mutating func forgetConnection() {
    for index in puts.indices { puts[index].isSent = false }
    onDisconnects.removeAll(where: \.isSent)
    expectations.removeAll()
  }
}

// MARK: - Listens

/// A listen as the server knows it.
struct WireListen: Hashable {
  let path: Path
  /// `nil` for a plain listen. A query that only orders is listened to plainly (WIR-13).
  let query: Query?
  let tag: Int?
  /// Distinguishes a listen from a later one for the same query.
  let number: Int
}

/// The listens that the server has, or will have once there is a connection.
struct WireListens {
  /// By location, with the number of the first listen since there was none.
  private var groups: [Path: (first: Int, listens: [WireListen])] = [:]
  private var nextNumber = 1

  /// CON-7: location by location, the location with the oldest listen first.
  var inRestoreOrder: [WireListen] {
    groups.values.sorted { $0.first < $1.first }.flatMap(\.listens)
  }

  /// The listens at one location, oldest first.
  func listens(at path: Path) -> [WireListen] { groups[path]?.listens ?? [] }

  func contains(_ listen: WireListen) -> Bool { listens(at: listen.path).contains(listen) }

  mutating func add(_ view: View) -> WireListen {
    let query = view.query.filters ? view.query : nil
    let number = nextNumber
    let listen = WireListen(path: view.path, query: query, tag: view.tag, number: number)
    groups[view.path, default: (number, [])].listens.append(listen)
    nextNumber += 1
    return listen
  }

  /// Takes out the listen of a view; `nil` when there is none.
  mutating func remove(_ view: View) -> WireListen? {
    let query = view.query.filters ? view.query : nil
    let listen = listens(at: view.path).first { $0.query == query }
    if let listen { remove(listen) }
    return listen
  }

  mutating func remove(_ listen: WireListen) {
    groups[listen.path]?.listens.removeAll { $0 == listen }
    if groups[listen.path]?.listens.isEmpty ?? false { groups[listen.path] = nil }
  }
}

extension LocalTree {
  /// The views that would need listens of their own if nothing covered `path`: at each location a
  /// plain one hides all others there and below.
  func outermostViews(at path: Path) -> [View] {
    let here = views(at: path)
    if let plain = here.first(where: { !$0.query.filters }) { return [plain] }
    return here + outermostViewsStrictlyBelow(path)
  }

  /// What a new plain listen at `path` makes superfluous: filtered listens there, and all below.
  func outermostViews(below path: Path) -> [View] {
    views(at: path).filter(\.query.filters) + outermostViewsStrictlyBelow(path)
  }

  private func outermostViewsStrictlyBelow(_ path: Path) -> [View] {
    let below = views.allPositions(.atOrBelow, path).filter { views[$0].path.count > path.count }
    if below.isEmpty { return [] }
    let keys = Set(below.map { views[$0].path.keys[path.count] })
    return keys.sorted().flatMap { outermostViews(at: path.appending($0)) }
  }
}

// MARK: - Sending

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
    guard let tag else { return Addressee(id: nil) }
    return tree.id(ofViewTagged: tag, at: path).map { Addressee(id: $0) }
  }

  /// TXN-16: transactions that saw other data run again before the data raise events, also where
  /// pending writes cover the data so that they raise none. What they then show comes later than the
  /// data, and so do its events.
  private mutating func raiseAfterRerun(
    at path: Path, change: (inout LocalTree) -> [PendingEvent]
  ) {
    let events = change(&tree)
    if policy.dataPrecedeResults { queue.add(events) }
    if !events.isEmpty || hasOutdatedTransactions(near: path) { rerunTransactions(at: path) }
    raise(policy.dataPrecedeResults ? [] : events)
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
    guard wireListens.contains(listen) || !policy.staleAnswersAreIgnored else {
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
    if policy.refusalsEndSynchronization { forgetSynchronization(at: path, query) }
    tree.kept?.forget(path)
    for listener in cancelled {
      listeners.removeValue(forKey: listener)
      outputs.append(.cancelled(listener, ErrorCode(status)))
    }
  }
}
