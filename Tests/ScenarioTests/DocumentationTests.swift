import Foundation
import Scenario
import ScenarioFiles
import Testing
import Tree

struct DocumentationTests {
  @Test func `the example of the documentation can be read`() throws {
    let file = SourceFiles.root.appending(path: "Specs/scenario-format.md")
    let text = try String(contentsOf: file, encoding: .utf8)
    let start = try #require(text.firstRange(of: "```yaml\n"))
    let end = try #require(text[start.upperBound...].firstRange(of: "```\n"))

    let result = ScenarioReader.read(
      file: "Scenarios/example.yaml",
      bytes: Array(text[start.upperBound..<end.lowerBound].utf8), load: { _ in nil },
      rules: try SourceFiles.rules())

    #expect(result.problems == [])
    #expect(result.scenarios.count == 1)
  }

  @Test func `the schema for editors is what the grammar makes of it`() throws {
    let file = SourceFiles.root.appending(path: ScenarioGrammar.schemaFile)
    let text = try String(contentsOf: file, encoding: .utf8)

    #expect(
      text == ScenarioGrammar.schema.indentedText, "write it again with 'kennel docs --rules'")
  }

  @Test func `the tables of the documentation are what the grammar makes of them`() throws {
    let file = SourceFiles.root.appending(path: ScenarioGrammar.pageFile)
    let text = try String(contentsOf: file, encoding: .utf8)

    #expect(text == ScenarioGrammar.updated(text), "write them again with 'kennel docs --rules'")
    #expect(text.components(separatedBy: ": written by `kennel docs`. -->").count == 9)
  }

  @Test(arguments: [
    "child_added", "limitToLast", "startAfter", "on-disconnect-cancel", "unlisten-all", "setIfNull",
    "$approx", "$unordered", "each-gap", "one-of", "server.reject", "network.refuse", "half-open",
    "keep-synced", "expect-now", "localEvents", "quiet", "together", "rolled-back", "persistence",
    "server.revoke-auth", "unauth", "tokens", "unless", "childrenCount", "mutable",
  ])
  func `the documentation explains every word`(word: String) throws {
    let file = SourceFiles.root.appending(path: "Specs/scenario-format.md")

    #expect(try String(contentsOf: file, encoding: .utf8).contains(word))
  }
}
