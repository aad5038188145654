import Commands
import Reports
import Runs
import System
import Text

/// The command `kennel check`.
struct CheckCommand: Command {
  /// Scenario files and directories of them; at least one.
  var paths: [String] = []
  var format = ProblemFormat.text

  static var options: [Option<Self>] {
    [
      .value(
        "format", "FORMAT", \.format, .choice,
        """
        Print problems as text (the default), json (one object per line) or github (annotations \
        of a workflow).
        """)
    ]
  }

  static let grammar = Grammar(
    command: "kennel check", operands: "PATH...",
    summary: """
      Checks scenario files without running them: their form, the rules that they cite, whether \
      their profiles support what they use, and whether their expectations can fail. It also \
      checks project files, lists of known failures and rule files. Problems are printed as FILE:LINE:COLUMN: TEXT.
      """,
    notes: """
      Examples:
        kennel check Scenarios
        kennel check Scenarios/writes/local-echo.yaml
        kennel check --format github Scenarios
      """, exitCodes: .withoutVerdicts)

  mutating func take(_ arguments: Arguments) throws(Failure) {
    paths = try arguments.someOperands(else: "check needs the path of a file or directory")
  }

  /// Checks the files given.
  func perform() throws(Failure) -> ExitCode {
    let files = try CheckedFiles(paths)
    for problem in files.problems { try Console.output(format.line(of: problem)) }
    let found = files.problems.count
    if format == .json { return found == 0 ? .success : .usage }
    let others = counted(files.leftOut.count, "file")
    try Console.output(
      "checked \(counted(files.count, "file")): \(counted(found, "problem"))"
        + (files.leftOut.isEmpty
          ? "" : "; \(others) of other kinds left out: " + files.leftOut.joined(separator: ", "))
        + "\n")
    return found == 0 ? .success : .usage
  }
}
