public import Tree
public import Wire

/// Which family of clients a run is judged as: the one value that states what differs.
public struct Profile: Hashable, Sendable {
  /// The name in scenarios, rules and on the command line.
  public var name: String
  /// The form of the wire protocol that clients of this family and their server use.
  public var dialect: Dialect
  /// Which connections begin with the client's usage counters (CON-8).
  public var stats: Stats
  /// When completions are delivered relative to the events of the same input (WRT-11).
  public var completions: Completions
  /// Which transactions an update aborts (TXN-12).
  public var updateAborts: UpdateAborts
  /// Which values lie in a range where values are of different kinds (QRY-13, QRY-14).
  public var ranges: Query.RangeReach
  /// What the root answers when it is asked for its parent (REF-4).
  public var rootParent: RootParent
  /// When a mapping reads as an array (SNP-6, SNP-7).
  public var arrays: ArrayReading

  /// What becomes of kept writes when the credential is not valid any more (OFF-21).
  public var keptWrites: KeptWrites

  /// In which order a client does its on-disconnect operations to its own data (OND-8). Left open
  /// by the rules: where the locations differ, so does nothing but the order of the events.
  public var onDisconnectOrder: OnDisconnectOrder

  /// Which of a client's connections begin with its usage counters (CON-8).
  public enum Stats: Hashable, Sendable {
    case everyConnection
    case firstConnection
  }

  /// Where completions stand among the outputs of one input (WRT-11).
  public enum Completions: Hashable, Sendable {
    /// Where they arise.
    case immediate
    /// After everything else that the input caused.
    case last
  }

  /// Which of the transactions under way an update aborts, by their locations (TXN-12).
  public enum UpdateAborts: Hashable, Sendable {
    /// All at, above and below the location of the update.
    case wholeLocation
    /// Those at, above and below the children that the update names.
    case namedChildren
  }

  /// What a client with persistence does with its pending writes once their credential is invalid
  /// (OFF-21).
  public enum KeptWrites: Hashable, Sendable {
    /// They wait until a user has signed in again.
    case wait
    /// They are sent all the same, and may be refused.
    case flow
  }

  /// What a reference to the root answers for its parent: the root, or null (REF-4).
  public enum RootParent: Hashable, Sendable {
    case itself
    case nothing
  }

  /// The order in which a client applies its on-disconnect operations to its own data (OND-8).
  public enum OnDisconnectOrder: CaseIterable, Hashable, Sendable {
    /// Each location in the order in which its children were first written to.
    case ofArrival
    /// Children whose keys are indexes first, by their numbers; the others in the order in which they
    /// were first written to.
    case indexesFirst
    /// Each location in the order of its path.
    case byName
  }

  /// The original client, first edition of its documents.
  public static let wilddog1 = Profile(
    name: "wilddog-1", dialect: .wilddog, stats: .everyConnection, completions: .immediate,
    updateAborts: .wholeLocation, ranges: .withinKind, rootParent: .itself, arrays: .moreThanHalf,
    keptWrites: .wait, onDisconnectOrder: .indexesFirst)
  /// The original client, second edition.
  public static let wilddog2 = Profile(
    name: "wilddog-2", dialect: .wilddog, stats: .everyConnection, completions: .immediate,
    updateAborts: .wholeLocation, ranges: .acrossKinds, rootParent: .nothing,
    arrays: .belowTwiceTheCount, keptWrites: .wait, onDisconnectOrder: .indexesFirst)
  /// The current Firebase clients.
  public static let firebase = Profile(
    name: "firebase", dialect: .firebase, stats: .firstConnection, completions: .last,
    updateAborts: .namedChildren, ranges: .acrossKinds, rootParent: .nothing,
    arrays: .belowTwiceTheCount, keptWrites: .flow, onDisconnectOrder: .ofArrival)

  /// Every profile, in the order in which runs take them.
  public static let all: [Profile] = [.wilddog1, .wilddog2, .firebase]

  /// The profile with this name, or `nil`.
  public init?(named name: String) {
    guard let profile = Self.all.first(where: { $0.name == name }) else { return nil }
    self = profile
  }

  private init(
    name: String, dialect: Dialect, stats: Stats, completions: Completions,
    updateAborts: UpdateAborts, ranges: Query.RangeReach,
    rootParent: RootParent, arrays: ArrayReading, keptWrites: KeptWrites,
    onDisconnectOrder: OnDisconnectOrder
  ) {
    self.name = name
    self.dialect = dialect
    self.stats = stats
    self.completions = completions
    self.updateAborts = updateAborts
    self.ranges = ranges
    self.rootParent = rootParent
    self.arrays = arrays
    self.keptWrites = keptWrites
    self.onDisconnectOrder = onDisconnectOrder
  }
}
