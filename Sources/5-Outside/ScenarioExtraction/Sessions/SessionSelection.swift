public import ClientInterface
internal import ReferenceServer
internal import Trace
internal import TraceFiles
public import Tree
internal import Wire

/// Which part of a session becomes a scenario.
public struct SessionSelection: Hashable, Sendable {
  /// From when on, since the beginning of the session. Connections and listens that are in place then
  /// are kept, and the server begins with what it had.
  public var from: Interval?
  /// Until when.
  public var until: Interval?
  /// The names of the clients; all when there is none. What others wrote is written by the server.
  public var clients: [String] = []
  /// Only what is at this location, below it or above it.
  public var path: Path?

  /// The whole session.
  public init() {}

  /// Whether it is the whole session.
  public var isWhole: Bool { self == SessionSelection() }
}

extension ObservedSession {
  /// The names of all clients of the session.
  public var clientNames: [String] { file.header.clients }

  /// A part of the session.
  ///
  /// - Complexity: O(*n*) in the events of the session.
  public func selecting(_ selection: SessionSelection) -> ObservedSession {
    if selection.isWhole { return self }
    var filter = SessionFilter(self, selection)
    for event in file.trace.events { filter.take(event) }
    var copy = self
    copy.file = filter.result
    return copy
  }
}

/// Goes through a session and keeps a part of it.
private struct SessionFilter {
  private let selection: SessionSelection
  private let file: TraceFile
  private let kept: [ClientIndex: ClientIndex]
  private var server: ReferenceServer
  private var data: Node
  private var trace = Trace()
  private var connections: [ClientIndex: Int] = [:]
  private var count = 0
  /// The requests of the present connections that are left out.
  private var dropped: [ClientIndex: Set<Int>] = [:]

  init(_ session: ObservedSession, _ selection: SessionSelection) {
    self.selection = selection
    file = session.file
    let names = file.header.clients
    let chosen = names.indices.filter {
      selection.clients.isEmpty || selection.clients.contains(names[$0])
    }
    kept = Dictionary(
      uniqueKeysWithValues: chosen.enumerated().map { (ClientIndex($1), ClientIndex($0)) })
    data = file.header.session?.data ?? .empty
    server = ReferenceServer(
      data: data, security: [], dialect: file.header.profile.dialect, host: "kennel.test")
    server.acceptsUnsignedTokens = true
  }

  var result: TraceFile {
    var copy = file
    copy.trace = trace
    copy.header.clients = file.header.clients.indices.filter { kept[ClientIndex($0)] != nil }
      .map { file.header.clients[$0] }
    copy.header.session?.data = data
    return copy
  }

  private func isEarly(_ event: TraceEvent) -> Bool {
    selection.from.map { event.time < $0 } ?? false
  }

  mutating func take(_ event: TraceEvent) {
    if let until = selection.until, event.time > until { return }
    let before = server.tree
    follow(event)
    if isEarly(event) { data = server.tree }
    if let client = event.kind.client, kept[client] == nil {
      if !isEarly(event) { keepChanges(since: before, event) }
      return
    }
    guard isKept(event) else { return }
    let time = max(event.time, selection.from ?? .zero)
    trace.append(event.kind.of(kept), cause: nil, time: time, step: event.step)
  }

  /// What a client did that is left out, as the server's own writes.
  private mutating func keepChanges(since before: Node, _ event: TraceEvent) {
    for difference in server.tree.children.differences(from: before.children) {
      let path = Path([difference.key])
      guard isRelated(path) else { continue }
      trace.append(
        .serverWrite(path, server.tree[path]), cause: nil, time: event.time, step: event.step)
    }
  }

  /// Has the server do what it did in the session.
  private mutating func follow(_ event: TraceEvent) {
    var out: [ReferenceServer.Outgoing] = []
    let now = (file.header.session?.epoch ?? Instant(nanoseconds: 0)) + event.time
    switch event.kind {
    case let .serverOpened(client, _):
      count += 1
      connections[client] = count
      dropped[client] = []
      server.open(.init(count), at: now, into: &out)
    case let .serverClosed(client, _):
      guard let connection = connections.removeValue(forKey: client) else { return }
      server.close(.init(connection), at: now, into: &out)
    case let .serverReceived(client, message):
      guard let connection = connections[client] else { return }
      server.receive(message, from: .init(connection), at: now, into: &out)
    case let .serverWrite(path, node): server.write(.put(path, node), at: now, into: &out)
    case let .serverUpdate(path, parts): server.write(.merge(path, parts), at: now, into: &out)
    default: break
    }
  }

  private mutating func isKept(_ event: TraceEvent) -> Bool {
    let isEarly = isEarly(event)
    switch event.kind {
    case let .output(client, .send(message)):
      guard case let .request(number, request) = message else { return !isEarly }
      if isEarly && !request.isLasting || !(request.path.map(isRelated) ?? true) {
        dropped[client, default: []].insert(number)
        return false
      }
      return true
    case let .serverReceived(client, .request(number, _)),
      let .lostToServer(client, .request(number, _)):
      return dropped[client]?.contains(number) != true
    case let .input(client, .frame(message)), let .serverSent(client, message),
      let .lostToClient(client, message):
      return isKept(message, of: client, isEarly)
    case let .serverWrite(path, _), let .serverUpdate(path, _): return !isEarly && isRelated(path)
    case .fault: return !isEarly
    default: return true
    }
  }

  private func isKept(_ message: ServerMessage, of client: ClientIndex, _ isEarly: Bool) -> Bool {
    switch message {
    case let .response(response): dropped[client]?.contains(response.request) != true
    case let .put(path, _, _), let .merge(path, _, _): !isEarly && isRelated(path)
    case .hello: true
    default: !isEarly
    }
  }

  private func isRelated(_ path: Path) -> Bool {
    selection.path.map { $0.starts(with: path) || path.starts(with: $0) } ?? true
  }
}

extension Request {
  /// Whether it stays in place after it is answered.
  fileprivate var isLasting: Bool {
    switch self {
    case .listen, .unlisten, .authenticate, .unauthenticate, .onDisconnectPut, .onDisconnectMerge,
      .onDisconnectCancel:
      true
    case .put, .merge, .get, .stats: false
    }
  }
}

extension TraceEvent.Kind {
  /// The same with other numbers of its clients.
  fileprivate func of(_ clients: [ClientIndex: ClientIndex]) -> TraceEvent.Kind {
    func new(_ client: ClientIndex) -> ClientIndex { clients[client] ?? client }
    switch self {
    case let .input(client, input): return .input(new(client), input)
    case let .output(client, output): return .output(new(client), output)
    case let .serverReceived(client, message): return .serverReceived(new(client), message)
    case let .serverSent(client, message): return .serverSent(new(client), message)
    case let .lostToServer(client, message): return .lostToServer(new(client), message)
    case let .lostToClient(client, message): return .lostToClient(new(client), message)
    case let .serverOpened(client, session): return .serverOpened(new(client), session: session)
    case let .serverClosed(client, session): return .serverClosed(new(client), session: session)
    case let .fault(incident): return .fault(incident.mapping(client: new))
    case .step, .serverWrite, .serverUpdate: return self
    }
  }
}
