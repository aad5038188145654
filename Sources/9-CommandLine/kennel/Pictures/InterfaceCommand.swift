import AdapterSessions
import Commands
import KnownFailures
import Runs
import Scenario
import System
import UserInterface
import Workspace

/// The command `kennel ui`.
struct InterfaceCommand: Command {
  var settings = RunSettings()
  /// The port; 0 for a free one.
  var port = 0

  static var options: [Option<Self>] {
    RunSettings.options.only("profile", "client").within(\.settings)
      + [
        .value(
          "port", "P", \.port, .number(0...65535), letter: "p",
          "The port; a free one unless stated.")
      ] + ScenarioSelection.options.within(\.settings.selection)
      + AdapterOptions.options.within(\.settings.adapter)
  }

  static let grammar = Grammar(
    command: "kennel ui", operands: "[PATH|ID|PATTERN...] [-- COMMAND [ARGUMENT...]]",
    summary: """
      Serves a page to work with scenarios: it runs them against the client, opens at the first \
      failure, shows each run event by event, edits scenarios, and explains, explores and shrinks by \
      a button. Whenever a file changes, everything runs again. The page is for this machine only.
      """,
    notes: """
      It prints the address of the page, and serves until Ctrl-C or SIGTERM.

      Examples:
        kennel ui
        kennel ui limits --client no-refill
        kennel ui -- python3 adapter.py
      """, exitCodes: .ofServers,
    takesAdapter: true)

  mutating func take(_ arguments: Arguments) throws(Failure) { try settings.take(arguments) }

  /// Serves until it is asked to end.
  func perform() throws(Failure) -> ExitCode {
    try UserInterface.serve(settings, port: port) { address throws(Failure) in
      try Console.output(address + "\n")
    }
    return .success
  }
}
