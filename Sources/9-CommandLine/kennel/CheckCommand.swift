import Commands
import Document
import Reports
import Rules
import Scenario
import System
import Workspace

/// What `kennel check` was asked for.
struct CheckOptions: Command {
  /// Scenario files and directories of them; at least one.
  var paths: [String]
  var format: ProblemFormat

  /// - Throws: `Failure.usage` when there is no path.
  init(_ arguments: Arguments) throws(Failure) {
    paths = try arguments.someOperands(else: "check needs the path of a scenario file or directory")
    format = try arguments.choice(of: "format", default: .text)
  }

  static let grammar = Grammar(
    command: "kennel check", operands: "PATH...",
    summary: """
      Checks scenario files without running them: their form, the rules that they cite, whether \
      their profiles support what they use, and whether their expectations can fail. It also \
      checks rule files. Problems are printed as FILE:LINE:COLUMN: TEXT.
      """,
    options: [
      .init(
        name: "format", value: "FORMAT",
        summary: """
          Print problems as text (the default), json (one object per line) or github (annotations \
          of a workflow).
          """, choices: ProblemFormat.allCases.map(\.rawValue))
    ],
    notes: """
      Examples:
        kennel check Scenarios
        kennel check Scenarios/writes/local-echo.yaml
        kennel check --format github Scenarios

      \(ExitCode.helpWithoutVerdicts)
      """)

  /// Checks the files given.
  func perform() throws(Failure) -> ExitCode {
    let library = try ScenarioLibrary(paths)
    let problems = library.rules.problems + library.problems + library.strays
    for problem in problems { try Console.output(format.line(of: problem)) }
    let files = Set(library.scenarios.map(\.file) + library.problems.map(\.file)).count
    let found = problems.count
    if format == .json { return found == 0 ? .success : .usage }
    try Console.output(
      "checked \(files) \(files == 1 ? "file" : "files"):"
        + " \(found) \(found == 1 ? "problem" : "problems")\n")
    return found == 0 ? .success : .usage
  }
}
