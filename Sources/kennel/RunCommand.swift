/// What `kennel run` was asked for.
struct RunOptions {
  /// The profiles to run; empty means all that each scenario is for.
  var profiles: [String]

  /// The seed of the choices; nil means the benign order of everything.
  var seed: UInt64?

  var format: OutputFormat

  /// The client under test; nil means the reference client.
  var client: String?

  /// Whether every divergence is shown, or the first of each scenario only.
  var showsAll: Bool

  /// Paths and ids of scenarios; empty means all of them.
  var selectors: [String]
}

extension RunOptions {
  /// - Throws: `Failure.usage` for values that do not exist.
  init(_ arguments: Arguments) throws(Failure) {
    profiles = try arguments.profiles()
    seed = try arguments.seed()
    format = try arguments.choice(of: "format", default: .text)
    client = arguments.value(of: "client")
    showsAll = arguments.contains("all")
    selectors = arguments.operands
  }

  static let grammar = Grammar(
    command: "kennel run", operands: "[PATH|ID...]",
    summary: """
      Runs scenarios against a client and reports where it diverges from the specification. Without \
      a PATH or ID, all scenarios run.
      """,
    options: [
      .init(
        name: "profile", value: "PROFILE",
        summary: "Run for this profile: wilddog-1, wilddog-2 or firebase. May be repeated."),
      .init(
        name: "seed", value: "N", summary: "Draw message orders and faults from seed N."),
      .init(name: "format", value: "FORMAT", summary: "Report as text (the default) or json."),
      .init(
        name: "client", value: "NAME",
        summary: "Test the client NAME instead of the reference client."),
      .init(name: "all", summary: "Show all divergences of a scenario, not only the first."),
    ],
    notes: """
      A PATH is a scenario file or a directory of them; an ID is a path below Scenarios without the \
      suffix, or the beginning of one.

      Examples:
        kennel run
        kennel run Scenarios/writes --profile firebase
        kennel run queries/limit-refill --seed 42

      \(ExitCode.help)
      """)
}

/// Runs the selected scenarios.
func run(_ options: RunOptions) throws(Failure) -> ExitCode {
  throw .fault("run is not available in this build yet")
}
