internal import ClientInterface
internal import Conformance
internal import Document
public import Exploration
public import Reports
internal import Scenario
internal import Text
internal import Trace
internal import Tree
internal import Wording

/// What trying one fault at every moment of scenarios has shown, as text for people.
public struct SweepReport {
  private var report: TextReport
  /// What the command line must say besides the fault, to run it again.
  private let options: String

  /// How many ways of failing are told.
  private static let reportedFindings = 10

  /// - Parameters:
  ///   - report: How a failure is told.
  ///   - options: What the command line must say besides the fault, to run it again.
  public init(_ report: TextReport, options: String = "") {
    self.report = report
    self.options = options
  }

  /// The counts of a sweep and a witness of each way in which runs failed; then an empty line.
  public func text(of sweep: Sweep) -> String {
    let verb = sweep.verdict == .unsupported ? "skipped " : "swept   "
    var lines = ["\(verb)  \(ascii(sweep.scenario.id))  \(sweep.profile.name)"]
    lines += Self.counts(of: sweep).map { "          " + $0 }
    for finding in sweep.findings.prefix(Self.reportedFindings) {
      let signature = finding.signature?.text ?? "no signature"
      lines += ["", "  \(counted(finding.count, "run")) with \(ascii(signature))"]
      lines += wrapped("after \(finding.faults.joined(separator: ", "))").map { "    " + $0 }
      lines +=
        [""]
        + text(of: finding.witness).split(separator: "\n", omittingEmptySubsequences: false)
        .map(String.init).dropLast()
    }
    let rest = sweep.findings.count - min(sweep.findings.count, Self.reportedFindings)
    if rest > 0 { lines += ["", "  ... \(counted(rest, "more way")) not shown (--format json)"] }
    return lines.map { trimmedEnd($0) + "\n" }.joined() + "\n"
  }

  /// How a run with one fault was judged, and when the fault struck.
  public func text(of witness: Sweep.FailingRun) -> String {
    var report = report
    report.explorationOptions =
      "--fault \(witness.injection)\(options.isEmpty ? "" : " " + options)"
    let line = "  \(witness.injection.fault) struck after: \(ascii(witness.moment))"
    return report.text(of: witness.result) + "\n"
      + Truncation.middle(of: line, to: TextReport.width)
      + "\n"
  }

  private static func counts(of sweep: Sweep) -> [String] {
    if let reason = sweep.reason {
      return ascii(reason).wrapped(to: TextReport.width - 10)
    }
    let failed = sweep.failures == 0 ? "none fails" : "\(sweep.failures) fail"
    let ways = sweep.findings.isEmpty ? "" : " in \(counted(sweep.findings.count, "way"))"
    let total =
      "\(counted(sweep.points, "point")), \(counted(sweep.runs, "run")) with one fault, "
      + "\(sweep.takesEffect) of them changed by it: \(failed)\(ways)"
    let idle = sweep.kinds.filter { $0.takesEffect == 0 }.map(\.name)
    let never = idle.isEmpty ? [] : ["never changed anything: \(idle.joined(separator: ", "))"]
    return ([total] + never).flatMap { $0.wrapped(to: TextReport.width - 10) }
  }

  private func wrapped(_ text: String) -> [String] {
    ascii(text).wrapped(to: TextReport.width - 4)
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
    var columns = TextTable([.left, .left, .left])
    for sweep in sweeps where sweep.verdict == .fail {
      columns.append(["FAIL", ascii(sweep.scenario.id), sweep.profile.name])
    }
    if !columns.lines.isEmpty { lines += columns.lines.map { "  " + $0 } + [""] }
    return (lines + [Tally(sweeps.map(\.verdict)).line]).map { $0 + "\n" }.joined()
  }

  /// The totals as one JSON object on a line of its own.
  public static func json(of sweeps: [Sweep], milliseconds: Double? = nil) -> String {
    let counts: [JSON.Member] = [
      .init("sweeps", .number(Double(sweeps.count))),
      .init("runs", .number(Double(sweeps.reduce(0) { $0 + $1.runs }))),
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
      .init("reason", sweep.reason.map { .string($0) } ?? .null),
      .init("points", .number(Double(sweep.points))),
      .init("runs", .number(Double(sweep.runs))),
      .init("changed", .number(Double(sweep.takesEffect))),
      .init("failures", .number(Double(sweep.failures))),
      .init("faults", .array(sweep.kinds.map(json))),
      .init("findings", .array(sweep.findings.map(json))),
    ]).text + "\n"
  }

  private static func json(of kind: Sweep.Kind) -> JSON {
    .object([
      .init("fault", .string(kind.name)), .init("runs", .number(Double(kind.runs))),
      .init("changed", .number(Double(kind.takesEffect))),
    ])
  }

  private static func json(of finding: Sweep.Finding) -> JSON {
    .object([
      .init("signature", finding.signature.map { .string($0.text) } ?? .null),
      .init("runs", .number(Double(finding.count))),
      .init("faults", .array(finding.faults.map { .string($0) })),
      .init("fault", .string(finding.witness.injection.description)),
      .init("after", .string(finding.witness.moment)),
      .init("divergences", .array(finding.witness.result.divergences.map(\.json))),
    ])
  }
}
