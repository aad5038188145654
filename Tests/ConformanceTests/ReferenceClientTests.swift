import ClientInterface
import Conformance
import Mutants
import ReferenceClient
import Reports
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

  @Test(arguments: Mutant.examples)
  func `every planted defect fails some scenario`(mutant: Mutant) {
    let runner = ScenarioRunner { _, profile in mutant.makeClient(profile) }
    let failure = ScenarioFiles.scenarios().first {
      runner.run($0, in: $0.profiles[0]).verdict == .fail
    }

    #expect(failure != nil)
  }
}
