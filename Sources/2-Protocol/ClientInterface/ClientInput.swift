package import Tree
public import Wire

/// Everything that can happen to a client.
///
/// What is large is behind a reference, here and in what clients do and send: inputs and outputs are
/// handed on from the client to the network, the trace and the judges, and a copy costs one count.
public enum ClientInput: Hashable, Sendable {
  /// The process of the client starts. The first input, always.
  indirect case open(Opening)
  /// The application calls the client.
  indirect case call(CallID, Operation)
  /// The connection that the client asked for is up; the server's hello will follow.
  case opened
  /// The connection that the client asked for could not be made.
  case refused
  /// The server sent a message over the open connection.
  case frame(ServerMessage)
  /// The open connection is gone. Not raised for one that the client closed itself.
  case closed
  /// A timer that the client asked for is due.
  case timer(TimerID)
  /// The process of the client ends. The last input; nothing that it causes is looked at.
  case close

  /// What a client finds when it starts.
  public struct Opening: Hashable, Sendable {
    /// The host to connect to.
    public var host: String
    /// Where a client with sockets of its own finds the server: `http://127.0.0.1:9000/?ns=run`;
    /// `nil` for one whose messages are carried.
    public var url: String?
    /// Where the client's own randomness (back-off, push ids) starts.
    public var seed: UInt64
    /// Whether the client keeps data and pending writes over its end; `nil` when it does not.
    public var persistence: Persistence?
    /// What earlier processes of this client stored and did not erase, in the order of keys.
    public var storage: [StoredItem]

    /// By default a client of `kennel.test` with seed 0 that keeps nothing, finds nothing stored
    /// and has its messages carried.
    public init(
      host: String = "kennel.test", seed: UInt64 = 0, persistence: Persistence? = nil,
      storage: [StoredItem] = [], url: String? = nil
    ) {
      self.host = host
      self.url = url
      self.seed = seed
      self.persistence = persistence
      self.storage = storage
    }
  }

  /// How a client keeps things over its end (OFF-1).
  public struct Persistence: Hashable, Sendable {
    /// How many bytes of data it may keep; what was used longest ago goes first.
    public var cacheBytes: Int

    /// Allows 10 MiB of data unless another number of bytes is given.
    public init(cacheBytes: Int = 10 * 1024 * 1024) {
      self.cacheBytes = cacheBytes
    }
  }

  /// Something that a client stored.
  public struct StoredItem: Hashable, Sendable {
    /// The key under which the client stored it with `ClientOutput.store`.
    public var key: String
    /// What was stored last under the key; only half of it if a fault has torn that record.
    public var text: String

    /// Pairs a key with the text that is stored under it.
    public init(_ key: String, _ text: String) {
      self.key = key
      self.text = text
    }
  }
}

extension ClientInput {
  /// The call that it is, and what is asked for; `nil` for anything else.
  package var asked: (call: CallID, operation: Operation)? {
    if case let .call(call, operation) = self { (call, operation) } else { nil }
  }

  /// A message of the server arrives.
  package init(_ message: ServerMessage) { self = .frame(message) }

  /// The message that arrives; `nil` for anything else.
  package var message: ServerMessage? {
    if case let .frame(message) = self { message } else { nil }
  }

  /// Whether the application gives up all that waits for its server (WRT-30).
  package var givesUpWrites: Bool { asked?.operation == .purgeWrites }

  /// What the process finds that starts; `nil` for anything else.
  package var opening: Opening? { if case let .open(opening) = self { opening } else { nil } }

  /// Whether the process ends.
  package var isEnd: Bool { self == .close }

  /// Whether it says only that time has passed.
  package var isTimer: Bool { if case .timer = self { true } else { false } }

  /// The path that the application, or the server, names with the input; `nil` where there is none.
  package var path: Path? {
    switch self {
    case let .call(_, operation): operation.path
    case let .frame(.put(path, _, _)), let .frame(.merge(path, _, _)),
      let .frame(.revoked(path, _)):
      path
    case .open, .opened, .refused, .frame, .closed, .timer, .close: nil
    }
  }

  /// The data that it is about, by location.
  package var data: [(path: Path, node: Node)] {
    switch self {
    case let .call(_, operation): operation.data
    case let .frame(.put(path, node, _)): [(path, node)]
    case let .frame(.merge(path, parts, _)): parts.map { (path.appending($0.path), $0.node) }
    case .open, .opened, .refused, .frame, .closed, .timer, .close: []
    }
  }
}
