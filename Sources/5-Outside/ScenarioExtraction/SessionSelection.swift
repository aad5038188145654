public import ClientInterface
internal import RunModel
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
}

extension ObservedSession {
  /// The names of all clients of the session.
  public var clientNames: [String] { file.header.clients }

  /// A part of the session.
  ///
  /// - Complexity: O(*n*) in the events of the session.
  public func selecting(_ selection: SessionSelection) -> ObservedSession {
    if selection == SessionSelection() { return self }
    var copy = self
    copy.file.header.clients = clientNames.filter {
      selection.clients.isEmpty || selection.clients.contains($0)
    }
    var filter = SessionFilter(self, selection, copy.clientNames)
    file.trace.events.forEach(from: 0) { filter.take($0) }
    copy.file.trace = filter.trace
    copy.file.header.session?.data = filter.data
    return copy
  }
}

/// Goes through a session and keeps a part of it.
private struct SessionFilter {
  private let selection: SessionSelection
  /// The new numbers of the clients that are kept.
  private var kept: [ClientIndex: ClientIndex] = [:]
  private var server: ServerModel
  /// What the server has where the part begins.
  private(set) var data: Node
  /// What is kept, by the numbers that events have in the session.
  private var events: [TraceEvent] = []
  /// The requests of the present connections that are left out.
  private var dropped: [ClientIndex: Set<Int>] = [:]
  /// Where the server received the last message of a client that is left out.
  private var received: [ClientIndex: Int] = [:]

  init(_ session: ObservedSession, _ selection: SessionSelection, _ names: [String]) {
    self.selection = selection
    for (index, name) in session.clientNames.enumerated() {
      if let new = names.firstIndex(of: name) { kept[ClientIndex(index)] = ClientIndex(new) }
    }
    let live = session.file.header.session
    data = live?.data ?? .empty
    server = ServerModel(data: data, epoch: live?.epoch ?? Instant(nanoseconds: 0))
  }

  var trace: Trace {
    var trace = Trace()
    for event in events {
      trace.append(event.kind, cause: nil, time: event.time, step: event.step)
    }
    return trace
  }

  mutating func take(_ pointer: UnsafePointer<TraceEvent>) {
    var event = pointer.pointee
    if let until = selection.until, event.time > until { return }
    let before = server.tree
    server.take(pointer)
    let isEarly = selection.from.map { event.time < $0 } ?? false
    if isEarly { data = server.tree }
    if let client = event.kind.client, kept[client] == nil {
      if case .serverReceived = event.kind { received[client] = event.sequence }
      if !isEarly { keepChanges(since: before, event, of: client) }
    } else if isKept(event.kind, isEarly: isEarly) {
      event.time = max(event.time, selection.from ?? .zero)
      event.kind = event.kind.of(kept)
      events.append(event)
    }
  }

  /// What a client did that is left out, as the server's own writes: when the server received it.
  private mutating func keepChanges(
    since before: Node, _ event: TraceEvent, of client: ClientIndex
  ) {
    var write = event
    if case .serverSent = event.kind { write.sequence = received[client] ?? event.sequence }
    let later = events.lastIndex { $0.sequence <= write.sequence }.map { $0 + 1 } ?? 0
    for difference in server.tree.children.differences(from: before.children).reversed() {
      let path = Path([difference.key])
      write.kind = .serverWrite(path, server.tree[path])
      if isRelated(path) { events.insert(write, at: later) }
    }
  }

  private mutating func isKept(_ kind: TraceEvent.Kind, isEarly: Bool) -> Bool {
    switch kind {
    case let .serverOpened(client, _):
      dropped[client] = []
      return true
    case let .output(client, .send(.request(number, request))):
      let isGone = isEarly && !request.isLasting || !(request.path.map(isRelated) ?? true)
      if isGone { dropped[client, default: []].insert(number) }
      return !isGone
    case let .serverReceived(client, .request(number, _)),
      let .lostToServer(client, .request(number, _)):
      return dropped[client]?.contains(number) != true
    case let .input(client, .frame(message)), let .serverSent(client, message),
      let .lostToClient(client, message):
      switch message {
      case let .response(response): return dropped[client]?.contains(response.request) != true
      case let .put(path, _, _), let .merge(path, _, _): return !isEarly && isRelated(path)
      case .hello: return true
      default: return !isEarly
      }
    case let .serverWrite(path, _), let .serverUpdate(path, _): return !isEarly && isRelated(path)
    case .output(_, .send), .fault: return !isEarly
    default: return true
    }
  }

  private func isRelated(_ path: Path) -> Bool { selection.path?.isRelated(to: path) ?? true }
}

extension Request {
  /// Whether it stays in place after it is answered.
  fileprivate var isLasting: Bool { ![.put, .merge, .get, .stats].contains(action) }
}

extension TraceEvent.Kind {
  /// The same with other numbers of its clients.
  fileprivate func of(_ clients: [ClientIndex: ClientIndex]) -> TraceEvent.Kind {
    func new(_ client: ClientIndex) -> ClientIndex { clients[client] ?? client }
    return switch self {
    case let .input(client, input): .input(new(client), input)
    case let .output(client, output): .output(new(client), output)
    case let .serverReceived(client, message): .serverReceived(new(client), message)
    case let .serverSent(client, message): .serverSent(new(client), message)
    case let .lostToServer(client, message): .lostToServer(new(client), message)
    case let .lostToClient(client, message): .lostToClient(new(client), message)
    case let .serverOpened(client, session): .serverOpened(new(client), session: session)
    case let .serverClosed(client, session): .serverClosed(new(client), session: session)
    case let .fault(incident): .fault(incident.mapping(client: new))
    case .step, .serverWrite, .serverUpdate: self
    }
  }
}
