package import System

/// A command: what the command line asks for, and what it does.
package protocol Command {
  /// The word that calls it; the last one of its grammar if not given.
  static var name: String { get }

  /// What may be on its command line. `command` is the name of the program and its own.
  static var grammar: Grammar { get }

  /// Whether the help, completions and the manual page name it.
  static var isListed: Bool { get }

  /// Whether a project file says what its command line leaves open.
  static var usesProject: Bool { get }

  /// Reads what was asked for.
  ///
  /// - Throws: `Failure.usage` for values that do not exist and for options that exclude each other.
  init(_ arguments: Arguments) throws(Failure)

  /// Does it and prints the result.
  ///
  /// - Returns: What the process ends with.
  /// - Throws: Why it could not be done.
  func perform() throws(Failure) -> ExitCode
}

extension Command {
  package static var isListed: Bool { true }

  package static var usesProject: Bool { isListed && grammar.takesAdapter }

  package static var name: String { String(grammar.command.split(separator: " ").last ?? "") }
}
