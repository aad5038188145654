import ClientInterface
import Conformance
import ReferenceClient
import Scenario
import Search
import TestKit
import Testing
import Tree

@Suite struct ExplorerTests {
  @Test func `a scenario that leaves nothing open has one order`() throws {
    let survey = try Kit.survey(
      """
      clients: [alice, bob]
      steps:
        - alice.set: {path: a, value: 1}
        - bob.set: {path: a, value: 2}
        - expect: {server: {a: 2}}
      """, .stated)

    #expect(survey.orders == 1)
    #expect(survey.isComplete)
    #expect(survey.verdict == .pass)
  }

  @Test func `a range of latencies opens the order of deliveries`() throws {
    let survey = try Kit.survey(
      """
      clients: [alice, bob]
      network: {latency: 10ms..60ms}
      steps:
        - alice.set: {path: a, value: 1}
        - bob.set: {path: a, value: 2}
        - expect: {one-of: [{server: {a: 1}}, {server: {a: 2}}]}
      """, .stated)

    #expect(survey.orders == 2)
    #expect(survey.verdict == .pass)
  }

  @Test func `concurrent steps come in any order, those of one client in theirs`() throws {
    let survey = try Kit.survey(
      """
      clients: [alice, bob]
      steps:
        - together:
            - alice.set: {path: a, value: 1}
            - alice.set: {path: a, value: 2}
            - bob.set: {path: a, value: 3}
            - server.set: {path: b, value: 4}
        - expect: {one-of: [{server: {a: 2, b: 4}}, {server: {a: 3, b: 4}}]}
      """, .stated)

    #expect(survey.orders == 12)
    #expect(
      survey.findings.map(\.runOutcome.server.description).sorted() == [
        #"{"a":2,"b":4}"#, #"{"a":3,"b":4}"#,
      ])
    #expect(survey.verdict == .pass)
  }

  private let fixed = """
    clients: [alice, bob]
    fixed-order: bob comes last
    steps:
      - alice.listen: {path: a, event: value, as: feed}
      - expect: {alice.feed: [{value: null}]}
      - alice.set: {path: a, value: 1}
      - bob.set: {path: a, value: 2}
      - expect: {server: {a: 2}, alice.feed: [{value: 1}, {value: 2}]}
    """

  @Test func `where deliveries are opened, a fixed order is judged by invariants alone`() throws {
    let scenario = try Kit.scenario(fixed)
    let survey = Kit.explorer().explore(scenario, in: .firebase)
    let stated = Kit.explorer(.stated).explore(scenario, in: .firebase)

    #expect(survey.verdict == .pass)
    #expect(survey.scenario.judging == .invariants)
    #expect(survey.findings.map { $0.runOutcome.server.description } == [#"{"a":2}"#, #"{"a":1}"#])
    #expect(survey.findings.map { $0.runOutcome.threads.count } == [3, 3])
    #expect(stated.scenario.judging == .expectations)
    #expect(stated.orders == 1)
  }

  @Test func `an invariant is broken in a fixed order, too`() throws {
    let survey = Kit.explorer { Forgetful(ReferenceClient(profile: $1), forgets: "a") }
      .explore(try Kit.scenario(fixed), in: .firebase)

    #expect(survey.verdict == .fail)
    #expect(survey.failure?.result.signature?.text.hasPrefix("inv-") == true)
  }

  @Test func `a defect that shows in one order only is found, with that order`() throws {
    let scenario = try Kit.scenario(Kit.race)
    let client: ScenarioRunner.Factory = { Forgetful(ReferenceClient(profile: $1)) }

    #expect(ScenarioRunner(client: client).run(scenario, in: .firebase).verdict == .pass)
    let survey = Kit.explorer(.stated, client: client).explore(scenario, in: .firebase)

    #expect(survey.verdict == .fail)
    #expect(survey.orders == 2)
    #expect(survey.failures == 1)
    #expect(
      survey.failure?.words == [
        "bob.set: {path: room/bob, value: 2}", "alice.set: {path: room/alice, value: 1}",
      ])
    #expect(survey.failure?.witness.description == "1")
    let again = Kit.explorer(.stated, client: client).run(
      scenario, in: .firebase, order: Order([1]))
    #expect(again?.result.hash == survey.failure?.result.hash)
    #expect(again?.result.verdict == .fail)
  }

  @Test func `an alternative that no order reaches makes a scenario vacuous`() throws {
    let scenario = try Kit.scenario(
      """
      clients: [alice, bob]
      steps:
        - together:
            - alice.set: {path: a, value: 1}
            - bob.set: {path: a, value: 2}
        - expect:
            one-of:
              - {server: {a: 1}}
              - {server: {a: 3}}
              - {server: {a: 2}}
      """)
    var explorer = Kit.explorer(.stated)

    let survey = explorer.explore(scenario, in: .firebase)

    #expect(survey.verdict == .vacuous)
    #expect(
      survey.reason
        == "no order reaches this alternative: Scenarios/test/example.yaml:12:11")
    explorer.limit = 1
    let stopped = explorer.explore(scenario, in: .firebase)
    #expect(stopped.verdict == .inconclusive)
  }

  @Test func `a search stops at its limit and draws some more`() throws {
    let scenario = try Kit.scenario(
      """
      clients: [c1, c2, c3]
      steps:
        - c1.set: {path: a, value: 1}
        - c2.set: {path: a, value: 2}
        - c3.set: {path: a, value: 3}
      """)
    var explorer = Kit.explorer()
    explorer.limit = 6
    #expect(explorer.explore(scenario, in: .firebase).isComplete)
    explorer.limit = 5

    let survey = explorer.explore(scenario, in: .firebase)

    #expect(!survey.isComplete)
    #expect(survey.orders == 5)
    #expect(survey.drawn == 1)
    explorer.strategy = .exhaustive
    #expect(explorer.explore(scenario, in: .firebase).drawn == 0)
  }

  @Test(arguments: [Strategy.random, .pct, .pos, .delay])
  func `a strategy draws the same orders from the same seed`(strategy: Strategy) throws {
    let scenario = try Kit.scenario(
      """
      clients: [c1, c2, c3]
      steps:
        - c1.set: {path: a, value: 1}
        - c2.set: {path: a, value: 2}
        - c3.set: {path: a, value: 3}
        - expect: {one-of: [{server: {a: 1}}, {server: {a: 2}}, {server: {a: 3}}]}
      """)
    func survey(seed: UInt64) -> ExplorationResult {
      var explorer = Explorer(seed: seed) { ReferenceClient(profile: $1) }
      explorer.scope = .deliveries
      explorer.strategy = strategy
      explorer.limit = 60
      return explorer.explore(scenario, in: .firebase)
    }

    let first = survey(seed: 1)

    #expect(first.drawn == 60)
    #expect(first.verdict == .pass)
    #expect(first.findings.map(\.witness) == survey(seed: 1).findings.map(\.witness))
    #expect(first.findings.map(\.count) == survey(seed: 1).findings.map(\.count))
    #expect(first.findings.count == 3)
  }

  @Test func `a witness leads to what it is a witness of`() throws {
    let scenario = try Kit.scenario(Kit.race)
    let explorer = Kit.explorer()

    let survey = explorer.explore(scenario, in: .wilddog2)

    #expect(survey.findings.count > 1)
    for finding in survey.findings {
      let again = explorer.run(
        scenario, in: .wilddog2, order: try #require(Order(text: finding.witness.description)))
      #expect(again?.words == finding.words)
      #expect(again?.result.divergences.isEmpty == !finding.hasFailed)
    }
  }

  @Test func `what clients lack is not explored`() throws {
    let scenario = try Kit.scenario("clients: [alice]\nprofiles: [firebase]\nsteps: [settle]")

    let survey = Kit.explorer().explore(scenario, in: .wilddog1)

    #expect(survey.verdict == .unsupported)
    #expect(survey.reason == "it is for firebase")
  }
}
