import ClientInterface
import Conformance
import ReferenceClient
import Scenario
import TestKit
import Testing
import Tree

/// What no comparison with the reference client can notice, because it has the same defect.
@Suite struct LawTests {
  /// The scenario in which another writer's data were lost, without expectations.
  private func steps() throws -> Scenario {
    try Kit.scenario(
      """
      judge: invariants
      clients: [alice]
      data: {room: {a: 1, b: 1}}
      steps:
        - alice.listen: {path: room, event: value}
        - settle
        - alice.transaction: {path: room/a, update: {increment: 1}}
        - alice.transaction: {path: room, update: {merge: {c: 1}}}
        - server.set: {path: room/b, value: 2}
        - settle
      """)
  }

  @Test(arguments: Profile.all)
  func `a defect that client and shadow share is noticed where the server accepts`(
    profile: Profile
  ) throws {
    func make(_ profile: Profile) -> ReferenceClient {
      ReferenceClient(profile: profile) { policy in
        policy.functionsSeeParts = false
        policy.newInputCausesReruns = false
      }
    }
    var runner = ScenarioRunner { make($1) }
    runner.shadows = { profile in OpenChoices { _ in make(profile) } }

    let result = runner.run(try steps(), in: profile)

    let broken = result.divergences.compactMap { divergence -> String? in
      if case let .broken(invariant, _) = divergence.kind { invariant.id } else { nil }
    }
    #expect(!broken.isEmpty)
    #expect(Set(broken).isSubset(of: ["INV-44", "INV-45"]))
  }

  @Test(arguments: [([1, 0, 1], false), ([1, 1, 1], true)])
  func `two open points may count only together, and no more of them`(
    other: [Int], isFound: Bool
  ) throws {
    func make(_ profile: Profile, _ isOther: Bool) -> ReferenceClient {
      ReferenceClient(profile: profile) { $0.breakdownsAreErrors = !isOther }
    }
    var runner = ScenarioRunner { make($1, true) }
    runner.shadows = { profile in
      OpenChoices(points: [2, 2, 2]) { make(profile, $0 == other) }
    }
    let scenario = try Kit.scenario(
      """
      judge: invariants
      clients: [alice]
      steps:
        - alice.transaction: {path: room, update: {fail: true}}
        - settle
      """)

    let result = runner.run(scenario, in: .firebase)

    let differs = result.divergences.contains { if case .shadow = $0.kind { true } else { false } }
    #expect(differs == isFound)
  }

  @Test(arguments: Profile.all)
  func `the reference client loses nothing there`(profile: Profile) throws {
    #expect(Kit.run(try steps(), in: profile).divergences.isEmpty)
  }

  @Test func `a write that is made again after it was given up on its way is another one`() throws {
    let scenario = try Kit.scenario(
      """
      judge: invariants
      clients: [alice]
      steps:
        - alice.listen: {path: room, event: value}
        - settle
        - alice.set: {path: room/a, value: 1}
        - alice.purge-writes
        - alice.set: {path: room/a, value: 1}
        - settle
      """)

    #expect(Kit.run(scenario).verdict == .pass)
  }
  @Test func `a write that ended with its connection does not take effect later`() throws {
    let scenario = try Kit.scenario(
      """
      judge: invariants
      clients: [alice]
      steps:
        - alice.listen: {path: room, event: value}
        - settle
        - alice.set: {path: room/a, value: 1}
        - network.drop: alice
        - settle
      """)

    let result = Kit.run(scenario, client: "writes-fail-with-the-connection")
    let broken = result.divergences.compactMap { divergence -> String? in
      if case let .broken(invariant, _) = divergence.kind { invariant.id } else { nil }
    }
    #expect(broken.contains("INV-48"), "\(broken)")
  }

  @Test func `a get that shows other data than the answer is noticed`() throws {
    let scenario = try Kit.scenario(
      """
      judge: invariants
      profiles: [firebase]
      clients: [alice]
      data: {hall: {b: 1}}
      steps:
        - alice.get: {path: hall}
        - settle
      """)
    let runner = ScenarioRunner {
      MutantClient(client: ReferenceClient(profile: $1)) { input, outputs, _ in
        if case .call = input { return outputs }
        return outputs.addingToValues("other")
      }
    }

    let result = runner.run(scenario, in: .firebase)

    let broken = result.divergences.compactMap { divergence -> String? in
      if case let .broken(invariant, _) = divergence.kind { invariant.id } else { nil }
    }
    #expect(broken.contains("INV-59"), "\(broken)")
  }
}

extension [ClientOutput] {
  fileprivate func addingToValues(_ key: String) -> [ClientOutput] {
    map { output in
      guard case .event(var event) = output else { return output }
      event.value = event.value.setting(Node(1), at: Key(key))
      return .event(event)
    }
  }
}
