package import AdapterSessions
package import ClientInterface
import Conformance
import Hunting
import Reports
package import Scenario
package import Search
package import System
import Trace

/// Runs of the same with two versions of a client.
package struct VersionRuns {
  private let old: ClientUnderTest
  private let new: ClientUnderTest
  /// What draws the scenarios of seeds, in versions and in an upgrade from one to the other.
  private let hunters: (old: Hunter, new: Hunter, upgraded: Hunter)
  /// Knows the failures that are listed; nil for none.
  private let gate: CIGate?

  /// Whether a program has failed so often that nothing more is run.
  package var hasGivenUp: Bool { old.hasGivenUp || new.hasGivenUp }

  /// - Parameters:
  ///   - old: The older version.
  ///   - new: The newer version.
  ///   - gate: Knows the failures that are listed; nil for none.
  ///   - profile: The profile of drawn scenarios; nil has the seeds take turns.
  /// - Throws: `Failure.file` when the rules cannot be read.
  package init(
    _ old: ClientUnderTest, _ new: ClientUnderTest, gate: CIGate? = nil, profile: String? = nil
  ) throws(Failure) {
    (self.old, self.new, self.gate) = (old, new, gate)
    let settings = HuntSettings(profile: profile)
    func hunter(_ subject: ClientUnderTest) throws(Failure) -> Hunter {
      try settings.hunter(of: subject, corpus: nil, known: .init())
    }
    hunters = (
      try hunter(old), try hunter(new), try hunter(ClientUnderTest(old, upgradedTo: new))
    )
  }

  /// Runs a scenario with both.
  ///
  /// - Returns: How they compare, and how an upgrade compares with the older version, if one was possible
  ///   and shows something else.
  package func compare(
    _ scenario: Scenario, in profile: Profile, seed: UInt64
  ) -> [VersionComparison] {
    compare { subject, _ in subject.runner(seed: seed).run(scenario, in: profile) }
  }

  /// Runs the scenario that a seed draws with both, without what one of them cannot do.
  package func compare(drawn seed: UInt64) -> [VersionComparison] {
    let profile = hunters.old.settings.profile(of: seed)
    let scenario = hunters.old.drawn(seed).scenario
      .limited(to: hunters.new.capabilities(in: profile))
    return compare { $1.run(scenario, seed: seed) }
  }

  private func compare(
    _ run: (ClientUnderTest, Hunter) -> ScenarioResult
  ) -> [VersionComparison] {
    let before = run(old, hunters.old)
    let comparison = compare(before, run(new, hunters.new))
    guard comparison.ruling != .unjudged, before.trace.findsStorage else { return [comparison] }
    let upgraded = run(ClientUnderTest(old, upgradedTo: new), hunters.upgraded)
    let upgrade = compare(before, upgraded, isUpgrade: true).news(beside: comparison)
    return [comparison] + (upgrade.map { [$0] } ?? [])
  }

  private func compare(
    _ before: ScenarioResult, _ after: ScenarioResult, isUpgrade: Bool = false
  ) -> VersionComparison {
    var comparison = VersionComparison(before, after, isUpgrade: isUpgrade)
    if comparison.ruling.isAgainst, let gate {
      comparison.isKnown = !gate.isNew(RunRecord(after, nil).runEnd)
    }
    return comparison
  }
}

extension Trace {
  /// Whether a process finds what an earlier one has stored.
  fileprivate var findsStorage: Bool {
    events.contains { event in
      if case let .input(_, input) = event.kind {
        input.opening?.storage.isEmpty == false
      } else {
        false
      }
    }
  }
}
