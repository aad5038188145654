internal import ClientInterface
public import Conformance
internal import Document
public import Metamorphic
internal import Scenario
public import Search
internal import Trace
internal import Tree

/// What searches have shown, as text for people: every order that scenarios leave open, one fault
/// at every moment, and changes that must not matter.
public struct SearchReport {
  /// How a failure is reported.
  let report: TextReport
  /// The options of `kennel explore` that repeat a run that was found.
  private let options: Options

  /// The options of `kennel explore` that repeat a run that was found.
  public typealias Options = (RepeatedRun, Found) -> [String]

  /// What a search has found.
  public enum Found: Hashable, Sendable {
    case order(Order)
    case fault(Sweep.FaultInjection)
  }

  /// How many outcomes, or ways of failing, of a scenario are reported.
  static let reportedFindings = 10

  /// - Parameters:
  ///   - report: How a failure is reported.
  ///   - options: The options of `kennel explore` that repeat a run that was found.
  public init(_ report: TextReport, options: @escaping Options = { _, _ in [] }) {
    self.report = report
    self.options = options
  }

  /// How the failure of a run is reported that a search has found.
  func report(repeating found: Found) -> TextReport {
    var report = report
    report.command = "explore"
    report.options = { options($0, found) }
    return report
  }

  /// Lines that stand below the id of a scenario.
  static func wrapped(_ text: String) -> [String] {
    TextReport.paragraph(text, indentation: 10)
  }

  /// The text of a failure in lines, after an empty one.
  static func lines(of failure: String) -> [String] {
    [""]
      + failure.split(separator: "\n", omittingEmptySubsequences: false).map(String.init).dropLast()
  }

  /// `FAIL  races/two-writers  firebase`, for each run that failed, and an empty line behind them.
  static func failed<Run>(_ runs: [Run], _ cells: (Run) -> (String, Scenario, String)) -> [String] {
    let rows = runs.map { run in
      let (verdict, scenario, profile) = cells(run)
      return [verdict.uppercased(), ascii(scenario.id), profile]
    }
    return rows.isEmpty ? [] : TextTable(rows).lines.map { "  " + $0 } + [""]
  }

  /// The counts of a sweep and a witness of each way in which runs failed; then an empty line.
  public func text(of sweep: Sweep) -> String {
    let verb = sweep.verdict == .unsupported ? "skipped " : "swept   "
    var lines = ["\(verb)  \(ascii(sweep.scenario.id))  \(sweep.profile.name)"]
    lines += Self.counts(of: sweep)
    for finding in sweep.findings.prefix(Self.reportedFindings) {
      let signature = finding.signature?.text ?? "no signature"
      lines += ["", "  \(counted(finding.count, "run")) with \(ascii(signature))"]
      let faults = finding.faults.joined(separator: ", ")
      lines += TextReport.paragraph("after \(faults)", indentation: 4)
      lines += Self.lines(of: text(of: finding.witness))
    }
    let rest = sweep.findings.count - min(sweep.findings.count, Self.reportedFindings)
    if rest > 0 { lines += ["", "  ... \(counted(rest, "more way")) not shown (--format json)"] }
    return lines.map { trimmedEnd($0) + "\n" }.joined() + "\n"
  }

  /// How a run with one fault was judged, and when the fault struck.
  public func text(of witness: Sweep.FailingRun) -> String {
    let report = report(repeating: .fault(witness.injection))
    let line = "  \(witness.injection.fault) struck after: \(ascii(witness.moment))"
    return report.text(of: witness.result) + "\n"
      + Truncation.middle(of: line, to: TextReport.width)
      + "\n"
  }

  private static func counts(of sweep: Sweep) -> [String] {
    if let reason = sweep.reason { return wrapped(reason) }
    let failed = sweep.failures == 0 ? "none fails" : "\(sweep.failures) fail"
    let ways = sweep.findings.isEmpty ? "" : " in \(counted(sweep.findings.count, "way"))"
    let total =
      "\(counted(sweep.points, "point")), \(counted(sweep.runs, "run")) with one fault, "
      + "\(sweep.takesEffect) of them changed by it: \(failed)\(ways)"
    let idle = sweep.kinds.filter { $0.takesEffect == 0 }.map(\.name)
    let never = idle.isEmpty ? [] : ["never changed anything: \(idle.joined(separator: ", "))"]
    return ([total] + never).flatMap(wrapped)
  }
}

/// The end of a sweep over several scenarios, and its lines for programs.
public enum SweepSummary {
  /// The totals, what failed, and the line for programs.
  public static func text(of sweeps: [Sweep], milliseconds: Double? = nil) -> String {
    let runs = sweeps.reduce(0) { $0 + $1.runs }
    let takesEffect = sweeps.reduce(0) { $0 + $1.takesEffect }
    var lines = [
      "\(counted(runs, "run")) with one fault, \(takesEffect) of them changed by it"
        + elapsed(milliseconds), "",
    ]
    let failed = sweeps.filter { $0.verdict == .fail }
    lines += SearchReport.failed(failed) { ($0.verdict.rawValue, $0.scenario, $0.profile.name) }
    return (lines + [Tally(sweeps.map(\.verdict)).line]).map { $0 + "\n" }.joined()
  }

  /// The totals as one JSON object on a line of its own.
  public static func json(of sweeps: [Sweep], milliseconds: Double? = nil) -> String {
    let counts: [JSON.Member] = [
      .init("sweeps", .count(sweeps.count)),
      .init("runs", .count(sweeps.reduce(0) { $0 + $1.runs })),
    ]
    return summaryLine(counts + Tally(sweeps.map(\.verdict)).members, milliseconds: milliseconds)
  }

  /// A sweep as one JSON object on a line of its own.
  public static func line(of sweep: Sweep) -> String {
    JSON.object([
      .init("scenario", .string(sweep.scenario.id)),
      .init("file", .string(sweep.scenario.file)),
      .init("profile", .string(sweep.profile.name)),
      .init("verdict", .string(sweep.verdict.rawValue)),
      .init("reason", .optional(sweep.reason)),
      .init("points", .count(sweep.points)),
      .init("runs", .count(sweep.runs)),
      .init("changed", .count(sweep.takesEffect)),
      .init("failures", .count(sweep.failures)),
      .init("faults", .array(sweep.kinds.map(json))),
      .init("findings", .array(sweep.findings.map(json))),
    ]).text + "\n"
  }

  private static func json(of kind: Sweep.Kind) -> JSON {
    .object([
      .init("fault", .string(kind.name)), .init("runs", .count(kind.runs)),
      .init("changed", .count(kind.takesEffect)),
    ])
  }

  private static func json(of finding: Sweep.Finding) -> JSON {
    .object([
      .init("signature", finding.signature.map { .string($0.text) } ?? .null),
      .init("runs", .count(finding.count)),
      .init("faults", .strings(finding.faults)),
      .init("fault", .string(finding.witness.injection.description)),
      .init("after", .string(finding.witness.moment)),
      .init("divergences", .array(finding.witness.result.divergences.map(\.json))),
    ])
  }
}

extension SearchReport {
  /// The trials of one scenario in several profiles: a failure of the scenario itself as in any
  /// run, and for each change that made a difference what it was and how the changed scenario
  /// failed.
  public func text(of trials: [Trial]) -> String {
    var variants = report
    variants.isMetamorphic = true
    return report.text(of: trials.map(\.original))
      + ScenarioChange.allCases.map { change in
        let failed = trials.flatMap(\.differing).filter { $0.change == change }.map(\.result)
        guard let first = failed.first else { return "" }
        return heading(of: change, first.scenario) + variants.text(of: failed)
      }.joined()
  }

  private func heading(of change: ScenarioChange, _ scenario: Scenario) -> String {
    let sentence = "passes unchanged, but not with \(change.phrase)"
    let lines = ["differs   \(ascii(scenario.id))  \(change.name)"] + Self.wrapped(sentence) + [""]
    return lines.map { $0 + "\n" }.joined()
  }
}

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
    let changes = ScenarioChange.allCases.map { change in
      (change.name, trials.flatMap(\.variants).filter { $0.change == change }.map(\.result))
    }
    let rows = ([("as it stands", trials.map(\.original))] + changes).map {
      [$0, tally($1).line]
    }
    return TextTable(rows).lines.map { "  " + $0 }
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
    let rows = trials.flatMap { trial in
      let failed = trial.differing.map { ($0.change.name, $0.result) }
      let original = trial.original
      let own = original.verdict.count == .failed ? [("as it stands", original)] : []
      return (own + failed).map { name, result in
        [
          result.verdict.rawValue.uppercased(), name, ascii(result.scenario.id),
          result.profile.name,
        ]
      }
    }
    return TextTable(rows).lines.map { "  " + $0 }
  }

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
      [.init("runs", .count(results.count))] + tally(results).members
      + [JSON.Member("differing", .array(failures))]
    return summaryLine(members, milliseconds: milliseconds)
  }
}
