package import ClientInterface
internal import Faults
package import Trace
package import Tree
package import Wire

/// The server's tree, kept a second time from what went over the wire.
///
/// It knows nothing of listens and rules, only what was accepted. Timestamps while its clock is not
/// known, on-disconnect requests of two sessions of one client at a time, and those that rules may
/// refuse when they are to be done (OND-5) make it uncertain.
package struct ServerModel {
  /// What was stored, from the start: a state for each change.
  package private(set) var states: [Node]
  /// Whether it is known what will be done at the ends of sessions.
  private var knowsWills = true
  /// Whether there are rules, which may refuse at the end of a session what they allowed before.
  private var hasRules: Bool
  /// Whether the tree has all that changed it.
  private var knowsTree = true
  /// Whether `states` has every state until now.
  package private(set) var hasAllStates = true
  /// By the numbers of the clients.
  private var sessions: [Session] = []
  /// The server's clock when the run began; `nil` while it is not known.
  private var start: Instant?
  /// What the clock showed at the start, where that is known from elsewhere than from hellos.
  private let epoch: Instant?

  /// What is no moment that can be counted in nanoseconds, in milliseconds since 1970.
  private static let latestTimestamp = 2_900_000_000_000.0

  private struct Session {
    var count = 0
    /// The credential that the server accepted last.
    var credential: String?
    /// Whether that may have been over another connection than the present one.
    var isCredentialDoubtful = false
    /// The session that began last.
    var last = ""
    /// What is to be done at the end of a session, in order of registration.
    var wills: [(session: String, sets: [(path: Path, node: Node)])] = []
    /// The requests that were taken and are not answered: one, unless a real clock lets several
    /// arrive before the first is answered.
    var taken: [(number: Int, request: Request)] = []
  }

  /// `data` is what the server has at the start, and `epoch` what its clock shows then; without it the
  /// hellos of the server say so. `hasRules` says whether rules are in force from the start.
  package init(data: Node, epoch: Instant? = nil, hasRules: Bool = false) {
    states = [data]
    self.hasRules = hasRules
    (self.epoch, start) = (epoch, epoch)
    if data.hasServerValues { knowsTree = false }
  }

  /// Whether everything that changed the tree was understood.
  package var isCertain: Bool { knowsTree && knowsWills }

  /// Goes on with what the server stores, where a change of it was not understood.
  package mutating func adopt(_ tree: Node) {
    if knowsTree { return }
    states.append(tree)
    knowsTree = true
    hasAllStates = false
  }

  /// What is stored.
  package var tree: Node { states[states.count - 1] }

  package mutating func take(_ event: UnsafePointer<TraceEvent>) {
    let time = event.pointee.time
    switch event.pointee.kind {
    case let .serverWrite(path, node): apply(path, node, at: time)
    case let .serverUpdate(path, assignments): apply(assignments.sets(below: path), at: time)
    case let .serverOpened(client, session): begin(session, of: client)
    case let .serverClosed(client, session): end(session, of: client, at: time)
    case let .fault(incident): if let fault = incident.fault { take(fault) }
    case let .serverReceived(client, .request(number, request)):
      makeRoom(for: client)
      sessions[client.number].taken.append((number, request))
    case let .serverSent(client, .response(response)):
      makeRoom(for: client)
      guard let index = position(of: response, to: client) else { return }
      let request = sessions[client.number].taken.remove(at: index).request
      if response.status == "ok" {
        accept(request, of: client, at: time)
      } else if case .authenticate = request {
        set(nil, of: client)
      }
    case let .serverSent(client, .credentialRevoked):
      makeRoom(for: client)
      set(nil, of: client)
    case let .serverSent(_, .hello(hello)) where epoch == nil:
      // Clocks are set in whole milliseconds. Another server may state any number: then its clock is
      // not known.
      start =
        abs(hello.timestamp) < Self.latestTimestamp
        ? Instant(milliseconds: hello.timestamp - Double(time.nanoseconds / 1_000_000)) : nil
    case .step, .input, .output, .serverReceived, .serverSent, .lostToServer, .lostToClient:
      break
    }
  }

  private mutating func begin(_ session: String, of client: ClientIndex) {
    makeRoom(for: client)
    sessions[client.number].last = session
    sessions[client.number].count += 1
    sessions[client.number].credential = nil
    // The older one may outlive the newer one.
    sessions[client.number].isCredentialDoubtful = hasTwo(client)
    if hasTwo(client), !sessions[client.number].wills.isEmpty { knowsWills = false }
  }

  /// Does what the client left for the end of its session.
  private mutating func end(_ session: String, of client: ClientIndex, at time: Interval) {
    makeRoom(for: client)
    let wills = sessions[client.number].wills.filter { $0.session == session }
    if !wills.isEmpty { sessions[client.number].wills.removeAll { $0.session == session } }
    sessions[client.number].count -= 1
    if sessions[client.number].count < 1 { sessions[client.number].taken = [] }
    for will in wills { apply(will.sets, at: time) }
    if hasRules, !wills.isEmpty { knowsTree = false }
  }

  private mutating func take(_ fault: IndexedFault) {
    switch fault {
    case let .serverClock(skew): start = epoch.map { $0 + skew }
    case .reject: hasRules = true
    case .restart(_, .lost):
      // The server starts again and does not do what was left for the end of sessions.
      for index in sessions.indices { sessions[index].wills = [] }
    default: break
    }
  }

  /// The credential of a client's connection; outer `nil` when the client has two connections, or
  /// had two when the server accepted or refused a credential.
  package func credential(of client: ClientIndex) -> String?? {
    let isDoubtful = hasTwo(client) || sessions[client.number].isCredentialDoubtful
    return isDoubtful ? nil : .some(sessions[client.number].credential)
  }

  private mutating func set(_ credential: String?, of client: ClientIndex) {
    sessions[client.number].credential = credential
    sessions[client.number].isCredentialDoubtful = hasTwo(client)
  }

  /// The request that a response answers, while the server has not answered it.
  package func request(
    answeredBy response: ServerMessage.Response, to client: ClientIndex
  ) -> Request? {
    guard sessions.indices.contains(client.number) else { return nil }
    return position(of: response, to: client).map { sessions[client.number].taken[$0].request }
  }

  /// Which of the taken requests a response answers.
  private func position(of response: ServerMessage.Response, to client: ClientIndex) -> Int? {
    sessions[client.number].taken.lastIndex { $0.number == response.request }
  }

  private mutating func makeRoom(for client: ClientIndex) {
    while sessions.count <= client.number { sessions.append(Session()) }
  }

  private func hasTwo(_ client: ClientIndex) -> Bool { sessions[client.number].count > 1 }

  private mutating func accept(_ request: Request, of client: ClientIndex, at time: Interval) {
    switch request {
    case let .put(path, node, _): apply(path, node, at: time)
    case let .merge(path, assignments, _): apply(assignments.sets(below: path), at: time)
    case let .onDisconnectPut(path, node): store([(path, node)], of: client)
    case let .onDisconnectMerge(path, assignments):
      store(assignments.sets(below: path), of: client)
    case let .onDisconnectCancel(path):
      if hasTwo(client) { knowsWills = false }
      sessions[client.number].wills = sessions[client.number].wills.compactMap { will in
        let rest = will.sets.filter { !$0.path.starts(with: path) }
        return rest.isEmpty ? nil : (will.session, rest)
      }
    case let .authenticate(credential): set(credential.token, of: client)
    case .unauthenticate: set(nil, of: client)
    case .listen, .unlisten, .get, .stats: break
    }
  }

  private mutating func store(_ will: [(path: Path, node: Node)], of client: ClientIndex) {
    if hasTwo(client) { knowsWills = false }
    let session = sessions[client.number].last
    sessions[client.number].wills.append((session, will))
  }

  /// The same as for several writes, without a list of them.
  private mutating func apply(_ path: Path, _ node: Node, at time: Interval) {
    if node.hasServerValues { return apply([(path, node)], at: time) }
    states.append(tree.setting(node, at: path))
  }

  /// Fills in what the server fills in, for all locations from the data before the write.
  private mutating func apply(_ sets: [(path: Path, node: Node)], at time: Interval) {
    var sets = sets
    if sets.contains(where: { $0.node.hasServerValues }) {
      guard let start else { return knowsTree = false }
      let now = (start + time).milliseconds
      sets = sets.map { ($0.path, $0.node.resolved(time: now, over: tree[$0.path])) }
    }
    states.append(sets.applied(to: tree, at: .root))
  }
}
