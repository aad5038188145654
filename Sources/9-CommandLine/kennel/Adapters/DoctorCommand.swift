import AdapterChecks
import AdapterSessions
import ClientInterface
import Commands
import System
import Workspace

/// The command `kennel doctor`.
struct DoctorCommand: Command {
  var settings: CheckSettings
  /// Whether to measure round trips instead.
  var measuresSpeed: Bool

  /// - Throws: `Failure.usage` when there is no command, and for values that do not exist.
  init(_ arguments: Arguments) throws(Failure) {
    if let operand = arguments.operands.first {
      throw arguments.failure("doctor takes no \"\(operand)\"; the COMMAND comes after --")
    }
    guard var adapter = try arguments.adapterOptions() else {
      throw arguments.failure("doctor needs the COMMAND of an adapter after --")
    }
    adapter.isChecked = !arguments.contains("speed")
    let seed = try arguments.seed() ?? 0
    let profile = try arguments.profiles().last.flatMap { Profile(named: $0) } ?? .firebase
    settings = CheckSettings(adapter, profile: profile, seed: seed)
    measuresSpeed = arguments.contains("speed")
  }

  static let grammar = Grammar(
    command: "kennel doctor", operands: "-- COMMAND [ARGUMENT...]",
    summary: """
      Tests each part of the adapter protocol with the adapter that COMMAND starts, and reports \
      what is missing: one line for each check, and for each capability the simplest scenario \
      that needs it.
      """,
    options: [
      .init(
        name: "speed", summary: "Only measure round trips per second."),
      .init(
        name: "profile", value: "PROFILE",
        summary: "Examine it in this profile: wilddog-1, wilddog-2 or firebase (if not given)."),
      .init(
        name: "seed", value: "N",
        summary: "Draw the unpredictable names from seed N instead of 0."),
    ] + AdapterOptions.grammar.filter { $0.name != "validate" },
    notes: """
      Every line is checked against Specs/adapter-protocol.schema.json.

      Examples:
        kennel doctor -- python3 adapter.py
        kennel doctor --speed -- node adapter.js

      \(ExitCode.help)
      """,
    takesAdapter: true)

  /// Examines an adapter.
  func perform() throws(Failure) -> ExitCode {
    if measuresSpeed {
      try Console.output(try AdapterLatency(settings).text())
      return .success
    }
    var doctor = Doctor(settings)
    try doctor.examine(with: { () throws(Failure) in try ScenarioLibrary([]).scenarios }) {
      finding throws(Failure) in try Console.output(finding.text)
    }
    try Console.output("\n" + doctor.summary)
    return doctor.hasFailed ? .divergence : .success
  }
}
