public import Tree
public import Wire

/// What an application asks of its client: one call of the client's programming interface.
///
/// Paths and values are handed over as the application wrote them. A client must itself refuse
/// what the database does not allow, with `ClientOutput.threw` (ERR-1).
///
/// It is behind a reference, because everything that follows a call has a copy of it.
public indirect enum Operation: Hashable, Sendable {
  /// Registers a listener that receives the given events until it is removed.
  case listen(ListenerID, Target, Set<EventType>)
  /// Registers a listener that receives one event and is then removed.
  case once(ListenerID, Target, EventType)
  /// Reads what the server has, once, without listening: answered by one value event, or by the
  /// cancellation of the listener that it names (GET-1).
  case get(ListenerID, Target)
  /// Removes one listener. With a path: as a handle that is used there, which does nothing unless
  /// the listener is registered at that very location (OBS-16).
  case unlisten(ListenerID, at: Path? = nil)
  /// Removes every listener at the location; with a query, every listener of that query (OBS-7).
  case unlistenAll(Target)
  case set(Path, Node)
  case remove(Path)
  /// Sets the priority, or removes it with null. Anything but a number, a string or a placeholder is
  /// refused (PRI-4).
  case setPriority(Path, JSON)
  /// Writes several locations at or below one as one change. Their names may be paths.
  case update(Path, [Assignment])
  /// Makes a new key in the order of time and, if a value is given, writes it there. Answered with
  /// the key (PSH-1).
  case push(Path, Node?)
  case transaction(Path, TransactionFunction, localEvents: LocalEvents)
  case onDisconnectSet(Path, Node)
  case onDisconnectRemove(Path)
  case onDisconnectUpdate(Path, [Assignment])
  case onDisconnectCancel(Path)
  case goOffline
  case goOnline
  /// Gives up all writes, transactions and on-disconnect requests that the server has not answered
  /// (WRT-30).
  case purgeWrites
  /// Downloads the target ahead and keeps it up to date, listeners or not (OFF-7).
  case keepSynced(Target, Synchronization)
  case authenticate(token: String)
  case unauthenticate
  /// Answered at once, with `ClientOutput.answered` or `threw`.
  case inspect(Inspection)
  /// States what the application does in a callback to come (CBK-1).
  case on(Reaction)

  /// A query at a location.
  public struct Target: Hashable, Sendable {
    /// The location at which the query is made.
    public var path: Path
    /// What of the location is meant; `Query.all` is everything there, in default order.
    public var query: Query

    /// Without a query it means everything at the path.
    public init(_ path: Path, _ query: Query = .all) {
      self.path = path
      self.query = query
    }
  }

  /// Whether a target is to be kept up to date.
  public enum Synchronization: Hashable, Sendable {
    case on
    case off
  }

  /// Whether a transaction's intermediate values are shown to listeners.
  public enum LocalEvents: Hashable, Sendable {
    case shown
    case hidden
  }
}

// MARK: - What is known of an operation whatever its arguments are
//
// Code that asks a question about operations asks it here: a new operation answers it once, and no
// other module lists the operations.

extension Operation {
  /// An operation without its arguments, in the order of the documentation.
  ///
  /// The raw value is its name in scenarios, recordings and the adapter protocol.
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    case listen, once, get, unlisten
    case unlistenAll = "unlisten-all"
    case set, remove
    case setPriority = "set-priority"
    case update, push, transaction
    case onDisconnectSet = "on-disconnect-set"
    case onDisconnectRemove = "on-disconnect-remove"
    case onDisconnectUpdate = "on-disconnect-update"
    case onDisconnectCancel = "on-disconnect-cancel"
    case goOffline = "go-offline"
    case goOnline = "go-online"
    case purgeWrites = "purge-writes"
    case inspect
    case keepSynced = "keep-synced"
    case authenticate = "auth"
    case unauthenticate = "unauth"
    case on
  }

  /// What operations are about.
  public enum Family: Hashable, Sendable {
    case listening
    /// Writes, and pushes that only make a key.
    case writing
    case transaction
    case onDisconnect
    /// Whether the client has a connection, and what waits for its server.
    case connection
    case inspection
    case credential
    /// What callbacks do.
    case reaction
  }

  /// An argument of operations, as files and messages name it.
  public enum Parameter: Hashable, Sendable {
    case listener, path, query
    /// Any number of event types; all of them unless stated.
    case events
    /// One event type; the value unless stated.
    case event
    /// A value with its priority.
    case value
    /// The parts of an update.
    case changes
    case priority, function, localEvents, synchronization, token, inspection, reaction
    /// A path, or a value, that the operation can do without.
    case optionalPath, optionalValue
  }

  /// Which operation it is, whatever its arguments are.
  public var kind: Kind {
    switch self {
    case .listen: .listen
    case .once: .once
    case .get: .get
    case .unlisten: .unlisten
    case .unlistenAll: .unlistenAll
    case .set: .set
    case .remove: .remove
    case .setPriority: .setPriority
    case .update: .update
    case .push: .push
    case .transaction: .transaction
    case .onDisconnectSet: .onDisconnectSet
    case .onDisconnectRemove: .onDisconnectRemove
    case .onDisconnectUpdate: .onDisconnectUpdate
    case .onDisconnectCancel: .onDisconnectCancel
    case .goOffline: .goOffline
    case .goOnline: .goOnline
    case .purgeWrites: .purgeWrites
    case .keepSynced: .keepSynced
    case .authenticate: .authenticate
    case .unauthenticate: .unauthenticate
    case .inspect: .inspect
    case .on: .on
    }
  }

  /// The name of the operation in scenarios, recordings and the adapter protocol.
  public var name: String { kind.rawValue }
}

extension Operation.Kind {
  /// What an operation of this kind is about; its usual `Ending` follows from that.
  public var family: Operation.Family {
    switch self {
    case .listen, .once, .get, .unlisten, .unlistenAll, .keepSynced: .listening
    case .set, .remove, .setPriority, .update, .push: .writing
    case .transaction: .transaction
    case .onDisconnectSet, .onDisconnectRemove, .onDisconnectUpdate, .onDisconnectCancel:
      .onDisconnect
    case .goOffline, .goOnline, .purgeWrites: .connection
    case .inspect: .inspection
    case .authenticate, .unauthenticate: .credential
    case .on: .reaction
    }
  }

  /// The arguments, in the order in which messages have them.
  public var parameters: [Operation.Parameter] {
    switch self {
    case .listen: [.listener, .path, .query, .events]
    case .once: [.listener, .path, .query, .event]
    case .get: [.listener, .path, .query]
    case .unlisten: [.listener, .optionalPath]
    case .unlistenAll: [.path, .query]
    case .keepSynced: [.path, .query, .synchronization]
    case .set, .onDisconnectSet: [.path, .value]
    case .remove, .onDisconnectRemove, .onDisconnectCancel: [.path]
    case .setPriority: [.path, .priority]
    case .update, .onDisconnectUpdate: [.path, .changes]
    case .push: [.path, .optionalValue]
    case .transaction: [.path, .function, .localEvents]
    case .authenticate: [.token]
    case .inspect: [.inspection]
    case .on: [.reaction]
    case .goOffline, .goOnline, .purgeWrites, .unauthenticate: []
    }
  }

  /// What a client must be able to do for the operation, whatever its arguments; `nil` where they
  /// alone decide.
  public var capability: String? {
    switch self {
    case .listen, .unlisten, .unlistenAll: nil
    case .once: "once"
    case .get: "get"
    case .set, .remove: "set"
    case .setPriority: "priority"
    case .update: "update"
    case .push: "push"
    case .transaction: "transaction"
    case .onDisconnectSet, .onDisconnectRemove, .onDisconnectUpdate, .onDisconnectCancel:
      "on-disconnect"
    case .goOffline, .goOnline: "offline"
    case .purgeWrites: "purge"
    case .keepSynced: "keep-synced"
    case .authenticate, .unauthenticate: "auth"
    case .inspect: "inspect"
    case .on: "callbacks"
    }
  }

  /// Whether the application gives the call a name of its own: it registers a listener, or it
  /// receives the completion.
  public var isNameable: Bool { registersListener || family.ending != .none }

  /// Whether the call adds a listener to the client, for good or for a single event.
  public var registersListener: Bool { [.listen, .once, .get].contains(self) }
}

// MARK: - What follows for an operation from its kind and its arguments

extension Operation {
  /// How an application learns that a call has done what it was to do.
  public enum Ending: Hashable, Sendable {
    /// It does not. A client that reports an end says nothing with it.
    case none
    /// By what the call returns.
    case answer
    /// By a callback.
    case completion
  }

  /// How the application learns that this call is done; a push without a value has ended when it
  /// returns its key.
  public var ending: Ending {
    if case .push(_, nil) = self { .answer } else { kind.family.ending }
  }

  /// Whether it is a write that is shown at once and stays until the server has answered.
  public var isPlainWrite: Bool { kind.family == .writing && ending == .completion }

  /// Whether it is a write or a transaction.
  public var isWrite: Bool { isPlainWrite || kind.family == .transaction }

  /// The path that the operation is about; `nil` for one about a listener or the connection.
  public var path: Path? {
    switch self {
    case let .listen(_, target, _), let .once(_, target, _), let .get(_, target),
      let .unlistenAll(target), let .keepSynced(target, _):
      target.path
    case let .set(path, _), let .remove(path), let .setPriority(path, _), let .update(path, _),
      let .push(path, _), let .transaction(path, _, _), let .onDisconnectSet(path, _),
      let .onDisconnectRemove(path), let .onDisconnectUpdate(path, _),
      let .onDisconnectCancel(path):
      path
    case .unlisten, .goOffline, .goOnline, .purgeWrites, .authenticate, .unauthenticate, .inspect,
      .on:
      nil
    }
  }

  /// What it writes, or where it is.
  package var data: [(path: Path, node: Node)] {
    guard let path else { return [] }
    let given = arguments
    if let changes = given.changes {
      return changes.map { (path.appending($0.path), $0.node) }
    }
    return [(path, given.value ?? given.function.map { Node(json: $0.argument) } ?? .empty)]
  }
}

extension Operation {
  /// Whether the client may have a connection from then on; `nil` for what changes nothing about that.
  public var isOnline: Bool? {
    switch self {
    case .goOnline: true
    case .goOffline: false
    default: nil
    }
  }

  /// What it asks of the server for the end of the connection; `nil` for what is not about that.
  package var onDisconnectRequest: Request? {
    switch self {
    case let .onDisconnectSet(path, node): .onDisconnectPut(path, node.stored)
    case let .onDisconnectRemove(path): .onDisconnectPut(path, .empty)
    case let .onDisconnectUpdate(path, assignments): .onDisconnectMerge(path, assignments)
    case let .onDisconnectCancel(path): .onDisconnectCancel(path)
    default: nil
    }
  }
}

extension Operation.Family {
  /// How the operations of the family end that do all that they can do.
  var ending: Operation.Ending {
    switch self {
    case .listening, .connection, .reaction: .none
    case .inspection: .answer
    case .writing, .transaction, .onDisconnect, .credential: .completion
    }
  }
}

extension Operation {
  /// What an operation does to the listeners of its client.
  public enum ListenerChange: Hashable, Sendable {
    case registers(Registration)
    case removes(ListenerID, at: Path?)
    case removesAll(Target)
  }

  /// A listener that is registered.
  public struct Registration: Hashable, Sendable {
    /// The name under which it is registered, and by which it can be removed.
    public var listener: ListenerID
    /// The location and query whose events it receives.
    public var target: Target
    /// The event types for which it is called; exactly one when `isOnce` is true.
    public var events: Set<EventType>
    /// Whether it is removed after one event.
    public var isOnce: Bool
    /// Whether the application can remove it.
    public var isRemovable = true
  }

  /// The listener whose snapshot it asks about; `nil` for everything else.
  public var snapshotOwner: ListenerID? {
    guard case let .inspect(inspection) = self,
      case let .snapshot(listener, _) = inspection.subject
    else { return nil }
    return listener
  }

  /// What it does to the listeners; `nil` for all other operations.
  public var listenerChange: ListenerChange? {
    switch self {
    case let .listen(id, target, events):
      .registers(Registration(listener: id, target: target, events: events, isOnce: false))
    case let .once(id, target, event):
      .registers(Registration(listener: id, target: target, events: [event], isOnce: true))
    case let .get(id, target):
      .registers(
        Registration(
          listener: id, target: target, events: [.value], isOnce: true, isRemovable: false))
    case let .unlisten(id, path): .removes(id, at: path)
    case let .unlistenAll(target): .removesAll(target)
    case .set, .remove, .setPriority, .update, .push, .transaction, .onDisconnectSet,
      .onDisconnectRemove, .onDisconnectUpdate, .onDisconnectCancel, .goOffline, .goOnline,
      .purgeWrites, .keepSynced, .authenticate, .unauthenticate, .inspect, .on:
      nil
    }
  }

  /// The calls that it makes from inside a callback; none but for `on`.
  public var nestedCalls: [Reaction.Call] {
    if case let .on(reaction) = self { reaction.calls } else { [] }
  }

  /// The listener that it registers; `nil` for all other operations.
  public var registration: Registration? {
    if case let .registers(registration) = listenerChange { registration } else { nil }
  }
}

extension Operation.ListenerChange {
  /// Whether a registered listener is removed (OBS-7, OBS-16).
  public func removes(_ listener: ListenerID, at target: Operation.Target) -> Bool {
    switch self {
    case .registers: false
    case let .removes(id, path): id == listener && (path == nil || path == target.path)
    case let .removesAll(gone):
      gone.path == target.path && (gone.query == .all || gone.query == target.query)
    }
  }
}

// MARK: - What it does, in words

extension Operation.Kind {
  /// What a call asks of its client, as a sentence in Markdown.
  package var summary: String {
    switch self {
    case .listen: "Registers a listener."
    case .once: "Waits for one event."
    case .get:
      "Reads from the server without listening ([get.md](rules/get.md)): expectations list it like a "
        + "`once` of the value, and it cannot be removed."
    case .unlisten:
      "Removes a listener: its name alone, or with a path as a handle that is used at that location."
    case .unlistenAll: "Removes all listeners of a path, or of a query there."
    case .set: "Writes a value."
    case .remove: "Removes what is at a path."
    case .setPriority: "Sets the priority of what is at a path."
    case .update:
      "Writes several children at once; `value` is a mapping from children or deeper paths to values."
    case .push: "Makes a child with a generated key; without a value it only gives the key."
    case .transaction: "Writes what a function makes of the value that is there."
    case .onDisconnectSet: "Lets the server write a value when the connection ends."
    case .onDisconnectRemove: "Lets the server remove what is at a path when the connection ends."
    case .onDisconnectUpdate: "Lets the server write several children when the connection ends."
    case .onDisconnectCancel: "Takes back what the server was to do at a path and below."
    case .goOffline: "Closes the connection."
    case .goOnline: "Connects again."
    case .purgeWrites: "Gives up what the server has not answered ([WRT-30](rules/writes.md))."
    case .inspect: "Asks a question that the client answers at once; see Inspections."
    case .keepSynced: "Keeps a path up to date, listeners or not."
    case .authenticate: "Signs in."
    case .unauthenticate: "Signs out."
    case .on: "States what a callback does; see Calls from inside callbacks."
    }
  }
}

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
