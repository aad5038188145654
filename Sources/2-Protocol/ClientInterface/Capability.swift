/// Something that a scenario may need and a client may lack.
///
/// The one table of capabilities: adapters declare them, scenarios need them by what they do, and the
/// page about the adapter protocol is written from it.
public struct Capability: Sendable {
  /// By what it is declared.
  public let name: String
  /// What a client with it can do, in Markdown; what the names of its calls do not say.
  public let meaning: String
  /// How much work it is for a client that has the others of less: from 1 to 4.
  public let effort: Int

  private init(_ name: String, _ effort: Int, _ meaning: String) {
    (self.name, self.meaning, self.effort) = (name, meaning, effort)
  }

  /// Every capability, in the order of the documentation.
  public static let table = [
    Capability("listen.value", 1, "listeners for `value`"),
    Capability("listen.child", 2, "listeners for the events of children"),
    Capability("listen.query", 3, "listeners, single events and reads with a `query`"),
    Capability("once", 1, "a listener for a single event"),
    Capability("set", 1, "values without priorities and placeholders"),
    Capability("update", 2, "several locations at once; names may be paths"),
    Capability("priority", 2, "priorities in values, and their order"),
    Capability("push", 1, "keys in the order of time"),
    Capability("transaction", 4, "functions, which run again when others were faster"),
    Capability("on-disconnect", 3, "what the server does when the connection ends"),
    Capability("offline", 2, "a connection that the application closes and opens"),
    Capability("info", 2, "listeners below `/.info`"),
    Capability("server-values", 3, "placeholders in values, which are estimated at once"),
    Capability("inspect", 2, "questions about references, snapshots and queries"),
    Capability("mutable-data", 4, "questions about the mutable data of transactions"),
    Capability("persistence", 4, "what outlasts the process: `store`, `erase`, `cacheBytes`"),
    Capability("keep-synced", 3, "a location that is kept up to date without listeners"),
    Capability("auth", 3, "signing in with a token, and out"),
    Capability("callbacks", 3, "calls from inside callbacks: `calling` and `returned`"),
    Capability("get", 2, "a read from the server, without a listener"),
    Capability("purge", 2, "giving up what the server has not answered"),
  ]

  /// The calls that a client with it has to offer; empty where it is about parts of calls.
  public var operations: [Operation.Kind] {
    let listens = name.hasPrefix("listen.")
    return Operation.Kind.allCases.filter { $0.capability == (listens ? nil : name) }
  }

  /// Every name, in the order of the documentation.
  public static let inOrder = table.map(\.name)
  /// What is less work first.
  public static let easiestFirst = (1...4).flatMap { effort in
    table.filter { $0.effort == effort }
  }
  /// The names of all capabilities, then those of the features that an interface may lack of them.
  public static let inDetail = inOrder + Feature.names
  /// The names of all capabilities as a set: what the reference client has, and any client that
  /// does not state otherwise.
  public static let all = Set(inOrder)
}
