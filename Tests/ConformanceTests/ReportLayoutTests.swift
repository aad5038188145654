import ClientInterface
import Conformance
import Document
import Reports
import Scenario
import TestKit
import Testing
import Tree

@Suite struct ReportLayoutTests {
  private func feed(
    _ expected: String, _ observed: [ClientOutput], _ extent: TextReport.Extent = .first
  ) throws -> String {
    try Kit.report(
      """
      clients: [alice]
      steps:
        - alice.listen: {path: room, as: feed}
          expect: {alice.feed: [\(expected)]}
      """, script: ["feed": observed], extent: extent)
  }

  @Test func `only the first of several differences is shown`() throws {
    let report = try feed(
      "{value: 1}, {value: 2}, {value: 3}, {value: 4}, {value: 5}, {value: 6}",
      [1, 2, 0, 4, 5, 7].map { .value($0) })

    #expect(
      report == """
        FAIL  An example   step 1 of 1   rule EVT-1
              Scenarios/test/example.yaml:7

          value /room is 0, expected 3
          on  alice.feed = /room

            20 ms  alice  listen /room   all events   as feed
          > 20 ms  alice  raised 6 events, expected 6

              1  value /room = 1
              2  value /room = 2
            - 3  value /room = 3
            + 3  value /room = 0
              4  value /room = 4
              5  value /room = 5
              (- expected, + observed)
              ... 1 later difference not shown (--all)

        \(Kit.footer)
        """)
  }

  @Test func `of several alternatives the nearest is told`() throws {
    let report = try Kit.report(
      """
      clients: [alice]
      steps:
        - alice.listen: {path: room, as: feed}
          expect:
            one-of:
              - alice.feed: [{value: 3}, {value: 4}, {value: 5}]
              - alice.feed: [{value: 1}]
      """, script: ["feed": [.value(2)]])

    #expect(
      report.hasPrefix(
        """
        FAIL  An example   step 1 of 1   rule EVT-1
              Scenarios/test/example.yaml:10

          value /room is 2, expected 1
          none of 2 alternatives holds; number 2, at line 10, comes nearest
          on  alice.feed = /room

        """))
  }

  @Test func `all differences are shown on request`() throws {
    let report = try feed(
      "{value: 1}, {value: 2}, {value: 3}", [.value(0), .value(2), .value(4), .value(9, to: "L9")],
      .all)
    let reports = report.split(separator: "\n\nFAIL")

    #expect(reports.count == 2)
    #expect(
      reports.first?.contains(
        """
            - 1  value /room = 1
            + 1  value /room = 0
              2  value /room = 2
            - 3  value /room = 3
            + 3  value /room = 4
              (- expected, + observed)

          rule
        """) == true)
    #expect(reports.last?.contains("called back for L9, which does not exist") == true)
  }

  @Test func `what went as expected long before is left out`() throws {
    let numbers = Array(1...9)
    let report = try feed(
      numbers.map { "{value: \($0)}" }.joined(separator: ", "),
      numbers.dropLast().map { .value(.number(Double($0))) })

    #expect(
      report == """
        FAIL  An example   step 1 of 1   rule EVT-1
              Scenarios/test/example.yaml:7

          expected value /room, but the client raised nothing more
          on  alice.feed = /room

            20 ms  alice  listen /room   all events   as feed
          > 20 ms  alice  raised 8 events, expected 9

              ... 4 as expected
              5  value /room = 5
              6  value /room = 6
              7  value /room = 7
              8  value /room = 8
            - 9  value /room = 9
              (- expected, + observed)

        \(Kit.footer)
        """)
  }

  @Test func `of long values the difference is kept`() throws {
    let filler = String(repeating: "x", count: 120)
    let report = try feed(
      "{value: {text: \(filler), n: 1}}", [.value(["text": .string(filler), "n": 2])])

    #expect(
      report == """
        FAIL  An example   step 1 of 1   rule EVT-1
              Scenarios/test/example.yaml:7

          value /room has 2 at n, expected 1
          on  alice.feed = /room

            20 ms  alice  listen /room   all events   as feed
          > 20 ms  alice  raised 1 event, expected 1

            - 1  value /room = {"n":1,"text":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...
            + 1  value /room = {"n":2,"text":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...
              (- expected, + observed)

        \(Kit.footer)
        """)
  }

  @Test func `a long title keeps a line to itself and no line is too long`() throws {
    let name = String(repeating: "long", count: 30)
    var result = try Kit.run(
      """
      clients: [alice]
      steps:
        - alice.listen: {path: \(name), as: feed}
          expect: {alice.feed: [{value: caf\u{E9}}]}
      """
    ) { _, _ in ScriptedClient(script: [:]) }
    result.scenario.title = String(repeating: "a title ", count: 11)
    let report = TextReport(rules: Kit.rules).text(of: result)

    #expect(report.split(separator: "\n").allSatisfy { $0.count <= 100 })
    #expect(
      report == """
        FAIL  a title a title a title a title a title a title a title a title a title a title a title
              step 1 of 1   rule EVT-1
              Scenarios/test/example.yaml:7

          expected value
          /longlonglonglonglonglonglonglonglonglonglonglon...nglonglonglonglonglonglonglonglonglonglonglong,
          but the client raised nothing more
          on  alice.feed = /longlonglonglonglonglonglongl...longlonglonglonglonglonglonglonglonglonglonglong

            20 ms  alice  listen /longlonglonglonglonglon...o...glonglonglonglonglong   all events   as feed
          > 20 ms  alice  raised 0 events, expected 1

            - 1  value /longlonglonglonglonglonglonglonglongl...nglonglonglonglonglonglonglong = "caf\\u00e9"
              (- expected, + observed)

        \(Kit.footer)
        """)
  }

  @Test func `the rule is told with what a profile does differently`() throws {
    let report = TextReport(rules: Kit.rules).text(
      of: try Kit.run("clients: [alice]\nsteps:\n  - expect: {server: 1}", profile: .firebase) {
        _, _ in ScriptedClient(script: [:])
      })

    #expect(
      report == """
        FAIL  An example   step 1 of 1   rule EVT-1
              Scenarios/test/example.yaml:6

          the server has nothing at /, expected 1
          on  server

            - 1  1
            + 1  null
              (- expected, + observed)

          rule EVT-1: Children come before the value.
          firebase: it is the same there.

          replay  tools/kennel run test/example --profile firebase --seed 0

        """)
  }

  @Test func `a rule that is not known is named all the same`() throws {
    var result = try Kit.run("clients: [alice]\nsteps:\n  - expect: {server: 1}") { _, _ in
      ScriptedClient(script: [:])
    }
    result.scenario.id = "a/b[root=/]"
    let report = TextReport(rules: RuleBook(files: [])).text(of: result)

    #expect(
      report == """
        FAIL  An example   step 1 of 1   rule EVT-1
              Scenarios/test/example.yaml:6

          the server has nothing at /, expected 1
          on  server

            - 1  1
            + 1  null
              (- expected, + observed)

          rule EVT-1: not among the rules that were read

          replay  tools/kennel run 'a/b[root=/]' --profile wilddog-2 --seed 0

        """)
  }

  @Test func `colour marks the verdict, the title and both sides`() throws {
    let result = try Kit.run("clients: [alice]\nsteps:\n  - expect: {server: 1}") { _, _ in
      ScriptedClient(script: [:])
    }
    let report = TextReport(rules: Kit.rules, palette: .colour).text(of: result)
    let coloured = report.split(separator: "\n").filter { $0.contains("\u{1B}") }

    #expect(
      coloured == [
        "\u{1B}[31mFAIL\u{1B}[0m  \u{1B}[1mAn example\u{1B}[0m   step 1 of 1   rule EVT-1",
        "\u{1B}[32m    - 1  1\u{1B}[0m", "\u{1B}[31m    + 1  null\u{1B}[0m",
      ])
  }

  @Test(arguments: [
    ("{child_added: a}, {value: 1}", [ClientOutput.value(1), .added("a", 1)], "EVT-7"),
    ("{child_removed: b}, {child_added: a}", [.added("a", 1), .removed("b", 1)], "EVT-8"),
    ("{child_added: a}, {child_added: b}", [.added("b", 1), .added("a", 1)], "EVT-9"),
    ("{child_added: a, prev: b}", [.added("a", 1)], "EVT-10"),
    ("{value: {a: 1, b: 1}}", [.value(["a": 1, "b": 1], order: .listed(["b", "a"]))], "SNP-3"),
    ("{value: 1}", [], "WRT-1"),
  ])
  func `the rule that a difference is about comes first`(
    expected: String, observed: [ClientOutput], rule: String
  ) throws {
    var scenario = try Kit.scenario(
      """
      clients: [alice]
      steps:
        - alice.listen: {path: room, as: feed}
          expect: {alice.feed: [\(expected)]}
      """)
    scenario.rules = ["WRT-1", "EVT-7", "EVT-8", "EVT-9", "EVT-10", "SNP-3"].map {
      .init(id: $0, position: Position(line: 3, column: 1))
    }
    let runner = ScenarioRunner { _, _ in ScriptedClient(script: ["feed": observed]) }
    let divergence = runner.run(scenario, in: .firebase).divergences.first

    #expect(divergence?.rules.first == rule)
    #expect(divergence?.rules.count == 6)
  }
}
