import ClientInterface
import Conformance
import Scenario
import Search
import TestKit
import Testing
import Tree

/// What faults did to the server's data, although nothing failed.
@Suite struct FaultEffectTests {
  private let effect = FaultEffect(
    Kit.runner(), in: .firebase)

  private func scenario(_ steps: String) throws -> Scenario {
    try Kit.found(
      "clients: [alice, bob]\nprofiles: [firebase]\nrules: [WRT-1]\nsteps:\n" + steps)
  }

  @Test func `an increment that was made twice is left with what it needs`() throws {
    let session = try scenario(
      """
        - bob.listen: {path: other, as: l}
        - alice.set: {path: other, value: 1}
        - bob.set: {path: third, value: 1}
        - network.lose-acknowledgement: alice
        - alice.set: {path: n, value: {.sv: {increment: 1}}}
        - wait: 3s
        - bob.set: {path: other/a, value: 2}
      """)
    let small = try #require(effect.shrink(session))

    #expect(small.difference.faulty == 2)
    #expect(small.difference.faultless == 1)
    #expect(small.scenario.steps.count <= 4)
    #expect(
      small.scenario.title == "A fault changes what the server has at \(small.difference.path)")
    #expect(Kit.run(small.scenario).verdict == .pass)
  }

  @Test func `what is left has an effect of the same kind`() throws {
    let session = try scenario(
      """
        - network.lose-acknowledgement: alice
        - alice.set: {path: n, value: {.sv: {increment: 1}}}
        - wait: 3s
        - bob.on-disconnect-set: {path: z, value: gone}
        - network.drop: bob
      """)
    let small = try #require(effect.shrink(session))

    #expect((small.difference.faulty.number ?? 0) > (small.difference.faultless.number ?? 0))
  }

  @Test func `faults that change nothing are no effect`() throws {
    let session = try scenario(
      """
        - network.drop: alice
        - alice.set: {path: n, value: 1}
      """)

    #expect(effect.shrink(session) == nil)
  }
}
