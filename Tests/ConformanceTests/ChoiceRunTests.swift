import ClientInterface
import Conformance
import Reports
import Scenario
import TestKit
import Testing

/// Runs of scenarios that state their choices.
@Suite struct ChoiceRunTests {
  private static let race = """
    clients: [alice, bob]
    network: {latency: 5ms..30ms}
    judge: invariants
    steps:
      - bob.listen: {path: n, event: value, as: feed}
      - together:
          - alice.set: {path: n, value: 1}
          - bob.set: {path: n, value: 2}
      - settle
    """

  @Test func `the choices of a run make it go the same way again`() throws {
    var runner = Kit.runner()
    runner.seed = 7
    var scenario = try Kit.scenario(Self.race)
    let drawn = runner.run(scenario, in: .firebase)

    scenario.choices = drawn.choices
    let stated = Kit.runner().run(scenario, in: .firebase)
    scenario.choices = []
    let benign = Kit.runner().run(scenario, in: .firebase)

    #expect(drawn.choices.count > 10)
    #expect(drawn.choices.first == .seed(7))
    #expect(stated.hash == drawn.hash)
    #expect(stated.seed == 7)
    #expect(stated.choices == drawn.choices)
    #expect(stated.unusedChoices == [])
    #expect(benign.hash != drawn.hash)
    #expect(benign.choices == [])
  }

  @Test func `choices that nothing asks for are told`() throws {
    let unused: [Scenario.Choice] = [
      .message(99, .fromClient, client: "alice", late: .milliseconds(1)),
      .connection(5, client: "bob", late: .milliseconds(2)), .order(.calls, [0, 0, 0, 1]),
    ]
    var scenario = try Kit.scenario(Self.race)
    scenario.choices = [.message(2, .toClient, client: "bob", late: .milliseconds(3))] + unused

    let result = Kit.runner().run(scenario, in: .firebase)

    #expect(result.unusedChoices == unused)
    #expect(result.choices.first == scenario.choices?.first)
  }

  @Test func `choices beyond what can be chosen are told, and the most that can is taken`() throws {
    let lowered: [Scenario.Choice] = [
      .message(1, .toClient, client: "bob", late: .milliseconds(99)), .order(.calls, [7]),
    ]
    var scenario = try Kit.scenario(Self.race)
    scenario.choices = lowered

    let result = Kit.runner().run(scenario, in: .firebase)
    let notes = TextReport.text(ofNotesOn: [result])

    #expect(result.loweredChoices == lowered)
    #expect(result.unusedChoices == [])
    #expect(
      result.choices == [
        .message(1, .toClient, client: "bob", late: .milliseconds(25)), .order(.calls, [1]),
      ])
    #expect(
      notes == """
        note  test/example  firebase
              more than can be chosen; the most that can was
                message 1 to bob, late by 99ms
                order of calls 7


        """)
  }

  @Test func `choices about clients that there are not are never asked for`() throws {
    var scenario = try Kit.scenario(Self.race)
    let foreignNames = (1...12).map {
      Scenario.Choice.message($0, .toClient, client: "zoe", late: .milliseconds(1))
    }
    scenario.choices = foreignNames

    let result = Kit.runner().run(scenario, in: .firebase)

    #expect(result.unusedChoices == foreignNames)
    #expect(
      TextReport.text(ofNotesOn: [result]).hasSuffix(
        "        message 10 to zoe, late by 1ms\n        ... and 2 more\n\n"))
  }

  @Test func `an order of concurrent steps can be stated`() throws {
    let body = """
      clients: [alice, bob]
      choices: [{order: calls, is: [1]}]
      steps:
        - together:
            - alice.set: {path: n, value: 1}
            - bob.set: {path: n, value: 2}
        - expect: {server: {n: 1}}
      """

    let result = Kit.runner().run(try Kit.scenario(body), in: .firebase)

    #expect(result.verdict == .pass)
    #expect(result.choices == [.order(.calls, [1])])
  }
}
