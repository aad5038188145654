import ClientInterface
import Conformance
import Mutants
import ReferenceClient
import TestKit
import Testing

/// What may be asked of a client whose clock is wrong.
@Suite struct WrongClockTests {
  /// Times are drawn, so that some seeds show what must be allowed: with seed 2 the client waits
  /// longer than after a connection that it would take for a long one.
  @Test(arguments: ["-5m", "5m"])
  func `a client cannot know how long a connection lived while its clock was set`(
    jump: String
  ) throws {
    let scenario = try Kit.scenario(
      """
      judge: invariants
      clients: [alice]
      steps:
        - network.half-open: {client: alice, notices: client}
        - settle
        - alice.clock: {jump: \(jump)}
        - network.half-open: {client: alice, notices: client}
        - settle
      """)

    for seed in UInt64(0)..<20 {
      let runner = ScenarioRunner(seed: seed) { _, profile in ReferenceClient(profile: profile) }
      let result = runner.run(scenario, in: .firebase)
      #expect(result.signature == nil, "seed \(seed)")
    }
  }

  @Test func `a clock that is wrong but goes right shortens the delay like any other`() throws {
    let scenario = try Kit.scenario(
      """
      judge: invariants
      clients: [alice]
      steps:
        - alice.clock: {skew: -5m}
        - network.half-open: {client: alice, notices: client}
        - settle
        - network.half-open: {client: alice, notices: client}
        - settle
      """)
    let mutant = try #require(Mutant(named: "back-off-never-starts-anew"))

    let found = (UInt64(0)..<20).compactMap { seed in
      ScenarioRunner(seed: seed) { _, profile in mutant.makeClient(profile) }
        .run(scenario, in: .firebase).signature?.text
    }

    #expect(Set(found) == ["inv-29 on-connection"])
  }
}
