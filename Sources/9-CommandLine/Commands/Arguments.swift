package import System

/// A command line cut into options and operands by `Grammar.parse`.
package struct Arguments {
  /// The options given, by their full names, in order.
  package var options: [(name: String, value: String)] = []

  /// What is no option, in order.
  package var operands: [String] = []

  /// What follows `--`, where that is the command of an adapter; nil when it was not given.
  package var adapter: [String]?

  /// How the command was called, for messages.
  package let command: String

  /// Whether an option was given.
  package func contains(_ name: String) -> Bool {
    options.contains { $0.name == name }
  }

  /// All values of an option that may be repeated.
  package func values(of name: String) -> [String] {
    options.filter { $0.name == name }.map(\.value)
  }

  /// The value of an option; the last one wins, so that an alias can be overridden.
  package func value(of name: String) -> String? {
    options.last { $0.name == name }?.value
  }

  /// The command line again, for another process.
  package func words(in grammar: Grammar) -> [String] {
    let given = options.map { name, value in
      let takesValue = grammar.allOptions.contains { $0.name == name && $0.value != nil }
      return takesValue ? "--\(name)=\(value)" : "--\(name)"
    }
    let program = adapter.map { ["--"] + $0 } ?? []
    // What begins with a hyphen is an operand only behind "./" here: "--" begins the command.
    return given + operands + program
  }

  /// A failure that sends the reader to the help of this command.
  package func failure(_ message: String) -> Failure {
    .usage(message, command: command)
  }

  /// The value of an option whose values are the names of cases.
  ///
  /// - Throws: `Failure.usage` for another value.
  package func choice<Choice: RawRepresentable<String> & CaseIterable>(
    of name: String, default fallback: Choice
  ) throws(Failure) -> Choice {
    guard let value = value(of: name) else { return fallback }
    if let choice = Choice(rawValue: value) { return choice }
    throw failure(unknown("value", value, of: name, among: Choice.allCases.map(\.rawValue)))
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
