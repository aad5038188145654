import ClientInterface
import Conformance
import Document
import Reports
import Scenario
import Testing

@Suite struct CoverageTests {
  private static let rules = RuleBook(files: [
    (
      "Specs/rules/events.md",
      """
      ## EVT-1 Order

      - level: MUST
      - profiles: all
      - source: 004

      It holds.

      ## EVT-2 Silence | rest

      - level: MUST
      - profiles: wilddog-2, firebase
      - source: 004

      It holds.

      ## EVT-3 Sums

      - level: MUST
      - profiles: all
      - tested: vectors
      - source: 004

      It holds.

      ## EVT-4 Luck

      - level: MAY
      - profiles: firebase
      - source: 004

      It holds.
      """
    )
  ])

  private func result(
    _ id: String, _ rules: [String], _ verdict: Verdict = .pass, _ profile: Profile = .firebase
  ) -> ScenarioResult {
    var scenario = Scenario(id: id, file: id + ".yaml", title: id, clients: ["alice"])
    scenario.rules = rules.map { .init(id: $0, position: .init(line: 3, column: 9)) }
    return ScenarioResult(scenario, profile, seed: 0, verdict)
  }

  private static let sources = SourceTable(
    """
    ## 004 Guide
    | heading | rules |
    |---|---|
    | Reading | EVT-1 |
    | Installing | excluded: no behaviour |
    | Dreaming | EVT-9 |
    """)

  private var gaps: Coverage {
    Coverage(
      of: Self.rules,
      results: [
        result("a/one", ["EVT-1"], .pass, .wilddog1), result("a/one", ["EVT-1"]),
        result("a/two[x=1]", ["EVT-1", "EVT-2"]), result("a/two[x=2]", ["EVT-1", "EVT-2"], .fail),
        result("a/three", [], .unsupported),
      ],
      sources: Self.sources, extent: .everything)
  }

  @Test func `the report lists evidence, then gaps, then the total`() {
    #expect(
      gaps.text == """
        5 runs of 3 scenarios: 3 passed, 1 failed and prove nothing, 1 skipped

        level   rules   wilddog-1  wilddog-2  firebase
        MUST    2 of 3  2 of 2     1 of 3     2 of 3
        SHOULD  -       -          -          -
        MAY     0 of 1  -          -          0 of 1

        EVT-1  MUST  Order
            a/one

        rules tested otherwise: 1
          EVT-3  MUST  vectors  Sums

        rules without a scenario: 2
          EVT-2  MUST  Silence | rest  Specs/rules/events.md:9
          EVT-4  MAY   Luck            Specs/rules/events.md:26

        MUST rules without a scenario in wilddog-2: 1
          EVT-1  Order

        scenarios without a rule: 1
          a/three

        sources without a rule: 1
          004 Guide  Dreaming  6

        2 of 3 MUST rules tested

        """)
    #expect(!gaps.isComplete)
  }

  private static let page = """
    # Coverage

    5 runs of 3 scenarios: 3 passed, 1 failed and prove nothing, 1 skipped. \
    2 of 3 MUST rules tested.

    | level | rules | wilddog-1 | wilddog-2 | firebase |
    |---|---|---|---|---|
    | MUST | 2 of 3 | 2 of 2 | 1 of 3 | 2 of 3 |
    | SHOULD | - | - | - | - |
    | MAY | 0 of 1 | - | - | 0 of 1 |

    ## Rules tested otherwise

    | rule | level | by | title |
    |---|---|---|---|
    | EVT-3 | MUST | vectors | Sums |

    ## Rules without a scenario

    | rule | level | title | at |
    |---|---|---|---|
    | EVT-2 | MUST | Silence \\| rest | Specs/rules/events.md:9 |
    | EVT-4 | MAY | Luck | Specs/rules/events.md:26 |

    ## MUST rules without a scenario in wilddog-2

    | rule | title |
    |---|---|
    | EVT-1 | Order |

    ## Scenarios without a rule

    | scenario |
    |---|
    | a/three |

    ## Sources without a rule

    | document | heading | line of Specs/sources.md |
    |---|---|---|
    | 004 Guide | Dreaming | 6 |

    ## Rules and their scenarios

    | rule | level | title | scenarios |
    |---|---|---|---|
    | EVT-1 | MUST | Order | `a/one` |

    """

  @Test func `the page has the same in tables`() {
    #expect(gaps.markdown == Self.page)
  }

  @Test func `the object for programs says the same`() {
    let rule = """
      {"id":"EVT-1","level":"MUST","binds":"client","title":"Order","by":"scenarios","tested":true,\
      "scenarios":["a/one"],"profiles":["wilddog-1","firebase"]}
      """

    #expect(
      gaps.json.hasPrefix(
        #"{"runs":{"passed":3,"failed":1,"skipped":1,"scenarios":3},"levels":[{"level":"MUST","#
          + #""all":{"rules":3,"tested":2},"wilddog-1":{"rules":2,"tested":2},"#))
    #expect(gaps.json.contains(#""rules":[\#(rule),{"id":"EVT-2","#))
    #expect(
      gaps.json.hasSuffix(
        #""rulesWithoutScenario":["EVT-2","EVT-4"],"mustRulesWithoutScenarioIn":{"wilddog-1":[],"#
          + #""wilddog-2":["EVT-1"],"firebase":[]},"scenariosWithoutRule":["a/three"],"#
          + #""sourcesWithoutRule":[{"document":"004 Guide","heading":"Dreaming","line":6}],"#
          + #""complete":false}"# + "\n"))
  }

  @Test func `only what must hold is missed`() {
    let results = Profile.all.map { result("a", ["EVT-1", "EVT-2"], .pass, $0) }
    let coverage = Coverage(
      of: Self.rules, results: results, sources: nil, extent: .everything)

    #expect(coverage.untested.map(\.rule.id.description) == ["EVT-4"])
    #expect(coverage.isComplete)
  }

  @Test func `what must hold is missed in each profile`() {
    let results = [Profile.wilddog1, .firebase].map { result("a", ["EVT-1", "EVT-2"], .pass, $0) }
    let coverage = Coverage(
      of: Self.rules, results: results, sources: nil, extent: .everything)

    #expect(coverage.untested.map(\.rule.id.description) == ["EVT-4"])
    #expect(coverage.untested(in: "wilddog-1").isEmpty)
    #expect(coverage.untested(in: "wilddog-2").map(\.rule.id.description) == ["EVT-1", "EVT-2"])
    #expect(!coverage.isComplete)
  }

  @Test func `a scenario says nothing in a profile in which the rule does not hold`() {
    let coverage = Coverage(
      of: Self.rules, results: [result("a", ["EVT-1", "EVT-2"], .pass, .wilddog1)], sources: nil,
      extent: .everything)

    #expect(coverage.untested.map(\.rule.id.description) == ["EVT-2", "EVT-4"])
  }

  @Test func `of a selection only the cited rules are looked at`() {
    let coverage = Coverage(
      of: Self.rules, results: [result("a", ["EVT-1"])], sources: Self.sources, extent: .selection)

    #expect(
      coverage.text == """
        1 run of 1 scenario: 1 passed

        level   rules   wilddog-1  wilddog-2  firebase
        MUST    1 of 1  0 of 1     0 of 1     1 of 1
        SHOULD  -       -          -          -
        MAY     -       -          -          -

        EVT-1  MUST  Order
            a

        1 of 1 MUST rules tested

        """)
  }
}
