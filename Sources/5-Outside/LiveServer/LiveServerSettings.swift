public import ClientInterface
public import Faults
public import ReferenceServer
public import Scenario
public import Tree
public import Wire

/// What a live server begins with.
public struct LiveServerSettings: Sendable {
  /// The data of every namespace at its beginning.
  public var data: Node
  /// What clients may not do, in every namespace.
  public var security: [SecurityRule]
  /// The rules of the database, in every namespace that begins; `nil` for none.
  public var databaseRules: SecurityRules?
  /// The tokens that are valid, besides the administrator's.
  public var tokens: [String: TokenClaims]
  /// How much clients may use at most.
  public var bounds: ResourceLimits
  /// Determines the random parts of push ids and of engine.io session ids.
  public var seed: UInt64
  /// In which form messages are worded that have several.
  public var form = WireForm.asWritten
  /// Which values lie in a range where values are of different kinds (QRY-13, QRY-14).
  public var ranges = Query.RangeReach.acrossKinds
  /// Whether records distinguish when a message leaves and when it arrives, where faults may come
  /// between.
  public var recordsBothEnds = false
  /// What every namespace does wrong on purpose; `nil` for nothing.
  public var defect: ServerDefect?
  /// Whether a server elsewhere does what clients ask: what arrives for it is an
  /// ``Effect/relay(_:connection:)``, and what it sends comes by ``LiveServer/take(relayed:on:)``.
  public var isRelay = false
  /// Whether everything is handed on there as it comes, whatever is wrong with it; one thing after the other,
  /// each when the server elsewhere has done its work, unless this is true.
  public var handsOnAtOnce = false
  /// Whether tokens without a signature are accepted.
  public var acceptsUnsignedTokens = false
  /// What the names of sessions end with: another text for each start of a server, so that no
  /// client takes a session for one of the start before, or guesses one.
  public var sessionSuffix = ""
  /// From how many bytes on messages are read and written elsewhere, by ``Effect/work(_:)``; `nil`
  /// for none.
  public var largeMessage: Int?
  /// Where data outlast the server; `nil` for nowhere.
  public var storage: Storage?
  /// Whether every message is reported as ``Effect/record(_:_:)`` too.
  public var isRecorded: Bool

  /// Settings that default to no data, no security rules, seed 0 and no records.
  public init(
    data: Node = .empty, security: [SecurityRule] = [], tokens: [String: TokenClaims] = [:],
    bounds: ResourceLimits = ResourceLimits(), seed: UInt64 = 0, isRecorded: Bool = false
  ) {
    self.data = data
    self.security = security
    self.tokens = tokens
    self.bounds = bounds
    self.seed = seed
    self.isRecorded = isRecorded
  }

  /// Takes what a scenario says of its server, unless rules of the database are stated already. The
  /// lifetimes of tokens count from `start`.
  public mutating func take(_ scenario: Scenario, from start: Instant) {
    data = scenario.data
    form = scenario.form ?? form
    security = scenario.security
    databaseRules = databaseRules ?? scenario.databaseRules
    tokens = scenario.tokens.mapValues { token in
      TokenClaims(user: token.user, expiry: token.lifetime.map { start + $0 })
    }
  }

  /// The token of who may do everything, as emulators of the database have it.
  public static let administrator = "owner"
}

extension LiveServerSettings {
  /// What keeps the data of namespaces beyond the end of the server. Both are asked by the server alone,
  /// in its thread.
  public struct Storage: Sendable {
    /// What is kept of a namespace; `nil` for one of which nothing was ever kept.
    public var data: @Sendable (String) -> Node?
    /// Keeps a write, with what it leads to, in a namespace, before it is done; whether it is kept.
    public var keep: @Sendable (ReferenceServer.Write, Node, String) -> Bool

    /// A storage that is asked so.
    public init(
      data: @escaping @Sendable (String) -> Node?,
      keep: @escaping @Sendable (ReferenceServer.Write, Node, String) -> Bool
    ) {
      self.data = data
      self.keep = keep
    }
  }
}

/// What clients may use at most, so that a hostile one cannot exhaust the machine.
public struct ResourceLimits: Hashable, Sendable {
  /// The longest message, whole, and the longest body of a request, in bytes.
  public var message = 16 << 20
  /// How many bytes of UTF-8 one string of the data may have.
  public var text = 10 << 20
  /// How many bytes the data of a namespace may have as JSON, about.
  public var stored = 256 << 20
  /// How many bytes of messages may wait for their other parts, of all clients.
  public var assembling = 256 << 20
  /// How many packets one body of engine.io may have.
  public var packets = 10_000
  /// How many namespaces there may be.
  public var namespaces = 256
  /// How many listens one connection may have.
  public var listens = 100_000
  /// How many writes one connection may leave for its end.
  public var onDisconnects = 10_000
  /// How many bytes may wait for a client that polls, before its session is given up.
  public var waiting = 64 << 20
  /// How many bytes may wait for all clients that poll.
  public var allWaiting = 256 << 20
  /// How many engine.io sessions there may be.
  public var sessions = 4096

  /// The default limits, each of which can be changed by itself.
  public init() {}
}
