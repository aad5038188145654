import ClientInterface
import Conformance
import Mutants
import ReferenceClient
import Scenario
import TestKit
import Testing
import Tree
import Wire

@testable import Search

/// Long scenarios in which clients with a defect fail, made small.
@Suite struct SuspectTests {
  static let long = """
    judge: invariants
    clients: [zoe, yves, xena]
    network: {latency: 3ms..17ms}
    data: {deep: {list: {k1: {n: 4}, k2: {n: 2}, k3: {n: 9}, k4: {n: 7, t: x}}, other: {a: 1}}}
    security: [{path: secret, deny: [read]}]
    persistence: true
    steps:
      - zoe.listen: {path: deep/list, query: {orderBy: n, limitToLast: 2}, as: top}
      - yves.listen: deep/list
      - xena.listen: {path: deep/other, event: value}
      - wait: 40ms
      - yves.set: {path: deep/list/k5, value: {n: 8, t: hello}}
      - xena.update: {path: deep, value: {list/k1/n: 10, other/b: 2}}
      - zoe.transaction: {path: deep/other/a, update: {increment: 3}}
      - settle
      - xena.update: {path: deep/list, value: {k6: {n: 1}, k7: {n: 2}}}
      - settle
      - network.cut: yves
      - yves.set: {path: deep/list/k2/n, value: 20}
      - yves.push: {path: deep/list, value: {n: 1}}
      - wait: 3s
      - server.remove: deep/list/k5
      - xena.remove: deep/list/k1
      - network.heal: yves
      - settle
      - xena.kill
      - zoe.listen: {path: deep/other, event: child_added}
      - xena.start
      - yves.remove: deep/list/k3
      - zoe.set: {path: deep/list/k4, value: {n: 1}}
      - settle
    """

  @Test(arguments: Mutant.examples)
  func `each defect comes down to a few steps`(mutant: Mutant) throws {
    let scenario = try Kit.found(Self.long)
    let failingSetup = Kit.failingSetup(mutant)
    let signature = failingSetup.runner.run(scenario, in: failingSetup.profile).signature
    let result = try #require(failingSetup.shrink(scenario))
    let again = failingSetup.runner.run(result.scenario, in: failingSetup.profile)
    #expect(result.signature == signature)
    #expect(again.signature == signature)
    #expect(result.stepsAfter <= 4)
    #expect(result.isMinimal)
    #expect(result.executions < 200)
  }

  @Test(
    arguments: [
      ("alice.listen: {path: a, query: {limitToLast: 2}}", true),
      ("alice.on: {completion: s, do: [{once: {path: b, query: {limitToLast: 1}}}]}", true),
      ("alice.listen: a", false), ("bob.set: {path: a, value: 1}", false),
    ])
  func `a failure of a window cannot be seen without one`(step: String, isPossible: Bool) throws {
    let scenario = try Kit.found(
      """
      judge: invariants
      clients: [alice, bob]
      steps:
        - alice.set: {path: a, value: 1, as: s}
        - \(step)
      """)
    let position = scenario.steps[0].position
    var result = ScenarioResult(scenario, .firebase, seed: 0, .fail)
    #expect(result.canRecur(in: scenario))

    let target = ClientInterface.Operation.Target("other", Query(limit: .last(5)))
    result.divergences = [
      Divergence(
        .missing(ExpectedEvent(position: position, kind: .event(.value)), next: nil),
        of: .listener(client: "carol", name: "l", target), at: position)
    ]
    #expect(result.canRecur(in: scenario) == isPossible)
  }

  private static let written = """
    judge: invariants
    clients: [zoe, yves]
    data: {list: {a: 1, b: 2}}
    steps:
      - zoe.listen: {path: list, query: {limitToFirst: 2}}
      - yves.listen: list
      - settle
      - yves.set: {path: list/a, value: 3}
      - yves.set: {path: list/b, value: 4}
      - yves.set: {path: list/b, value: 5}
      - settle
    """

  @Test func `forms that a failure needs are stated in the scenario`() throws {
    let scenario = try Kit.found(Self.written)
    let make: ScenarioRunner.Factory = { _, profile in
      // It passes over data that are put below the path of a query.
      ChangedClient(
        profile,
        input: {
          if case let .frame(.put(path, _, _?)) = $0, path.count > 1 { nil } else { $0 }
        })
    }
    func failingSetup(_ seed: UInt64) -> FailingSetup {
      FailingSetup(
        ScenarioRunner(seed: seed, client: make),
        reference: ScenarioRunner(seed: seed, client: Kit.reference),
        profile: .firebase)
    }
    let seed = try #require(
      (1...50 as ClosedRange<UInt64>).first {
        failingSetup($0).runner.run(scenario, in: .firebase).verdict == .fail
      })

    let result = try #require(failingSetup(seed).shrink(scenario))

    let forms = (result.scenario.choices ?? []).filter { choice in
      if case .form = choice { true } else { false }
    }
    #expect(forms.count == 1)
    #expect(failingSetup(0).runner.run(result.scenario, in: .firebase).verdict == .fail)
    #expect(failingSetup(0).runner.run(scenario, in: .firebase).verdict == .pass)
  }
}
