public import ClientInterface
public import Faults
public import Tree
public import Wire

/// The one server of a run: the authoritative tree, and what every connection listens to.
///
/// A value without a clock: the time of each call is handed in, and whatever is to be sent is
/// appended to `out`, in the order in which it must be sent. Connections are served in order of
/// their number and listens in the order in which they were made, so that a run can be repeated.
///
/// It keeps the two promises that clients rely on: the data of a listen come before its answer
/// (WIR-2), and the effect of a write reaches the writer's own listens before its
/// acknowledgement (WIR-3).
public struct ReferenceServer: Sendable {
  /// The database: everything that is stored.
  public internal(set) var tree: Node
  /// What clients may not do. Rules are looked at when a request arrives, and again when a write that
  /// was left for the end of a connection is done.
  public var security: [SecurityRule]
  /// The rules of the database (SEC-1); `nil` for a database that is open to everyone.
  public var rules: SecurityRules?
  /// The tokens that are valid.
  public var tokens: [String: TokenClaims]
  /// Whether tokens without a signature are accepted, as emulators do (ACC-19).
  public var acceptsUnsignedTokens = false
  /// Tokens of this kind that were taken back.
  var revokedTokens: Set<String> = []
  /// What clients speak, unless their connection states otherwise.
  public let dialect: Dialect
  /// Where clients are to connect next time, by hello.
  public let host: String
  /// Which values lie in a range where values are of different kinds (QRY-13, QRY-14).
  public let ranges: Query.RangeReach

  /// Whether messages go out together with what they convey, so that the sender can word
  /// them in another form.
  public var offersForms = false
  /// Keeps a write, with what is stored after it, before it is done: what is not kept is not done, and
  /// is refused as `unavailable`. `nil` where nothing outlasts the server.
  public var keeps: (@Sendable (Write, Node) -> Bool)?
  /// The status of writes that could not be kept.
  package static let unavailable = "unavailable"
  /// What is known of a write that is about to arrive.
  package var prepared: PreparedWrite?
  /// What it does wrong on purpose; `nil` for nothing.
  public var defect: ServerDefect?
  /// Writes that `defect` has held back, with the connection that made them.
  var held: [(connection: ConnectionID?, write: Write)] = []

  /// In order of their numbers.
  var connections: [ServerSession] = []
  /// The numbers of the connections by the paths at which they listen; `nil` until there are many.
  var listenIndex: PathIndex?
  /// How many conditional writes are still to be refused as stale, whatever their hash.
  var staleRefusals = (left: 0, data: StaleData.withheld)
  /// When the last message arrived.
  var time = Instant(nanoseconds: 0)

  /// A server without connections that stores `data` and accepts the given tokens.
  public init(
    data: Node, security: [SecurityRule], tokens: [String: TokenClaims] = [:], dialect: Dialect,
    host: String, ranges: Query.RangeReach = .acrossKinds
  ) {
    tree = data
    self.security = security
    self.tokens = tokens
    self.dialect = dialect
    self.host = host
    self.ranges = ranges
  }

  /// Names a connection. The caller chooses the numbers and uses each of them once.
  public struct ConnectionID: Hashable, Comparable, Sendable {
    /// The number by which connections are ordered; the server never chooses it.
    public var number: Int

    /// Names the connection with this number, whether or not it is open.
    public init(_ number: Int) { self.number = number }
    public static func < (a: ConnectionID, b: ConnectionID) -> Bool { a.number < b.number }

    /// What the server calls the session in its hello.
    public var session: String { "session" + String(number) }
  }

  /// A message that is to be sent, and over which connection.
  public struct Outgoing: Hashable, Sendable {
    /// The connection over which the message goes.
    public var connection: ConnectionID
    /// What the client at the other end is to receive, unless it is worded in another form.
    public var message: ServerMessage
    /// What it conveys; `nil` where there is one form only, or none was asked for.
    var content: Content?

    /// Something to send to the client at the other end of `connection`.
    public init(_ connection: ConnectionID, _ message: ServerMessage) {
      self.connection = connection
      self.message = message
    }

    init(_ connection: ConnectionID, _ message: ServerMessage, _ content: Content?) {
      self.init(connection, message)
      self.content = content
    }
  }
}

extension ReferenceServer {
  /// Begins a connection and sends hello (WIR-1).
  ///
  /// The hello names `host`, under which the client has reached the server; `nil` for its own. The
  /// client speaks `dialect`; `nil` stands for that of the server.
  ///
  /// - Precondition: No open connection has this number.
  public mutating func open(
    _ connection: ConnectionID, at now: Instant, host: String? = nil, in dialect: Dialect? = nil,
    into out: inout [Outgoing]
  ) {
    let dialect = dialect ?? self.dialect
    let index = insertionIndex(of: connection)
    precondition(
      index == connections.endIndex || connections[index].id != connection,
      "connection \(connection.number) is open already")
    let session = ServerSession(id: connection, dialect)
    if index == connections.endIndex {
      connections.append(session)
    } else {
      connections.insert(session, at: index)
    }
    if defect != nil { doHeldWrites(at: now, into: &out) }
    let hello = ServerMessage.Hello(
      timestamp: now.milliseconds, version: dialect.version, host: host ?? self.host,
      session: connection.session)
    out.append(Outgoing(connection, .hello(hello)))
  }

  /// Ends a connection: its listens are forgotten, then what it left for this moment is done, once
  /// and in the order of registration (OND-4, OND-6).
  ///
  /// Nothing happens for a connection that is not open.
  public mutating func close(
    _ connection: ConnectionID, at now: Instant, into out: inout [Outgoing]
  ) {
    guard let index = index(of: connection) else { return }
    let ended = connections.remove(at: index)
    removeFromListenIndex(ended)
    doOnDisconnects(of: ended, at: now, into: &out)
  }

  /// Handles one message. One from a connection that is not open is lost.
  public mutating func receive(
    _ message: ClientMessage, from connection: ConnectionID, at now: Instant,
    into out: inout [Outgoing]
  ) {
    guard let index = index(of: connection) else { return }
    time = now
    if defect != nil { doHeldWrites(at: now, into: &out) }
    let first = out.count
    switch message {
    case .ping: out.append(Outgoing(connection, .pong))
    case let .request(number, request):
      let answer = answer(to: request, from: index, at: now, into: &out)
      out.append(Outgoing(connection, .response(answer.response(to: number))))
      if defect != nil { corrupt(&out, from: first, after: request) }
    }
  }

  /// A write of another client, directly at the server: no rule applies to it.
  public mutating func write(_ write: Write, at now: Instant, into out: inout [Outgoing]) {
    apply(write, at: now, into: &out)
  }

  private mutating func answer(
    to request: Request, from index: Int, at now: Instant, into out: inout [Outgoing]
  ) -> Answer {
    switch request {
    case let .listen(listen): return self.listen(listen, from: index, at: now, into: &out)
    case let .unlisten(path, _, tag):
      connections[index].removeListen(at: path, tag: tag)
      removeFromListenIndex(index, path)
      return .ok
    case let .put(path, node, hash):
      return accept(.put(path, node), if: hash, from: index, at: now, into: &out)
    case let .merge(path, assignments, hash):
      return accept(.merge(path, assignments), if: hash, from: index, at: now, into: &out)
    case let .onDisconnectPut(path, node):
      return storeOnDisconnect(.put(path, node), of: index, at: now)
    case let .onDisconnectMerge(path, assignments):
      return storeOnDisconnect(.merge(path, assignments), of: index, at: now)
    case let .onDisconnectCancel(path):
      let cancelled = defect == .cancelsEverything ? .root : path
      connections[index].cancelOnDisconnects(at: cancelled)
      return .ok
    case let .get(path, query): return get(path, query, from: index, at: now)
    case let .authenticate(credential):
      return signIn(with: credential.token, on: index, at: now, into: &out)
    case .unauthenticate: return signOut(on: index, at: now, into: &out)
    case .stats: return .done
    }
  }

  func index(of connection: ConnectionID) -> Int? {
    let index = insertionIndex(of: connection)
    return index < connections.count && connections[index].id == connection ? index : nil
  }

  /// The position of the first connection that does not come before this one.
  private func insertionIndex(of connection: ConnectionID) -> Int {
    var (low, high) = (0, connections.count)
    while low < high {
      let middle = (low + high) / 2
      if connections[middle].id < connection { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension ReferenceServer {
  /// Adds a rule that holds from now on.
  ///
  /// Listens that are in place stay; see `revoke`.
  public mutating func deny(_ rule: SecurityRule) {
    security.append(rule)
  }

  func allows(_ access: SecurityRule.Access, at path: Path, for user: String?) -> Bool {
    refusal(of: access, at: path, for: user) == nil
  }

  /// The status by which a location is refused: that of the first rule that applies.
  func refusal(of access: SecurityRule.Access, at path: Path, for user: String?) -> String? {
    for index in security.indices
    where path.starts(with: security[index].path) && security[index].deny.contains(access)
      && security[index].applies(to: user)
    {
      return security[index].answer
    }
    return nil
  }

  /// The status by which a write is refused; `nil` when every location that it touches may be
  /// written.
  func refusal(of write: Write, for user: String?) -> String? {
    if security.isEmpty { return nil }
    if let status = refusal(of: .write, at: write.path, for: user) { return status }
    for path in write.paths {
      if let status = refusal(of: .write, at: path, for: user) { return status }
    }
    return nil
  }
}

extension ReferenceServer {
  /// Takes reading away at `path` and below: ends every listen there, notifies those who made them
  /// (ACC-10), and refuses those who listen again.
  public mutating func revoke(_ path: Path, into out: inout [Outgoing]) {
    deny(SecurityRule(path, deny: [.read]))
    for index in connections.indices {
      let ended = connections[index].removeListens(at: path) { _ in true }
      announce(ended, of: index, into: &out)
    }
  }

  /// Notifies a connection that listens of its have ended.
  mutating func announce(_ ended: [Listen], of index: Int, into out: inout [Outgoing]) {
    let id = connections[index].id
    for listen in ended {
      removeFromListenIndex(index, listen.request.path)
      if defect == .revokesSilently { continue }
      let queries = listen.request.query.map { [$0] }
      out.append(Outgoing(id, .revoked(listen.request.path, queries: queries)))
    }
  }
}

// What a server with a defect does. Without one nothing here is reached.

extension ReferenceServer {
  /// Does what a defect has put off.
  mutating func doHeldWrites(at now: Instant, into out: inout [Outgoing]) {
    let writes = held
    held = []
    for (connection, write) in writes {
      if let connection, index(of: connection) == nil { continue }
      apply(write, at: now, into: &out)
    }
  }

  /// What is done at the end of a connection.
  mutating func onDisconnects(of connection: ServerSession) -> [Write] {
    let writes = connection.onDisconnects
    switch defect {
    case .forgetsOnDisconnects: return []
    case .reversesOnDisconnects: return writes.reversed()
    case .repeatsOnDisconnects:
      held += writes.map { (connection: nil, write: $0) }
      return writes
    default: return writes
    }
  }

  /// What is done in place of a write.
  func corrupted(_ write: Write) -> Write {
    switch (defect, write) {
    case let (.mergesAreSets, .merge(path, assignments)):
      .put(path, assignments.reduce(.empty) { $0.setting($1.node, at: $1.path) })
    case let (.incrementsTwice, .put(path, node)):
      if case let .serverValue(.increment(count))? = node.scalar {
        .put(path, Node(.serverValue(.increment(2 * count)), priority: node.priority))
      } else {
        write
      }
    default: write
    }
  }

  /// What is done of a write that is refused.
  mutating func applyRefused(
    _ write: Write, for user: String?, at now: Instant, into out: inout [Outgoing]
  ) {
    if defect == .refusesAndWrites { apply(write, at: now, into: &out) }
    guard defect == .refusesInPart, case let .merge(path, assignments) = write else { return }
    let allowed = assignments.filter {
      refusal(of: .write, at: path.appending($0.path), for: user) == nil
    }
    if !allowed.isEmpty { apply(.merge(path, allowed), at: now, into: &out) }
  }

  /// What is hashed in place of a node.
  func hashed(_ node: Node) -> Node {
    defect == .hashesWithoutPriorities ? node.withoutPriorities : node
  }

  /// Spoils what a request has put into `out` from `first` on.
  func corrupt(_ out: inout [Outgoing], from first: Int, after request: Request) {
    switch (defect, request) {
    case (.answersBeforeSending, .put), (.answersBeforeSending, .merge),
      (.answersBeforeListenData, .listen):
      out.insert(out.removeLast(), at: first)
    case (.sendsMergesInParts, _):
      out = out[..<first] + out[first...].flatMap(\.inParts)
    default: break
    }
  }
}

extension ReferenceServer.Outgoing {
  /// A merge as one message for each of its locations.
  fileprivate var inParts: [ReferenceServer.Outgoing] {
    guard case let .merge(path, assignments, tag) = message else { return [self] }
    return assignments.map {
      ReferenceServer.Outgoing(connection, .put(path.appending($0.path), $0.node, tag: tag))
    }
  }
}

extension ServerSession {
  /// Whether a server with a defect sends this listen changes.
  func isReported(_ index: Int, _ defect: ServerDefect?) -> Bool {
    guard defect == .sendsToOneListenOfAPath else { return true }
    return listens.first(.at, listens[index].request.path) { $0 < index } == nil
  }
}

extension Double {
  /// The beginning of the minute that these milliseconds lie in.
  var minute: Double { (self / 60_000).rounded(.down) * 60_000 }
}

extension ReferenceServer {
  /// Refuses the next so many conditional writes as stale, whatever their hash.
  public mutating func refuseAsStale(next count: Int, _ data: StaleData) {
    staleRefusals = (count, data)
  }

  /// How many conditional writes will be refused as stale.
  public var staleRefusalsLeft: Int { staleRefusals.left }

  /// Uses up one of the refusals, if any is left.
  ///
  /// - Returns: Whether the write at `path` is to be refused.
  mutating func takeStaleRefusal(at path: Path, for index: Int, into out: inout [Outgoing]) -> Bool
  {
    guard staleRefusals.left > 0 else { return false }
    staleRefusals.left -= 1
    if staleRefusals.data == .sent {
      let change = TreeChange(
        .put(path, tree[path]), from: hasForms ? tree : nil, to: tree)
      connections[index].announce(change, defect, into: &out)
    }
    return true
  }

  /// Forgets all connections, as when the server has started again: the tree stays, and what the
  /// connections left for their end is done as far as `fate` says.
  public mutating func restart(
    _ fate: OnDisconnectFate, at now: Instant, into out: inout [Outgoing]
  ) {
    let ended = connections
    connections = []
    listenIndex = nil
    guard fate == .done else { return }
    for session in ended {
      doOnDisconnects(of: session, at: now, into: &out)
    }
  }

  /// Whether the end of a connection writes the time.
  public func leavesTimestamp(_ connection: ConnectionID) -> Bool {
    resources(of: connection).onDisconnects.contains { write in
      switch write {
      case let .put(_, node): node.holdsTimestamp
      case let .merge(_, assignments): assignments.contains { $0.node.holdsTimestamp }
      }
    }
  }
}

// What the rules of the database forbid. They are evaluated when a request arrives, and again for
// listens when a user signs in or out (ACC-17), and when the rules are replaced (SEC-8).

extension ReferenceServer {
  /// The status by which reading is refused; `nil` when it is allowed (SEC-2).
  func refusal(
    of path: Path, _ query: Query?, for index: Int, at now: Instant
  ) -> String? {
    let user = connections[index].user(at: now)
    if let status = refusal(of: .read, at: path, for: user) { return status }
    guard let rules else { return nil }
    let request = connections[index].ruleRequest(at: now)
    return rules.allowRead(of: path, query, in: tree, for: request)
      ? nil : SecurityRule.permissionDenied
  }

  /// The status by which a write is refused; `nil` when it is allowed (SEC-3). Server values count
  /// as what they would become.
  func refusal(of write: Write, by session: ServerSession, at now: Instant) -> String? {
    if let status = refusal(of: write, for: session.user(at: now)) { return status }
    guard let rules else { return nil }
    let resolved = write.resolved(time: now.milliseconds, in: tree)
    let isAllowed = rules.allowWrite(
      to: resolved.paths, from: tree, to: resolved.applied(to: tree),
      for: session.ruleRequest(at: now))
    return isAllowed ? nil : SecurityRule.permissionDenied
  }

  /// Replaces the rules, and ends the listens that the new ones do not allow (SEC-8), but for those
  /// of `administrators`, to whom no rule applies.
  public mutating func replaceRules(
    with rules: SecurityRules, administrators: Set<ConnectionID>, at now: Instant,
    into out: inout [Outgoing]
  ) {
    self.rules = rules
    time = now
    for index in connections.indices where !administrators.contains(connections[index].id) {
      endForbiddenListens(of: index, for: connections[index].user(at: now), into: &out)
    }
  }

  /// Whether a query of a location needs an index that the rules do not state (SEC-6).
  public func lacksIndex(_ path: Path, _ query: Query) -> Bool {
    rules.map { !$0.isIndexed(path, by: query.ordering) } ?? false
  }
}

extension ServerSession {
  /// Who asks, as rules see it.
  fileprivate func ruleRequest(at now: Instant) -> RuleRequest {
    guard let pass = credential?.pass, pass.isValid(at: now) else {
      return RuleRequest(auth: .null, time: now.milliseconds)
    }
    return RuleRequest(auth: pass.auth, time: now.milliseconds)
  }
}

extension TokenClaims {
  /// What rules see as `auth`.
  fileprivate var auth: JSON {
    let uid = JSON.string(user)
    let known = claims.members?.isEmpty == false
    let provider = claims["firebase"]?["sign_in_provider"] ?? claims["provider_id"] ?? "custom"
    return ["uid": uid, "provider": provider, "token": known ? claims : ["sub": uid, "uid": uid]]
  }
}
