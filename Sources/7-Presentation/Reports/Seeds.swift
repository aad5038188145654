public import ClientInterface
public import Conformance
public import Document
public import Scenario
public import Trace
internal import Tree

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

/// What running scenarios with many seeds has shown, as text for people.
public struct SeedReport {
  private let report: TextReport

  /// - Parameter report: How a failure is reported.
  public init(_ report: TextReport) {
    self.report = report
  }

  /// The sweeps of one scenario in several profiles: the first run that failed in each, and which
  /// other seeds fail; nothing when none does.
  public func text(of sweeps: [SeedSweep]) -> String {
    let failures = report.text(of: sweeps.compactMap(\.failure))
    let lines = sweeps.flatMap { sweep -> [String] in
      let count = sweep.tally.failed
      guard count > 0 else { return [] }
      let verb = count == 1 ? "fails" : "fail"
      return ["seeds  \(ascii(sweep.scenario.id))  \(sweep.profile.name)"]
        + ["       \(count) of \(counted(sweep.runs, "run")) \(verb)"] + sweep.ways.map(Self.line)
        + [""]
    }
    return failures + lines.map { $0 + "\n" }.joined()
  }

  /// `         2 with inv-23 listener: 17, 45`.
  private static func line(of way: SeedSweep.FailureGroup) -> String {
    let seeds = way.seeds.map(String.init).joined(separator: ", ")
    let rest = way.count > way.seeds.count ? ", ..." : ""
    return Truncation.middle(
      of:
        "         \(way.count) with \(ascii(way.text)): \(seeds)\(rest)", to: TextReport.width)
  }
}

/// The end of a run with many seeds.
public struct SeedSummary {
  private let sweeps: [SeedSweep]
  private let seeds: String
  private let milliseconds: Double?

  /// - Parameters:
  ///   - sweeps: In the order in which they were run.
  ///   - seeds: The seeds of the run: `1..100`.
  ///   - milliseconds: How long it took by the clock on the wall; `nil` leaves it out.
  public init(of sweeps: [SeedSweep], seeds: String, milliseconds: Double? = nil) {
    self.sweeps = sweeps
    self.seeds = seeds
    self.milliseconds = milliseconds
  }

  /// How the runs count.
  public var tally: Tally {
    var tally = Tally()
    for sweep in sweeps { tally += sweep.tally }
    return tally
  }

  /// Whether no run passed or failed, so that nothing is known of the client.
  public var isEmpty: Bool { tally.passed == 0 && tally.failed == 0 }

  /// All verdicts that there were.
  public var verdicts: [Verdict] { Verdict.allCases.filter { total($0) > 0 } }

  private func total(_ verdict: Verdict) -> Int { sweeps.reduce(0) { $0 + $1.count(verdict) } }

  private var runs: Int { sweeps.reduce(0) { $0 + $1.runs } }

  /// The counts by verdict, why runs were skipped, what failed with how many seeds, and the line
  /// for programs.
  public func text(_ palette: Palette = .plain) -> String {
    let scenarios = counted(Set(sweeps.map(\.scenario.id)).count, "scenario")
    let verdicts = verdicts.map { "\(total($0)) \($0.rawValue)" }
    let list = verdicts.isEmpty ? "nothing ran" : verdicts.joined(separator: ", ")
    let head = "\(counted(runs, "run")) of \(scenarios): \(list)   seeds \(seeds)"
    var lines = [head + elapsed(milliseconds)] + skipped + [""]
    let failures = failures(palette)
    if !failures.isEmpty { lines += failures + [""] }
    return (lines + [tally.line]).map { $0 + "\n" }.joined()
  }

  private var skipped: [String] {
    var reasons = TextCounts()
    for skip in sweeps.flatMap(\.skips.entries) { reasons.add(skip.text, skip.count) }
    return reasons.entries.map { "  \($0.count) \($0.text)" }
  }

  private func failures(_ palette: Palette) -> [String] {
    let rows = sweeps.filter { $0.tally.failed > 0 }.map { sweep in
      let first = sweep.firstFailing.map { ", first with seed \($0)" } ?? ""
      return [
        ascii(sweep.scenario.id), sweep.profile.name,
        "\(sweep.tally.failed) of \(counted(sweep.runs, "run"))\(first)",
      ]
    }
    return TextTable(rows).lines.map { "  \(palette.paint("FAIL", .bad))  \($0)" }
  }

  /// The totals as one JSON object on a line of its own.
  public var json: String {
    let failed = sweeps.filter { $0.tally.failed > 0 }
    let verdicts = self.verdicts.map { JSON.Member($0.rawValue, .count(total($0))) }
    let members: [JSON.Member] =
      [
        .init("runs", .count(runs)),
        .init("scenarios", .count(Set(sweeps.map(\.scenario.id)).count)),
      ] + tally.members + [
        .init("verdicts", .object(verdicts)), .init("failures", .array(failed.map(Self.json))),
        .init("seeds", .string(seeds)),
      ]
    return summaryLine(members, milliseconds: milliseconds)
  }

  private static func json(of sweep: SeedSweep) -> JSON {
    [
      "scenario": .string(sweep.scenario.id), "profile": .string(sweep.profile.name),
      "failed": .count(sweep.tally.failed), "runs": .count(sweep.runs),
      "first": sweep.firstFailing.map(seedJSON) ?? .null,
      "ways": .array(
        sweep.ways.map { way in
          [
            "with": .string(way.text), "failed": .count(way.count),
            "seeds": .array(way.seeds.map(seedJSON)),
          ]
        }),
    ]
  }
}
