public import Tree
public import Wire

/// What an application asks of its client: one call of the client's programming interface.
///
/// Paths and values are handed over as the application wrote them. A client must itself refuse
/// what the database does not allow, with `ClientOutput.threw` (ERR-1).
public enum Operation: Hashable, Sendable {
  /// Registers a listener that hears the given events until it is removed.
  indirect case listen(ListenerID, Target, Set<EventType>)
  /// Registers a listener that hears one event and is then removed.
  indirect case once(ListenerID, Target, EventType)
  /// Removes one listener. With a path: as a handle that is used there, which does nothing unless
  /// the listener is registered at that very place (OBS-16).
  case unlisten(ListenerID, at: Path? = nil)
  /// Removes every listener at the place; with a query, every listener of that query (OBS-7).
  indirect case unlistenAll(Target)
  case set(Path, Node)
  case remove(Path)
  case setPriority(Path, Scalar?)
  /// Writes several places at or below one as one change. Their names may be paths.
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
  /// Downloads the target ahead and keeps it up to date, listeners or not (OFF-7).
  indirect case keepSynced(Target, Synchronization)
  case authenticate(token: String)
  case unauthenticate
  /// Answered at once, with `ClientOutput.answered` or `threw`.
  case inspect(Inspection)

  /// A query at a place.
  public struct Target: Hashable, Sendable {
    public var path: Path
    public var query: Query

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

/// What a transaction does with the value it finds. It is data, so that every language can run it.
public enum TransactionFunction: Hashable, Sendable {
  /// The number that is there plus this one; this one where there is no number.
  case increment(Double)
  case set(JSON)
  /// Sets where there is nothing, else aborts.
  case setIfNull(JSON)
  /// Sets the named children and leaves the others.
  case merge(JSON)
  case abort
  /// Breaks down: what an exception is in languages that have them (TXN-25).
  case fail
  /// Sets where there is nothing, else breaks down.
  case setIfNullOrFail(JSON)

  /// How a run of the function ends.
  public enum Result: Hashable, Sendable {
    case returned(JSON)
    case aborted
    case failed
  }

  /// What the function does with `input`.
  ///
  /// The input is the value as applications see it: no priorities, lists where keys look like
  /// indexes.
  public func callAsFunction(_ input: JSON) -> Result {
    switch self {
    case let .increment(delta): .returned(.number((input.number ?? 0) + delta))
    case let .set(value): .returned(value)
    case let .setIfNull(value): input == .null ? .returned(value) : .aborted
    case let .merge(changes): .returned(Self.merged(input, with: changes))
    case .abort: .aborted
    case .fail: .failed
    case let .setIfNullOrFail(value): input == .null ? .returned(value) : .failed
    }
  }

  private static func merged(_ input: JSON, with changes: JSON) -> JSON {
    var members = input.members ?? []
    for (index, element) in (input.elements ?? []).enumerated() where element != .null {
      members.append(.init(String(index), element))
    }
    for change in changes.members ?? [] {
      members.removeAll { Text($0.name) == Text(change.name) }
      members.append(change)
    }
    return .object(members)
  }
}

extension TransactionFunction {
  /// The function as scenarios, recordings and the adapter protocol write it, `{"increment": 1}`.
  public var json: JSON {
    switch self {
    case let .increment(delta): ["increment": .number(delta)]
    case let .set(value): ["set": value]
    case let .setIfNull(value): ["setIfNull": value]
    case let .merge(changes): ["merge": changes]
    case .abort: ["abort": true]
    case .fail: ["fail": true]
    case let .setIfNullOrFail(value): ["setIfNullOrFail": value]
    }
  }
}

/// The five kinds of event.
public enum EventType: String, CaseIterable, Hashable, Comparable, Sendable {
  case childRemoved = "child_removed"
  case childAdded = "child_added"
  case childMoved = "child_moved"
  case childChanged = "child_changed"
  case value

  /// The order in which one change raises them (EVT-8).
  public static func < (a: EventType, b: EventType) -> Bool { a.order < b.order }

  /// Not by the text: sets of these are looked into with every event.
  public func hash(into hasher: inout Hasher) { hasher.combine(order) }

  private var order: Int {
    switch self {
    case .childRemoved: 0
    case .childAdded: 1
    case .childMoved: 2
    case .childChanged: 3
    case .value: 4
    }
  }
}

extension Operation {
  /// The name of the operation in scenarios, recordings and the adapter protocol.
  public var name: String {
    switch self {
    case .listen: "listen"
    case .once: "once"
    case .unlisten: "unlisten"
    case .unlistenAll: "unlisten-all"
    case .set: "set"
    case .remove: "remove"
    case .setPriority: "set-priority"
    case .update: "update"
    case .push: "push"
    case .transaction: "transaction"
    case .onDisconnectSet: "on-disconnect-set"
    case .onDisconnectRemove: "on-disconnect-remove"
    case .onDisconnectUpdate: "on-disconnect-update"
    case .onDisconnectCancel: "on-disconnect-cancel"
    case .goOffline: "go-offline"
    case .goOnline: "go-online"
    case .keepSynced: "keep-synced"
    case .authenticate: "auth"
    case .unauthenticate: "unauth"
    case .inspect: "inspect"
    }
  }

  /// The place the operation is about; `nil` for one about a listener or the connection.
  public var path: Path? {
    switch self {
    case let .listen(_, target, _), let .once(_, target, _), let .unlistenAll(target),
      let .keepSynced(target, _):
      target.path
    case let .set(path, _), let .remove(path), let .setPriority(path, _), let .update(path, _),
      let .push(path, _), let .transaction(path, _, _), let .onDisconnectSet(path, _),
      let .onDisconnectRemove(path), let .onDisconnectUpdate(path, _),
      let .onDisconnectCancel(path):
      path
    case .unlisten, .goOffline, .goOnline, .authenticate, .unauthenticate, .inspect: nil
    }
  }
}
