package import ClientInterface
package import Faults
package import Tree
package import Wire

/// Watches all connections of one server that is given one message at a time, and judges what the server makes
/// of them: what it then has, and what it has sent by then.
///
/// It knows the server's data by what that has accepted, as ``ServerModel`` does, and what each listen shows by
/// what was sent for it. Where the server fills in its own time, nothing is said until its data are known again.
package struct ServerMonitor: Sendable {
  private let profile: Profile
  private var connections: [Int: Connection] = [:]
  /// What the server has, by what it accepted.
  private var tree: Node
  /// What it had since it was done last.
  private var states: [Node]
  /// Whether all that changed the tree is known.
  private var knowsTree = true
  /// What changed the tree last, and what did when the server came to have something else.
  private var last = WireCheck.puts
  private var suspect: WireCheck?
  private var found: [WireFinding] = []

  /// Whether it is known what the server has; of what follows from a difference nothing is said.
  private var isCertain: Bool { knowsTree && suspect == nil }

  private typealias Sets = [(path: Path, node: Node)]

  private struct Connection {
    var listens: [Listen] = []
    /// What is to be done when it ends, in the order of registration.
    var onDisconnects: [Sets] = []
    /// The requests without an answer.
    var open: [(number: Int, request: Request)] = []
  }

  /// A listen, with what was sent for it.
  private struct Listen {
    let request: Int
    let path: Path
    /// nil for a listen to everything.
    let query: Query?
    let tag: Int?
    let hash: String
    /// What its client has of it; nil where nothing has been sent.
    var data: Node?
    var isAnswered = false

    mutating func learn(_ place: Path, _ node: Node) {
      if let below = place.relative(to: path), !below.isRoot {
        data = data?.setting(node, at: below)
      } else if path.starts(with: place) {
        data = node[path.dropFirst(place.count)]
      }
    }
  }

  /// A server that has this data, for clients of a profile.
  package init(_ data: Node, in profile: Profile) {
    self.profile = profile
    tree = data
    states = [data]
  }

  /// Hands out what was found since this was asked last, each check once.
  package mutating func takeFindings() -> [WireFinding] {
    defer { found = [] }
    return found
  }
}

// MARK: - What the server is given

extension ServerMonitor {
  /// A connection begins.
  package mutating func opened(_ number: Int) { connections[number] = Connection() }

  /// A client sends something over a connection.
  package mutating func sent(_ message: ClientMessage, over number: Int) {
    guard case let .request(id, request) = message else { return }
    connections[number]?.open.append((id, request))
    switch request {
    case let .listen(listen):
      connections[number]?.listens.append(
        Listen(
          request: id, path: listen.path, query: listen.query?.onWire, tag: listen.tag,
          hash: listen.hash))
    case let .unlisten(path, query, _):
      let query = query?.onWire
      connections[number]?.listens.removeAll { $0.path == path && $0.query == query }
    default: break
    }
  }

  /// A request of REST, which has a number as a connection has; nil for one of which is not known what it writes.
  package mutating func asked(for write: Request?, over number: Int) {
    opened(number)
    if let write { sent(.request(1, write), over: number) } else { knowsTree = false }
  }

  /// A request of REST is answered.
  package mutating func answered(_ status: Int, over number: Int) {
    let word = status < 300 ? "ok" : status == 412 ? "datastale" : "permission_denied"
    received(.response(.init(to: 1, status: word)), over: number)
    connections[number] = nil
  }

  /// A connection ends: what was left for that is done.
  package mutating func closed(_ number: Int) {
    guard let connection = connections.removeValue(forKey: number) else { return }
    // What was not answered may have been done.
    if connection.open.contains(where: { $0.request.mayChange }) { knowsTree = false }
    for sets in connection.onDisconnects { apply(sets, .onDisconnects) }
  }

  /// The data are changed by none of the clients.
  package mutating func wrote(_ write: ServerWrite) {
    switch write {
    case let .set(path, node): apply([(path, node)], .puts)
    case let .remove(path): apply([(path, .empty)], .puts)
    case let .update(path, assignments): apply(assignments.sets(below: path), .merges)
    }
  }

  private mutating func apply(_ sets: Sets, _ check: WireCheck) {
    if sets.contains(where: { isTimed($0) }) { knowsTree = false }
    last = sets.contains { $0.node.hasServerValues } ? .serverValues : check
    tree = result(of: sets, over: tree)
    states.append(tree)
  }

  /// Whether it depends on the server's time.
  private func isTimed(_ set: (path: Path, node: Node)) -> Bool {
    set.node.resolved(time: 0, over: tree[set.path])
      != set.node.resolved(time: 1, over: tree[set.path])
  }

  private func result(of sets: Sets, over tree: Node) -> Node {
    sets.map { ($0.path, $0.node.resolved(time: 0, over: tree[$0.path])) }
      .applied(to: tree, at: .root)
  }
}

// MARK: - What the server sends

extension ServerMonitor {
  /// The server sends something over a connection.
  package mutating func received(_ message: ServerMessage, over number: Int) {
    switch message {
    case let .put(path, node, tag): learn([(path, node)], tag, over: number)
    case let .merge(path, assignments, tag):
      learn(assignments.sets(below: path), tag, over: number)
    case let .revoked(path, _): connections[number]?.listens.removeAll { $0.path == path }
    case let .response(response):
      guard
        let index = connections[number]?.open.firstIndex(where: { $0.number == response.request }),
        let (_, request) = connections[number]?.open.remove(at: index)
      else { return }
      answered(request, response, over: number)
    case .hello, .credentialRevoked, .shutdown, .reset, .pong, .notice, .other: break
    }
  }

  private mutating func learn(_ sets: Sets, _ tag: Int?, over number: Int) {
    guard var connection = connections[number] else { return }
    for index in connection.listens.indices where connection.listens[index].tag == tag {
      for set in sets { connection.listens[index].learn(set.path, set.node) }
    }
    connections[number] = connection
    guard isCertain, let possible else { return }
    for listen in connection.listens where listen.isAnswered && listen.tag == tag {
      // What comes for another listen of everything shows here too, and need not be the whole change.
      let hasOther = connection.listens.contains {
        $0.request != listen.request && $0.tag == nil && $0.path.isRelated(to: listen.path)
      }
      guard let data = listen.data, tag != nil || !hasOther else { continue }
      let shown = possible.map { expected(of: listen, in: $0) }
      if shown.contains(where: { $0 == nil || $0 == data }) { continue }
      add(
        .oneChange,
        "the server sends \(data) for the listen to \(listen.path), which was never there; it sends a "
          + "change as one message")
    }
  }

  /// What the server may have by now; nil where that is not known.
  private var possible: [Node]? {
    var states = states
    for number in connections.keys.sorted() {
      for (_, request) in connections[number]?.open ?? [] {
        guard let sets = request.writtenSets else { continue }
        if sets.contains(where: { isTimed($0) }) { return nil }
        states.append(result(of: sets, over: states[states.count - 1]))
      }
    }
    return states
  }

  private mutating func answered(
    _ request: Request, _ response: ServerMessage.Response, over number: Int
  ) {
    if case let .put(path, _, hash?) = request { judgeHash(hash, at: path, response.status) }
    guard response.status == "ok" else {
      if case .listen = request {
        connections[number]?.listens.removeAll { $0.request == response.request }
      }
      return
    }
    switch request {
    case .listen: judgeListen(response.request, over: number)
    case .put, .merge:
      var check = WireCheck.puts
      if case .merge = request { check = .merges }
      apply(request.writtenSets ?? [], check)
      judgeWrite(at: request.path ?? .root, over: number)
    case let .onDisconnectPut(path, node):
      connections[number]?.onDisconnects.append([(path, node)])
    case let .onDisconnectMerge(path, assignments):
      connections[number]?.onDisconnects.append(assignments.sets(below: path))
    case let .onDisconnectCancel(path):
      let left = connections[number]?.onDisconnects.map { sets in
        sets.filter { !$0.path.starts(with: path) }
      }
      connections[number]?.onDisconnects = left ?? []
    case .unlisten, .get, .stats, .authenticate, .unauthenticate: break
    }
  }

  private mutating func judgeHash(_ hash: String, at path: Path, _ status: String) {
    guard isCertain, ["ok", "datastale"].contains(status) else { return }
    let isRight = tree[path].hash == hash
    if isRight == (status == "ok") { return }
    add(
      .hashCompared,
      "the server answers the write of \(path) with \"\(status)\", and its hash is "
        + (isRight ? "that of the data there" : "not that of \(tree[path])"))
  }

  /// A listen is answered: its data have come, or its client has them already.
  private mutating func judgeListen(_ request: Int, over number: Int) {
    guard
      let index = connections[number]?.listens.firstIndex(where: { $0.request == request }),
      var listen = connections[number]?.listens[index]
    else { return }
    listen.isAnswered = true
    defer { connections[number]?.listens[index] = listen }
    guard isCertain, let own = expected(of: listen, in: tree) else { return }
    if listen.data == nil {
      let has = listen.hash.isEmpty ? Node.empty.hash : listen.hash
      if own.isEmpty || own.hash == has || own.isClaimed(by: has, listen.query) {
        listen.data = own
        return
      }
    } else if listen.data == own {
      return
    }
    add(
      .listenDataFirst,
      "the server answers the listen to \(listen.path) before it has sent \(own); "
        + (listen.data.map { "it has sent \($0)" }
          ?? "it has sent nothing" + (listen.tag.map { " with the tag \($0)" } ?? "")))
    // What comes late is no other failure.
    listen.data = listen.data ?? own
  }

  /// A write is answered: the listens of its connection show it.
  private mutating func judgeWrite(at path: Path, over number: Int) {
    guard isCertain else { return }
    for listen in connections[number]?.listens ?? []
    where listen.isAnswered && listen.path.isRelated(to: path) {
      guard let own = expected(of: listen, in: tree), let data = listen.data, data != own
      else { continue }
      add(
        .writeDataFirst,
        "the server answers the write of \(path) before its effect is sent to the listen to "
          + "\(listen.path) over the same connection; that shows \(data), expected \(own)")
    }
  }

  /// What a listen shows of the server's data; nil where the profile leaves it open.
  private func expected(of listen: Listen, in tree: Node) -> Node? {
    let node = tree[listen.path]
    guard let query = listen.query else { return node }
    return query.settledWindow(of: node, in: profile)
  }

  private mutating func add(_ check: WireCheck, _ text: String) {
    if found.contains(where: { $0.check == check }) { return }
    found.add(check, by: .server, text)
  }
}

// MARK: - When the server has done what it was given

extension ServerMonitor {
  /// The server has done everything, as far as can be seen, and has this data.
  package mutating func done(_ data: Node) {
    if !knowsTree { (tree, knowsTree) = (data, true) }
    states = [tree]
    suspect = tree == data ? nil : suspect ?? last
  }

  /// The same, and nothing more will happen by itself.
  package mutating func settled(_ data: Node) {
    done(data)
    if let suspect {
      // What was sent wrong may follow from it.
      found = []
      return add(suspect, "the server has \(data), but what it accepted results in \(tree)")
    }
    for number in connections.keys.sorted() {
      for listen in connections[number]?.listens ?? [] where listen.isAnswered {
        guard let own = expected(of: listen, in: tree), listen.data != own else { continue }
        let sent = listen.data.map { "\($0)" } ?? "nothing"
        add(
          .upToDate,
          "the server has sent \(sent) for the listen to \(listen.path), but it has \(own)")
      }
    }
  }
}

extension Request {
  /// Whether data may be others because of it, at once or at the end of the connection.
  fileprivate var mayChange: Bool {
    switch self {
    case .put, .merge, .onDisconnectPut, .onDisconnectMerge, .onDisconnectCancel: true
    case .listen, .unlisten, .get, .stats, .authenticate, .unauthenticate: false
    }
  }

  /// What a write changes; nil for what is none.
  fileprivate var writtenSets: [(path: Path, node: Node)]? {
    switch self {
    case let .put(path, node, _): [(path, node)]
    case let .merge(path, assignments, _): assignments.sets(below: path)
    default: nil
    }
  }
}
