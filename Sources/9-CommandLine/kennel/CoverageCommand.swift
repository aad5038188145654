import Commands
import MutationAnalysis
import Reports
import Runs
import System
import Workspace

/// The command `kennel coverage`.
struct CoverageCommand: Command {
  var format = DocumentFormat.text
  var asksForStrength = false
  /// Paths and ids of scenarios; empty means all of them.
  var selectors: [String] = []

  static var options: [Option<Self>] {
    [
      .format(\.format),
      .flag(
        "strength", \.asksForStrength,
        "Also require that a mutant that violates the rule fails one of its scenarios."),
    ]
  }

  static let grammar = Grammar(
    command: "kennel coverage", operands: "[PATH|ID...]",
    summary: """
      Runs scenarios against the reference client and reports which rules they test. A rule is \
      tested if a scenario that cites it has passed. The report also lists rules, scenarios and \
      sources without a counterpart. A MUST rule that is not tested is a divergence.
      """,
    notes: """
      With a PATH or ID, only those scenarios run, and the report covers the rules that they cite.

      A rule has '- tested: unit' (or vectors, recordings, adapter) when scenarios cannot test it. \
      The sources are the rows of Specs/sources.md.

      With --strength a rule counts as tested when a client with a deliberate defect that violates \
      it (kennel mutants) makes a scenario that cites it fail, for that rule. Every MUST rule \
      that binds clients needs such a client. The report names rules whose scenarios never fail.

      Examples:
        kennel coverage
        kennel coverage --strength
        kennel coverage --format markdown
        kennel coverage Scenarios/events
      """)

  mutating func finish(_ arguments: Arguments) throws(Failure) {
    selectors = arguments.operands
    if asksForStrength, format == .markdown {
      throw arguments.failure("--strength reports as text or json")
    }
  }

  /// Runs the selected scenarios in all their profiles and prints which rules that tests.
  func perform() throws(Failure) -> ExitCode {
    let library = try ScenarioLibrary(selectors)
    try library.requireNoProblems()
    if asksForStrength { return try performStrength(library) }
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

  private func performStrength(_ library: ScenarioLibrary) throws(Failure) -> ExitCode {
    let strength = Strength(
      of: library.rules, by: library.scenarios, onlyCited: !selectors.isEmpty)
    try Console.output(format == .json ? strength.json : strength.text)
    if library.scenarios.isEmpty { return .usage }
    return strength.isComplete ? .success : .divergence
  }
}
