internal import ClientInterface
internal import Conformance
internal import Document
public import Exploration
internal import Reports
internal import Scenario
internal import Text
internal import Trace
internal import Tree
internal import Wording

/// The end of an exploration, and its lines for programs.
public enum ExplorationSummary {
  /// The totals, what failed, and the line for programs.
  public static func text(of surveys: [ExplorationResult], milliseconds: Double? = nil) -> String {
    let orders = surveys.reduce(0) { $0 + $1.orders + $1.drawn + ($1.nearby?.orders ?? 0) }
    let total = "\(counted(orders, "order")) of \(counted(surveys.count, "run"))"
    var lines = [total + elapsed(milliseconds), ""]
    let failed = surveys.filter { $0.verdict.count == .failed }
    lines += SearchReport.failed(failed) { ($0.verdict.rawValue, $0.scenario, $0.profile.name) }
    return (lines + [Tally(surveys.map(\.verdict)).line]).map { $0 + "\n" }.joined()
  }

  /// The totals as one JSON object on a line of its own.
  public static func json(of surveys: [ExplorationResult], milliseconds: Double? = nil) -> String {
    let orders = surveys.reduce(0) { $0 + $1.orders + $1.drawn + ($1.nearby?.orders ?? 0) }
    let counts: [JSON.Member] = [
      .init("runs", .number(Double(surveys.count))), .init("orders", .number(Double(orders))),
    ]
    return summaryLine(
      counts + Tally(surveys.map(\.verdict)).members, milliseconds: milliseconds)
  }
}

extension ExplorationSummary {
  /// What was explored in one profile, as one JSON object on a line of its own.
  public static func line(of survey: ExplorationResult) -> String {
    JSON.object([
      .init("scenario", .string(survey.scenario.id)),
      .init("file", .string(survey.scenario.file)),
      .init("profile", .string(survey.profile.name)),
      .init("verdict", .string(survey.verdict.rawValue)),
      .init("reason", survey.reason.map { .string($0) } ?? .null),
      .init("judge", .string(survey.scenario.judging.rawValue)),
      .init("orders", .number(Double(survey.orders))),
      .init("drawn", .number(Double(survey.drawn))),
      .init("complete", .bool(survey.isComplete)),
      .init("failures", .number(Double(survey.failures))),
      .init("unreduced", survey.unreduced.map { .number($0.rounded()) } ?? .null),
      .init("nearby", survey.nearby.map(json) ?? .null),
      .init("failure", survey.failure.map(json) ?? .null),
      .init("unreached", .array(survey.unreached.map(json))),
      .init("outcomes", .array(survey.findings.map { json(of: $0, survey.scenario.clients) })),
    ]).text + "\n"
  }

  private static func json(of failure: ExplorationResult.Failure) -> JSON {
    .object([
      .init("order", .string(failure.witness.description)),
      .init("moves", .array(failure.words.map { .string($0) })),
      .init("divergences", .array(failure.result.divergences.map(\.json))),
    ])
  }

  private static func json(of nearby: ExplorationResult.Nearby) -> JSON {
    .object([
      .init("orders", .number(Double(nearby.orders))),
      .init("delays", nearby.delays.map { .number(Double($0)) } ?? .null),
    ])
  }

  private static func json(of location: ExplorationResult.Location) -> JSON {
    .object([
      .init("file", .string(location.file)),
      .init("line", .number(Double(location.position.line))),
      .init("column", .number(Double(location.position.column))),
    ])
  }

  private static func json(of finding: ExplorationResult.Finding, _ names: [String]) -> JSON {
    .object([
      .init("orders", .number(Double(finding.count))),
      .init("failed", .bool(finding.hasFailed)),
      .init("order", .string(finding.witness.description)),
      .init("moves", .array(finding.words.map { .string($0) })),
      .init(
        "shown",
        .array(
          finding.runOutcome.threads.map { .string(OutcomeDifference.line(of: $0, names: names)) })),
      .init("server", finding.runOutcome.server.json),
    ])
  }
}
