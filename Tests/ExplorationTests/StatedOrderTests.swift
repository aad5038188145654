import ClientInterface
import Conformance
import Reports
import Scenario
import Search
import TestKit
import Testing

/// Orders that an exploration finds, as choices of a scenario.
@Suite struct StatedOrderTests {
  private static let race = """
    clients: [alice, bob]
    network: {latency: 5ms..40ms}
    steps:
      - together:
          - alice.set: {path: n, value: 1}
          - alice.set: {path: m, value: 1}
          - bob.set: {path: n, value: 2}
          - bob.set: {path: m, value: 3}
      - expect: {server: {n: 2, m: 3}}
    """

  @Test func `how late messages are is left out where that changes nothing`() throws {
    var scenario = try Kit.scenario(Self.race)
    let explorer = Explorer(seed: 7, client: Kit.reference)
    let failure = try #require(explorer.explore(scenario, in: .firebase).failure)
    let passing = try #require(explorer.run(scenario, in: .firebase, order: Order([])))
    scenario.choices = failure.briefChoices
    let run = Kit.run(scenario)

    #expect(failure.briefChoices.count <= 5)
    #expect(failure.choices.count > 10)
    #expect(run.signature == failure.result.signature)
    #expect(passing.result.verdict == .fail || passing.briefChoices == passing.choices)
    #expect(
      SearchReport(TextReport(rules: RuleBook(files: []))).text(of: failure).contains(
        "\n  with this in its file 'kennel run' fails in the same way\n\n    choices:\n      - {seed: 7}\n"
      ))
  }

  @Test(arguments: [Explorer.Scope.stated, .deliveries])
  func `an ordinary run with the choices of an order goes the same way, event by event`(
    scope: Explorer.Scope
  ) throws {
    var scenario = try Kit.scenario(Self.race)
    var explorer = Explorer(seed: 7, client: Kit.reference)
    explorer.scope = scope
    let failure = try #require(explorer.explore(scenario, in: .firebase).failure)

    for order in [failure.witness, Order([1, 1, 0, 1]), Order([])] {
      let explored = try #require(explorer.run(scenario, in: .firebase, order: order))
      scenario.choices = explored.choices
      let run = Kit.run(scenario)
      scenario.choices = nil

      #expect(run.hash == explored.result.hash, "\(order)")
      #expect(run.verdict == explored.result.verdict)
      #expect(run.unusedChoices == [])
    }
  }
}
