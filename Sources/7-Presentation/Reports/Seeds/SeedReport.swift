internal import ClientInterface
public import Conformance
internal import Scenario
public import Text
public import Trace
internal import Tree

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
    var columns = TextTable([.left, .left, .left])
    let failed = sweeps.filter { $0.tally.failed > 0 }
    for sweep in failed {
      let first = sweep.firstFailing.map { ", first with seed \($0)" } ?? ""
      columns.append([
        ascii(sweep.scenario.id), sweep.profile.name,
        "\(sweep.tally.failed) of \(counted(sweep.runs, "run"))\(first)",
      ])
    }
    return columns.lines.map { "  \(palette.paint("FAIL", .bad))  \($0)" }
  }
}

extension SeedSummary {
  /// The totals as one JSON object on a line of its own.
  public var json: String {
    let failed = sweeps.filter { $0.tally.failed > 0 }
    let verdicts = self.verdicts.map { JSON.Member($0.rawValue, .number(Double(total($0)))) }
    let members: [JSON.Member] =
      [
        .init("runs", .number(Double(runs))),
        .init("scenarios", .number(Double(Set(sweeps.map(\.scenario.id)).count))),
      ] + tally.members + [
        .init("verdicts", .object(verdicts)), .init("failures", .array(failed.map(Self.json))),
        .init("seeds", .string(seeds)),
      ]
    return summaryLine(members, milliseconds: milliseconds)
  }

  private static func json(of sweep: SeedSweep) -> JSON {
    [
      "scenario": .string(sweep.scenario.id), "profile": .string(sweep.profile.name),
      "failed": .number(Double(sweep.tally.failed)), "runs": .number(Double(sweep.runs)),
      "first": sweep.firstFailing.map(seedJSON) ?? .null,
      "ways": .array(
        sweep.ways.map { way in
          [
            "with": .string(way.text), "failed": .number(Double(way.count)),
            "seeds": .array(way.seeds.map(seedJSON)),
          ]
        }),
    ]
  }
}
