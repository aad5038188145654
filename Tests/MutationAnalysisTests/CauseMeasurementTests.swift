import ClientInterface
import Scenario
import Search
import TestKit
import Testing

@testable import Mutants
@testable import MutationAnalysis

@Suite struct CauseMeasurementTests {
  @Test func `failures of a sample of mutants are put down to their causes`() throws {
    let scenarios = try Kit.projectScenarios()
    // A sample by names, so that a new mutant leaves it as it is.
    let mutants = Mutant.all.filter { mutant in
      CauseMeasurement.concerns(mutant) && mutant.name.utf8.reduce(0) { $0 + Int($1) } % 28 == 7
    }
    var measurement = CauseMeasurement()
    for mutant in mutants { _ = measurement.add(mutant, scenarios) }

    #expect(measurement.outcomes.count > 10)
    #expect(measurement.quality.purity >= 0.95)
    #expect(measurement.quality.completeness >= 0.9)
    #expect(Double(measurement.named) >= 0.7 * Double(measurement.outcomes.count))
  }

  @Test func `both ways to measure a mutant come to the same`() throws {
    let mutant = try Kit.mutant("lost-echo")
    let scenarios = try ["access/refused-write-is-rolled-back", "values/key-order"].map {
      try Kit.projectScenario($0)
    }
    var measurement = CauseMeasurement()

    let added = measurement.add(mutant, scenarios)
    let outcome = try #require(added)
    let found = try #require(Kit.detector(scenarios, hunting: 0).examine(mutant).outcome)

    #expect(outcome.failures.map(\.scenario) == ["access/refused-write-is-rolled-back"])
    #expect(found.failures.map(\.causes) == outcome.failures.map(\.causes))
    #expect(found.rule == outcome.rule && found.rule != nil)
  }

  @Test func `the page says which rule is named, and how well causes are found`() throws {
    var result = MutantResult(of: .valueFirst)
    result.outcome = .init(
      mutant: .valueFirst, failures: [.init(scenario: "test/a", causes: ["inv-4"])], rule: "EVT-7")
    let read = try #require(MutantResult(json: result.json))
    let page = KillMatrix([read], scenarios: []).markdown

    #expect(page.contains("| C1 EVT-7 | EVT-7 | 0 |"))
    #expect(page.contains("| purity of groups | 1 of 1 (100 %) |\n"))
    #expect(page.contains("| broken rule is named | 1 of 1 (100 %) |\n"))
    #expect(!KillMatrix([MutantResult(of: .valueFirst)], scenarios: []).text.contains("purity"))
  }
}
