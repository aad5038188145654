import Conformance
import Mutants
import Reports
import Scenario
import TestKit
import Testing
import Wire

@Suite struct ReferenceClientTests {
  /// In one profile, twice, in the wire form whose turn it is. `tools/test` runs all of them with
  /// the optimised program: in every profile, again in another process, and in other wire forms.
  @Test(arguments: 0..<4)
  func `the reference client passes every scenario`(quarter: Int) throws {
    let runner = ScenarioRunner(client: Kit.reference)
    let report = TextReport(rules: try Kit.projectRules())
    var failures = ""
    for (index, file) in try Kit.projectScenarios().enumerated() where index % 4 == quarter {
      let round = index / 4
      var scenario = file
      if !round.isMultiple(of: 3) {
        scenario.form = scenario.form ?? WireForm.allCases[round % WireForm.allCases.count]
      }
      let profile = scenario.profiles[round % scenario.profiles.count]
      let result = runner.run(scenario, in: profile)
      failures += report.text(of: result)
      if runner.run(scenario, in: profile).hash != result.hash {
        failures += "\(scenario.id) differs from run to run"
      }
    }

    #expect(failures == "")
  }

  @Test(arguments: Mutant.examples)
  func `every planted defect fails some scenario`(mutant: Mutant) throws {
    let runner = ScenarioRunner { _, profile in mutant.makeClient(profile) }
    let failure = try Kit.projectScenarios().first {
      runner.run($0, in: $0.profiles[0]).verdict == .fail
    }

    #expect(failure != nil)
  }
}
