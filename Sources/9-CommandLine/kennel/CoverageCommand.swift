import Commands
import Reports
import Runs
import System
import Workspace

/// What `kennel coverage` was asked for.
struct CoverageOptions: Command {
  var format: DocumentFormat

  /// Paths and ids of scenarios; empty means all of them.
  var selectors: [String]

  /// - Throws: `Failure.usage` for values that do not exist.
  init(_ arguments: Arguments) throws(Failure) {
    format = try arguments.choice(of: "format", default: .text)
    selectors = arguments.operands
  }

  static let grammar = Grammar(
    command: "kennel coverage", operands: "[PATH|ID...]",
    summary: """
      Runs scenarios against the reference client and reports which rules they test: those that a \
      scenario cites that passed. Rules, scenarios and sources without a counterpart are listed, \
      and a MUST rule that nothing tests is a divergence.
      """,
    options: [.documentFormat],
    notes: """
      With a PATH or ID only those scenarios run, and only the rules that they cite are looked at.

      A rule has '- tested: unit' (or vectors, recordings, adapter) when scenarios cannot test it. \
      The sources are the rows of Specs/sources.md.

      Examples:
        kennel coverage
        kennel coverage --format markdown
        kennel coverage Scenarios/events

      \(ExitCode.help)
      """)

  /// Runs the selected scenarios in all their profiles and prints which rules that tests.
  func perform() throws(Failure) -> ExitCode {
    let library = try ScenarioLibrary(selectors)
    try library.requireNoProblems()
    let coverage = try Coverage(
      running: library, extent: selectors.isEmpty ? .everything : .selection)
    switch format {
    case .text: try Console.output(coverage.text)
    case .markdown: try Console.output(coverage.markdown)
    case .json: try Console.output(coverage.json)
    }
    if library.scenarios.isEmpty { return .usage }
    return coverage.isComplete ? .success : .divergence
  }
}
