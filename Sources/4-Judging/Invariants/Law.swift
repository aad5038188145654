internal import ClientInterface
public import Scenario
internal import Trace

/// What a law says about an occasion.
enum Judgement {
  case holds
  case violated([InvariantViolation])
  /// It says nothing, for this reason.
  case unknown(Doubt, of: Invariant)

  static func violated(
    _ invariant: Invariant, _ about: InvariantViolation.About, at evidence: Int?,
    _ sentence: String
  ) -> Judgement {
    .violated([
      InvariantViolation(
        invariant: invariant, about: about, evidence: evidence, sentence: sentence)
    ])
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

extension Doubt {
  /// What it may keep the kit from judging where it otherwise would.
  package var invariants: [Invariant] {
    switch self {
    case .reruns:
      [.addedOnce, .presentChild, .lastShownValue, .valueLast, .extracted, .converged]
    case .takenBack: [.newValue]
    case .severalChanges: [.kindsInOrder, .oneValue, .neighbour, .extractedOrder, .trueOnce]
    case .looseOrder: [.neighbour, .extractedOrder, .seenAtOnce, .staysShown, .converged]
    case .serverValues:
      [.committedResult, .seenAtOnce, .staysShown, .trueOnce, .hashOfInput]
    case .otherWrites, .outsideWindow: [.seenAtOnce, .staysShown]
    case .inheritedWrites: [.wholeUpdate, .seenAtOnce, .staysShown, .effectiveInOrder]
    case .unansweredListen: [.trueOnce, .converged]
    case .ownOnDisconnect, .openTransactions: [.trueOnce]
    case .manyWays: [.trueOnce, .atomicTransaction, .hashOfInput]
    case .unclearServer: [.trueOnce, .atomicTransaction, .hashOfInput, .serverOrder]
    case .twoConnections: [.ownIdentity]
    case .unclearRequest: [.effectiveOnce, .hashOfInput]
    case .priorities: [.hashOfInput]
    case .pausedWrites: [.allEnded]
    }
  }
}

extension Invariant {
  /// Why the kit may be unable to judge it where it otherwise would.
  package var doubts: [Doubt] { Doubt.allCases.filter { $0.invariants.contains(self) } }
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
    .acknowledgedIsKept, .requestedOnly,
  ]
}
