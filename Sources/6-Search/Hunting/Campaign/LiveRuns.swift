public import ClientInterface
public import Conformance
public import Scenario

/// What a hunt on a real clock runs scenarios with.
public struct LiveRuns {
  /// How many runs it may take to make a scenario small: each takes seconds.
  static let shrinkingLimit = 50

  /// What all clients can do.
  public var capabilities: Set<String>
  /// What of a drawn scenario can be run.
  public var limited: (Scenario) -> Scenario
  /// Runs a scenario in a profile with a seed, as often as it takes to know that a failure is one.
  public var run: (Scenario, Profile, UInt64) -> ScenarioResult
  /// Runs it once.
  public var runOnce: (Scenario, Profile, UInt64) -> ScenarioResult

  /// Takes what a hunt does not know of clients, server and clock.
  public init(
    capabilities: Set<String>, limited: @escaping (Scenario) -> Scenario,
    run: @escaping (Scenario, Profile, UInt64) -> ScenarioResult,
    runOnce: @escaping (Scenario, Profile, UInt64) -> ScenarioResult
  ) {
    self.capabilities = capabilities
    self.limited = limited
    (self.run, self.runOnce) = (run, runOnce)
  }
}
