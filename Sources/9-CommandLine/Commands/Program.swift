import Glibc
package import System

/// A program with commands.
package struct Program {
  /// The options in front of a command. One of them is `version`.
  package let grammar: Grammar
  package let version: String
  package let commands: [any Command.Type]
  /// What command lines leave open.
  private let defaults: (String) throws(Failure) -> CommandDefaults?

  /// - Parameters:
  ///   - grammar: The options in front of a command. One of them is `version`.
  ///   - version: The number that `--version` prints, followed by the commit and date that the start
  ///     script passes in `KENNEL_BUILD`.
  ///   - commands: All commands, in the order in which messages name them.
  ///   - defaults: What the line of a command leaves open; nil for nothing.
  package init(
    _ grammar: Grammar, version: String, commands: [any Command.Type],
    defaults: @escaping (String) throws(Failure) -> CommandDefaults? = { _ in nil }
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
    try arguments.setColours()
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
    if name == "help" {
      guard let command = words.first else { return try run(["--help"]) }
      return try run(command, ["--help"])
    }
    if name == "version" {
      try printVersion()
      return .success
    }
    guard let command = commands.first(where: { $0.name == name }) else {
      let names = listed.map { $0.name }
      throw .usage(unknown("command", name, among: names), command: grammar.command)
    }
    var arguments = try command.grammar.parse(words)
    try arguments.setColours()
    if arguments.contains("help") {
      try Console.output(try command.grammar.help())
      return .success
    }
    if command.usesProject, let defaults = try defaults(name) {
      try arguments.take(defaults, by: command.grammar)
    }
    return try command.init(arguments).perform()
  }
}
