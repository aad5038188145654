internal import ClientInterface
public import Scenario
internal import Trace

/// An invariant with the check that decides it, on one kind of occasion.
///
/// A check looks at a model of the run and changes nothing, so each can be read, and run, by itself.
struct Law<Occasion>: Sendable {
  let invariant: Invariant
  /// Why it may say nothing about an occasion.
  let doubts: [Doubt]
  let check: @Sendable (Occasion) -> Judgement

  init(
    _ invariant: Invariant, unknown doubts: [Doubt] = [],
    _ check: @escaping @Sendable (Occasion) -> Judgement
  ) {
    self.invariant = invariant
    self.doubts = doubts
    self.check = check
  }
}

/// What a law says about an occasion.
enum Judgement {
  case holds
  case violated([Violation])
  /// It says nothing, for this reason.
  case unknown(Doubt)

  /// What shows that a law does not hold.
  struct Violation {
    var about: InvariantViolation.About
    /// The event of the trace that shows it; `nil` when something did not happen.
    var evidence: Int?
    var sentence: String
    var details: [String] = []
  }

  static func violated(
    _ about: InvariantViolation.About, at evidence: Int?, _ sentence: String
  ) -> Judgement {
    .violated([Violation(about: about, evidence: evidence, sentence: sentence)])
  }
}

/// All laws, by what they are asked about.
enum Laws {
  /// What is decided on one kind of occasion, and why it may not be.
  static let byOccasion: [[(invariant: Invariant, doubts: [Doubt])]] = [
    decided(EventLaws.all), decided(EventLaws.lifetimes), decided(CallLaws.all),
    decided([LinkLaws.staysOffline, LinkLaws.boundedBackOff]),
    decided([KeyLaws.timeInKey]), decided([ListenLaws.restoredClaim]),
    decided([VouchingLaws.sentHash]),
    decided([TurnLaws.reactions, TurnLaws.ends] + TurnLaws.shown),
    decided(AcceptanceLaws.all),
    decided([SettledLaws.requestedAtAll, SettledLaws.allEnded] + SettledLaws.listens),
    decided(SettledLaws.listeners),
    // What is true of the run as a whole: see InvariantMonitor.judgeSettled.
    [(.comesBack, []), (.serverOrder, [.unclearServer])],
    // What the monitor of the wire finds.
    [(.helloComesFirst, []), (.numbered, []), (.listensOnce, []), (.takesBackOwn, [])],
  ]

  private static func decided<Occasion>(
    _ laws: [Law<Occasion>]
  ) -> [(invariant: Invariant, doubts: [Doubt])] {
    laws.map { ($0.invariant, $0.doubts) }
  }
}

extension Invariant {
  /// Why the kit may be unable to judge it where it otherwise would.
  package var doubts: [Doubt] {
    let doubts = Laws.byOccasion.joined().filter { $0.invariant == self }.flatMap(\.doubts)
    return Doubt.allCases.filter(doubts.contains)
  }
}

/// Why a law says nothing about an occasion on which it could have, as a sentence has it.
package enum Doubt: String, Error, CaseIterable, Hashable, Sendable {
  case reruns = "a transaction ran again"
  case takenBack = "something that was shown was taken back"
  case severalChanges = "the turn has several changes"
  case looseOrder = "the profile leaves the order open"
  case serverValues = "the server fills something in"
  case otherWrites = "other writes of the client lie over it"
  case outsideWindow = "what lies outside a window decides"
  case inheritedWrites = "an earlier process may have left writes"
  case unansweredListen = "the server has not said all that is there"
  case ownOnDisconnect = "the client may show what it left for its disconnection"
  case manyWays = "it may have come about in too many ways"
  case unclearServer = "it is not certain what the server has"
  case twoConnections = "the client may have two connections"
  case unclearRequest = "it is not certain which call a request carries"
  case priorities = "priorities may decide"
  case pausedWrites = "writes may wait until the next sign-in"
  case openTransactions = "the result of a transaction may be shown"

  /// One word, which files of results have.
  package var name: String { "\(self)" }

  /// The reason with this name; `nil` where there is none.
  package init?(name: String) {
    guard let doubt = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = doubt
  }

  package var text: String { rawValue }
}

/// How often laws said nothing, and why.
package struct Doubts: Hashable, Sendable {
  private var counts: [Key: Int] = [:]

  private struct Key: Hashable {
    let invariant: Int
    let doubt: Doubt
  }

  package init() {}

  package mutating func add(_ doubt: Doubt, of invariant: Invariant, times count: Int = 1) {
    counts[Key(invariant: invariant.number, doubt: doubt), default: 0] += count
  }

  package static func += (sum: inout Doubts, more: Doubts) {
    sum.counts.merge(more.counts, uniquingKeysWith: +)
  }

  /// How often each law said nothing, by reason: the most frequent reason first, the laws in their
  /// order; without those that always could judge.
  package var byInvariant: [(invariant: Invariant, reasons: [(doubt: Doubt, count: Int)])] {
    if counts.isEmpty { return [] }
    return Invariant.all.compactMap { invariant in
      let reasons = Doubt.allCases.compactMap { doubt in
        counts[Key(invariant: invariant.number, doubt: doubt)].map { (doubt: doubt, count: $0) }
      }
      if reasons.isEmpty { return nil }
      return (invariant, reasons.sorted { $0.count > $1.count })
    }
  }
}

extension Invariant {
  /// Those that are judged of clients that have a clock of their own: what they say does not depend
  /// on when a client saw a message. Specs/invariants.md explains why it is these.
  public static let judgedOnRealClock: Set<Invariant> = [
    .addedOnce, .presentChild, .lastShownValue, .withinLimit, .withinRange, .askedFor,
    .silentAfterCancel, .onceIsOnce, .endsOnce, .ascendingKeys, .numbered, .allEnded,
    .acknowledgedIsKept, .requestedOnly, .noneBefore, .failedOrCommitted,
  ]
}
