import ClientInterface
import Conformance
import ReferenceClient
import Report
import Scenario
import Testing

@Suite struct ReferenceClientTests {
  @Test(arguments: Profile.all)
  func `the reference client passes every scenario`(profile: Profile) {
    let runner = ScenarioRunner(repetition: .twice) { _, profile in
      ReferenceClient(profile: profile)
    }
    let report = TextReport(rules: ScenarioFiles.rules())
    var failures = ""
    for scenario in ScenarioFiles.scenarios() where scenario.profiles.contains(profile) {
      failures += report.text(of: runner.run(scenario, in: profile))
    }

    #expect(failures == "")
  }
}
