import Conformance
import Metamorphic
import Reports
import Scenario
import TestKit
import Testing

@Suite struct TrialReportTests {
  private let report = SearchReport(TextReport(rules: RuleBook(files: [])))

  private func trials() throws -> [Trial] {
    let scenario = try Kit.scenario(
      """
      clients: [alice]
      data: {a: 1}
      profiles: [wilddog-2, firebase]
      steps:
        - alice.listen: {path: a, event: value, as: feed}
        - alice.on-disconnect-remove: b
        - expect: {alice.feed: [{value: 1}]}
      """)
    let count = MutantClient.Count()
    return scenario.profiles.map {
      Trial(scenario, in: $0, ScenarioRunner { MutantClient($1, .oneListenerAPath, count) })
    }
  }

  @Test func `a report names the change and tells what went wrong with it`() throws {
    let text = report.text(of: try trials())

    #expect(
      text.hasPrefix(
        """
        differs   test/example  twin-listeners
                  passes unchanged, but not with every listener registered twice

        FAIL  An example   step 4 of 4   rule EVT-1
              Scenarios/test/example.yaml:10

          expected value /a, but the client raised nothing more
          on  alice.feed' = /a
        """), "\(text)")
    #expect(
      text.hasSuffix(
        """
          replay  tools/kennel run test/example --profile wilddog-2 --seed 0 --metamorphic
          also in firebase


        """), "\(text)")
  }

  @Test func `a summary tells what applied and what did not`() throws {
    #expect(
      TrialSummary.text(of: try trials()) == """
        12 runs of 1 scenario and variants of them

          as it stands    2 passed, 0 failed, 0 skipped
          deeper-root     2 passed, 0 failed, 0 skipped
          renamed-keys    2 passed, 0 failed, 0 skipped
          other-client    2 passed, 0 failed, 0 skipped
          twin-listeners  0 passed, 2 failed, 0 skipped
          other-listener  2 passed, 0 failed, 0 skipped
          reconnection    0 passed, 0 failed, 2 skipped

          2 without reconnection: on-disconnect operations would be done

          FAIL  twin-listeners  test/example  wilddog-2
          FAIL  twin-listeners  test/example  firebase

        10 passed, 2 failed, 2 skipped

        """)
  }

  @Test func `lines for programs name the change`() throws {
    let trial = try #require(try trials().first)
    let lines = TrialSummary.lines(of: trial).split(separator: "\n")

    #expect(lines.count == 1 + ScenarioChange.allCases.count)
    #expect(lines[0].hasPrefix(#"{"change":null,"scenario":"test/example""#), "\(lines[0])")
    #expect(lines[4].hasPrefix(#"{"change":"twin-listeners","scenario":"#), "\(lines[4])")
    #expect(lines[4].contains(#""verdict":"fail""#))
    #expect(lines[6].contains(#""reason":"on-disconnect operations would be done""#))
    #expect(
      TrialSummary.json(of: [trial]) == """
        {"summary":{"runs":7,"passed":5,"failed":1,"skipped":1,"differing":[{"scenario":\
        "test/example","profile":"wilddog-2","change":"twin-listeners","verdict":"fail"}],\
        "milliseconds":null}}

        """)
  }
}
