import AdapterSessions
import Commands
import Runs
import System

/// The command `kennel shrink`.
struct ShrinkCommand {
  var run: FailingSetupOptions
  /// The file to write; nil for one in the folder `found`.
  var output: String?
}

extension FailingSetupOptions {
  /// - Throws: `Failure.usage` for values that do not exist, and unless there is one operand, or none
  ///   where that is allowed.
  init(_ arguments: Arguments, isOptional: Bool = false) throws(Failure) {
    let name = arguments.command.split(separator: " ").last ?? ""
    let hasNone = isOptional && arguments.operands.isEmpty
    self.init(of: try hasNone ? "" : arguments.onlyOperand(else: "\(name) needs one scenario"))
    profile = try arguments.profiles().last
    seed = try arguments.seed()
    client = arguments.value(of: "client")
    adapter = try arguments.adapterOptions()
    hasShadow = arguments.contains("shadow")
  }

  static let options: [Grammar.Option] =
    [
      .init(
        name: "client", value: "NAME",
        summary: "The client that fails, instead of the reference client."),
      .init(
        name: "profile", value: "PROFILE",
        summary: "The profile in which it fails: wilddog-1, wilddog-2 or firebase."),
      .init(name: "seed", value: "N", summary: "The seed with which it fails."),
      .init(
        name: "shadow",
        summary: "Compare each client with a reference client that gets the same messages."),
    ] + AdapterOptions.grammar
}

extension ShrinkCommand {
  init(_ arguments: Arguments) throws(Failure) {
    run = try FailingSetupOptions(arguments)
    output = arguments.value(of: "output")
  }

  static let grammar = Grammar(
    command: "kennel shrink", operands: "PATH|ID [-- COMMAND [ARGUMENT...]]",
    summary: """
      Minimises a failing scenario: leaves out parts as long as it fails in the same way, until \
      no single part can be left out. Writes the result, with the reference client's events as \
      expectations, and runs it again in a second process.
      """,
    options: FailingSetupOptions.options + [
      .init(
        name: "output", value: "FILE", letter: "o",
        summary: """
          Write FILE instead of one that is named after the failure: in Scenarios/found within the \
          source tree, in found below the current directory anywhere else.
          """)
    ],
    notes: """
      Examples:
        kennel shrink results/found/inv-4-listener.yaml --seed 17 -o small.yaml
        kennel shrink limits/refill-after-foreign-removal --client no-refill
        kennel shrink limits/refill-after-foreign-removal -- python3 adapter.py

      \(ExitCode.help)
      """,
    takesAdapter: true)
}

extension ShrinkCommand: Command {
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
