// What is known of an operation whatever its arguments are. Code that asks a question about
// operations asks it here: a new operation answers it once, and no other module lists the
// operations.

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
    /// Whether the client has a connection.
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
    case .goOffline, .goOnline: .connection
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
    case .goOffline, .goOnline, .unauthenticate: []
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
