import Commands
import System

/// The command `kennel help man`: nothing but the page.
struct ManCommand: Command {
  static let oldNames = ["man"]

  static let grammar = Grammar(
    command: "kennel help man", operands: "",
    summary: "Prints the manual page, with all commands.", options: [],
    notes: """
      Examples:
        kennel help man | man -l -
        kennel help man > ~/.local/share/man/man1/kennel.1
      """, exitCodes: .withoutVerdicts)

  mutating func take(_ arguments: Arguments) throws(Failure) {
    if let word = arguments.operands.first { throw arguments.failure("man takes no \"\(word)\"") }
  }

  /// Prints the manual page.
  func perform() throws(Failure) -> ExitCode {
    let page = ManualPage(
      general: Program.kennel.grammar, version: kitVersion,
      commands: Program.kennel.listed.map { ($0.name, $0.usage) })
    try Console.output(page.text)
    return .success
  }
}
