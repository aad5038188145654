import AdapterSessions
import Commands
import Runs
import System

/// The command `kennel attach`: a run with an adapter that is started by hand.
struct AttachCommand: Command {
  var run: RunCommand

  /// - Throws: `Failure.usage` for values that do not exist, and when there is no scenario.
  init(_ arguments: Arguments) throws(Failure) {
    _ = try arguments.someOperands(else: "attach needs a scenario")
    let folder = arguments.value(of: "folder") ?? Self.standardFolder
    var arguments = arguments
    arguments.adapter = ["(attached at \(folder))"]
    run = try RunCommand(arguments)
    run.settings.adapter?.folder = folder
    // A person who looks at a program line by line takes all the time there is.
    run.settings.adapter?.timeout = AdapterProcess.forever
    run.settings.adapter?.initialTimeout = AdapterProcess.forever
    run.settings.adapter?.staysOnOneProcessor = false
  }

  private static let standardFolder = ".kennel/attached"

  static let grammar = Grammar(
    command: "kennel attach", operands: "PATH|ID...",
    summary: """
      Runs scenarios with an adapter that you start by hand, under a debugger for example. It \
      creates two named pipes in a folder and waits. The adapter reads from the pipe 'in' and \
      writes to the pipe 'out'. There are no timeouts.
      """,
    options: [
      .init(
        name: "folder", value: "DIR",
        summary: "Make the pipes in DIR instead of \(standardFolder)."),
      .profile,
      .init(name: "seed", value: "N", summary: "Run with seed N instead of 0."),
    ] + AdapterOptions.grammar.filter { $0.name != "timeout" },
    notes: """
      Unless the adapter can be reset, each run needs a process of its own: kennel prints when to start \
      it again.

      Examples:
        kennel attach writes/local-echo --profile firebase
        node --inspect-brk adapter.js < .kennel/attached/in > .kennel/attached/out

      \(ExitCode.help)
      """)

  /// Runs the scenarios with the adapter that attaches itself.
  func perform() throws(Failure) -> ExitCode {
    try run.perform()
  }
}
