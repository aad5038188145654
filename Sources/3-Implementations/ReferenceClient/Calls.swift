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
    snapshots[listener] = ReceivedEvents(at: target, isOnce: lifetime == .once)
    let registered =
      target.path.isLocal
      ? info.register(listener, at: target.path, target.query, events: events, lifetime)
      : registerAndListen(listener, target, events, lifetime)
    listeners[listener] = registered.listening
    raise(registered.events)
  }

  /// Registers with the local tree and, where nothing covers the location yet, listens at the
  /// server.
  mutating func registerAndListen(
    _ listener: ListenerID?, _ target: Operation.Target, _ events: Set<EventType>,
    _ lifetime: Registration.Lifetime
  ) -> (listening: Listening, events: [PendingEvent]) {
    let path = target.path
    let isServed = tree.isCovered(path) || tree.index(at: path, target.query) != nil
    let registered = tree.register(listener, at: path, target.query, events: events, lifetime)
    if !isServed, let index = tree.index(at: path, target.query) {
      startListen(index)
      if !target.query.filters {
        for shadowed in tree.outermostViews(below: path) {
          stopListen(at: tree.views[shadowed].path, tree.views[shadowed].query)
        }
      }
    }
    return registered
  }

  mutating func stopListening(_ listener: ListenerID) {
    if let listening = listeners.removeValue(forKey: listener) { stopListening(listening) }
  }

  mutating func stopListening(_ listening: Listening) {
    func isRemoved(_: View, _ registration: Registration) -> Bool {
      registration.token == listening.token
    }
    if listening.path.isLocal {
      _ = info.removeRegistrations(at: listening.path, where: isRemoved)
    } else {
      removeRegistrations(.ended, at: listening.path, where: isRemoved)
    }
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
    _ removal: Removal, at path: Path, where isRemoved: (View, Registration) -> Bool
  ) -> [ListenerID] {
    let (gone, listeners) = tree.removeRegistrations(at: path, where: isRemoved)
    if gone.isEmpty || tree.isCovered(path) { return listeners }
    let plain = gone.first { !$0.query.filters }
    if plain != nil {
      for index in tree.outermostViews(at: path) { startListen(index) }
    }
    if removal == .ended {
      for view in plain.map({ [$0] }) ?? gone { stopListen(at: view.path, view.query) }
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
    query.reach = hasRange ? reach : .acrossKinds
    return query
  }
}

extension Path {
  /// Whether no server knows of it: it is what the client knows of itself (CON-2).
  var isLocal: Bool { keys.first == .info }
}

// MARK: - Single reads, which register nothing: no listener and no listen changes (GET-3)

extension ReferenceClient {
  /// Answers from what is known completely (GET-6), or asks the server.
  mutating func get(_ listener: ListenerID, _ target: Operation.Target) {
    snapshots[listener] = ReceivedEvents(at: target, isOnce: true, isRemovable: false)
    if let window = knownWindow(of: target) { return show(window.node, listener, target) }
    // Again also on a new connection (GET-5).
    send(.get(target.path, target.query), for: .get(listener, target))
  }

  mutating func finishGet(
    _ listener: ListenerID, _ target: Operation.Target, _ response: ServerMessage.Response
  ) {
    if response.status == "ok" {
      let node = Node(json: response.payload)
      if policy.getsInformListeners { inform(node, target) }
      show(node, listener, target)
    } else {
      outputs.append(.cancelled(listener, ErrorCode(response.status)))
    }
  }

  /// Takes an answer as what the server sends for the listens there.
  private mutating func inform(_ node: Node, _ target: Operation.Target) {
    let view = tree.view(at: target.path, target.query)
    if target.query.filters, view == nil { return }
    learn([(target.path, node)], at: target.path, as: .put, view?.tag)
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
      synchronized.append((target, registerAndListen(nil, target, [], .lasting).listening))
    case let (.off, index?): stopListening(synchronized.remove(at: index).holder)
    case (.on, _?), (.off, nil): break
    }
  }
}
