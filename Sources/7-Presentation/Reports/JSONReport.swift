internal import ClientInterface
public import Conformance
internal import Document
internal import Scenario
internal import Trace
internal import TraceFiles
package import Tree

/// Results as lines of JSON for programs. Names of members never change and always come in the same
/// order; members may be added.
public enum JSONReport {
  /// One result as one object on a line of its own.
  ///
  /// - Parameters:
  ///   - result: The run.
  ///   - report: Looks for what tells most about a failure; `nil` leaves that out.
  /// - Returns: The line, ending with a line feed.
  public static func line(of result: ScenarioResult, _ report: TextReport? = nil) -> String {
    line(of: result, change: nil, report)
  }

  /// One result as one object on a line of its own, with how the scenario was changed before it was
  /// run.
  package static func line(
    of result: ScenarioResult, change: JSON?, _ report: TextReport? = nil
  ) -> String {
    let changes = change.map { [JSON.Member("change", $0)] } ?? []
    let divergences = report?.divergences(of: result) ?? result.divergences.map(\.json)
    return JSON.object(changes + members(of: result, divergences)).text + "\n"
  }

  /// The members of the object for one result, with its divergences.
  static func members(of result: ScenarioResult, _ divergences: [JSON]) -> [JSON.Member] {
    [
      .init("scenario", .string(result.scenario.id)),
      .init("title", .string(result.scenario.title)),
      .init("file", .string(result.scenario.file)),
      .init("rules", .array(result.scenario.rules.map { .string($0.id) })),
      .init("profile", .string(result.profile.name)),
      .init("seed", seedJSON(result.seed)),
      .init("verdict", .string(result.verdict.rawValue)),
      .init("reason", .optional(result.reason)),
      .init("signature", result.signature.map { .string($0.text) } ?? .null),
      .init("steps", .count(result.scenario.steps.count)),
      .init("stepsRun", .count(result.stepsRun)),
      .init("hash", .string(result.hash.description)),
      .init("divergences", .array(divergences)),
      .init("events", .count(result.trace.count)),
      .init("checkpoints", .array(result.trace.checkpoints.map { .string($0.description) })),
      .init("unusedChoices", .array(result.unusedChoices.map { .string($0.description) })),
      .init("loweredChoices", .array(result.loweredChoices.map { .string($0.description) })),
      .init("circumstances", .strings(result.context)),
      .init(
        "parting",
        result.firstDifference.map { json(of: $0, result.scenario, result.profile) } ?? .null),
    ]
  }

  /// The first event that two runs of the same do not share, as traces have it.
  static func json(
    of firstDifference: TraceDifference, _ scenario: Scenario, _ profile: Profile
  ) -> JSON {
    func json(_ event: TraceEvent?) -> JSON {
      event.map { $0.json(clients: scenario.clients, profile.dialect) } ?? .null
    }
    return [
      "event": .count(firstDifference.number), "first": json(firstDifference.first),
      "second": json(firstDifference.second),
    ]
  }
}
