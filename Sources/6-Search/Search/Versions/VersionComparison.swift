public import ClientInterface
public import Conformance
internal import Document
public import Scenario
internal import Trace

/// A scenario run with two versions of a client, or with one that is replaced by the other when its
/// process is started again.
public struct VersionComparison: Sendable {
  /// Whether the rules decide between the two versions.
  public enum Ruling: String, CaseIterable, Sendable {
    /// The older version passes, and the newer one fails.
    case against = "against-new"
    /// Both fail, and not alike.
    case otherFailure = "other-failure"
    /// The newer version passes, and the older one fails.
    case inFavour = "for-new"
    /// Both pass: the rules leave it open.
    case open
    /// Both fail alike.
    case bothFail = "both-fail"
    /// One of them cannot be judged by the scenario.
    case unjudged

    /// Whether it speaks against the newer version.
    public var isAgainst: Bool { self == .against || self == .otherFailure }
  }

  /// What was run with both versions.
  public let scenario: Scenario
  /// The profile in which it was run.
  public let profile: Profile
  /// The seed of both runs.
  public let seed: UInt64
  /// Whether the newer version opens what the older one has stored.
  public let isUpgrade: Bool
  /// Whether the rules decide between the two runs.
  public let ruling: Ruling
  /// Whether a list of known failures has that of the newer version.
  public var isKnown = false
  /// Whether only the newer version cannot be judged by the scenario.
  public let isLost: Bool
  /// What the version does wrong that fails, of both the newer one; why one cannot be judged.
  public let sentence: String?
  /// The rule that it breaks first.
  public let rule: String?
  /// What differs, in the order of time, of each aspect the first.
  public private(set) var differences: [VersionDifference]
  /// The cause of the failure that the rules decide by.
  private let failure: String?

  /// Compares two runs of one scenario.
  ///
  /// - Precondition: Both traces have kept their events.
  public init(_ old: ScenarioResult, _ new: ScenarioResult, isUpgrade: Bool = false) {
    (scenario, profile, seed) = (new.scenario, new.profile, new.seed)
    self.isUpgrade = isUpgrade
    let ruling = Ruling(old, new)
    self.ruling = ruling
    isLost = ruling == .unjudged && old.verdict.count != .skipped
    let judged: ScenarioResult? =
      switch ruling {
      case .against, .otherFailure, .bothFail: new
      case .inFavour: old
      case .unjudged: isLost ? new : old
      case .open: nil
      }
    sentence = judged?.sentence
    rule = judged?.divergences.first?.rules.first
    failure = ruling == .open ? nil : judged.map { $0.cause?.text ?? $0.verdict.rawValue }
    differences = ruling == .unjudged ? [] : VersionDifference.all(from: old.trace, to: new.trace)
    // Two orders that both are right, and lead to the same.
    let isFree = ruling == .open && old.serverTree == new.serverTree
    for index in differences.indices {
      differences[index].isFree = isFree && differences[index].deviation.way == .reordered
    }
  }

  /// Leaves out what the newer version does as well where it has stored everything itself.
  ///
  /// - Returns: `nil` where nothing remains.
  public func news(beside other: VersionComparison) -> VersionComparison? {
    let known = Set(other.differences.flatMap(\.deviation.causes))
    var news = self
    news.differences.removeAll { !known.isDisjoint(with: $0.deviation.causes) }
    return news.differences.isEmpty && ruling == other.ruling ? nil : news
  }

  /// Whether it speaks against the newer version, and no list says so.
  public var isRed: Bool { ruling.isAgainst && !isKnown }

  /// Whether there is nothing to report, unless orders are that the rules leave open.
  public func isEqual(withOrders: Bool = false) -> Bool {
    findings(withOrders: withOrders).isEmpty
  }

  /// Whether only orders differ that the rules leave open.
  public var isReordered: Bool { isEqual() && !isEqual(withOrders: true) }

  /// What is reported, with the causes that it can be put down to.
  fileprivate func findings(
    withOrders: Bool
  ) -> [(difference: VersionDifference?, causes: [String])] {
    let shown = differences.filter { withOrders || !$0.isFree }
    let prefix = isUpgrade ? "upgrade: " : ""
    if shown.isEmpty, let failure, ![.bothFail, .unjudged].contains(ruling) {
      return [(nil, [prefix + failure])]
    }
    return shown.map { ($0, $0.deviation.causes.map { prefix + $0 }) }
  }
}

extension VersionComparison.Ruling {
  fileprivate init(_ old: ScenarioResult, _ new: ScenarioResult) {
    switch (old.verdict.count, new.verdict.count) {
    case (.skipped, _), (_, .skipped): self = .unjudged
    case (.passed, .passed): self = .open
    case (.passed, .failed): self = .against
    case (.failed, .passed): self = .inFavour
    case (.failed, .failed): self = old.signature == new.signature ? .bothFail : .otherFailure
    }
  }
}

/// What differs in several runs, and has one cause as far as that shows.
public struct VersionGroup: Sendable {
  /// A run in which it differs.
  public struct Member: Sendable {
    /// The two runs that differ.
    public let run: VersionComparison
    /// How it shows there; `nil` where only the verdicts differ.
    public let difference: VersionDifference?
    /// Whether it is the first that differs in the run. Of others it is not known whether they follow from
    /// that.
    public let isFirst: Bool
  }

  /// The cause in the words by which failures are grouped: `missing-event child_added`, `late send put`.
  public let cause: String
  /// In the order in which they were run.
  public let members: [Member]

  /// Groups what differs so that few causes explain all of it: first what speaks against the newer
  /// version, then what is first in most scenarios.
  public static func groups(
    of runs: [VersionComparison], withOrders: Bool = false
  ) -> [VersionGroup] {
    let found = runs.flatMap { run in
      run.findings(withOrders: withOrders).enumerated().map { index, finding in
        (
          causes: finding.causes,
          member: Member(run: run, difference: finding.difference, isFirst: index == 0)
        )
      }
    }
    let causes = FailureGroups.causes(of: found.map(\.causes))
    let groups = zip(causes, found).map { ($0, $1.member) }.grouped { $0.0 }.map { group in
      VersionGroup(cause: group[0].0, members: group.map(\.1))
    }
    return groups.enumerated().sorted { first, second in
      let (a, b) = (first.element, second.element)
      return (a.isRed ? 0 : 1, -a.firsts.count, first.offset) < (
        b.isRed ? 0 : 1, -b.firsts.count, second.offset
      )
    }.map(\.element)
  }

  /// Where nothing differs before it.
  public var firsts: [Member] { members.filter(\.isFirst) }

  /// Whether it is the first to differ in a run that speaks against the newer version.
  public var isRed: Bool { firsts.contains(where: \.run.isRed) }

  /// The run with the fewest steps; where there is one, of those in which nothing differs before it.
  public var shortest: Member {
    let candidates = firsts.isEmpty ? members : firsts
    return candidates.dropFirst().reduce(candidates[0]) { shortest, member in
      member.run.scenario.steps.count < shortest.run.scenario.steps.count ? member : shortest
    }
  }

  /// The ids of the scenarios, each once, in order.
  public var scenarios: [String] { members.map(\.run.scenario.id).unique() }

  /// How often the rules decide so.
  public func count(_ ruling: VersionComparison.Ruling) -> Int {
    members.count { $0.run.ruling == ruling }
  }

  /// The rules that decide, in the order in which they came up.
  public var rules: [String] {
    members.filter { ![.open, .unjudged].contains($0.run.ruling) }.compactMap(\.run.rule).unique()
  }

  /// By how much it is later, or earlier where that is negative; `nil` for what is not the same at another
  /// time.
  public var delays: ClosedRange<Interval>? {
    let delays = members.compactMap { $0.difference?.delay }
    return delays.min().flatMap { low in delays.max().map { low...$0 } }
  }
}
