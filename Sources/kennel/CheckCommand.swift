/// What `kennel check` was asked for.
struct CheckOptions {
  /// Scenario files and directories of them; at least one.
  var paths: [String]
}

extension CheckOptions {
  /// - Throws: `Failure.usage` when there is no path.
  init(_ arguments: Arguments) throws(Failure) {
    guard !arguments.operands.isEmpty else {
      throw arguments.failure("check needs the path of a scenario file or directory")
    }
    paths = arguments.operands
  }

  static let grammar = Grammar(
    command: "kennel check", operands: "PATH...",
    summary: """
      Checks scenario files without running them: their form, the rules that they cite, and whether \
      their expectations can fail. Problems are printed as FILE:LINE:COLUMN: TEXT.
      """,
    options: [],
    notes: """
      Examples:
        kennel check Scenarios
        kennel check Scenarios/writes/merge.yaml

      \(ExitCode.help)
      """)
}

/// Checks the files given.
func run(_ options: CheckOptions) throws(Failure) -> ExitCode {
  throw .fault("check is not available in this build yet")
}
