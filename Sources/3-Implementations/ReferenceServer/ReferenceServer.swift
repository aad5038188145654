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
  /// What clients may not do. Rules are looked at when a request arrives, and never again.
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
    for write in onDisconnects(of: ended) { apply(write, at: now, into: &out) }
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
