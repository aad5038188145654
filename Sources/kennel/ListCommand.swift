/// What `kennel list` was asked for.
struct ListOptions {
  var format: OutputFormat

  /// Paths and ids of scenarios; empty means all of them.
  var selectors: [String]
}

extension ListOptions {
  /// - Throws: `Failure.usage` for values that do not exist.
  init(_ arguments: Arguments) throws(Failure) {
    format = try arguments.choice(of: "format", default: .text)
    selectors = arguments.operands
  }

  static let grammar = Grammar(
    command: "kennel list", operands: "[PATH|ID...]",
    summary: """
      Lists scenarios with their titles. Without a PATH or ID, all scenarios are listed.
      """,
    options: [
      .init(name: "format", value: "FORMAT", summary: "List as text (the default) or json.")
    ],
    notes: """
      Examples:
        kennel list
        kennel list Scenarios/queries --format json

      \(ExitCode.help)
      """)
}

/// Lists the selected scenarios.
func run(_ options: ListOptions) throws(Failure) -> ExitCode {
  throw .fault("list is not available in this build yet")
}
