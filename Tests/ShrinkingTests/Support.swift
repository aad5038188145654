import ClientInterface
import Conformance
import Document
import Mutants
import ReferenceClient
import Scenario
import ScenarioFiles
import Shrinking
import Testing

/// Reads and runs scenarios written in tests.
enum Kit {
  static func scenario(_ body: String) throws -> Scenario {
    let text = "kennel: 1\ntitle: An example\n" + body + "\n"
    let result = ScenarioReader.read(
      file: "Scenarios/found/example.yaml", bytes: Array(text.utf8), load: { _ in nil })
    #expect(result.problems.map(\.description) == [])
    return try #require(result.scenarios.first)
  }

  static var reference: ScenarioRunner {
    ScenarioRunner { _, profile in ReferenceClient(profile: profile) }
  }

  static func failingSetup(_ mutant: Mutant, profile: Profile = .wilddog2) -> FailingSetup {
    var runner = ScenarioRunner { _, profile in mutant.makeClient(profile) }
    runner.serverDefect = mutant.serverDefect
    return FailingSetup(runner, reference: reference, profile: profile)
  }
}
