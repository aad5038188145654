/// What `kennel bench` was asked for.
struct BenchOptions {
  /// Whether a rough figure within seconds is enough.
  var isQuick: Bool
}

extension BenchOptions {
  /// - Throws: `Failure.usage` for operands, of which there are none.
  init(_ arguments: Arguments) throws(Failure) {
    if let operand = arguments.operands.first {
      throw arguments.failure("bench takes no arguments, but was given \"\(operand)\"")
    }
    isQuick = arguments.contains("quick")
  }

  static let grammar = Grammar(
    command: "kennel bench", operands: "",
    summary: """
      Measures how fast scenarios run on this machine.
      """,
    options: [.init(name: "quick", summary: "Take seconds instead of minutes; rougher figures.")],
    notes: """
      Examples:
        kennel bench --quick

      \(ExitCode.help)
      """)
}

/// Measures and prints the figures.
func run(_ options: BenchOptions) throws(Failure) -> ExitCode {
  throw .fault("bench is not available in this build yet")
}
