public import Tree

// What follows for an operation from its kind and its arguments.

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
    case .unlisten, .goOffline, .goOnline, .authenticate, .unauthenticate, .inspect, .on: nil
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
      .keepSynced, .authenticate, .unauthenticate, .inspect, .on:
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
