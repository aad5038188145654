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

  @Test(arguments: [false, true])
  func `a connection is asked for offline only when it is given up in the same turn`(
    isKept: Bool
  ) throws {
    let steps = try Kit.scenario(
      """
      judge: invariants
      clients: [alice]
      data: {room: {a: 1}}
      steps:
        - alice.listen: {path: room, event: child_added, as: one}
        - alice.listen: {path: room, event: child_added, as: two}
        - alice.on: {listener: one, do: [go-offline, go-online]}
        - alice.on: {listener: two, do: [go-offline]}
        - settle
      """)
    let runner = ScenarioRunner { _, profile in
      MutantClient(client: ReferenceClient(profile: profile)) { _, outputs, _ in
        guard isKept, let connect = outputs.lastIndex(of: .connect) else { return outputs }
        return outputs[...connect] + outputs[connect...].dropFirst().filter { $0 != .disconnect }
      }
    }

    let result = runner.run(steps, in: .firebase)

    let broken = result.divergences.filter { divergence in
      if case .broken(.staysOffline, _) = divergence.kind { true } else { false }
    }
    #expect(broken.isEmpty == !isKept)
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

  /// Many writes under a listener, before the first is answered, and another writer's beside them.
  private func backlog(_ more: String = "") throws -> Scenario {
    let writes = (0..<60).map { "  - alice.set: {path: room/k\($0), value: \($0)}" }
    return try Kit.scenario(
      """
      judge: invariants
      clients: [alice, bob]
      data: {room: {old: {a: 1}}}
      steps:
        - alice.listen: {path: room, event: value}
        - alice.listen: {path: room/old, event: value}
        - settle
      \(writes.prefix(30).joined(separator: "\n"))
        - bob.set: {path: room/other, value: 1}
      \(more)
        - wait: 25ms
      \(writes.suffix(30).joined(separator: "\n"))
        - settle
      """)
  }

  private func broken(_ scenario: Scenario, from first: Int, adding key: String?) -> Set<String> {
    let runner = ScenarioRunner {
      MutantClient(client: ReferenceClient(profile: $1)) { input, outputs, memory in
        if case .call(_, .set) = input { memory.number += 1 }
        guard let key, memory.number >= first else { return outputs }
        return outputs.addingToValues(key)
      }
    }
    let found = runner.run(scenario, in: .firebase).divergences
    return Set(
      found.compactMap { if case let .broken(invariant, _) = $0.kind { invariant.id } else { nil } }
    )
  }

  @Test(arguments: [
    ("", true), ("  - alice.remove: room/old", true),
    ("  - alice.set: {path: room, value: {k1: 5, x: 1}}", true),
    ("  - alice.set-priority: {path: room/k2, priority: 3}", true),
    ("  - alice.update: {path: room, value: {k4: 9, old/b: 2}}", true),
    ("  - alice.transaction: {path: room/k3, update: {increment: 1}}", false),
    ("  - network.cut: alice", false),
  ])
  func `many pending writes are judged as few are`(more: String, isCertain: Bool) throws {
    let scenario = try backlog(more)

    #expect(broken(scenario, from: 0, adding: nil).isEmpty)
    #expect(broken(scenario, from: 20, adding: "stray").contains("INV-51"))
    if isCertain { #expect(broken(scenario, from: 45, adding: "stray").contains("INV-51")) }
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
