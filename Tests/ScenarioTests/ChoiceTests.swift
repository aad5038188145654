import ClientInterface
import Document
import Scenario
import ScenarioFiles
import Testing
import Wire

@Suite struct ChoiceTests {
  @Test func `choices are read, and written as they are read`() throws {
    let text = """
      choices:
        - {seed: 7}
        - {message: 3, from: alice, late: 2.4ms}
        - {message: 1, to: bob, late: 12ms}
        - {connection: 2, of: bob, late: 5ms}
        - {form: 3, to: bob, is: as-written}
        - {order: everything, is: [0, 2, 1]}

      """
    let scenario = try #require(read(scenarioHead + text + "steps: [settle]").scenarios.first)

    #expect(
      scenario.choices == [
        .seed(7),
        .message(3, .fromClient, client: "alice", late: Interval(nanoseconds: 2_400_000)),
        .message(1, .toClient, client: "bob", late: .milliseconds(12)),
        .connection(2, client: "bob", late: .milliseconds(5)),
        .form(3, client: "bob", .asWritten), .order(.everything, [0, 2, 1]),
      ])
    #expect(scenario.choices?.yaml == text)
    #expect(scenario.statedSeed == 7)
    #expect(scenario.statedOrder?.moves == [0, 2, 1])
    #expect(
      (scenario.choices ?? []).map(\.description) == [
        "seed 7", "message 3 from alice, late by 2.4ms", "message 1 to bob, late by 12ms",
        "connection 2 of bob, late by 5ms", "message 3 with several forms to bob, as-written",
        "order of everything 0.2.1",
      ])
  }

  @Test func `no choices and an empty list of them are two things`() throws {
    let without = try #require(read(scenarioHead + "steps: [settle]").scenarios.first)
    let empty = try #require(read(scenarioHead + "choices: []\nsteps: [settle]").scenarios.first)

    #expect(without.choices == nil)
    #expect(empty.choices == [])
    #expect(empty.choices?.yaml == "choices: []\n")
  }

  @Test func `the form of everything is read, and written as it is read`() throws {
    let stated = try #require(read(scenarioHead + "form: deep\nsteps: [settle]").scenarios.first)
    let open = try #require(read(scenarioHead + "steps: [settle]").scenarios.first)

    #expect(stated.form == .deep)
    #expect(stated.yaml().contains("\nform: deep\n"))
    #expect(open.form == nil)
    #expect(!open.yaml().contains("form"))
  }

  @Test func `a seed beyond the numbers of JSON is written as text`() throws {
    let choices: [Scenario.Choice] = [.seed(.max)]
    let scenario = try #require(
      read(scenarioHead + choices.yaml + "steps: [settle]").scenarios.first)

    #expect(choices.yaml == "choices:\n  - {seed: \"18446744073709551615\"}\n")
    #expect(scenario.choices == choices)
  }
}
