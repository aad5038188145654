public import Tree
public import Wire

extension Operation {
  /// The arguments of any operation by name; `nil` for those that it does not have.
  ///
  /// Readers fill it in, writers go through it, and whatever rewrites operations does it here, so
  /// that none of them lists the operations.
  public struct Arguments: Hashable, Sendable {
    /// The listener that is registered or removed.
    public var listener: ListenerID?
    /// The location that the operation is about; for `unlisten` the one at which the handle is
    /// used.
    public var path: Path?
    /// The query at `path`; `Query.all` for a target that is not restricted.
    public var query: Query?
    /// The events of a listener that stays registered.
    public var events: Set<EventType>?
    /// The event of a single read.
    public var event: EventType?
    /// The value to write, with its priority; `nil` also for a push that only makes a key.
    public var value: Node?
    /// The parts of an update.
    public var changes: [Assignment]?
    /// Of those that set a priority: what was given for it; null where there is to be none.
    public var priority: JSON?
    /// What a transaction computes from the value it finds.
    public var function: TransactionFunction?
    /// Whether listeners are shown a transaction's intermediate values.
    public var localEvents: LocalEvents?
    /// Whether `keepSynced` starts or stops keeping its target up to date.
    public var synchronization: Synchronization?
    /// The credential that `authenticate` hands to the client.
    public var token: String?
    /// The question that `inspect` asks, with its subject.
    public var inspection: Inspection?
    /// What `on` states.
    public var reaction: Reaction?

    /// Has no arguments yet: all are `nil`.
    public init() {}

    /// Everything that may be written: the value, the parts of an update, a priority, and what a
    /// transaction brings with it.
    package var values: [Node] {
      let given = [function?.argument, priority].compactMap { $0 }.map { Node(json: $0) }
      return given + (value.map { [$0] } ?? []) + (changes ?? []).map(\.node)
    }

    /// The path with the query; everything at the path without one.
    var target: Target? { path.map { Target($0, query ?? .all) } }
  }

  /// One argument with its name. A push that only makes a key has `nil` as its value.
  public enum Argument {
    case listener(ListenerID), path(Path), query(Query), events(Set<EventType>), event(EventType)
    case value(Node?), changes([Assignment]), priority(JSON), function(TransactionFunction)
    case localEvents(LocalEvents), synchronization(Synchronization), token(String)
    case inspection(Inspection), reaction(Reaction)
  }

  /// Shows the arguments one after the other: cheaper than `arguments`, which has room for all that
  /// there are. Their order is part of every trace hash.
  public func forEachArgument(_ body: (Argument) -> Void) {
    func show(_ target: Target) {
      body(.path(target.path))
      body(.query(target.query))
    }
    switch self {
    case let .listen(listener, target, events):
      body(.listener(listener))
      show(target)
      body(.events(events))
    case let .once(listener, target, event):
      body(.listener(listener))
      show(target)
      body(.event(event))
    case let .get(listener, target):
      body(.listener(listener))
      show(target)
    case let .unlisten(listener, path):
      body(.listener(listener))
      if let path { body(.path(path)) }
    case let .unlistenAll(target): show(target)
    case let .keepSynced(target, synchronization):
      show(target)
      body(.synchronization(synchronization))
    case .set, .remove, .setPriority, .update, .push, .transaction, .onDisconnectSet,
      .onDisconnectRemove, .onDisconnectUpdate, .onDisconnectCancel:
      forEachArgumentOfWrite(body)
    case let .authenticate(token): body(.token(token))
    case let .inspect(inspection): body(.inspection(inspection))
    case let .on(reaction): body(.reaction(reaction))
    case .goOffline, .goOnline, .purgeWrites, .unauthenticate: break
    }
  }

  /// Everything the operation was made with, by name; `init(_:_:)` makes the same operation from
  /// it.
  public var arguments: Arguments {
    var arguments = Arguments()
    forEachArgument { argument in
      switch argument {
      case let .listener(listener): arguments.listener = listener
      case let .path(path): arguments.path = path
      case let .query(query): arguments.query = query
      case let .events(events): arguments.events = events
      case let .event(event): arguments.event = event
      case let .value(value): arguments.value = value
      case let .changes(changes): arguments.changes = changes
      case let .priority(priority): arguments.priority = priority
      case let .function(function): arguments.function = function
      case let .localEvents(localEvents): arguments.localEvents = localEvents
      case let .synchronization(synchronization): arguments.synchronization = synchronization
      case let .token(token): arguments.token = token
      case let .inspection(inspection): arguments.inspection = inspection
      case let .reaction(reaction): arguments.reaction = reaction
      }
    }
    return arguments
  }

  private func forEachArgumentOfWrite(_ body: (Argument) -> Void) {
    if let path { body(.path(path)) }
    switch self {
    case let .set(_, value), let .onDisconnectSet(_, value): body(.value(value))
    case let .push(_, value): body(.value(value))
    case let .update(_, changes), let .onDisconnectUpdate(_, changes): body(.changes(changes))
    case let .setPriority(_, priority): body(.priority(priority))
    case let .transaction(_, function, localEvents):
      body(.function(function))
      body(.localEvents(localEvents))
    case .remove, .onDisconnectRemove, .onDisconnectCancel, .listen, .once, .get, .unlisten,
      .unlistenAll, .goOffline, .goOnline, .purgeWrites, .keepSynced, .authenticate,
      .unauthenticate, .inspect,
      .on:
      break
    }
  }

  /// The operation of a kind with these arguments; `nil` when one that it needs is missing.
  public init?(_ kind: Kind, _ given: Arguments) {
    let operation: Operation? =
      switch kind {
      case .listen: .made(Operation.listen, given.listener, given.target, given.events)
      case .once: .made(Operation.once, given.listener, given.target, given.event)
      case .get: .made(Operation.get, given.listener, given.target)
      case .unlisten: given.listener.map { .unlisten($0, at: given.path) }
      case .unlistenAll: given.target.map { .unlistenAll($0) }
      case .keepSynced: .made(Operation.keepSynced, given.target, given.synchronization)
      case .set: .made(Operation.set, given.path, given.value)
      case .remove: given.path.map { .remove($0) }
      case .setPriority: .made(Operation.setPriority, given.path, given.priority)
      case .update: .made(Operation.update, given.path, given.changes)
      // A push of null is one without a value (PSH-6).
      case .push: given.path.map { .push($0, given.value?.isEmpty == true ? nil : given.value) }
      case .transaction:
        .made(Operation.transaction, given.path, given.function, given.localEvents)
      case .onDisconnectSet: .made(Operation.onDisconnectSet, given.path, given.value)
      case .onDisconnectRemove: given.path.map { .onDisconnectRemove($0) }
      case .onDisconnectUpdate: .made(Operation.onDisconnectUpdate, given.path, given.changes)
      case .onDisconnectCancel: given.path.map { .onDisconnectCancel($0) }
      case .goOffline: .goOffline
      case .goOnline: .goOnline
      case .purgeWrites: .purgeWrites
      case .authenticate: given.token.map { .authenticate(token: $0) }
      case .unauthenticate: .unauthenticate
      case .inspect: given.inspection.map { .inspect($0) }
      case .on: given.reaction.map { .on($0) }
      }
    guard let operation else { return nil }
    self = operation
  }

  private static func made<A, B>(_ make: (A, B) -> Operation, _ a: A?, _ b: B?) -> Operation? {
    guard let a, let b else { return nil }
    return make(a, b)
  }

  private static func made<A, B, C>(
    _ make: (A, B, C) -> Operation, _ a: A?, _ b: B?, _ c: C?
  ) -> Operation? {
    guard let a, let b, let c else { return nil }
    return make(a, b, c)
  }

  /// The same operation with other arguments: the one map of everything that rewrites operations.
  ///
  /// The calls of a reaction are changed first, each by itself.
  ///
  /// - Precondition: `change` takes no argument away that the operation needs.
  public func mapArguments<Failure: Error>(
    _ change: (inout Arguments) throws(Failure) -> Void
  ) throws(Failure) -> Operation {
    var given = arguments
    if var reaction = given.reaction {
      for index in reaction.calls.indices {
        reaction.calls[index].operation =
          try reaction.calls[index].operation.mapArguments(change)
      }
      given.reaction = reaction
    }
    try change(&given)
    guard let changed = Operation(kind, given) else {
      preconditionFailure("\(name) without an argument that it needs: \(given)")
    }
    return changed
  }
}
