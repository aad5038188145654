public import ClientInterface
public import Faults
public import ReferenceServer
public import Trace
public import Tree
public import Wire

/// A client of a run, before it starts.
public struct ClientSetup {
  /// The name by which traces and reports call the client.
  public var name: String
  /// The client itself. One that is a value is copied with the simulator; one that is a class is
  /// shared by all copies and so cannot be branched.
  public var client: any SyncClient
  /// Makes the client that takes its place when its process is started again; `nil` for a copy of
  /// `client` as it is now. A client that is a class needs this: its copy would be the old one.
  public var renew: (() -> any SyncClient)?
  /// Whether the client is asked to keep things over its end, and how much.
  public var persistence: ClientInput.Persistence?
  /// How long this client's messages take; `nil` for as long as everyone's.
  public var latency: Latency?

  /// A client before it starts; `nil` for `latency` means that of the configuration.
  public init(
    name: String, client: any SyncClient, latency: Latency? = nil,
    persistence: ClientInput.Persistence? = nil, renew: (() -> any SyncClient)? = nil
  ) {
    self.name = name
    self.client = client
    self.latency = latency
    self.persistence = persistence
    self.renew = renew
  }
}

/// Everything that determines a run, apart from its steps.
public struct Configuration {
  /// The product line whose behaviour is asked for; it sets the server's dialect and query ranges.
  public var profile: Profile
  /// The clients of the run, in the order of their indices.
  public var clients: [ClientSetup]
  /// How long messages take, for clients without a latency of their own; 10 ms unless stated.
  public var latency = Latency.standard
  /// The server's tree at the start.
  public var data = Node.empty
  /// What clients may not do, as the server enforces it (ACC-8); nothing is forbidden when empty.
  public var security: [SecurityRule] = []
  /// The rules of the database; `nil` for none.
  public var databaseRules: SecurityRules?
  /// The tokens with which clients can sign in; their expiry counts from the epoch.
  public var tokens: [String: TokenClaims] = [:]
  /// Where all randomness starts.
  public var seed: UInt64 = 0
  /// The choices that are fixed. Its seed is replaced by `seed`.
  public var tape = ChoiceTape()
  /// In which form the server words everything; `nil` for what the tape says, which is the first
  /// form with the seed 0.
  public var form: WireForm?
  /// What clocks show at the start of the run.
  public var epoch = standardEpoch
  /// The name of the server.
  public var host = "kennel.test"
  /// Whether the trace keeps its events, or only their hash.
  public var retention = Trace.Retention.events
  /// After how many events without time moving, or without the run settling, it counts as one
  /// that never ends.
  public var eventLimit = 200_000

  /// What clocks show at the start of a run, unless stated otherwise.
  public static let standardEpoch = Instant(milliseconds: 1_480_000_000_000)

  /// A run with an empty server, the standard epoch and latency, and the seed 0.
  public init(profile: Profile, clients: [ClientSetup]) {
    self.profile = profile
    self.clients = clients
  }
}
