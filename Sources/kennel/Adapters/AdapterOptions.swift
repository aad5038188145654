/// What the command line says about an adapter.
struct AdapterOptions {
  /// The program and its arguments.
  var command: [String]
  /// How long an answer may take, in milliseconds.
  var patience = 5000
  /// How long the first answer may take: to start a runtime takes longer than to answer.
  var firstPatience = 10_000
  /// The file for a transcript; nil for none.
  var transcript: String?
}

extension AdapterOptions {
  /// The options that every command has that takes an adapter.
  static let grammar: [Grammar.Option] = [
    .init(
      name: "timeout", value: "SECONDS",
      summary: "Wait so long for each answer of the COMMAND: 5 unless stated, and 10 for the first."
    ),
    .init(
      name: "transcript", value: "FILE",
      summary: "Write every line to and from the COMMAND into FILE."),
  ]
}

extension Arguments {
  /// The adapter that is asked for; nil for none.
  ///
  /// - Throws: `Failure.usage` for a `--` without a command, and for options that need an adapter, or
  ///   a client of the kit.
  func adapterOptions() throws(Failure) -> AdapterOptions? {
    guard let adapter else {
      for name in AdapterOptions.grammar.map(\.name) where contains(name) {
        throw failure("--\(name) needs a COMMAND after --")
      }
      return nil
    }
    guard !adapter.isEmpty else { throw failure("there is no COMMAND after --") }
    for name in ["client", "audit", "metamorphic", "trace"] where contains(name) {
      throw failure("--\(name) does not go together with a COMMAND")
    }
    var options = AdapterOptions(command: adapter)
    options.transcript = value(of: "transcript")
    if let text = value(of: "timeout") {
      guard let seconds = Double(text), seconds >= 0.1, seconds <= 3600 else {
        throw failure("--timeout needs a number of seconds from 0.1 to 3600, not \"\(text)\"")
      }
      options.patience = Int(seconds * 1000)
      options.firstPatience = options.patience
    }
    return options
  }
}

extension AdapterSession {
  /// What is said when the rest is not run.
  static var farewell: String {
    "kennel: the adapter came to a bad end in \(limit) runs one after another; the rest is not run\n"
  }
}
