import AdapterSessions
import Commands
import Glibc
import System

extension AdapterOptions {
  /// The options that every command has that takes an adapter.
  static let grammar: [Grammar.Option] = [
    .init(
      name: "timeout", value: "SECONDS",
      summary: """
        Wait at most SECONDS for each answer of the COMMAND (default: 5; the first at least 10).
        """),
    .init(
      name: "validate", letter: "V",
      summary: """
        Check every line to and from the COMMAND against Specs/adapter-protocol.schema.json.
        """),
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
    if let descriptor = getenv("KENNEL_FD").map({ String(cString: $0) }), descriptor != "3",
      descriptor != ""
    {
      throw failure("KENNEL_FD can only be 3, not \"\(descriptor)\"")
    }
    guard !adapter.isEmpty else { throw failure("there is no COMMAND after --") }
    for name in ["client"] where contains(name) {
      throw failure("--\(name) does not go together with a COMMAND")
    }
    var options = AdapterOptions(command: adapter, warn: Console.warn)
    options.transcript = value(of: "transcript")
    options.isChecked = contains("validate")
    if let text = value(of: "timeout") {
      guard let seconds = Double(text), seconds >= 0.1, seconds <= 3600 else {
        throw failure("--timeout needs a number of seconds from 0.1 to 3600, not \"\(text)\"")
      }
      options.timeout = Int(seconds * 1000)
      options.initialTimeout = max(options.timeout, options.initialTimeout)
      options.hasOwnTimeout = true
    }
    return options
  }
}

extension AdapterSession {
  /// Says that the rest is not run, and how much that is.
  ///
  /// - Parameters:
  ///   - left: How many runs were not made.
  ///   - situations: In what it failed.
  static func describeEnd(left: Int, after situations: String = "runs") {
    Console.message(
      "kennel: the adapter failed in \(limit) \(situations) one after another\n")
    if left > 0 {
      Console.message("kennel: \(left == 1 ? "1 run was" : "\(left) runs were") not made\n")
    }
  }
}
