internal import ClientInterface
internal import Tree
internal import Wire

/// One client of the abstract model, as its inputs and outputs show it.
struct ModelClient {
  /// The numbers of values, in the order of `ModelField.all`.
  enum Connection: Int { case none, offline, lost, connecting, opened, up }
  enum Knowledge: Int, Comparable {
    case nothing, part, window, all

    static func < (a: Knowledge, b: Knowledge) -> Bool { a.rawValue < b.rawValue }
  }
  enum Phase: Int { case none, waiting, sent, again, overtaken }
  enum Cause: Int {
    case start, opened, closed, refused, hello, put, merge, queryPut, queryMerge, acceptance,
      refusal
    case stale, revocation, listen, unlisten, write, transaction, online, credential, other
  }

  var connection = Connection.none
  var cause = Cause.other
  var fault = ModelFault.none
  /// What the client listens to, each query at a path once.
  var views: [View] = []
  var writes: [Write] = []
  /// Whether something has changed that views are related to.
  var needsRelating = false
  private var wantsOffline = false
  /// Whether there was a process of the client.
  private var hasBegun = false
  private var singleReads = 0

  struct View {
    let path: Path
    /// `nil` for a listener of everything.
    let query: Query?
    var listeners: [ListenerID] = []
    var knowledge = Knowledge.nothing
    var tag: Int?
    var request: Int?
    /// All fields that are not the client's.
    var bits: UInt32 = 0
  }

  struct Write {
    let call: CallID
    let path: Path
    /// `none` for one that is no transaction.
    var phase: Phase
    var runs = 0
  }

  /// Shows the states of the client, one for each view; one for a client that listens to nothing.
  mutating func show(_ body: (UInt32) -> Void) {
    if needsRelating { relate() }
    let own =
      ModelField.number(.connection, connection.rawValue)
      | ModelField.number(.input, cause.rawValue) | ModelField.number(.fault, fault.rawValue)
    if views.isEmpty { return body(own) }
    for index in views.indices {
      body(
        own | views[index].bits
          | ModelField.number(.knowledge, views[index].knowledge.rawValue))
    }
  }
}

// MARK: - Inputs

extension ModelClient {
  mutating func take(_ input: ClientInput) {
    switch input {
    case .open:
      let fault = hasBegun ? .process : fault
      self = ModelClient()
      (self.fault, connection, cause, needsRelating) = (fault, .lost, .start, true)
      hasBegun = true
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
    case let .unlisten(id, _): unlisten { $0 == id }
    case let .unlistenAll(target):
      cause = .unlisten
      views.removeAll { $0.path == target.path && $0.query == target.query.onServer }
      needsRelating = true
    case let .set(path, _), let .remove(path), let .setPriority(path, _), let .update(path, _),
      let .push(path, .some):
      cause = .write
      for index in writes.indices where writes[index].phase == .sent {
        if writes[index].path.isRelated(to: path) { writes[index].phase = .overtaken }
      }
      add(Write(call: call, path: path, phase: .none))
    case let .transaction(path, _, _):
      cause = .transaction
      add(Write(call: call, path: path, phase: .waiting))
    case .goOffline:
      (wantsOffline, connection, cause) = (true, .offline, .online)
    case .goOnline:
      (wantsOffline, cause) = (false, .online)
      if connection == .offline { connection = .lost }
    case .authenticate, .unauthenticate: cause = .credential
    case .push, .onDisconnectSet, .onDisconnectRemove, .onDisconnectUpdate, .onDisconnectCancel,
      .keepSynced, .inspect, .on:
      cause = .other
    }
  }

  private mutating func add(_ write: Write) {
    writes.append(write)
    needsRelating = true
  }

  private mutating func listen(_ id: ListenerID, _ target: ClientInterface.Operation.Target) {
    cause = .listen
    needsRelating = true
    let query = target.query.onServer
    if let index = views.firstIndex(where: { $0.path == target.path && $0.query == query }) {
      views[index].listeners.append(id)
      return
    }
    var view = View(path: target.path, query: query, listeners: [id])
    let isCovered = views.contains {
      $0.query == nil && $0.knowledge == .all && target.path.starts(with: $0.path)
    }
    if isCovered { view.knowledge = .all }
    views.append(view)
  }

  private mutating func unlisten(_ isMeant: (ListenerID) -> Bool) {
    cause = .unlisten
    needsRelating = true
    for index in views.indices { views[index].listeners.removeAll(where: isMeant) }
    views.removeAll { $0.listeners.isEmpty }
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
      needsRelating = true
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
    views[index].request = nil
    if isDone {
      let knowledge = views[index].query == nil ? Knowledge.all : .window
      views[index].knowledge = max(views[index].knowledge, knowledge)
    } else {
      views.remove(at: index)
      needsRelating = true
    }
  }
}

// MARK: - Outputs

extension ModelClient {
  mutating func take(_ output: ClientOutput) {
    switch output {
    case .connect, .connectTo: connection = .connecting
    case .disconnect: connection = wantsOffline ? .offline : .lost
    case let .send(.request(number, request)): take(request, number)
    case let .event(event): if singleReads > 0 { end(event.listener) }
    case let .cancelled(id, _): unlisten(after: id)
    case let .completed(call, _): remove(call)
    case let .threw(call, _): refuse(call)
    case let .updateRan(call, _): run(call)
    case .send, .setTimer, .cancelTimer, .answered, .calling, .returned, .store, .erase, .uncaught,
      .log:
      break
    }
  }

  private mutating func take(_ request: Request, _ number: Int) {
    switch request {
    case let .listen(listen):
      let query = listen.query?.onServer
      for index in views.indices
      where views[index].path == listen.path && views[index].query == query {
        (views[index].request, views[index].tag) = (number, listen.tag)
      }
    case let .put(path, _, _?):
      for index in writes.indices where writes[index].phase != .none {
        if writes[index].path.starts(with: path) { writes[index].phase = .sent }
      }
      needsRelating = true
    case .put, .merge, .unlisten, .get, .onDisconnectPut, .onDisconnectMerge, .onDisconnectCancel,
      .stats, .authenticate, .unauthenticate:
      break
    }
  }

  /// A single read ends with its event; its name is looked for only while there are any.
  private mutating func end(_ listener: ListenerID) {
    for index in views.indices where views[index].listeners == [listener] {
      views.remove(at: index)
      singleReads -= 1
      needsRelating = true
      return
    }
  }

  private mutating func unlisten(after listener: ListenerID) {
    let cause = cause
    unlisten { $0 == listener }
    self.cause = cause
  }

  private mutating func remove(_ call: CallID) {
    guard let index = writes.firstIndex(where: { $0.call == call }) else { return }
    writes.remove(at: index)
    needsRelating = true
  }

  /// The call had a wrong argument, and changed nothing.
  private mutating func refuse(_ call: CallID) {
    if cause == .listen, let last = views.indices.last, views[last].listeners.count == 1 {
      views.removeLast()
    }
    remove(call)
    needsRelating = true
  }

  private mutating func run(_ call: CallID) {
    guard let index = writes.firstIndex(where: { $0.call == call }) else { return }
    writes[index].runs += 1
    if writes[index].runs > 1 { writes[index].phase = .again }
    needsRelating = true
  }
}
