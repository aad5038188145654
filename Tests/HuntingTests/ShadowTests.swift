import ClientInterface
import Conformance
import Mutants
import ReferenceClient
import Testing

@testable import Hunting

/// What the shadow notices in scenarios that are drawn, and what it leaves alone.
@Suite struct ShadowTests {
  private func differences(
    _ seeds: ClosedRange<UInt64>, in profiles: [Profile] = Profile.all,
    _ client: @escaping (Profile) -> any SyncClient
  ) -> [String] {
    seeds.filter { profiles.contains(HuntSettings().profile(of: $0)) }
      .compactMap { difference($0, client) }
  }

  /// What differs in the run of a seed; `nil` for nothing.
  private func difference(
    _ seed: UInt64, _ client: @escaping (Profile) -> any SyncClient
  ) -> String? {
    let profile = HuntSettings().profile(of: seed)
    var runner = ScenarioRunner(seed: seed) { _, profile in client(profile) }
    runner.invariants = .ignored
    runner.shadows = ReferenceClient.shadows(in:)
    let drawn = Generator(profile: profile).scenario(seed: seed)
    return runner.run(drawn.scenario, in: profile).signature.map { "\(seed): \($0)" }
  }

  @Test func `the reference client is its own shadow`() {
    #expect(differences(1...400) { ReferenceClient(profile: $0) } == [])
  }

  /// Processes that find a torn text, then what they have stored themselves.
  @Test(arguments: [UInt64(20223), 21206])
  func `what was stored while the shadow could not follow is not compared`(seed: UInt64) {
    #expect(differences(seed...seed) { ReferenceClient(profile: $0) } == [])
  }

  /// Data for a listen that was taken back arrive while the same query is listened to again.
  @Test func `what arrives for a listen that was taken back is for nobody`() {
    #expect(differences(207960...207960) { ReferenceClient(profile: $0) } == [])
  }

  @Test(arguments: Mutant.benign)
  func `a conforming variant is left alone`(variant: Mutant) {
    #expect(differences(1...40, in: variant.profiles) { variant.makeClient($0) } == [])
  }

  @Test(arguments: ["value-first", "stale-previous-key", "lost-echo", "no-refill"])
  func `a defect is noticed without any invariant`(name: String) throws {
    let mutant = try #require(Mutant(named: name))

    let seeds = UInt64(1)...250
    #expect(seeds.contains { difference($0, { mutant.makeClient($0) }) != nil })
  }
}
