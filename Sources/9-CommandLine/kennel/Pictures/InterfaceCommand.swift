import AdapterSessions
import Commands
import KnownFailures
import Runs
import Scenario
import System
import UserInterface

/// The command `kennel ui`.
struct InterfaceCommand: Command {
  var settings: RunSettings
  /// The port; 0 for a free one.
  var port: Int

  /// - Throws: `Failure.usage` for values that do not exist.
  init(_ arguments: Arguments) throws(Failure) {
    settings = RunSettings(gate: GateSettings(today: try Calendar.today()))
    settings.profiles = try arguments.profiles()
    settings.client = arguments.value(of: "client")
    settings.adapter = try arguments.adapterOptions()
    settings.selectors = arguments.operands
    settings.selection = try arguments.selection()
    port = try arguments.number(of: "port", from: 0, through: 65535) ?? 0
  }

  static let grammar = Grammar(
    command: "kennel ui", operands: "[PATH|ID|PATTERN...] [-- COMMAND [ARGUMENT...]]",
    summary: """
      Serves a page to work with scenarios: it runs them against the client, opens at the first \
      failure, shows each run event by event, edits scenarios, and explains, explores and shrinks by \
      a button. Whenever a file changes, everything runs again. The page is for this machine only.
      """,
    options: [
      .profile, .client,
      .init(name: "port", value: "P", letter: "p", summary: "The port; a free one unless stated."),
    ] + ScenarioSelection.grammar + AdapterOptions.grammar,
    notes: """
      It prints the address of the page, and serves until Ctrl-C or SIGTERM.

      Examples:
        kennel ui
        kennel ui limits --client no-refill
        kennel ui -- python3 adapter.py

      \(ExitCode.helpOfServers)
      """,
    takesAdapter: true)

  /// Serves until it is asked to end.
  func perform() throws(Failure) -> ExitCode {
    try UserInterface.serve(settings, port: port) { address throws(Failure) in
      try Console.output(address + "\n")
    }
    return .success
  }
}
