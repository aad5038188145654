package import Scenario

/// Why a law says nothing about an occasion on which it could have.
package enum Doubt: Int, CaseIterable, Hashable, Sendable {
  case reruns, takenBack, severalChanges, looseOrder, serverValues, otherWrites, outsideWindow
  case inheritedWrites, unansweredListen, ownOnDisconnect, manyWays, unclearServer
  case twoConnections, unclearRequest, priorities, pausedWrites

  /// One word, which files of results have.
  package var name: String { "\(self)" }

  /// The reason with this name; `nil` where there is none.
  package init?(name: String) {
    guard let doubt = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = doubt
  }

  /// The reason as a sentence has it.
  package var text: String {
    switch self {
    case .reruns: "a transaction ran again"
    case .takenBack: "something that was shown was taken back"
    case .severalChanges: "the turn has several changes"
    case .looseOrder: "the profile leaves the order open"
    case .serverValues: "the server fills something in"
    case .otherWrites: "other writes of the client lie over it"
    case .outsideWindow: "what lies outside a window decides"
    case .inheritedWrites: "an earlier process may have left writes"
    case .unansweredListen: "the server has not said all that is there"
    case .ownOnDisconnect: "the client may show what it left for its disconnection"
    case .manyWays: "it may have come about in too many ways"
    case .unclearServer: "it is not certain what the server has"
    case .twoConnections: "the client may have two connections"
    case .unclearRequest: "it is not certain which call a request carries"
    case .priorities: "priorities may decide"
    case .pausedWrites: "writes may wait until the next sign-in"
    }
  }
}

/// How often laws said nothing, and why.
package struct Doubts: Hashable, Sendable {
  /// By the number of the invariant, and in it by the doubt.
  private var counts: [Int] = []

  package init() {}

  private static let width = Doubt.allCases.count
  private static let size = ((Invariant.all.map(\.number).max() ?? 0) + 1) * width

  package mutating func add(_ doubt: Doubt, of invariant: Invariant, times count: Int = 1) {
    if counts.isEmpty { counts = Array(repeating: 0, count: Self.size) }
    counts[invariant.number * Self.width + doubt.rawValue] += count
  }

  package static func += (sum: inout Doubts, more: Doubts) {
    if sum.counts.isEmpty { sum.counts = more.counts; return }
    for index in more.counts.indices { sum.counts[index] += more.counts[index] }
  }

  /// How often each law said nothing, by reason: the most frequent reason first, the laws in their
  /// order; without those that always could judge.
  package var byInvariant: [(invariant: Invariant, reasons: [(doubt: Doubt, count: Int)])] {
    if counts.isEmpty { return [] }
    return Invariant.all.compactMap { invariant in
      let reasons = Doubt.allCases.map {
        (doubt: $0, count: counts[invariant.number * Self.width + $0.rawValue])
      }.filter { $0.count > 0 }
      if reasons.isEmpty { return nil }
      return (
        invariant, reasons.sorted { ($1.count, $0.doubt.rawValue) < ($0.count, $1.doubt.rawValue) }
      )
    }
  }
}
