import Commands
import Conformance
import ReferenceClient
import Reports
import Rules
import Scenario
import System
import Trace
import Workspace

/// What `kennel coverage` was asked for.
struct CoverageOptions {
  enum Format: String, CaseIterable {
    case text, markdown, json
  }

  var format: Format

  /// Paths and ids of scenarios; empty means all of them.
  var selectors: [String]
}

extension CoverageOptions {
  /// - Throws: `Failure.usage` for values that do not exist.
  init(_ arguments: Arguments) throws(Failure) {
    format = try arguments.choice(of: "format", default: .text)
    selectors = arguments.operands
  }

  static let grammar = Grammar(
    command: "kennel coverage", operands: "[PATH|ID...]",
    summary: """
      Runs scenarios against the reference client and tells which rules they test: those that a \
      scenario cites that passed. Rules, scenarios and sources without a counterpart are listed, \
      and a MUST rule that nothing tests is a divergence.
      """,
    options: [
      .init(
        name: "format", value: "FORMAT",
        summary: "Report as text (the default), markdown or json.",
        choices: ["text", "markdown", "json"])
    ],
    notes: """
      With a PATH or ID only those scenarios run, and only the rules that they cite are looked at.

      A rule says '- tested: unit' (or vectors, recordings, adapter) when scenarios cannot test it. \
      The sources are the rows of Specs/sources.md.

      Examples:
        kennel coverage
        kennel coverage --format markdown
        kennel coverage Scenarios/events

      \(ExitCode.help)
      """)
}

extension CoverageOptions: Command {
  /// Runs the selected scenarios in all their profiles and prints which rules that tests.
  func perform() throws(Failure) -> ExitCode {
    let library = try ScenarioLibrary(selectors)
    try library.requireNoProblems()
    let home = try Home.find()
    let runner = ScenarioRunner(seed: 0) { _, profile in ReferenceClient(profile: profile) }
    var results: [ScenarioResult] = []
    for scenario in library.scenarios {
      for profile in scenario.profiles {
        var result = runner.run(scenario, in: profile)
        result.trace.forgetEvents()
        results.append(result)
      }
    }
    let coverage = Coverage(
      of: library.rules, results: results, sources: try home.sourceTable(),
      extent: selectors.isEmpty ? .everything : .selection)
    switch format {
    case .text: try Console.output(coverage.text)
    case .markdown: try Console.output(coverage.markdown)
    case .json: try Console.output(coverage.json)
    }
    if results.isEmpty { return .usage }
    return coverage.isComplete ? .success : .divergence
  }
}
