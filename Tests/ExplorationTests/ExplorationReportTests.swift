import ClientInterface
import Conformance
import ReferenceClient
import Reports
import Scenario
import Search
import TestKit
import Testing

@Suite struct ExplorationReportTests {
  private let report = SearchReport(TextReport(rules: RuleBook(files: []))) {
    guard case let .order(order) = $1 else { return [] }
    return ["--profile", $0.profile, "--order", "\(order)"]
  }

  @Test func `outcomes are told with what differs and a witness each`() throws {
    let survey = try Kit.survey(
      """
      clients: [alice, bob]
      steps:
        - together:
            - alice.set: {path: a, value: 1, as: w}
            - bob.set: {path: a, value: 2}
        - expect: {alice.w: {ok: true}}
      """, .stated)

    #expect(
      report.text(of: [survey]) == """
        explored  test/example  firebase
                  2 orders, complete: 2 outcomes

          outcome 1 of 2, in 1 order
            server  {"a":2}
            witness --order 0
               1  alice.set: {path: a, value: 1, as: w}
               2  bob.set: {path: a, value: 2}

          outcome 2 of 2, in 1 order
            server  {"a":1}
            witness --order 1
               1  bob.set: {path: a, value: 2}
               2  alice.set: {path: a, value: 1, as: w}


        """)
    #expect(
      ExplorationSummary.text(of: [survey])
        == "2 orders of 1 run\n\n1 passed, 0 failed, 0 skipped\n")
  }

  @Test func `a failure is told as in a run, with its order and how to see it again`() throws {
    let client: ScenarioRunner.Factory = { Forgetful(ReferenceClient(profile: $1)) }
    let survey = Kit.explorer(.stated, client: client)
      .explore(try Kit.scenario(Kit.race), in: .firebase)

    let text = report.text(of: [survey])

    #expect(
      text.contains(
        """
        explored  test/example  firebase
                  2 orders, complete: 2 outcomes, 1 fails

        FAIL  An example   step 4 of 4   rule EVT-1
        """))
    #expect(
      text.contains(
        """
          replay  tools/kennel explore test/example --profile firebase --order 1

          in this order
               1  bob.set: {path: room/bob, value: 2}
               2  alice.set: {path: room/alice, value: 1}

          with this in its file 'kennel run' goes the same way

            choices:
              - {order: calls, is: [1]}

          outcome 1 of 2, in 1 order
        """))
    #expect(text.contains("  outcome 2 of 2, in 1 order   fails\n"))
    let end = "\n  FAIL  test/example  firebase\n\n0 passed, 1 failed, 0 skipped\n"
    #expect(ExplorationSummary.text(of: [survey]).hasSuffix(end))
  }

  @Test func `what is the same in several profiles is told once`() throws {
    let explorer = Kit.explorer(.stated)
    let scenario = try Kit.scenario("profiles: [wilddog-2, firebase]\n" + Kit.race)

    let text = report.text(of: Profile.all.map { explorer.explore(scenario, in: $0) })

    #expect(text.contains("explored  test/example  wilddog-2, firebase\n"))
    #expect(
      text.hasPrefix(
        "skipped   test/example  wilddog-1\n          it is for wilddog-2, firebase\n\n"))
  }

  @Test func `a report says why expectations are not judged`() throws {
    let scenario = try Kit.scenario(
      "clients: [alice]\nfixed-order: one by one\nsteps: [alice.set: {path: a, value: 1}]")

    let survey = Kit.explorer().explore(scenario, in: .firebase)

    #expect(
      report.text(of: [survey]) == """
        explored  test/example  firebase
                  1 order, complete: 1 outcome
                  judged by the invariants alone
                  since its order is fixed: one by one


        """)
    #expect(ExplorationSummary.line(of: survey).contains(#""judge":"invariants""#))
  }

  @Test func `a search that stopped says so`() throws {
    var explorer = Kit.explorer(.stated)
    explorer.limit = 1
    let stopped = report.text(of: [explorer.explore(try Kit.scenario(Kit.race), in: .firebase)])
    explorer.strategy = .random
    let drawn = report.text(of: [explorer.explore(try Kit.scenario(Kit.race), in: .firebase)])

    #expect(stopped.contains("          stopped at 1 order, 1 more drawn: "))
    #expect(drawn.contains("          stopped at 1 order, drawn: 1 outcome"))
  }

  @Test func `what the reduction saves is reported, and the bound of what was tried`() throws {
    let race = """
      clients: [alice, bob]
      steps:
        - alice.set: {path: a, value: 1}
        - alice.set: {path: a, value: 2}
        - bob.set: {path: a, value: 3}
        - bob.set: {path: a, value: 4}
      """
    var explorer = Kit.explorer()
    let complete = explorer.explore(try Kit.scenario(race), in: .firebase)
    explorer.limit = 5
    let stopped = explorer.explore(try Kit.scenario(race), in: .firebase)
    let orders = try #require(complete.unreduced)

    #expect(orders > 20)
    #expect(
      report.text(of: [complete]).contains(
        "\n          about \(SearchReport.rough(orders)) orders without reduction: reduced by a "
          + "factor of \(SearchReport.rough(orders / 6))\n"))
    #expect(
      report.text(of: [stopped]).contains(
        "\n          1 order near that of time: every order with at most 0 delays\n"))
    #expect(ExplorationSummary.line(of: stopped).contains(#""nearby":{"orders":1,"delays":0}"#))
    #expect(ExplorationSummary.line(of: complete).contains(#""nearby":null"#))
  }

  @Test func `estimates are rounded to what they are worth`() {
    let numbers = [1, 3.4, 9.96, 17, 99.6, 123, 1250, 99_400, 996_000, 3_440_000, 2.96e12]
    #expect(
      numbers.map(SearchReport.rough) == [
        "1", "3.4", "10", "17", "100", "120", "1300", "99000", "1.0e6", "3.4e6", "3.0e12",
      ])
  }

  @Test func `an order reads as it is written`() {
    #expect(Order(text: "0.2.1")?.choices == [0, 2, 1])
    #expect(Order([0, 2, 0, 0]).description == "0.2")
    #expect(Order([0, 0]).description == "0")
    #expect(Order().description == "0")
    #expect(Order(text: "cut:alice@0.2")?.fault == "cut:alice")
    #expect(Order([0, 2, 0], fault: "cut:alice").description == "cut:alice@0.2")
    for text in ["", "1.", "a", "-1", "1,2", "cut:alice", "@0", "a@b@0", "a@"] {
      #expect(Order(text: text) == nil)
    }
  }
}
