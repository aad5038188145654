import Commands
import Runs
import System

/// The command `kennel shrink`.
struct ShrinkCommand: Command {
  var run = FailingSetupOptions()
  /// The file to write; nil for one in the folder `found`.
  var output: String?

  static var options: [Option<Self>] {
    FailingSetupOptions.options.within(\.run) + [
      .value(
        "output", "FILE", \.output, .text, letter: "o",
        """
        Write FILE instead of one that is named after the failure: in Scenarios/found within the \
        source tree, in found below the current directory anywhere else.
        """)
    ]
  }

  static let grammar = Grammar(
    command: "kennel shrink", operands: "PATH|ID [-- COMMAND [ARGUMENT...]]",
    summary: """
      Minimises a failing scenario: leaves out parts as long as it fails in the same way, until \
      no single part can be left out. Writes the result, with the reference client's events as \
      expectations, and runs it again in a second process.
      """,
    notes: """
      Examples:
        kennel shrink results/found/inv-4-listener.yaml --seed 17 -o small.yaml
        kennel shrink limits/refill-after-foreign-removal --client no-refill
        kennel shrink limits/refill-after-foreign-removal -- python3 adapter.py
      """,
    takesAdapter: true)

  mutating func take(_ arguments: Arguments) throws(Failure) {
    run.selector = try arguments.onlyOperand(else: "shrink needs one scenario")
    run.run.adapter = try arguments.adapterOptions()
  }

  /// Shrinks the selected scenario.
  func perform() throws(Failure) -> ExitCode {
    let shrunk = try ShrunkScenario(run, output: output)
    try shrunk.write()
    try Console.output(shrunk.summary + "\n" + shrunk.text)
    try shrunk.confirm()
    Console.message("a second process confirms it\n")
    return .success
  }
}
