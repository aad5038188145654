internal import ClientInterface
internal import Faults
internal import Trace
internal import Tree
internal import Wire

extension Trace {
  /// Shows each state of the abstract model that the clients of a run come to, as often as they do.
  func readStates(clients count: Int, _ body: (UInt32) -> Void) {
    var clients = Array(repeating: ModelClient(), count: count)
    // Whose input came last: with the next one, what it has caused is complete.
    var current: Int?
    events.forEach(from: 0) { event in
      switch event.pointee.kind {
      case let .input(client, input):
        if let current { clients[current].show(body) }
        current = clients.indices.contains(client.number) ? client.number : nil
        if let current { clients[current].take(input) }
      case let .output(client, output):
        if clients.indices.contains(client.number) { clients[client.number].take(output) }
      case let .fault(incident):
        guard let fault = ModelFault(incident) else { return }
        let own = incident.client?.number ?? -1
        let isOfAll = fault.isOfServer || !clients.indices.contains(own)
        for index in clients.indices where isOfAll || index == own { clients[index].fault = fault }
      case .step, .serverReceived, .serverSent, .lostToServer, .lostToClient, .serverOpened,
        .serverClosed, .serverWrite, .serverUpdate:
        break
      }
    }
    if let current { clients[current].show(body) }
  }
}

/// One client of the abstract model, as its inputs and outputs show it.
///
/// The model of a run by which clients are judged cannot stand in its stead. How much a client knows
/// where it listens, beyond the end of a connection, and what happened last to a transaction are no
/// part of that one, and are half of what states differ in. And each run of a hunt would follow it a
/// second time, which takes several times as long as this.
struct ModelClient {
  /// The numbers of values, in the order of `ModelField.all`.
  private enum Connection: Int { case none, offline, lost, connecting, opened, up }
  private enum Knowledge: Int { case nothing, part, window, all }
  private enum Phase: Int { case none, waiting, sent, again, overtaken }
  private enum Cause: Int {
    case start, opened, closed, refused, hello, put, merge, queryPut, queryMerge, acceptance,
      refusal
    case stale, revocation, listen, unlisten, write, transaction, online, credential, other
  }

  private var connection = Connection.none
  private var cause = Cause.other
  var fault = ModelFault.none
  /// What the client listens to, each query at a path once.
  private var views: [View] = []
  private var writes: [Write] = []
  private var wantsOffline = false
  /// Whether there was a process of the client.
  private var hasBegun = false
  private var singleReads = 0

  private struct View {
    let path: Path
    /// `nil` for a listener of everything.
    let query: Query?
    var listeners: [ListenerID] = []
    var knowledge = Knowledge.nothing
    var tag: Int?
    var request: Int?
  }

  private struct Write {
    let call: CallID
    let path: Path
    /// `none` for one that is no transaction.
    var phase: Phase
    var runs = 0
  }
}

// MARK: - Inputs

extension ModelClient {
  mutating func take(_ input: ClientInput) {
    switch input {
    case .open:
      let fault = hasBegun ? .process : fault
      self = ModelClient()
      (self.fault, connection, cause, hasBegun) = (fault, .lost, .start, true)
    case let .call(call, operation): take(operation, as: call)
    case .opened: (connection, cause) = (.opened, .opened)
    case .refused: lose(.refused)
    case .closed: lose(.closed)
    case let .frame(message): take(message)
    case .timer: cause = .other
    case .close: (connection, cause) = (.none, .other)
    }
  }

  private mutating func lose(_ cause: Cause) {
    (connection, self.cause) = (wantsOffline ? .offline : .lost, cause)
    for index in views.indices { views[index].request = nil }
  }

  private mutating func take(_ operation: ClientInterface.Operation, as call: CallID) {
    switch operation {
    case let .listen(id, target, _), let .get(id, target): listen(id, target)
    case let .once(id, target, _):
      singleReads += 1
      listen(id, target)
    case let .unlisten(id, _):
      cause = .unlisten
      unlisten(id)
    case let .unlistenAll(target):
      cause = .unlisten
      views.removeAll { $0.path == target.path && $0.query == target.query.onServer }
    case let .set(path, _), let .remove(path), let .setPriority(path, _), let .update(path, _),
      let .push(path, .some):
      cause = .write
      for index in writes.indices where writes[index].phase == .sent {
        if writes[index].path.isRelated(to: path) { writes[index].phase = .overtaken }
      }
      writes.append(Write(call: call, path: path, phase: .none))
    case let .transaction(path, _, _):
      cause = .transaction
      writes.append(Write(call: call, path: path, phase: .waiting))
    case .goOffline: (wantsOffline, connection, cause) = (true, .offline, .online)
    case .goOnline:
      (wantsOffline, cause) = (false, .online)
      if connection == .offline { connection = .lost }
    case .authenticate, .unauthenticate: cause = .credential
    case .push, .onDisconnectSet, .onDisconnectRemove, .onDisconnectUpdate, .onDisconnectCancel,
      .purgeWrites, .keepSynced, .inspect, .on:
      cause = .other
    }
  }

  private mutating func listen(_ id: ListenerID, _ target: ClientInterface.Operation.Target) {
    cause = .listen
    let query = target.query.onServer
    if let index = view(target.path, query) { return views[index].listeners.append(id) }
    var view = View(path: target.path, query: query, listeners: [id])
    let isCovered = views.contains {
      $0.query == nil && $0.knowledge == .all && target.path.starts(with: $0.path)
    }
    if isCovered { view.knowledge = .all }
    views.append(view)
  }

  private mutating func unlisten(_ id: ListenerID) {
    for index in views.indices { views[index].listeners.removeAll { $0 == id } }
    views.removeAll(where: \.listeners.isEmpty)
  }

  private mutating func take(_ message: ServerMessage) {
    switch message {
    case .hello:
      (connection, cause) = (.up, .hello)
      if fault.endsWithHello { fault = .none }
    case let .put(path, _, tag):
      cause = tag == nil ? .put : .queryPut
      learn(path, tag, isWhole: true)
    case let .merge(path, _, tag):
      cause = tag == nil ? .merge : .queryMerge
      learn(path, tag, isWhole: false)
    case let .response(response): take(response)
    case let .revoked(path, _):
      cause = .revocation
      views.removeAll { $0.path.starts(with: path) }
    case .credentialRevoked: cause = .revocation
    case .shutdown, .reset, .pong, .notice, .other: cause = .other
    }
  }

  private mutating func learn(_ path: Path, _ tag: Int?, isWhole: Bool) {
    for index in views.indices {
      if let tag, views[index].tag != tag { continue }
      if isWhole, views[index].path.starts(with: path) {
        views[index].knowledge = tag == nil ? .all : .window
      } else if views[index].knowledge == .nothing, path.isRelated(to: views[index].path) {
        views[index].knowledge = .part
      }
    }
  }

  private mutating func take(_ response: ServerMessage.Response) {
    let isDone = response.status == "ok"
    cause = isDone ? .acceptance : response.status == "datastale" ? .stale : .refusal
    guard let index = views.firstIndex(where: { $0.request == response.request }) else { return }
    guard isDone else { return views.removeAll { $0.request == response.request } }
    views[index].request = nil
    if views[index].query == nil {
      views[index].knowledge = .all
    } else if views[index].knowledge != .all {
      views[index].knowledge = .window
    }
  }
}

// MARK: - Outputs

extension ModelClient {
  mutating func take(_ output: ClientOutput) {
    switch output.topic {
    case .connect: connection = .connecting
    case .disconnect: connection = wantsOffline ? .offline : .lost
    case let .send(.request(number, request)): take(request, number)
    case let .listener(id, .event): if singleReads > 0 { end(id) }
    case let .listener(id, .cancelled): unlisten(id)
    case let .call(call, .completed): remove(call)
    case let .call(call, .threw):
      // The call had a wrong argument, and changed nothing.
      if cause == .listen, views.last?.listeners.count == 1 { views.removeLast() }
      remove(call)
    case let .call(call, .updateRan):
      guard let index = writes.firstIndex(where: { $0.call == call }) else { return }
      writes[index].runs += 1
      if writes[index].runs > 1 { writes[index].phase = .again }
    case .send, .timer, .storage, .call(_, .answered), .nesting, .uncaught, .remark: break
    }
  }

  private mutating func take(_ request: Request, _ number: Int) {
    if case let .listen(listen) = request, let index = view(listen.path, listen.query?.onServer) {
      (views[index].request, views[index].tag) = (number, listen.tag)
    } else if case let .put(path, _, _?) = request {
      for index in writes.indices where writes[index].phase != .none {
        if writes[index].path.starts(with: path) { writes[index].phase = .sent }
      }
    }
  }

  /// The view of a query, as the server knows it; there is one at most.
  private func view(_ path: Path, _ query: Query?) -> Int? {
    views.firstIndex { $0.path == path && $0.query == query }
  }

  /// A single read ends with its event; its name is looked for only while there are any.
  private mutating func end(_ listener: ListenerID) {
    guard let index = views.firstIndex(where: { $0.listeners == [listener] }) else { return }
    views.remove(at: index)
    singleReads -= 1
  }

  private mutating func remove(_ call: CallID) {
    guard let index = writes.firstIndex(where: { $0.call == call }) else { return }
    writes.remove(at: index)
  }
}

// MARK: - States

extension ModelClient {
  /// Shows the states of the client, one for each view; one for a client that listens to nothing.
  func show(_ body: (UInt32) -> Void) {
    let own =
      ModelField.number(.connection, connection.rawValue)
      | ModelField.number(.input, cause.rawValue) | ModelField.number(.fault, fault.rawValue)
    if views.isEmpty { return body(own) }
    for index in views.indices {
      let limit = views[index].query?.limit
      let kind = views[index].query == nil ? 1 : limit == nil ? 2 : 3
      body(
        own | ModelField.number(.knowledge, views[index].knowledge.rawValue)
          | ModelField.number(.query, kind) | pending(over: views[index].path)
          | ModelField.number(.overlap, overlap(of: index)))
    }
  }

  private func overlap(of index: Int) -> Int {
    var overlap = 0
    let path = views[index].path
    for other in views.indices where other != index {
      let there = views[other].path
      if path.starts(with: there) {
        overlap |= path.count == there.count ? 1 : 2
      } else if there.starts(with: path) {
        overlap |= 4
      }
    }
    return overlap
  }

  private func pending(over path: Path) -> UInt32 {
    var relation = 0
    var phase = Phase.none
    for write in writes {
      let isAbove = path.starts(with: write.path)
      guard isAbove || write.path.starts(with: path) else { continue }
      if write.phase.rawValue > phase.rawValue { phase = write.phase }
      guard write.phase == .none else { continue }
      let found = !isAbove ? 3 : path.count == write.path.count ? 1 : 2
      relation = relation == 0 ? found : 4
    }
    return ModelField.number(.pending, relation)
      | ModelField.number(.transaction, phase.rawValue)
  }
}

extension Query {
  /// The query as the server knows it; `nil` for one that only orders (WIR-13).
  fileprivate var onServer: Query? { filters ? self : nil }
}

/// What was done to a client, or to the server, last.
enum ModelFault: Int {
  case none, latency, stall, cut, broken, lostAcknowledgement, process, clock, serverClock, storage
  case denial, stale, sentAway, restart, armed

  /// What an event of the trace about a fault means.
  ///
  /// - Returns: `nil` for what is no fault by itself.
  init?(_ incident: Incident) {
    if case .armed = incident {
      self = .armed
      return
    }
    switch incident.fault?.kind {
    case .heal, .resume, .storageWorks: self = .none
    case .latency: self = .latency
    case .stall: self = .stall
    case .cut, .refuse: self = .cut
    case .loseAcknowledgement: self = .lostAcknowledgement
    case .redirect, .shutdown: self = .sentAway
    case .skew, .drift, .jump: self = .clock
    case .serverClock: self = .serverClock
    case .writeError, .storageFull, .tornRecord: self = .storage
    case .reject, .revoke, .revokeAuth: self = .denial
    case .stale: self = .stale
    case .restart: self = .restart
    // They are inputs of the client, or writes at the server.
    case nil, .kill, .start, .write: return nil
    // The others end a connection, now or later.
    default: self = .broken
    }
  }

  /// Whether a new connection is the end of it.
  var endsWithHello: Bool {
    [.broken, .lostAcknowledgement, .process, .sentAway, .restart].contains(self)
  }

  /// Whether it concerns everyone.
  var isOfServer: Bool {
    [.serverClock, .denial, .stale, .restart].contains(self)
  }
}
