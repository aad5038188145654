import AdapterSessions
import Commands
import Runs
import System

/// The command `kennel attach`: a run with an adapter that is started by hand.
struct AttachCommand: Command {
  var run = RunCommand()
  /// The folder of the pipes.
  var folder = ".kennel/attached"

  static var options: [Option<Self>] {
    [
      .value(
        "folder", "DIR", \.folder, .text,
        "Make the pipes in DIR instead of \(Self().folder).")
    ]
      + RunSettings.options.only("profile", "seed").within(\.run.settings)
      .saying(["seed": "Run with seed N instead of 0."])
      + Option.table(AdapterOptions.options.except("timeout").within(\.run.settings.adapter)) {
        $0.needsAdapter = false
      }
  }

  static let grammar = Grammar(
    command: "kennel attach", operands: "PATH|ID...",
    summary: """
      Runs scenarios with an adapter that you start by hand, under a debugger for example. It \
      creates two named pipes in a folder and waits. The adapter reads from the pipe 'in' and \
      writes to the pipe 'out'. There are no timeouts.
      """,
    notes: """
      Unless the adapter can be reset, each run needs a process of its own: kennel prints when to start \
      it again.

      Examples:
        kennel attach writes/local-echo --profile firebase
        node --inspect-brk adapter.js < .kennel/attached/in > .kennel/attached/out
      """)

  mutating func take(_ arguments: Arguments) throws(Failure) {
    run.settings.selectors = try arguments.someOperands(else: "attach needs a scenario")
    var adapter = AdapterOptions(command: [], warn: Console.warn)
    // A person who looks at a program line by line takes all the time there is.
    adapter.timeout = AdapterProcess.forever
    adapter.initialTimeout = AdapterProcess.forever
    adapter.staysOnOneProcessor = false
    run.settings.adapter = adapter
  }

  mutating func finish(_ arguments: Arguments) throws(Failure) {
    run.settings.adapter?.command = ["(attached at \(folder))"]
    run.settings.adapter?.folder = folder
    try run.finish(arguments)
  }

  /// Runs the scenarios with the adapter that attaches itself.
  func perform() throws(Failure) -> ExitCode {
    try run.perform()
  }
}
