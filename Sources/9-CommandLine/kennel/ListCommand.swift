import Commands
import Scenario
import System
import Text
import Tree
import Workspace

/// The command `kennel list`.
struct ListCommand: Command {
  var format: OutputFormat

  /// Paths, ids and patterns of scenarios; empty means all of them.
  var selectors: [String]

  /// Which of these are meant.
  var selection: ScenarioSelection

  /// - Throws: `Failure.usage` for values that do not exist.
  init(_ arguments: Arguments) throws(Failure) {
    format = try arguments.choice(of: "format", default: .text)
    selectors = arguments.operands
    selection = try arguments.selection()
  }

  static let grammar = Grammar(
    command: "kennel list", operands: "[PATH|ID|PATTERN...]",
    summary: """
      Lists scenarios with their titles. Without a PATH or ID, all scenarios are listed.
      """,
    options: [
      .init(
        name: "format", value: "FORMAT", summary: "List as text (the default) or json.",
        choices: ["text", "json"])
    ] + ScenarioSelection.grammar,
    notes: """
      Examples:
        kennel list
        kennel list Scenarios/queries --format json
        kennel list 'limits/*' --tag smoke

      \(ExitCode.helpWithoutVerdicts)
      """)

  /// Lists the selected scenarios.
  func perform() throws(Failure) -> ExitCode {
    var library = try ScenarioLibrary(selectors)
    try library.requireNoProblems()
    try library.select(selection)
    switch format {
    case .text:
      let width = library.scenarios.map(\.id.count).max() ?? 0
      for scenario in library.scenarios {
        let padding = String(repeating: " ", count: width - scenario.id.count)
        try Console.output("\(scenario.id)\(padding)  \(scenario.title)\n")
      }
    case .json:
      for scenario in library.scenarios { try Console.output(scenario.summary.text + "\n") }
    }
    if library.scenarios.isEmpty {
      throw .unusable("the options select none of \(counted(library.all.count, "scenario"))")
    }
    return .success
  }
}
