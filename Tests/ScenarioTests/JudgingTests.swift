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
      read(scenarioHead + "judge: expectations\nsteps: [settle]").scenarios.first)

    #expect(scenario.judging == .expectations)
    #expect(scenario.steps.count == 2)
  }
}

@Suite struct FixedOrderTests {
  @Test func `a scenario can say why its order is fixed`() throws {
    let scenario = try #require(
      read(scenarioHead + "fixed-order: one after the other\nsteps: [settle]").scenarios.first)

    #expect(scenario.fixedOrder == "one after the other")
  }

  @Test func `without expectations only what they wait for is left`() throws {
    let scenario = try #require(
      read(
        scenarioHead + """
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
}
