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
      if path == nil || path == targetPath(of: listener) { stopListening(listener) }
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
      requestOnDisconnect(operation, as: call)
    case .goOffline: goOffline()
    case .goOnline: goOnline()
    case let .inspect(inspection): inspect(inspection, as: call)
    case let .keepSynced(target, synchronization):
      keepSynced(target.reaching(profile.ranges), synchronization)
    case let .authenticate(token): signIn(with: token, as: call)
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
    let isLocal = target.path.keys.first == .info
    snapshots[listener] = ReceivedEvents(at: target)
    guard isLocal else {
      let registered = registerAndListen(listener, target, events, lifetime)
      listeners[listener] = Listening(
        token: registered.token, path: target.path, isLocal: false)
      raise(registered.events)
      return
    }
    let registered = info.register(
      listener, at: target.path, target.query, events: events, lifetime)
    listeners[listener] = Listening(token: registered.token, path: target.path, isLocal: true)
    raise(registered.events)
  }

  /// Registers with the local tree and, where nothing covers the location yet, listens at the
  /// server.
  mutating func registerAndListen(
    _ listener: ListenerID?, _ target: Operation.Target, _ events: Set<EventType>,
    _ lifetime: Registration.Lifetime
  ) -> (token: Int, events: [PendingEvent]) {
    let path = target.path
    let isCovered = tree.isCovered(path)
    let exists =
      target.query.filters ? tree.index(at: path, target.query) != nil : tree.hasPlainView(at: path)
    let registered = tree.register(listener, at: path, target.query, events: events, lifetime)
    if !exists, !isCovered, let view = tree.view(at: path, target.query) {
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
    if listening.isLocal {
      _ = info.removeRegistrations(at: listening.path, where: isRemoved)
    } else {
      removeRegistrations(.ended, at: listening.path, where: isRemoved)
    }
  }

  /// Where a listener is registered.
  private func targetPath(of listener: ListenerID) -> Path? {
    func isMeant(_ view: View) -> Bool {
      view.registrations.contains { $0.listener == listener }
    }
    return (tree.views.first(where: isMeant) ?? info.views.first(where: isMeant))?.path
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
    for listener in registeredListeners(at: target.path, where: isRemoved) {
      listeners.removeValue(forKey: listener)
    }
    _ = info.removeRegistrations(at: target.path, where: isRemoved)
    removeRegistrations(.ended, at: target.path, where: isRemoved)
  }

  func registeredListeners(
    at path: Path, where isMeant: (View, Registration) -> Bool
  ) -> [ListenerID] {
    (tree.views(at: path) + info.views(at: path)).flatMap { view in
      view.registrations.filter { isMeant(view, $0) }.compactMap(\.listener)
    }
  }

  enum Removal {
    /// The application or the client itself ended the listening: the server is informed.
    case ended
    /// The server ended it, and needs no message.
    case refused
  }

  /// Takes registrations out and makes the listens at the server fit what is left (OBS-12).
  mutating func removeRegistrations(
    _ removal: Removal, at path: Path?, where isRemoved: (View, Registration) -> Bool
  ) {
    let gone = tree.removeRegistrations(at: path, where: isRemoved)
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

extension [Path] {
  fileprivate var withoutRepetitions: [Path] {
    reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
}
