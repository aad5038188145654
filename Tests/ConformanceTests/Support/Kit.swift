import ClientInterface
import Conformance
import Reports
import Scenario
import TestKit
import Testing
import Tree

/// Runs scenarios written in tests.
extension Kit {
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

  /// What reports about the scenarios of tests end with.
  static let footer = """
      rule EVT-1: Children come before the value.

      replay  tools/kennel run test/example --profile wilddog-2 --seed 0

    """

  /// Judges expectations alone: scripted clients keep no other promises.
  static func run(
    _ body: String, profile: Profile = .wilddog2, client: @escaping ScenarioRunner.Factory
  ) throws -> ScenarioResult {
    var runner = ScenarioRunner(client: client)
    runner.invariants = .ignored
    return runner.run(try scenario(body), in: profile)
  }

  /// Judges a client that does what a script says.
  static func result(
    _ body: String, _ script: [String: [ClientOutput]]
  ) throws -> ScenarioResult {
    ScenarioRunner { _, _ in ScriptedClient(script: script) }
      .run(try scenario(body), in: .wilddog2)
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
