/// A kind of thing that can happen in a scenario that is drawn at random.
///
/// In each scenario each of them is possible with probability one half: a defect that needs a rare
/// meeting of a few kinds is found sooner where the others are missing.
public enum Ingredient: String, CaseIterable, Hashable, Sendable {
  // What clients listen to.
  case listen, query, once, unlisten
  case unlistenAll = "unlisten-all"
  case info
  case keepSynced = "keep-synced"

  // What clients write.
  case set, remove
  case setPriority = "set-priority"
  case update
  case deepUpdate = "deep-update"
  case push, transaction
  case onDisconnect = "on-disconnect"
  case onDisconnectCancel = "on-disconnect-cancel"
  /// Values that the server fills in, in whatever is written.
  case serverValue = "server-value"
  /// Places where the server refuses something.
  case refusal
  /// What a client must refuse for its arguments.
  case mistake

  // What else clients are told.
  case goOffline = "go-offline"
  case auth

  // What befalls them.
  case serverWrite = "server-write"
  case reject, revoke
  case revokeAuth = "revoke-auth"
  case cut, drop, refuse, latency, stall
  case halfOpen = "half-open"
  case closeAfter = "close-after"
  case lostAcknowledgement = "lost-acknowledgement"
  case lateClose = "late-close"
  case redirect, shutdown, restart
  case staleHash = "stale-hash"
  case serverClock = "server-clock"
  case clock, kill
  case storageLost = "storage-lost"
  case storageRolledBack = "storage-rolled-back"
  case storageFails = "storage-fails"
  /// Faults that wait for something.
  case trigger

  /// How often it is drawn, compared with the others that are possible.
  var weight: Int {
    switch self {
    case .listen, .set: 6
    case .query, .update, .transaction, .serverWrite: 4
    case .unlisten, .remove, .push, .deepUpdate, .once, .cut, .goOffline: 3
    case .setPriority, .onDisconnect, .keepSynced, .kill, .auth, .drop, .lostAcknowledgement,
      .closeAfter, .stall, .storageFails, .revokeAuth:
      2
    case .unlistenAll, .onDisconnectCancel, .info, .refuse, .latency, .reject, .revoke, .mistake,
      .halfOpen, .lateClose, .redirect, .shutdown, .restart, .staleHash, .serverClock, .clock:
      1
    // They colour others, and are not drawn by themselves.
    case .serverValue, .refusal, .storageLost, .storageRolledBack, .trigger: 0
    }
  }

  /// Without which nothing is seen, or nothing happens.
  static let listening: [Ingredient] = [.listen, .query]
  static let writing: [Ingredient] = [.set, .update, .transaction, .serverWrite]
}

/// A set of ingredients, as campaigns add them up.
public struct Marks: OptionSet, Hashable, Sendable {
  public var rawValue: UInt64

  public init(rawValue: UInt64) { self.rawValue = rawValue }

  public init(_ ingredient: Ingredient) {
    rawValue = 1 << UInt64(Self.places[ingredient] ?? 63)
  }

  private static let places = Dictionary(
    uniqueKeysWithValues: Ingredient.allCases.enumerated().map { ($1, $0) })

  public static let all = Marks(Ingredient.allCases.map { Marks($0) })

  public var ingredients: [Ingredient] { Ingredient.allCases.filter { contains(Marks($0)) } }
}
