internal import ClientInterface
internal import Conformance
public import Exploration
internal import Reports
internal import Scenario
internal import Text
internal import Trace
internal import Tree
internal import Wording

extension SearchReport {
  /// The counts of a sweep and a witness of each way in which runs failed; then an empty line.
  public func text(of sweep: Sweep) -> String {
    let verb = sweep.verdict == .unsupported ? "skipped " : "swept   "
    var lines = ["\(verb)  \(ascii(sweep.scenario.id))  \(sweep.profile.name)"]
    lines += Self.counts(of: sweep)
    for finding in sweep.findings.prefix(Self.reportedFindings) {
      let signature = finding.signature?.text ?? "no signature"
      lines += ["", "  \(counted(finding.count, "run")) with \(ascii(signature))"]
      lines += ascii("after \(finding.faults.joined(separator: ", "))")
        .wrapped(to: TextReport.width - 4).map { "    " + $0 }
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
