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
    let scenario = try #require(read(Mistake.head + text + "steps: [settle]").scenarios.first)

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
    let without = try #require(read(Mistake.head + "steps: [settle]").scenarios.first)
    let empty = try #require(read(Mistake.head + "choices: []\nsteps: [settle]").scenarios.first)

    #expect(without.choices == nil)
    #expect(empty.choices == [])
    #expect(empty.choices?.yaml == "choices: []\n")
  }

  @Test func `the form of everything is read, and written as it is read`() throws {
    let stated = try #require(read(Mistake.head + "form: deep\nsteps: [settle]").scenarios.first)
    let open = try #require(read(Mistake.head + "steps: [settle]").scenarios.first)

    #expect(stated.form == .deep)
    #expect(stated.yaml().contains("\nform: deep\n"))
    #expect(open.form == nil)
    #expect(!open.yaml().contains("form"))
  }

  @Test func `a seed beyond the numbers of JSON is written as text`() throws {
    let choices: [Scenario.Choice] = [.seed(.max)]
    let scenario = try #require(
      read(Mistake.head + choices.yaml + "steps: [settle]").scenarios.first)

    #expect(choices.yaml == "choices:\n  - {seed: \"18446744073709551615\"}\n")
    #expect(scenario.choices == choices)
  }

  @Test(arguments: [
    Mistake(
      setup: "choices: {}",
      "5:10: choices is a mapping; expected a list of choices; [] makes all of them benign"),
    Mistake(
      setup: "choices: [3]",
      "5:11: an element of choices is a number; expected a mapping such as {message: 3, from: "
        + "alice, late: 2ms}"),
    Mistake(
      setup: "choices: [{from: alice}]",
      "5:11: an element of choices begins with \"from\"; expected seed, message, connection, "
        + "form or order first"),
    Mistake(
      setup: "choices: [{}]",
      "5:11: an element of choices is empty; expected seed, message, connection, form or order "
        + "first"),
    Mistake(
      setup: "choices: [{seed: -1}]",
      "5:18: seed is -1; expected a whole number, in quotes from 2^53 up"),
    Mistake(
      setup: "choices: [{message: 1, late: 1ms}]",
      "5:11: the choice for a message has neither from nor to; expected from: CLIENT or to: CLIENT"),
    Mistake(
      setup: "choices: [{message: 1, from: alice, to: bob, late: 1ms}]",
      "5:24: from and to are both given; expected one of them"),
    Mistake(
      setup: "choices: [{message: 0, from: alice, late: 1ms}]",
      "5:21: message is 0; expected a whole number from 1 up"),
    Mistake(
      setup: "choices: [{message: 1, from: carol, late: 1ms}]",
      "5:30: unknown client \"carol\"; expected alice or bob"),
    Mistake(
      setup: "choices: [{message: 1, from: alice}]",
      "5:11: the choice for a message has no late; expected late: ..."),
    Mistake(
      setup: "choices: [{message: 1, from: alice, late: 1.23ms}]",
      "5:43: late is 1.23ms; expected tenths of a millisecond"),
    Mistake(
      setup: "choices: [{connection: 1, late: 1ms}]",
      "5:11: the choice for a connection has no of; expected of: ..."),
    Mistake(
      setup: "choices: [{form: 1, to: alice, is: loud}]",
      "5:36: unknown is \"loud\"; expected as-written, whole, children, child, deep, deepest, "
        + "reversed or twice"),
    Mistake(
      setup: "choices: [{form: 0, to: alice, is: whole}]",
      "5:18: form is 0; expected a whole number from 1 up"),
    Mistake(
      setup: "choices: [{form: 1, is: whole}]",
      "5:11: the choice of a form has no to; expected to: ..."),
    Mistake(
      setup: "choices: [{order: all, is: []}]",
      "5:19: unknown order \"all\"; expected calls, deliveries or everything"),
    Mistake(
      setup: "choices: [{order: calls, is: 0.1}]",
      "5:30: is is a number; expected a list of whole numbers"),
    Mistake(
      setup: "choices: [{order: calls, is: [-1]}]",
      "5:31: a move is -1; expected a whole number from 0 up"),
    Mistake(
      setup: """
        choices:
          - {message: 1, from: alice, late: 1ms}
          - {message: 1, from: alice, late: 2ms}
        """,
      "7:5: message 1 from alice, late by 2ms is a choice made above; expected each once"),
  ])
  func `mistakes in choices are told with their places`(mistake: Mistake) {
    #expect(mistake.found == mistake.expected)
  }
}
