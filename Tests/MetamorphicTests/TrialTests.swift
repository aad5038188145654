import ClientInterface
import Conformance
import Metamorphic
import Mutants
import TestKit
import Testing

@Suite struct TrialTests {
  private let story = """
    clients: [alice, bob]
    data: {room: {a: 1}}
    steps:
      - alice.listen: {path: room, as: feed}
      - expect: {alice.feed: [{child_added: a, value: 1, prev: null}, {value: {a: 1}}]}
      - bob.set: {path: room/b, value: 2}
      - expect:
          alice.feed: [{child_added: b, value: 2, prev: a}, {value: {a: 1, b: 2}}]
          server: {room: {a: 1, b: 2}}
          converged: true
    """

  /// Shows every one of the first mutants.
  private let manyDefects = """
    clients: [alice, bob]
    data: {room: {a: 1, b: 2, c: 3, d: 4}}
    steps:
      - alice.listen: {path: room, query: {limitToFirst: 2}, as: feed}
      - expect:
          alice.feed:
            - {child_added: a, value: 1, prev: null}
            - {child_added: b, value: 2, prev: a}
            - {value: {a: 1, b: 2}}
      - network.cut: alice
      - alice.set: {path: room/a, value: 4}
      - expect-now: {alice.feed: [{child_changed: a, value: 4, prev: null}, {value: {a: 4, b: 2}}]}
      - network.heal: alice
      - expect: {server: {room: {a: 4, b: 2, c: 3, d: 4}}}
      - bob.remove: room/a
      - expect:
          alice.feed:
            - {child_removed: a, value: 4}
            - {child_added: c, value: 3, prev: b}
            - {value: {b: 2, c: 3}}
      - bob.set: {path: room/a, value: 1}
      - expect:
          alice.feed:
            - {child_removed: c, value: 3}
            - {child_added: a, value: 1, prev: null}
            - {value: {a: 1, b: 2}}
      - bob.update: {path: room, value: {a: null, b: null}}
      - expect:
          alice.feed:
            - {child_removed: a, value: 1}
            - {child_removed: b, value: 2}
            - {child_added: c, value: 3, prev: null}
            - {child_added: d, value: 4, prev: c}
            - {value: {c: 3, d: 4}}
    """

  @Test func `a client that is right is right whatever changes`() throws {
    for profile in Profile.all {
      let trial = try Kit.trial(story, in: profile)

      #expect(trial.variants.map(\.change) == ScenarioChange.allCases)
      #expect(trial.variants.map(\.result.verdict) == ScenarioChange.allCases.map { _ in .pass })
    }
  }

  @Test(arguments: [
    (MutantClient.Defect.nearsighted, [ScenarioChange.deeperRoot]),
    (.particularAboutNames, [.renamedKeys]),
    (.oneListenerAPath, [.twinListeners]),
    (.knowsOnePath, [.otherListener]),
    (.repeatsItself, [.reconnection]),
    (.sharesMemory, [.otherClient]),
  ])
  func `a defect that a scenario does not show is shown by a change`(
    defect: MutantClient.Defect, changes: [ScenarioChange]
  ) throws {
    var count = MutantClient.Count()
    let trial = Trial(
      try Kit.scenario(story), in: .firebase,
      ScenarioRunner { name, profile in
        // Each run is a process of its own.
        if name == "alice" { count = MutantClient.Count() }
        return MutantClient(profile, defect, count)
      })

    #expect(trial.original.verdict == .pass)
    #expect(trial.differing.map(\.change) == changes)
  }

  @Test func `of what fails as it stands nothing else is tried`() throws {
    let trial = try Kit.trial(story) { Mutant.valueFirst.makeClient($1) }

    #expect(trial.original.verdict == .fail)
    #expect(trial.variants.isEmpty)
  }

  @Test(arguments: Mutant.examples)
  func `a changed scenario is as strict as it was`(mutant: Mutant) throws {
    let runner = ScenarioRunner { mutant.makeClient($1) }
    let scenario = try Kit.scenario(manyDefects)

    #expect(Kit.run(scenario).verdict == .pass)
    #expect(runner.run(scenario, in: .firebase).verdict == .fail)
    for change in ScenarioChange.allCases {
      let result = runner.run(try change.applied(to: scenario), in: .firebase)
      #expect(result.verdict == .fail, "\(change.name)")
    }
  }
}
