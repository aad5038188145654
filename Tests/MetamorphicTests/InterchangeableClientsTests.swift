import Metamorphic
import Scenario
import TestKit
import Testing

@Suite struct InterchangeableClientsTests {
  private func groups(_ steps: String, latency: String = "10ms") throws -> [Int] {
    let lines = steps.split(separator: "\n").map { "  - \($0)" }.joined(separator: "\n")
    return try Kit.scenario(
      """
      clients: [alice, bob, carol]
      network: {latency: \(latency)}
      judge: invariants
      steps:
      \(lines)
        - settle
      """
    ).interchangeableClients
  }

  @Test(arguments: [
    // What does nothing can change places with what does nothing.
    ("alice.set: {path: a, value: 1}", [0, 1, 1]),
    ("alice.set: {path: a, value: 1}\nbob.set: {path: a, value: 1}", [0, 0, 2]),
    // Labels are names too.
    ("alice.listen: {path: a, as: x}\nbob.listen: {path: a, as: y}", [0, 0, 2]),
    ("alice.listen: {path: a, as: x}\nsettle\nbob.listen: {path: a, as: x}", [0, 1, 2]),
    ("alice.set: {path: a, value: 1}\nbob.set: {path: a, value: 2}", [0, 1, 2]),
    (
      "alice.listen: {path: a, as: x}\nbob.listen: {path: a, as: x}\n"
        + "carol.listen: {path: a, as: x}\nalice.unlisten: x\ncarol.unlisten: x", [0, 1, 0]
    ),
    (
      "together: [bob.set: {path: a, value: 1}, alice.remove: b, alice.set: {path: a, value: 1}, "
        + "bob.remove: b]", [0, 1, 2]
    ),
    (
      "together: [bob.set: {path: a, value: 1}, alice.set: {path: a, value: 1}, carol.remove: a]",
      [0, 0, 2]
    ),
    ("network.cut: alice\nnetwork.cut: bob", [0, 1, 2]),
  ])
  func `clients that do the same at the same time can change places`(
    steps: String, groups: [Int]
  ) throws {
    #expect(try self.groups(steps) == groups)
  }

  @Test func `what is set up for one client distinguishes it`() throws {
    let steps = "alice.set: {path: a, value: 1}\nbob.set: {path: a, value: 1}"
    #expect(try groups(steps, latency: "{alice: 20ms}") == [0, 1, 2])
    #expect(try groups(steps, latency: "{carol: 20ms}") == [0, 0, 2])
  }

  @Test func `what one of two must see distinguishes it`() throws {
    func groups(_ expected: String) throws -> [Int] {
      try Kit.scenario(
        """
        clients: [alice, bob]
        data: {a: 1}
        steps:
          - alice.listen: {path: a, event: value, as: x}
          - bob.listen: {path: a, event: value, as: y}
          - expect: \(expected)
        """
      ).interchangeableClients
    }
    #expect(try groups("{bob.y: [{value: 1}], alice.x: [{value: 1}]}") == [0, 0])
    #expect(try groups("{bob.y: [{value: 1}], alice.x: [{value: $any}]}") == [0, 1])
  }
}
