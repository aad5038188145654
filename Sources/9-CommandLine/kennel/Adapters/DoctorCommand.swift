import AdapterChecks
import AdapterSessions
import ClientInterface
import Commands
import System
import Workspace

/// The command `kennel doctor`.
struct DoctorCommand: Command {
  var adapter: AdapterOptions?
  var profile = Profile.firebase.name
  /// Where the names of unknown verbs and operations start.
  var seed: UInt64 = 0
  /// Whether to measure round trips instead.
  var measuresSpeed = false

  static var options: [Option<Self>] {
    [
      .flag("speed", \.measuresSpeed, "Only measure round trips per second."),
      .value(
        "profile", "PROFILE", \.profile, .profile,
        "Examine it in this profile: wilddog-1, wilddog-2 or firebase (if not given)."
      ).fromProject("profiles"),
      .value(
        "seed", "N", \.seed, .seed, "Draw the unpredictable names from seed N instead of 0."),
    ] + AdapterOptions.options.except("validate").within(\.adapter)
  }

  static let grammar = Grammar(
    command: "kennel doctor", operands: "-- COMMAND [ARGUMENT...]",
    summary: """
      Tests each part of the adapter protocol with the adapter that COMMAND starts, and reports \
      what is missing: one line for each check, and for each capability the simplest scenario \
      that needs it.
      """,
    notes: """
      Every line is checked against Specs/adapter-protocol.schema.json.

      Examples:
        kennel doctor -- python3 adapter.py
        kennel doctor --speed -- node adapter.js
      """,
    takesAdapter: true)

  mutating func take(_ arguments: Arguments) throws(Failure) {
    if let operand = arguments.operands.first {
      throw arguments.failure("doctor takes no \"\(operand)\"; the COMMAND comes after --")
    }
    adapter = try arguments.adapterOptions()
  }

  mutating func finish(_ arguments: Arguments) throws(Failure) {
    if adapter == nil {
      throw arguments.failure("doctor needs the COMMAND of an adapter after --")
    }
    adapter?.isChecked = !measuresSpeed
  }

  /// Examines an adapter.
  func perform() throws(Failure) -> ExitCode {
    guard let adapter, let profile = Profile(named: profile) else { return .usage }
    let settings = CheckSettings(adapter, profile: profile, seed: seed)
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
