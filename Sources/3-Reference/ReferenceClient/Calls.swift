package import ClientInterface
internal import Tree
internal import Wire

extension ReferenceClient {
  /// Does what the application asks, or refuses it at once because of its arguments.
  mutating func perform(_ operation: Operation, as call: CallID) {
    if let refusal = Refusal.first(in: operation) {
      outputs.append(.threw(call, refusal.code))
      return
    }
    if operation.kind.family != .listening, let path = operation.path { callPaths[call] = path }
    switch operation {
    case let .listen(listener, target, events):
      listen(listener, target.reaching(profile.ranges), events, .lasting)
    case let .once(listener, target, event):
      listen(listener, target.reaching(profile.ranges), [event], .once)
    case let .get(listener, target): get(listener, target.reaching(profile.ranges))
    case let .unlisten(listener, path):
      if path == nil || path == listeners[listener]?.path { stopListening(listener) }
    case let .unlistenAll(target): stopListening(at: target.reaching(profile.ranges))
    case let .set(path, node): set(node.stored, at: path, as: call)
    case let .remove(path): set(.empty, at: path, as: call)
    case let .setPriority(path, priority):
      set(Node(json: priority), at: path.appending(.priority), as: call)
    case let .update(path, assignments): update(assignments, at: path, as: call)
    case let .push(path, node): push(node, at: path, as: call)
    case let .transaction(path, function, localEvents):
      runTransaction(function, at: path, localEvents, as: call)
    case .onDisconnectSet, .onDisconnectRemove, .onDisconnectUpdate, .onDisconnectCancel:
      if let request = operation.onDisconnectRequest { send(request, for: .onDisconnect(call)) }
    case .goOffline: goOffline()
    case .goOnline: goOnline()
    case .purgeWrites: purgeWrites()
    case let .inspect(inspection): inspect(inspection, as: call)
    case let .keepSynced(target, synchronization):
      keepSynced(target.reaching(profile.ranges), synchronization)
    case let .authenticate(token): send(.authenticate(.init(token)), for: .credential(call))
    case .unauthenticate: signOut(as: call)
    case let .on(reaction): reactions.add(reaction)
    }
  }
}

// MARK: - Listening

extension ReferenceClient {
  private mutating func listen(
    _ listener: ListenerID, _ target: Operation.Target, _ events: Set<EventType>,
    _ lifetime: Registration.Lifetime
  ) {
    snapshots[listener] = ReceivedEvents(at: target)
    let registered =
      target.path.isLocal
      ? info.register(listener, at: target.path, target.query, events: events, lifetime)
      : registerAndListen(listener, target, events, lifetime)
    listeners[listener] = Listening(token: registered.token, path: target.path)
    raise(registered.events)
  }

  /// Registers with the local tree and, where nothing covers the location yet, listens at the
  /// server.
  mutating func registerAndListen(
    _ listener: ListenerID?, _ target: Operation.Target, _ events: Set<EventType>,
    _ lifetime: Registration.Lifetime
  ) -> (token: Int, events: [PendingEvent]) {
    let path = target.path
    let isServed = tree.isCovered(path) || tree.index(at: path, target.query) != nil
    let registered = tree.register(listener, at: path, target.query, events: events, lifetime)
    if !isServed, let view = tree.view(at: path, target.query) {
      startListen(view)
      if !view.query.filters {
        for shadowed in tree.outermostViews(below: path) { stopListen(shadowed) }
      }
    }
    return registered
  }

  mutating func stopListening(_ listener: ListenerID) {
    guard let listening = listeners.removeValue(forKey: listener) else { return }
    func isRemoved(_: View, _ registration: Registration) -> Bool {
      registration.token == listening.token
    }
    if listening.path.isLocal {
      _ = info.removeRegistrations(at: listening.path, where: isRemoved)
    } else {
      removeRegistrations(.ended, at: listening.path, where: isRemoved)
    }
  }

  mutating func stopWatching(_ token: Int) {
    removeRegistrations(.ended, at: nil) { _, registration in registration.token == token }
  }

  /// OBS-7: exactly at the location; with a query, that query alone. Watches of transactions stay.
  private mutating func stopListening(at target: Operation.Target) {
    let isEverything = target.query == .all
    func isRemoved(_ view: View, _ registration: Registration) -> Bool {
      registration.listener != nil && (isEverything || view.query == target.query)
    }
    let gone =
      info.removeRegistrations(at: target.path, where: isRemoved).listeners
      + removeRegistrations(.ended, at: target.path, where: isRemoved)
    for listener in gone { listeners.removeValue(forKey: listener) }
  }

  enum Removal {
    /// The application or the client itself ended the listening: the server is informed.
    case ended
    /// The server ended it, and needs no message.
    case refused
  }

  /// Takes registrations out and makes the listens at the server fit what is left (OBS-12).
  ///
  /// - Returns: The listeners that are gone.
  @discardableResult mutating func removeRegistrations(
    _ removal: Removal, at path: Path?, where isRemoved: (View, Registration) -> Bool
  ) -> [ListenerID] {
    let (gone, listeners) = tree.removeRegistrations(at: path, where: isRemoved)
    for path in gone.map(\.path).withoutRepetitions where !tree.isCovered(path) {
      let lost = gone.filter { $0.path == path }
      let lostPlain = lost.first { !$0.query.filters }
      if lostPlain != nil {
        for view in tree.outermostViews(at: path) { startListen(view) }
      }
      if removal == .refused { continue }
      if let lostPlain {
        stopListen(lostPlain)
      } else {
        for view in lost { stopListen(view) }
      }
    }
    return listeners
  }
}

extension Operation {
  /// The call that begins or ends keeping a target up to date (OFF-17).
  package static func synchronizing(
    _ target: Target, _ synchronization: Synchronization
  ) -> Operation {
    .keepSynced(target, synchronization)
  }
}

extension Operation.Target {
  func reaching(_ reach: Query.RangeReach) -> Operation.Target {
    var target = self
    target.query = query.reaching(reach)
    return target
  }
}

extension Query {
  /// The same with ranges as the profile has them. A query without a range is left alone.
  func reaching(_ reach: RangeReach) -> Query {
    var query = self
    query.reach = start != nil || end != nil ? reach : .acrossKinds
    return query
  }
}

extension Path {
  /// Whether no server knows of it: it is what the client knows of itself (CON-2).
  var isLocal: Bool { keys.first == .info }
}

extension [Path] {
  fileprivate var withoutRepetitions: [Path] {
    reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
}

// MARK: - Single reads, which register nothing: no listener and no listen changes (GET-3)

extension ReferenceClient {
  /// Answers from what is known completely (GET-6), or asks the server.
  mutating func get(_ listener: ListenerID, _ target: Operation.Target) {
    snapshots[listener] = ReceivedEvents(at: target, isRemovable: false)
    if let window = knownWindow(of: target) { return show(window.node, listener, target) }
    // Again also on a new connection (GET-5).
    send(.get(target.path, target.query), for: .get(listener, target))
  }

  mutating func finishGet(
    _ listener: ListenerID, _ target: Operation.Target, _ response: ServerMessage.Response
  ) {
    guard response.status == "ok" else {
      outputs.append(.cancelled(listener, ErrorCode(response.status)))
      return
    }
    show(Node(json: response.payload), listener, target)
  }

  private func knownWindow(of target: Operation.Target) -> Window? {
    if target.path.isLocal {
      return target.query.window(of: info.visible(at: target.path))
    }
    if tree.cover(of: target.path) != nil {
      return target.query.window(of: tree.visible(at: target.path))
    }
    guard let view = tree.view(at: target.path, target.query), view.shown.isWhole else {
      return nil
    }
    return view.shown.window
  }

  private mutating func show(_ node: Node, _ listener: ListenerID, _ target: Operation.Target) {
    let event = Event(
      .value, to: listener, key: target.path.key, value: node, order: .sorted(target.query.ordering)
    )
    updateSnapshot(with: event)
    outputs.append(.event(event))
  }
}

// MARK: - Keeping synchronised

extension ReferenceClient {
  /// Begins or ends to hold a listen that no listener needs (OFF-17).
  ///
  /// Calls are not counted: the last one decides (OFF-27). There is nothing to hold below `.info`.
  mutating func keepSynced(
    _ target: Operation.Target, _ synchronization: Operation.Synchronization
  ) {
    if target.path.isLocal { return }
    let index = synchronized.firstIndex { $0.target == target }
    switch (synchronization, index) {
    case (.on, nil):
      let token = registerAndListen(nil, target, [], .lasting).token
      synchronized.append((target, token))
    case let (.off, index?): stopWatching(synchronized.remove(at: index).token)
    case (.on, _?), (.off, nil): break
    }
  }

  /// The server will not serve a location, or one query there: nothing holds its listen any more.
  mutating func forgetSynchronization(at path: Path, _ query: Query?) {
    synchronized.removeAll {
      $0.target.path == path && (query == nil || $0.target.query == query)
    }
  }
}

// MARK: - Refusals

/// Why a call is refused before anything is done (ERR-3).
package struct Refusal: Error {
  package let code: ErrorCode

  package init(code: ErrorCode) { self.code = code }

  /// Why an operation is refused whatever the state of the client; `nil` when it is not.
  package static func first(in operation: Operation) -> Refusal? {
    guard operation.kind != .unlisten, let path = operation.path else { return nil }
    if path.problem != nil { return .invalidPath }
    var refusal = operation.kind.family == .listening ? nil : write(.empty, at: path)
    operation.forEachArgument { argument in
      switch argument {
      case let .query(query): refusal = self.query(query)
      case let .changes(changes): refusal = update(changes, at: path)
      case let .priority(priority): refusal = self.priority(priority, at: path)
      case let .function(function): refusal = write(function.constant, at: path)
      case let .value(value): refusal = write(value ?? .empty, at: path)
      case .listener, .path, .events, .event, .localEvents, .synchronization, .token, .inspection,
        .reaction:
        break
      }
    }
    return refusal
  }

  /// PRI-4: what is no scalar is no priority either.
  private static func priority(_ priority: JSON, at path: Path) -> Refusal? {
    guard priority == .null || Scalar(priority) != nil else {
      return .invalidValue
    }
    return write(Node(true, priority: Scalar(priority)), at: path)
  }

  private static func write(_ node: Node, at path: Path) -> Refusal? {
    if path.isLocal { return .invalidPath }
    switch NodeProblem.first(in: node, at: path) {
    case nil: return nil
    case .priority, .key, .number: return .invalidValue
    case .path: return .invalidPath
    }
  }

  /// WRT-25: the names of an update are paths, and none may lie at or below another.
  private static func update(_ assignments: [Assignment], at path: Path) -> Refusal? {
    for (index, assignment) in assignments.enumerated() {
      if assignment.path.isRoot { return .invalidPath }
      if let refusal = part(assignment.node, at: path.appending(assignment.path)) { return refusal }
      let overlaps = assignments[..<index].contains { $0.path.isRelated(to: assignment.path) }
      if overlaps { return .invalidPath }
    }
    return write(.empty, at: path)
  }

  /// One part of an update. A name may end in `.priority`; what it sets is the priority.
  private static func part(_ node: Node, at path: Path) -> Refusal? {
    guard path.key == .priority, let owner = path.parent else {
      return path.problem != nil ? .invalidPath : write(node, at: path)
    }
    if owner.problem != nil { return .invalidPath }
    if !node.children.isEmpty { return .invalidValue }
    return write(Node(true, priority: node.scalar), at: owner)
  }

  static func query(_ query: Query) -> Refusal? {
    if let limit = query.limit, limit.count < 1 { return .invalidQuery }
    guard query.ordering == .key else { return nil }
    for bound in [query.start, query.end].compactMap({ $0 }) {
      guard case .string? = bound.value, bound.key == nil else {
        return .invalidQuery
      }
    }
    return nil
  }
}

extension TransactionFunction {
  /// What the function writes whatever it finds: seen to be wrong before it runs.
  fileprivate var constant: Node {
    switch kind.argument {
    case .number, .value, .children: Node(json: argument)
    case .none: .empty
    }
  }
}
