import Document

/// A command line cut into options and operands.
package struct Arguments {
  /// The options given, by their full names, in order.
  package var options: [(name: String, value: String)] = []

  /// Where the values come from that are not on the command line, by the names of options; those of the
  /// adapter and of the operands by their keys.
  package var inherited: [String: SettingOrigin] = [:]

  /// What is no option, in order.
  package var operands: [String] = []

  /// What follows `--`, where that is the command of an adapter; nil when it was not given.
  package var adapter: [String]?

  /// How the command was called, for messages.
  package let command: String

  package init(command: String) { self.command = command }

  /// Whether an option was given.
  package func contains(_ name: String) -> Bool {
    options.contains { $0.name == name }
  }

  /// All values of an option, in order.
  package func values(of name: String) -> [String] {
    options.filter { $0.name == name }.map(\.value)
  }

  /// The one operand.
  ///
  /// - Throws: `Failure.usage` with `message` where there is none, or another.
  package func onlyOperand(else message: String) throws(Failure) -> String {
    guard let operand = operands.first, operands.count == 1 else { throw failure(message) }
    return operand
  }

  /// The operands, of which there is at least one.
  ///
  /// - Throws: `Failure.usage` with `message` where there is none.
  package func someOperands(else message: String) throws(Failure) -> [String] {
    guard !operands.isEmpty else { throw failure(message) }
    return operands
  }

  /// Requires that there is no operand: a COMMAND comes after `--`, and scenarios are for another command.
  ///
  /// - Parameter takesOnlyCommand: Whether it can only be part of a COMMAND.
  /// - Throws: `Failure.usage` with where the operand belongs.
  package func requireNoOperands(takesOnlyCommand: Bool = false) throws(Failure) {
    guard let word = operands.first else { return }
    let name = command.split(separator: " ").dropFirst().joined(separator: " ")
    let isCommand = takesOnlyCommand || Files.isProgram(word) || Files.isExecutable(word)
    let words = (isCommand ? operands : [word]).map(shellWord).joined(separator: " ")
    throw failure(
      "\(name) takes no \"\(word)\"; "
        + (isCommand
          ? "the COMMAND comes after --: '\(command) -- \(words)'"
          : "'kennel run \(words)' runs that, and a COMMAND comes after --"))
  }

  /// A failure that sends the reader to the help of this command.
  package func failure(_ message: String) -> Failure {
    .usage(message, command: command)
  }
}

extension Arguments {
  /// Whether a server is tested: its clients have an adapter even where the command line names none.
  private var testsServer: Bool { contains("server") || contains("server-command") }

  /// Sets the fields of the options that were given.
  ///
  /// - Throws: `Failure.usage` for values that do not exist, for options that do not go together, and
  ///   for those that need the command of an adapter where there is none.
  package func read<Settings>(
    _ options: [Option<Settings>], into settings: inout Settings
  ) throws(Failure) {
    for option in options where contains(option.name) {
      if option.description.needsAdapter, adapter == nil, !testsServer {
        throw failure("--\(option.name) needs a COMMAND after --")
      }
      if option.description.needsServer, !testsServer {
        throw failure("--\(option.name) needs a server under test: --server or --server-command")
      }
      if let other = option.description.excludes.first(where: contains) {
        throw failure("--\(option.name) and --\(other) are both given; expected one of them")
      }
      if let problem = option.read(values(of: option.name), &settings) { throw failure(problem) }
    }
  }
}

/// `unknown value "jsn" for --format; did you mean "json"?`; where nothing is near, the value of an
/// option gets all choices listed: `unknown value "xml" for --format; expected text or json`.
package func unknown(
  _ kind: String, _ text: String, of option: String? = nil, among known: [String]
) -> String {
  let suffix = option.map { " for --\($0)" } ?? ""
  var hint = didYouMean(text, known)
  if hint.isEmpty, option != nil, let last = known.last {
    let others = known.dropLast().joined(separator: ", ")
    hint = "; expected " + (others.isEmpty ? last : "\(others) or \(last)")
  }
  return "unknown \(kind) \"\(text)\"\(suffix)\(hint)"
}
