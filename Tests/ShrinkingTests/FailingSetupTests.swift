import ClientInterface
import Conformance
import Mutants
import ReferenceClient
import Scenario
import Shrinking
import Testing

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
    let scenario = try Kit.scenario(Self.long)
    let result = try #require(Kit.failingSetup(mutant).shrink(scenario))
    #expect(result.stepsAfter <= 4)
    #expect(result.isMinimal)
    #expect(result.scenario.judging == .expectations)
    #expect(result.executions < 200)
  }
}
