import ClientInterface
import Conformance
import Reports
import Scenario
import TestKit
import Testing
import Trace

/// A client that counts all clients that were ever made, as one with hidden state would.
private final class Counter: @unchecked Sendable {
  var count = 0
}

@Suite struct VerdictTests {
  private let report = TextReport(rules: Kit.rules)

  private func silent(_ name: String, _ profile: Profile) -> any SyncClient {
    ScriptedClient(script: [:])
  }

  @Test func `a scenario for other profiles is unsupported`() throws {
    let result = try Kit.run(
      "clients: [alice]\nprofiles: [firebase]\nsteps: [{expect: {server: null}}]", client: silent)

    #expect(result.verdict == .unsupported)
    #expect(report.text(of: result) == "")
    #expect(
      report.line(of: result) == "unsupported  test/example  wilddog-2  (it is for firebase)\n")
  }

  @Test func `a scenario that needs what the client lacks is unsupported`() throws {
    let result = try Kit.run(
      "clients: [alice]\nneeds: [set, transaction]\nsteps: [{expect: {server: null}}]"
    ) { _, _ in ScriptedClient(script: [:], capabilities: ["set"]) }

    #expect(result.verdict == .unsupported)
    #expect(
      report.line(of: result)
        == "unsupported  test/example  wilddog-2  (alice has no transaction)\n")
  }

  @Test func `a pass is quiet`() throws {
    let result = try Kit.run(
      "clients: [alice]\nsteps: [{expect: {server: null}}]", client: silent)

    #expect(result.verdict == .pass)
    #expect(result.stepsRun == 1)
    #expect(report.text(of: result) == "")
    #expect(report.line(of: result) == "pass         test/example  wilddog-2\n")
  }

  @Test func `a scenario in which nothing can fail is vacuous`() throws {
    let result = try Kit.run("clients: [alice]\nsteps: [{wait: 5ms}]", client: silent)

    #expect(result.verdict == .vacuous)
    #expect(
      report.text(of: result) == """
        VACUOUS  An example
              Scenarios/test/example.yaml

          no client is called and nothing is expected

          replay  tools/kennel run test/example --profile wilddog-2 --seed 0

        """)
  }

  @Test func `a client that does not repeat itself is nondeterministic`() throws {
    let counter = Counter()
    let scenario = try Kit.scenario("clients: [alice]\nsteps: [{expect: {server: null}}]")
    let runner = ScenarioRunner { _, _ in
      counter.count += 1
      return ScriptedClient(script: ["hello": [.log("client \(counter.count)")]])
    }
    var result = runner.run(scenario, in: .wilddog2)
    let other = runner.run(scenario, in: .wilddog2)
    result.hasDiverged(from: "a second run", at: TraceDifference(result.trace, other.trace))

    #expect(result.verdict == .nondeterministic)
    #expect(
      report.text(of: result) == """
        NONDETERMINISTIC  An example
              Scenarios/test/example.yaml

          a second run with the same seed differed at event 6, at 20 ms, before the first step

             1   0 ms  alice            asks for a connection
             2  10 ms  server <- alice  connection opened   session session1
             3  10 ms  server -> alice  hello   session session1
             4  10 ms  alice            connection opened
             5  20 ms  alice <- server  hello   session session1
          -  6  20 ms  alice            log: client 1
          +  6  20 ms  alice            log: client 2
              (- this run, + the other one)

          replay  tools/kennel run test/example --profile wilddog-2 --seed 0

        """)
  }

  @Test func `every verdict counts as passed, failed or skipped`() {
    #expect(
      Verdict.allCases.map { "\($0.rawValue): \($0.count)" } == [
        "pass: passed", "advice: passed", "fail: failed", "unsupported: skipped",
        "inconclusive: skipped",
        "crash: failed", "hang: failed", "broken-protocol: failed", "nondeterministic: failed",
        "vacuous: failed", "kit-error: failed",
      ])
  }

  private func results() throws -> [ScenarioResult] {
    let passing = try Kit.scenario("clients: [alice]\nsteps: [{expect: {server: null}}]")
    var failing = try Kit.scenario("clients: [alice]\nsteps: [{expect: {server: 1}}]")
    failing.id = "test/failing"
    let runner = ScenarioRunner(seed: 42, client: silent)
    return [
      runner.run(passing, in: .wilddog1), runner.run(passing, in: .wilddog2),
      runner.run(failing, in: .wilddog2),
    ]
  }

  @Test func `what fails alike in several profiles is told once`() throws {
    let scenario = try Kit.scenario("clients: [alice]\nsteps: [{wait: 5ms}]")
    let runner = ScenarioRunner(client: silent)
    let results = scenario.profiles.map { runner.run(scenario, in: $0) }

    #expect(
      report.text(of: results) == """
        VACUOUS  An example
              Scenarios/test/example.yaml

          no client is called and nothing is expected

          replay  tools/kennel run test/example --profile wilddog-1 --seed 0
          also in wilddog-2, firebase


        """)
  }

  @Test func `a summary counts, names the failed and ends plainly`() throws {
    let summary = Summary(of: try results(), seed: 42, milliseconds: 3140)

    #expect(
      summary.text() == """
        3 runs of 2 scenarios: 2 pass, 1 fail   seed 42   3.1 s
        selected 3 = ran 3

          FAIL  test/failing  wilddog-2

        2 passed, 1 failed, 0 skipped

        """)
    #expect(
      Summary(of: [], seed: 0).text() == """
        0 scenarios: nothing ran   seed 0
        selected 0 = ran 0

        0 passed, 0 failed, 0 skipped

        """)
  }

  @Test func `a summary tells why runs were skipped`() throws {
    let scenario = try Kit.scenario("profiles: [firebase]\nclients: [alice]\nsteps: [settle]")
    let runner = ScenarioRunner(client: silent)
    let results = [.wilddog1, .wilddog2].map { runner.run(scenario, in: $0) }
    let summary = Summary(of: results, seed: 0)

    #expect(summary.isEmpty)
    #expect(
      summary.text() == """
        2 runs of 1 scenario: 2 unsupported   seed 0
        selected 2 = ran 0 + unsupported 2
          2 unsupported: it is for firebase

        0 passed, 0 failed, 2 skipped

        """)
  }

  @Test func `a summary for programs is one object`() throws {
    let summary = Summary(of: try results(), seed: .max)

    #expect(
      summary.json() == #"{"summary":{"runs":3,"scenarios":2,"selected":3,"unsupported":0,"#
        + #""notRun":0,"passed":2,"failed":1,"skipped":0,"known":0,"advice":0,"#
        + #""verdicts":{"pass":2,"fail":1},"failures":[{"scenario":"test/failing","#
        + #""profile":"wilddog-2","verdict":"fail"}],"seed":"18446744073709551615","#
        + #""milliseconds":null}}"# + "\n")
  }

  @Test func `a result for programs is one object`() throws {
    let result = try results()[2]

    #expect(
      JSONReport.line(of: result)
        == #"{"scenario":"test/failing","title":"An example","#
        + #""file":"Scenarios/test/example.yaml","rules":["EVT-1"],"profile":"wilddog-2","seed":42,"#
        + #""verdict":"fail","reason":null,"signature":"server-tree","steps":1,"stepsRun":1,"#
        + #""hash":"\#(result.hash)","divergences":[{"kind":"server-tree","#
        + #""sentence":"the server has nothing at /, expected 1","subject":"server","step":1,"#
        + #""file":"Scenarios/test/example.yaml","line":5,"column":10,"rules":["EVT-1"],"#
        + #""weight":"failure","event":null,"rows":[{"side":"expected","number":1,"text":"1"},"#
        + #"{"side":"observed","number":1,"text":"null"}]}],"#
        + #""events":\#(result.trace.count),"checkpoints":[],"unusedChoices":[],"#
        + #""loweredChoices":[],"circumstances":[],"parting":null}"#
        + "\n")
  }
}
