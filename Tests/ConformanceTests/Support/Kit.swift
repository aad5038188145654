import ClientInterface
import Conformance
import Document
import ReferenceClient
import Reports
import Rules
import Scenario
import ScenarioFiles
import Testing
import Tree

/// Runs scenarios written in tests.
enum Kit {
  static let file = "Scenarios/test/example.yaml"

  static let rules = RuleBook(files: [
    (
      name: "Specs/rules/events.md",
      text: """
      ## EVT-1 Order

      - level: MUST
      - profiles: all
      - source: recordings
      - differs: firebase: it is the same there.

      Children come before the value.
      """
    )
  ])

  /// The scenario that `body` describes: everything below the title.
  static func scenario(_ body: String, file: String = file) throws -> Scenario {
    let text = "kennel: 1\ntitle: An example\nrules: [EVT-1]\n" + body + "\n"
    let result = ScenarioReader.read(file: file, bytes: Array(text.utf8), load: { _ in nil })
    #expect(result.problems.map(\.description) == [])
    return try #require(result.scenarios.first)
  }

  /// Judges expectations alone: scripted clients keep no other promises.
  static func run(
    _ body: String, profile: Profile = .wilddog2, client: @escaping ScenarioRunner.Factory
  ) throws -> ScenarioResult {
    var runner = ScenarioRunner(client: client)
    runner.invariants = .ignored
    return runner.run(try scenario(body), in: profile)
  }

  /// The report on a client that does what a script says.
  static func report(
    _ body: String, script: [String: [ClientOutput]], extent: TextReport.Extent = .first
  ) throws -> String {
    let result = try run(body) { _, _ in ScriptedClient(script: script) }
    return TextReport(rules: rules, extent: extent).text(of: result)
  }

  /// The sentence of a report with the line that says whom it is about.
  static func sentence(_ body: String, script: [String: [ClientOutput]]) throws -> String {
    let lines = try report(body, script: script).split(
      separator: "\n", omittingEmptySubsequences: false)
    let paragraph = lines.dropFirst(3).prefix { !$0.isEmpty }
    return paragraph.map { $0.dropFirst(2) }.joined(separator: "\n")
  }
}
