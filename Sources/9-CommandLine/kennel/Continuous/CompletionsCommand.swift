import Commands
import System

/// The command `kennel help completions`.
struct CompletionsCommand: Command {
  var shell = Completions.Shell.bash

  static let oldNames = ["completions"]

  static let grammar = Grammar(
    command: "kennel help completions", operands: "bash|zsh|fish",
    summary: "Prints what a shell needs to complete the command line of kennel.",
    notes: """
      Examples:
        kennel help completions bash > ~/.local/share/bash-completion/completions/kennel
        kennel help completions zsh > ~/.zfunc/_kennel
        kennel help completions fish > ~/.config/fish/completions/kennel.fish
      """, exitCodes: .withoutVerdicts)

  mutating func take(_ arguments: Arguments) throws(Failure) {
    let names = Completions.Shell.allCases.map(\.rawValue)
    let name = try arguments.onlyOperand(
      else: "completions needs a shell: \(names.joined(separator: ", "))")
    guard let shell = Completions.Shell(rawValue: name) else {
      throw arguments.failure(
        unknown("shell", name, among: names) + "; expected \(names.joined(separator: ", "))")
    }
    self.shell = shell
  }

  /// Prints completions.
  func perform() throws(Failure) -> ExitCode {
    let completions = Completions(
      entries: Program.kennel.listed.map { .init(name: $0.name, grammar: $0.usage) },
      general: Program.kennel.grammar)
    try Console.output(completions.text(for: shell))
    return .success
  }
}
