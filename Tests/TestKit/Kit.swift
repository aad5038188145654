package import ClientInterface
package import Conformance
import Document
import Mutants
import ReferenceClient
package import Scenario
package import ScenarioFiles
package import Testing

/// Scenarios that are written in tests, those of this project, and clients to run them with.
package enum Kit {
  /// The file that a scenario written in a test claims to stand in.
  package static let file = "Scenarios/test/example.yaml"

  /// The whole text of a scenario, of which a test states what is below the head.
  package static func text(
    _ body: String, title: String = "An example", rules: String = "EVT-1"
  ) -> String {
    "kennel: 1\ntitle: \(title)\nrules: [\(rules)]\n\(body)\n"
  }

  /// The scenario with this body. A problem of the text fails the test.
  package static func scenario(
    _ body: String, title: String = "An example", rules: String = "EVT-1", file: String = file,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Scenario {
    try scenario(
      whole: text(body, title: title, rules: rules), file: file, sourceLocation: sourceLocation)
  }

  /// The scenario with this text. A problem of the text fails the test.
  package static func scenario(
    whole text: String, file: String = file, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Scenario {
    let result = read(text, file: file)
    #expect(result.problems.map(\.description) == [], sourceLocation: sourceLocation)
    return try #require(result.scenarios.first, sourceLocation: sourceLocation)
  }

  /// What a file says, where no other files can be included.
  package static func read(_ text: String, file: String = file) -> ScenarioReader.Result {
    ScenarioReader.read(file: file, bytes: Array(text.utf8), load: { _ in nil })
  }

  /// Makes reference clients.
  package static func reference(_ name: String, _ profile: Profile) -> any SyncClient {
    ReferenceClient(profile: profile)
  }

  /// Runs the reference client, or a mutant by its name.
  package static func runner(client: String? = nil) -> ScenarioRunner {
    guard let mutant = client.flatMap(Mutant.init(named:)) else {
      return ScenarioRunner(client: reference)
    }
    var runner = ScenarioRunner { _, profile in mutant.makeClient(profile) }
    runner.serverDefect = mutant.serverDefect
    return runner
  }

  /// A file of this project with one or more scenarios, or with what the others include.
  package struct ScenarioFile: Sendable {
    /// Where it is, relative to the source tree.
    package var file: String
    /// What is in it.
    package var text: String
    /// What it says.
    package var scenarios: [Scenario]
  }

  /// All files of scenarios of this project, in order, without those that are only included. They are
  /// read once for all tests.
  package static func projectFiles() throws -> [ScenarioFile] { try files.get() }

  private static let files = Result {
    try SourceTree.files(below: "Scenarios", ending: ["yaml"]).filter { !$0.contains("/_") }.map {
      let text = try SourceTree.text(of: $0)
      let read = ScenarioReader.read(
        file: $0, bytes: Array(text.utf8), load: SourceTree.bytes)
      return ScenarioFile(file: $0, text: text, scenarios: read.scenarios)
    }
  }

  /// The rules of this project.
  package static func projectRules() throws -> RuleBook { try rules.get() }

  private static let rules = Result {
    RuleBook(
      files: try SourceTree.files(below: "Specs/rules", ending: ["md"]).map {
        (name: $0, text: try SourceTree.text(of: $0))
      })
  }
}
