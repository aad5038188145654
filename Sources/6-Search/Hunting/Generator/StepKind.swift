public import Faults

/// A kind of thing that can happen in a scenario that is drawn at random.
///
/// In each scenario each of them is possible with probability one half: a defect that needs a rare
/// meeting of a few kinds is found sooner where the others are missing.
public enum StepKind: CaseIterable, Hashable, Sendable {
  // What clients listen to.
  case listen, query, once, unlisten
  case unlistenAll
  case info
  case keepSynced
  /// What applications ask of snapshots, references, queries and mutable data.
  case inspect

  // What clients write.
  case set, remove
  case setPriority
  case update
  case deepUpdate
  case push, transaction
  case onDisconnect
  case onDisconnectCancel
  /// Several calls in a row that reach the same location.
  case series
  /// Values that the server fills in, in whatever is written.
  case serverValue
  /// Locations where the server refuses something.
  case refusal
  /// What a client must refuse for its arguments.
  case mistake

  // What else is sent to clients.
  case goOffline
  case auth
  /// What they do in callbacks.
  case reaction
  /// Two losses of a connection with writes of one location before, between and after.
  case twoLosses
  /// Windows beside and without a listener of everything, and messages for several children.
  case windows
  /// Listens of one path that overtake each other, while others write there.
  case overtaking
  /// Transactions of one client at a path and above, while others write beside them.
  case contention

  // What affects them.
  case serverWrite
  /// One of those that hunts draw. Clocks go wrong in one of several ways under the name of the
  /// first.
  case fault(FaultKind)
  case storageLost, storageRolledBack, storageFails
  /// Faults that wait for something.
  case trigger

  /// Every kind that can be drawn, with only those faults that hunts draw; the position of a kind
  /// is that of its bit in a `StepKindSet`.
  public static let allCases = weighted.map(\.kind)

  /// How often each is drawn, compared with the others that are possible. What colours others is not
  /// drawn by itself.
  private static let weighted: [(kind: StepKind, weight: Int)] =
    [
      (.listen, 6), (.query, 4), (.once, 3), (.unlisten, 3), (.unlistenAll, 1), (.info, 2),
      (.keepSynced, 2), (.inspect, 2), (.set, 6), (.remove, 3), (.setPriority, 2), (.update, 4),
      (.deepUpdate, 3), (.push, 3), (.transaction, 4), (.onDisconnect, 3),
      (.onDisconnectCancel, 1), (.series, 2), (.serverValue, 0), (.refusal, 0), (.mistake, 2),
      (.goOffline, 3), (.auth, 2), (.twoLosses, 1), (.windows, 2), (.overtaking, 3),
      (.contention, 2), (.serverWrite, 4),
    ] + FaultKind.drawn.map { (.fault($0), $0.lot?.weight ?? 0) } + [
      (.storageLost, 0), (.storageRolledBack, 0), (.storageFails, 2), (.trigger, 0), (.reaction, 4),
    ]

  fileprivate static let weights = weighted.map(\.weight)

  private static let positions = Dictionary(
    uniqueKeysWithValues: allCases.enumerated().map { ($1, $0) })

  /// The position in `allCases`; `nil` for faults that are not drawn.
  var position: Int? { Self.positions[self] }

  /// What reports call it: `half-open`.
  public var rawValue: String {
    switch self {
    case let .fault(kind): kind.lot?.name ?? kind.name
    default: "\(self)".hyphenated
    }
  }

  /// Finds a kind by the name that reports use; `nil` for any other text. Takes linear time in the
  /// number of kinds.
  public init?(rawValue: String) {
    guard let found = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = found
  }

  /// Without which nothing is seen, or nothing happens.
  static let listening: [StepKind] = [.listen, .query]
  static let writing: [StepKind] = [.set, .update, .transaction, .serverWrite]
}

extension String {
  /// A name in the style of reports: `deepUpdate` as `deep-update`.
  fileprivate var hyphenated: String {
    reduce(into: "") { text, letter in
      text += letter.isUppercase ? "-" + letter.lowercased() : String(letter)
    }
  }
}

/// A set of ingredients, as campaigns add them up.
public struct StepKindSet: OptionSet, Hashable, Sendable {
  /// One bit for each kind, the lowest for the first of `StepKind.allCases`.
  public var rawValue: UInt64

  /// Takes bits as they are; those that stand for no kind are kept, and missing in `ingredients`.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// The set of one kind; faults that are not in `StepKind.allCases` share the highest bit.
  public init(_ stepKind: StepKind) {
    self.init(at: stepKind.position ?? 63)
  }

  /// The set of the kind at a position of `StepKind.allCases`.
  init(at position: Int) { rawValue = 1 << UInt64(position) }

  /// The set of all kinds of `StepKind.allCases`.
  public static let all = StepKindSet(StepKind.allCases.map { StepKindSet($0) })

  /// The members in the order of `StepKind.allCases`; takes linear time in their number.
  public var ingredients: [StepKind] {
    StepKind.allCases.indices.filter { contains(StepKindSet(at: $0)) }
      .map { StepKind.allCases[$0] }
  }

  /// The members, each as often as its weight says.
  var weightedKinds: [StepKind] {
    var weightedKinds: [StepKind] = []
    weightedKinds.reserveCapacity(StepKind.weights.reduce(0, +))
    for (position, kind) in StepKind.allCases.enumerated()
    where contains(StepKindSet(at: position)) {
      for _ in 0..<StepKind.weights[position] { weightedKinds.append(kind) }
    }
    return weightedKinds
  }
}
