import ClientInterface
import Conformance
import Hosting
import Scenario
import TestKit
import Testing
import Wire

/// SDKs in the two styles, run by scenarios.
@Suite struct ExampleTests {
  private static let ids = [
    "writes/tiny-client", "writes/pending-write-hides-the-server",
    "faults/second-of-three-writes-lost",
    "writes/other-children-show-through",
  ]

  /// The SDKs of these tests understand one wording of a change, whatever the seed.
  private func scenario(_ id: String) throws -> Scenario {
    var scenario = try Kit.projectScenario(id)
    scenario.form = .asWritten
    return scenario
  }

  private func results(
    _ ids: [String], seeds: ClosedRange<UInt64> = 0...0, _ make: @escaping (Profile) -> HostedClient
  ) throws -> [ScenarioResult] {
    try ids.map { try scenario($0) }.flatMap { scenario in
      seeds.flatMap { seed in
        scenario.profiles.map { profile in
          ScenarioRunner(seed: seed) { _, profile in make(profile) }.run(scenario, in: profile)
        }
      }
    }
  }

  private func failures(of results: [ScenarioResult]) -> [String] {
    results.filter { $0.verdict != .pass }.map {
      "\($0.scenario.id): \($0.reason ?? "") \($0.divergences)"
    }
  }

  private func callbacks(_ profile: Profile) -> HostedClient {
    HostedClient(
      profile: profile, capabilities: CallbackGlue.capabilities,
      callbacks: { CallbackGlue($0) })
  }

  private func async(_ profile: Profile) -> HostedClient {
    HostedClient(
      profile: profile, capabilities: AsyncGlue.capabilities, async: { AsyncGlue($0) })
  }

  @Test func `an SDK with callbacks passes`() throws {
    #expect(try failures(of: results(Self.ids, callbacks)) == [])
  }

  @Test func `an SDK is called from inside its callbacks`() throws {
    #expect(try failures(of: results(["callbacks/set-in-a-value-event"], callbacks)) == [])
  }

  @Test func `an SDK that is awaited passes with every order of its tasks`() throws {
    #expect(try failures(of: results(Self.ids, seeds: 0...20, async)) == [])
  }

  @Test func `a race between the tasks of an SDK is found, and found again with the same seed`()
    throws
  {
    func failures() throws -> [UInt64] {
      try results(["faults/second-of-three-writes-lost"], seeds: 0...20) { profile in
        HostedClient(
          profile: profile, capabilities: AsyncGlue.capabilities,
          async: { AsyncGlue($0, isCareless: true) })
      }.filter { $0.verdict == .fail }.map(\.seed)
    }
    let found = try failures()

    #expect(!found.isEmpty && Set(found).count < 21)
    #expect(try failures() == found)
  }

  @Test func `the same seed gives the same run`() throws {
    let first = try results(Self.ids, seeds: 1...5, async).map(\.hash)
    let second = try results(Self.ids, seeds: 1...5, async).map(\.hash)

    #expect(first == second)
  }
}
