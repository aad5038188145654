import Commands
import System

/// The command `kennel completions`.
struct CompletionsCommand: Command {
  var shell: Completions.Shell

  /// - Throws: `Failure.usage` unless there is one shell that is known.
  init(_ arguments: Arguments) throws(Failure) {
    let names = Completions.Shell.allCases.map(\.rawValue)
    let name = try arguments.onlyOperand(
      else: "completions needs a shell: \(names.joined(separator: ", "))")
    guard let shell = Completions.Shell(rawValue: name) else {
      throw arguments.failure(
        unknown("shell", name, among: names) + "; expected \(names.joined(separator: ", "))")
    }
    self.shell = shell
  }

  static let grammar = Grammar(
    command: "kennel completions", operands: "bash|zsh|fish",
    summary: "Prints what a shell needs to complete the command line of kennel.",
    options: [],
    notes: """
      Examples:
        kennel completions bash > ~/.local/share/bash-completion/completions/kennel
        kennel completions zsh > ~/.zfunc/_kennel
        kennel completions fish > ~/.config/fish/completions/kennel.fish

      \(ExitCode.helpWithoutVerdicts)
      """)

  /// Prints completions.
  func perform() throws(Failure) -> ExitCode {
    let completions = Completions(
      entries: Program.kennel.listed.map { .init(name: $0.name, grammar: $0.grammar) },
      general: Program.kennel.grammar)
    try Console.output(completions.text(for: shell))
    return .success
  }
}
