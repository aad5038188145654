import Glibc
package import System

/// A program with commands.
package struct Program {
  /// The options in front of a command. One of them is `version`.
  package let grammar: Grammar
  package let version: String
  package let commands: [any Command.Type]
  /// What command lines leave open.
  private let defaults: () throws(Failure) -> CommandDefaults?

  /// - Parameters:
  ///   - grammar: The options in front of a command. One of them is `version`.
  ///   - version: The number that `--version` prints, followed by the commit and date that the start
  ///     script passes in `KENNEL_BUILD`.
  ///   - commands: All commands, in the order in which messages name them.
  ///   - defaults: What command lines leave open; nil for nothing.
  package init(
    _ grammar: Grammar, version: String, commands: [any Command.Type],
    defaults: @escaping () throws(Failure) -> CommandDefaults? = { nil }
  ) {
    self.grammar = grammar
    self.defaults = defaults
    self.version = version
    self.commands = commands
  }

  /// The commands that the help names.
  package var listed: [any Command.Type] { commands.filter { $0.isListed } }

  /// Reads a command line and does what it asks for.
  ///
  /// - Parameter words: What follows the name of the program.
  /// - Returns: What the process ends with.
  /// - Throws: `Failure.usage` for a command line that means nothing, and why a command failed.
  package func run(_ words: [String]) throws(Failure) -> ExitCode {
    let arguments = try grammar.parse(words)
    try setColours(arguments)
    if arguments.contains("help") {
      try Console.output(try grammar.help())
    } else if arguments.contains("version") {
      try printVersion()
    } else if let name = arguments.operands.first {
      return try run(name, Array(arguments.operands.dropFirst()))
    } else {
      throw arguments.failure("which command?")
    }
    return .success
  }

  private func printVersion() throws(Failure) {
    let build = getenv("KENNEL_BUILD").map { String(cString: $0) } ?? ""
    try Console.output("\(grammar.command) \(version)\(build.isEmpty ? "" : " (\(build))")\n")
  }

  /// `help` and `version` as words, as other programs have them.
  private func run(_ name: String, _ words: [String]) throws(Failure) -> ExitCode {
    if let (command, rest) = command(in: [name] + words) { return try run(command, rest) }
    if name == "help" { return try run(words + ["--help"]) }
    if name == "version" {
      try printVersion()
      return .success
    }
    let names = listed.map { $0.name }
    throw .usage(unknown("command", name, among: names), command: grammar.command)
  }

  /// The command that words call, the one with the longest name, and what follows its name.
  private func command(in words: [String]) -> (any Command.Type, rest: [String])? {
    for length in [2, 1] {
      let name = words.prefix(length).joined(separator: " ")
      if let command = commands.first(where: { ([$0.name] + $0.oldNames).contains(name) }) {
        return (command, Array(words.dropFirst(length)))
      }
    }
    return nil
  }

  private func run(_ command: any Command.Type, _ words: [String]) throws(Failure) -> ExitCode {
    var arguments = try command.usage.parse(words)
    try setColours(arguments)
    if arguments.contains("help") {
      try Console.output(try command.usage.help())
      return .success
    }
    if command.usesProject, let defaults = try defaults() {
      try arguments.take(defaults, by: command.usage)
    }
    return try command.init(arguments).perform()
  }

  /// Does what `--color` says, for other processes of this program too.
  ///
  /// - Throws: `Failure.usage` for another value.
  private func setColours(_ arguments: Arguments) throws(Failure) {
    let option = Grammar.color
    guard let value = arguments.values(of: option.name).last else { return }
    guard option.choices.contains(value) else {
      throw arguments.failure(unknown("value", value, of: option.name, among: option.choices))
    }
    setenv("KENNEL_COLOR", value, 1)
  }
}
