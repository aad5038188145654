import Document
import Scenario
import ScenarioFiles
import Testing

@Suite struct JudgingTests {
  @Test func `a scenario judged by invariants names no rules and lists no outcomes`() throws {
    let result = read(
      """
      kennel: 1
      title: T
      judge: invariants
      clients: [alice]
      steps:
        - alice.set: {path: a, value: 1, as: w}
      """)
    let scenario = try #require(result.scenarios.first)

    #expect(result.problems.map(\.description) == [])
    #expect(scenario.judging == .invariants)
    #expect(scenario.steps.map(\.text) == ["alice.set: {path: a, value: 1, as: w}"])
    #expect(scenario.steps.allSatisfy { $0.expectation == nil })
  }

  @Test func `expectations are what is judged otherwise`() throws {
    let scenario = try #require(
      read(Mistake.head + "judge: expectations\nsteps: [settle]").scenarios.first)

    #expect(scenario.judging == .expectations)
    #expect(scenario.steps.count == 2)
  }

  @Test(arguments: [
    Mistake(
      setup: "judge: invariant",
      """
      5:8: unknown judge "invariant"; expected expectations or invariants; did you mean invariants?
      """),
    Mistake(
      file: Mistake.head + """
        judge: invariants
        steps:
          - alice.set: {path: a, value: 1}
            expect: {server: {a: 1}}
        """,
      """
      8:5: the scenario is judged by invariants alone; expected settle in place of an expectation
      """),
  ])
  func `mistakes in what is judged are told`(mistake: Mistake) {
    #expect(mistake.found == mistake.expected)
  }
}

@Suite struct FixedOrderTests {
  @Test func `a scenario can say why its order is fixed`() throws {
    let scenario = try #require(
      read(Mistake.head + "fixed-order: one after the other\nsteps: [settle]").scenarios.first)

    #expect(scenario.fixedOrder == "one after the other")
  }

  @Test func `without expectations only what they wait for is left`() throws {
    let scenario = try #require(
      read(
        Mistake.head + """
          steps:
            - alice.set: {path: a, value: 1}
              expect-now: {}
            - alice.set: {path: a, value: 2}
              expect: {}
            - expect-now: {}
            - expect: {}
          """
      ).scenarios.first)
    let free = scenario.withoutExpectations

    #expect(free.judging == .invariants)
    #expect(
      free.steps.map(\.text) == [
        "alice.set: {path: a, value: 1}", "alice.set: {path: a, value: 2}", "settle", "expect: {}",
      ])
    #expect(free.steps.allSatisfy { $0.expectation == nil })
  }

  @Test func `the reason is not left out`() {
    let mistake = Mistake(
      setup: "fixed-order: ''", "5:14: fixed-order is empty; expected the reason")

    #expect(mistake.found == mistake.expected)
  }
}
