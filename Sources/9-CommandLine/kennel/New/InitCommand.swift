import AdapterSessions
import Commands
import Runs
import System
import Workspace

/// The command `kennel init`.
struct InitCommand: Command {
  var start: ProjectStart?

  static let usesProject = false

  static let grammar = Grammar(
    command: "kennel init", operands: "LANGUAGE | -- COMMAND [ARGUMENT...]",
    summary: """
      Makes the current directory a project that tests its client: writes kennel.yaml, which every \
      command reads from there on, a list of known failures, a workflow for GitHub, and what git \
      ignores. With a LANGUAGE it also writes an adapter to begin with; see 'kennel new --help'. Files that \
      are there are kept.
      """,
    notes: """
      Examples:
        kennel init python
        kennel init -- node test/adapter.js
      """, exitCodes: .withoutVerdicts,
    takesAdapter: true)

  mutating func take(_ arguments: Arguments) throws(Failure) {
    if let command = arguments.adapter, arguments.operands.isEmpty {
      start = ProjectStart(command: command)
      return
    }
    let language = try arguments.onlyOperand(else: "init needs a LANGUAGE, or a COMMAND after --")
    start = ProjectStart(template: try NewCommand.template(language, arguments))
  }

  /// Writes the files.
  func perform() throws(Failure) -> ExitCode {
    guard let start else { return .success }
    try Console.output(try start.write(home: { () throws(Failure) in try Home.find().path }))
    return .success
  }
}
