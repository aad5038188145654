public import ClientInterface
public import Conformance
public import Scenario
internal import Trace

/// A scenario in one profile, run unchanged and with every change that must not matter.
public struct Trial: Sendable {
  /// As it stands.
  public var original: ScenarioResult
  /// In the order of `ScenarioChange.allCases`. Empty unless the original passed: what fails anyway shows
  /// nothing.
  public var variants: [Variant] = []

  /// A scenario with one change.
  public struct Variant: Sendable {
    /// What was changed in the scenario, which should not change how it is judged.
    public var change: ScenarioChange
    /// `unsupported` where the change does not apply, with the reason.
    public var result: ScenarioResult
  }

  /// Runs a scenario and its variants.
  public init(
    _ scenario: Scenario, in profile: Profile, _ runner: ScenarioRunner,
    changes: [ScenarioChange] = ScenarioChange.allCases
  ) {
    original = runner.run(scenario, in: profile)
    guard original.verdict == .pass else { return }
    variants = changes.map { change in
      do throws(UnsupportedReason) {
        return Variant(
          change: change, result: runner.run(try change.applied(to: scenario), in: profile))
      } catch {
        return Variant(
          change: change,
          result: ScenarioResult(
            scenario, profile, seed: runner.seed, .unsupported, reason: error.description))
      }
    }
  }

  /// The variants that were judged otherwise than the original. One in which a fault changes nothing
  /// any more shows nothing.
  public var differing: [Variant] {
    variants.filter { $0.result.verdict.count == .failed && $0.result.verdict != .vacuous }
  }

  /// The trial without what only a report on it needs.
  public var withoutEvidence: Trial {
    var trial = self
    trial.original.trace.forgetEvents()
    for index in trial.variants.indices { trial.variants[index].result.trace.forgetEvents() }
    return trial
  }
}
