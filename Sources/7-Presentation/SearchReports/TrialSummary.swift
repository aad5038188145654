internal import ClientInterface
public import Conformance
public import Metamorphic
internal import Reports
internal import Scenario
internal import Text
internal import Trace
internal import Tree

/// The end of a run with changed scenarios, and its lines for programs.
public enum TrialSummary {
  /// What came of each change, why some do not apply, what failed, and the line for programs.
  public static func text(of trials: [Trial], milliseconds: Double? = nil) -> String {
    let scenarios = Set(trials.map(\.original.scenario.id)).count
    let runs = results(of: trials).count { $0.verdict != .unsupported }
    let total = "\(counted(runs, "run")) of \(counted(scenarios, "scenario")) and variants of them"
    let parts = [[total + elapsed(milliseconds)], table(trials), reasons(trials), failures(trials)]
    let blocks = parts.filter { !$0.isEmpty }.map { $0.map { $0 + "\n" }.joined() + "\n" }
    return blocks.joined() + tally(results(of: trials)).line + "\n"
  }

  /// All that was run or not, the originals too.
  public static func results(of trials: [Trial]) -> [ScenarioResult] {
    trials.flatMap { [$0.original] + $0.variants.map(\.result) }
  }

  private static func tally(_ results: [ScenarioResult]) -> Tally { Tally(results.map(\.verdict)) }

  private static func table(_ trials: [Trial]) -> [String] {
    var columns = TextTable([.left, .left])
    add("as it stands", trials.map(\.original), to: &columns)
    for change in ScenarioChange.allCases {
      let results = trials.flatMap(\.variants).filter { $0.change == change }.map(\.result)
      add(change.name, results, to: &columns)
    }
    return columns.lines.map { "  " + $0 }
  }

  private static func add(_ name: String, _ results: [ScenarioResult], to columns: inout TextTable)
  {
    columns.append([name, tally(results).line])
  }

  /// `  24 reconnection: on-disconnect operations would be done`, as they came up for each change.
  private static func reasons(_ trials: [Trial]) -> [String] {
    ScenarioChange.allCases.flatMap { change in
      let left = trials.flatMap(\.variants).filter {
        $0.change == change && $0.result.verdict == .unsupported
      }
      let reasons = TextCounts(left.map { ascii($0.result.reason ?? "no reason given") })
      return reasons.entries.map {
        Truncation.middle(
          of: "  \($0.count) without \(change.name): \($0.text)", to: TextReport.width)
      }
    }
  }

  private static func failures(_ trials: [Trial]) -> [String] {
    var columns = TextTable([.left, .left, .left, .left])
    for trial in trials {
      let failed = trial.differing.map { ($0.change.name, $0.result) }
      let original = trial.original
      let own = original.verdict.count == .failed ? [("as it stands", original)] : []
      for (name, result) in own + failed {
        columns.append([
          result.verdict.rawValue.uppercased(), name, ascii(result.scenario.id),
          result.profile.name,
        ])
      }
    }
    return columns.lines.map { "  " + $0 }
  }
}

extension TrialSummary {
  /// A trial as one JSON object a line: the unchanged scenario, whose `change` is null, and then
  /// its variants.
  public static func lines(of trial: Trial) -> String {
    JSONReport.line(of: trial.original, change: .null)
      + trial.variants.map { JSONReport.line(of: $0.result, change: .string($0.change.name)) }
      .joined()
  }

  /// The totals as one JSON object on a line of its own.
  public static func json(of trials: [Trial], milliseconds: Double? = nil) -> String {
    let results = results(of: trials)
    let failures = trials.flatMap(\.differing).map { variant -> JSON in
      [
        "scenario": .string(variant.result.scenario.id),
        "profile": .string(variant.result.profile.name),
        "change": .string(variant.change.name),
        "verdict": .string(variant.result.verdict.rawValue),
      ]
    }
    let members =
      [.init("runs", .number(Double(results.count)))] + tally(results).members
      + [JSON.Member("differing", .array(failures))]
    return summaryLine(members, milliseconds: milliseconds)
  }
}
