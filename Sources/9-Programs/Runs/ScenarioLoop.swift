package import ClientInterface
package import Scenario
package import System

/// What came of running every scenario in every profile that is asked for: many times each, as
/// searches and repetitions do.
package struct ScenarioLoop<Outcome> {
  /// In the order of the scenarios, and then of the profiles.
  package private(set) var outcomes: [Outcome] = []
  /// How many scenarios were left out in a profile, because the client had given up or a signal came.
  package private(set) var left = 0
  /// How long it all took by the clock on the wall.
  package private(set) var milliseconds = 0.0

  /// - Parameters:
  ///   - scenarios: What is run, in this order.
  ///   - profiles: The profiles in which a scenario is run.
  ///   - goesOn: Whether the client can still be run.
  ///   - run: Runs a scenario in a profile, as often as it takes.
  ///   - show: Gets what came of one scenario in all profiles, at once.
  ///   - keep: What is kept of an outcome when it has been shown.
  /// - Throws: What `run` and `show` throw.
  package init(
    over scenarios: [Scenario], in profiles: (Scenario) -> [Profile],
    while goesOn: () -> Bool = { true }, run: (Scenario, Profile) throws(Failure) -> Outcome,
    show: ([Outcome]) throws(Failure) -> Void, keep: (Outcome) -> Outcome
  ) throws(Failure) {
    let start = Measurement.now
    Interrupt.begin()
    for scenario in scenarios {
      var inProfiles: [Outcome] = []
      for profile in profiles(scenario) {
        if goesOn(), !Interrupt.hasCome() {
          inProfiles.append(try run(scenario, profile))
        } else {
          left += 1
        }
      }
      if !inProfiles.isEmpty { try show(inProfiles) }
      outcomes += inProfiles.map(keep)
    }
    milliseconds = Double(Measurement.now - start) / 1_000_000
  }
  /// What the process ends with: that of these outcomes, or the signal that ended the loop early.
  package func exitCode(_ code: ExitCode) -> ExitCode {
    guard left > 0, let signal = Interrupt.signal() else { return code }
    return ExitCode(signal: signal)
  }
}
