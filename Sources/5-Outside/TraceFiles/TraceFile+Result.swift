public import Conformance
public import Scenario
internal import Simulator

extension TraceFile {
  /// What is kept of a run.
  ///
  /// - Parameters:
  ///   - result: The run, with its events.
  ///   - client: The client under test, as the command line calls it.
  ///   - kit: The version of the kit.
  ///   - sources: The texts that the scenario was read from, its own file first.
  ///   - choices: What makes an ordinary run go the same way, where that is not all that the result
  ///     says itself: as for a run whose order was explored.
  public init(
    of result: ScenarioResult, client: String, kit: String, sources: [Source],
    choices: [Scenario.Choice]? = nil
  ) {
    let scenario = result.scenario
    self.init(
      header: Header(
        kit: kit, scenario: scenario.id, title: scenario.title, file: scenario.file,
        profile: result.profile, seed: result.seed, client: client, clients: scenario.clients,
        judging: scenario.judging, choices: choices ?? result.choices, sources: sources,
        session: result.liveSession),
      trace: result.trace,
      end: End(
        verdict: result.verdict, reason: result.reason,
        divergences: result.divergences.map(\.json)))
  }
}

extension ScenarioResult {
  /// What is known at the beginning of a run by the machine's clock; `nil` for one in virtual time.
  fileprivate var liveSession: TraceFile.LiveSession? {
    if epoch == Configuration.standardEpoch { return nil }
    return TraceFile.LiveSession(epoch: epoch, data: scenario.data)
  }
}
