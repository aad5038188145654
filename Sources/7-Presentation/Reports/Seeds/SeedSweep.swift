public import ClientInterface
public import Conformance
public import Scenario
internal import Text
public import Trace

/// What running one scenario in one profile with many seeds has shown.
public struct SeedSweep: Sendable {
  /// The scenario that ran with every seed.
  public let scenario: Scenario
  /// The profile in which it ran with every seed.
  public let profile: Profile
  /// How many runs there were.
  public private(set) var runs = 0
  /// In how many ways runs failed, in the order in which they came up.
  public private(set) var ways: [FailureGroup] = []
  /// The first run that failed.
  public private(set) var failure: ScenarioResult?
  /// Why runs were skipped, in the order in which the reasons came up.
  private(set) var skips = TextCounts()
  private var counts: [Verdict: Int] = [:]

  /// Runs that failed alike.
  public struct FailureGroup: Hashable, Sendable {
    /// What they have in common: their signature, or the verdict where there is none.
    public var text: String
    /// How many runs failed in this way, which may be more than the seeds that are kept.
    public var count: Int
    /// The first few, in their order.
    public var seeds: [UInt64]
  }

  /// How many seeds are kept of each way of failing.
  private static let keptSeeds = 8

  /// A sweep without runs so far; `add` counts each.
  public init(_ scenario: Scenario, in profile: Profile) {
    self.scenario = scenario
    self.profile = profile
  }

  /// Counts a run.
  ///
  /// - Parameters:
  ///   - result: How it went.
  ///   - seed: The seed that it was given; a scenario that states its own runs with that.
  public mutating func add(_ result: ScenarioResult, seed: UInt64) {
    runs += 1
    counts[result.verdict, default: 0] += 1
    switch result.verdict.count {
    case .passed: break
    case .failed:
      if failure == nil { failure = result }
      add(way: result.signature?.text ?? result.verdict.rawValue, seed)
    case .skipped:
      let reason = "\(result.verdict.rawValue): \(ascii(result.reason ?? "no reason given"))"
      skips.add(reason)
    }
  }

  private mutating func add(way text: String, _ seed: UInt64) {
    guard let index = ways.firstIndex(where: { $0.text == text }) else {
      ways.append(FailureGroup(text: text, count: 1, seeds: [seed]))
      return
    }
    ways[index].count += 1
    if ways[index].seeds.count < Self.keptSeeds { ways[index].seeds.append(seed) }
  }

  /// How many runs had a verdict.
  public func count(_ verdict: Verdict) -> Int { counts[verdict] ?? 0 }

  /// How the runs count.
  public var tally: Tally {
    var tally = Tally()
    for verdict in Verdict.allCases { tally.add(verdict.count, count(verdict)) }
    return tally
  }

  /// The first seed with which it failed.
  public var firstFailing: UInt64? { ways.first?.seeds.first }

  /// The sweep without what only the report on its failure needs.
  public var withoutEvidence: SeedSweep {
    var sweep = self
    sweep.failure = nil
    return sweep
  }
}
