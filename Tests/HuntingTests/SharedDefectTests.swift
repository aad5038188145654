import ClientInterface
import Conformance
import Mutants
import Scenario
import Testing

@testable import Hunting

/// Defects that client and shadow share: no comparison with the reference client notices them.
@Suite struct SharedDefectTests {
  @Test(arguments: [
    ("INV-40", "the-last-event-is-lost"),
    ("INV-44", "broken-rerun-sends-the-old-result"),
    ("INV-45", "hash-of-the-result"),
    ("INV-46", "errors-are-not-told"),
    ("INV-46", "transactions-always-succeed"),
    ("INV-47", "transactions-without-a-hash"),
    ("INV-48", "answered-writes-stay-kept"),
    ("INV-48", "transactions-sent-again"),
    ("INV-49", "kept-writes-backwards"),
    ("INV-50", "credential-not-restored"),
    ("INV-51", "data-over-pending-writes"),
    ("INV-51", "parts-count-as-everything"),
  ])
  func `a law notices what the shadow has as well`(invariant: String, name: String) throws {
    let mutant = try #require(Mutant(named: name))
    var found: Set<String> = []

    for seed in UInt64(1)...800 where !found.contains(invariant) {
      let profile = HuntSettings().profile(of: seed)
      guard mutant.profiles.contains(profile) else { continue }
      var runner = ScenarioRunner(seed: seed) { _, profile in mutant.makeClient(profile) }
      runner.serverDefect = mutant.serverDefect
      runner.shadows = { profile in OpenChoices { _ in mutant.makeClient(profile) } }
      let drawn = Generator(profile: profile).scenario(seed: seed)
      for divergence in runner.run(drawn.scenario, in: profile).divergences {
        if case let .broken(invariant, _) = divergence.kind { found.insert(invariant.id) }
      }
    }

    #expect(found.contains(invariant), "\(found.sorted())")
  }
}
