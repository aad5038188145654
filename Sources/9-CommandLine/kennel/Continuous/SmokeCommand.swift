import AdapterSessions
import Commands
import Reports
import Runs
import System
import Trace
import Workspace

/// The command `kennel smoke`.
struct SmokeCommand: Command {
  var run = RunSettings()

  /// From what every client has to what few get right at once.
  static let scenarios = [
    "values/four-kinds", "writes/local-echo", "events/initial-children-then-value",
    "events/previous-key-names-the-neighbour", "queries/bounds-are-inclusive",
    "limits/refill-after-foreign-removal", "transactions/increment-under-a-listener",
    "access/refused-write-is-rolled-back", "offline/writes-go-out-once-in-order",
    "connection/write-cut-on-its-way", "server-values/estimate-then-correction",
    "on-disconnect/presence-recipe",
  ]

  static var options: [Option<Self>] {
    Option.table(
      RunSettings.options.only("profile", "client").within(\.run).saying([
        "profile": "Run for this profile (firebase if not given).",
        "client": "Test the client NAME.",
      ])
    ) { $0.isRepeatable = false } + AdapterOptions.options.within(\.run.adapter)
  }

  static let grammar = Grammar(
    command: "kennel smoke", operands: "[-- COMMAND [ARGUMENT...]]",
    summary: """
      Runs a dozen representative scenarios, shows the first failure, and suggests next steps. \
      Begin with this command.
      """,
    notes: """
      Examples:
        kennel smoke
        kennel smoke --profile wilddog-2 -- node adapter.js
      """,
    takesAdapter: true)

  mutating func take(_ arguments: Arguments) throws(Failure) {
    if let word = arguments.operands.first {
      throw arguments.failure("smoke takes no \"\(word)\"; 'kennel run \(word)' runs that")
    }
    try run.take(arguments)
    run.selectors = Self.scenarios
  }

  mutating func finish(_ arguments: Arguments) throws(Failure) {
    if run.profiles.isEmpty { run.profiles = ["firebase"] }
    if run.profiles.count > 1 { throw arguments.failure("smoke takes one --profile") }
  }

  /// Runs the handful, a line for each.
  func perform() throws(Failure) -> ExitCode {
    let library = try ScenarioLibrary(run)
    var session = try RunSession(run, library, palette: Console.palette)
    var records: [RunRecord] = []
    for scenario in library.scenarios where !session.hasGivenUp {
      for record in try session.records(of: scenario, seed: 0) {
        records.append(record)
        try Console.output(record.smokeLine)
      }
    }
    let summary = Summary(of: records, left: library.scenarios.count - records.count, seed: 0)
    let first = records.first { !$0.text.isEmpty }.map { "\n" + $0.text } ?? ""
    try Console.output(first + "\n" + records.advice(run) + "\n" + summary.tally.line + "\n")
    return ExitCode(of: records.map(\.verdict))
  }
}
