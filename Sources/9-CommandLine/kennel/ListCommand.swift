import Commands
import Scenario
import System
import Text
import Tree
import Workspace

/// The command `kennel list`.
struct ListCommand: Command {
  var format = OutputFormat.text
  /// Paths, ids and patterns of scenarios; empty means all of them.
  var selectors: [String] = []
  /// Which of these are meant.
  var selection = ScenarioSelection()

  static var options: [Option<Self>] {
    [.format(\.format).saying("List as text (the default) or json.")]
      + ScenarioSelection.options.within(\.selection)
  }

  static let grammar = Grammar(
    command: "kennel list", operands: "[PATH|ID|PATTERN...]",
    summary: """
      Lists scenarios with their titles. Without a PATH or ID, all scenarios are listed.
      """,
    notes: """
      Examples:
        kennel list
        kennel list Scenarios/queries --format json
        kennel list 'limits/*' --tag smoke
      """, exitCodes: .withoutVerdicts)

  mutating func take(_ arguments: Arguments) throws(Failure) { selectors = arguments.operands }

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
