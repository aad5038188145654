package import System

/// A command: what the command line asks for, and what it does.
package protocol Command: OptionSettings {
  /// The words that call it; those of its grammar behind the program if not given.
  static var name: String { get }

  /// Other words that call it, which were its name once.
  static var oldNames: [String] { get }

  /// The table of its options.
  static var options: [Option<Self>] { get }

  /// What may be on its command line, but for the options. `command` is the name of the program and
  /// its own.
  static var grammar: Grammar { get }

  /// Whether the help, completions and the manual page name it.
  static var isListed: Bool { get }

  /// Whether a project file says what its command line leaves open.
  static var usesProject: Bool { get }

  /// Reads what was asked for: by the table of options, and then by `finish`.
  ///
  /// - Throws: `Failure.usage` for values that do not exist and for options that exclude each other.
  init(_ arguments: Arguments) throws(Failure)

  /// Takes what is no option, before the options are read.
  ///
  /// - Throws: `Failure.usage` for operands that mean nothing.
  mutating func take(_ arguments: Arguments) throws(Failure)

  /// Checks and completes what was read.
  ///
  /// - Throws: `Failure.usage` for what does not go together.
  mutating func finish(_ arguments: Arguments) throws(Failure)

  /// Does it and prints the result.
  ///
  /// - Returns: What the process ends with.
  /// - Throws: Why it could not be done.
  func perform() throws(Failure) -> ExitCode
}

extension Command {
  package init(_ arguments: Arguments) throws(Failure) {
    self.init()
    try take(arguments)
    try arguments.read(Self.options, into: &self)
    try finish(arguments)
  }

  package mutating func take(_ arguments: Arguments) throws(Failure) {}

  package mutating func finish(_ arguments: Arguments) throws(Failure) {}

  package static var options: [Option<Self>] { [] }

  /// What may be on its command line.
  package static var usage: Grammar {
    var usage = grammar
    usage.options = options.map(\.description)
    return usage
  }

  package static var oldNames: [String] { [] }

  package static var isListed: Bool { true }

  package static var usesProject: Bool { isListed && grammar.takesAdapter }

  package static var name: String {
    grammar.command.split(separator: " ").dropFirst().joined(separator: " ")
  }
}
