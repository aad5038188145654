public import Conformance
internal import Scenario
public import TraceFiles

extension TraceFile {
  /// What is kept of a run.
  ///
  /// - Parameters:
  ///   - result: The run, with its events.
  ///   - client: The client under test, as the command line calls it.
  ///   - kit: The version of the kit.
  ///   - sources: The texts that the scenario was read from, its own file first.
  public init(of result: ScenarioResult, client: String, kit: String, sources: [Source]) {
    let scenario = result.scenario
    self.init(
      header: Header(
        kit: kit, scenario: scenario.id, title: scenario.title, file: scenario.file,
        profile: result.profile, seed: result.seed, client: client, clients: scenario.clients,
        choices: result.choices, sources: sources),
      trace: result.trace,
      end: End(
        verdict: result.verdict, reason: result.reason,
        divergences: result.divergences.map(JSONReport.json)))
  }
}
