import AdapterProtocol
import Glibc
import Reports
import System
import Tree

/// What the command line says about an adapter.
struct AdapterOptions {
  /// The program and its arguments.
  var command: [String]
  /// How long an answer may take, in milliseconds.
  var patience = 5000
  /// How long the first answer may take: to start a runtime takes longer than to answer.
  var firstPatience = 10_000
  /// Whether somebody has said how long.
  var hasOwnPatience = false
  /// Whether this process and the adapter are kept on one processor.
  var staysOnOneProcessor = true
  /// Whether every line is checked against the schema.
  var isChecked = false
  /// The folder with the pipes to an adapter that somebody else starts; nil starts the command.
  var folder: String?
  /// The file for a transcript; nil for none.
  var transcript: String?
}

extension AdapterOptions {
  /// Starts the program.
  ///
  /// - Throws: `Failure.notStarted` when there is no such program.
  func makeProcess(_ transcript: Transcript?) throws(Failure) -> AdapterProcess {
    Descendants.watch()
    if let folder {
      let peer = try Attachment(in: folder)
      return AdapterProcess(
        peer, transcript: transcript, inspector: isChecked ? Self.inspect : nil)
    }
    let place: Int32 = Self.hasOwnDescriptor ? 3 : STDOUT_FILENO
    let peer = try ChildProcess(
      command.first ?? "", Array(command.dropFirst()), outputPlace: place)
    return AdapterProcess(
      peer, transcript: transcript, inspector: isChecked ? Self.inspect : nil)
  }

  @Sendable private static func inspect(_ line: JSON) -> String? {
    AdapterSchema.answer.objection(to: line)
  }

  /// Whether lines come over descriptor 3, because standard output is not the adapter's own:
  /// `KENNEL_FD=3` in the environment, which the adapter sees too.
  private static var hasOwnDescriptor: Bool {
    getenv("KENNEL_FD").map { String(cString: $0) } == "3"
  }

  /// How the subject of a run is called in files, in place of the name of a client.
  var subject: String { Self.mark + command.map(shellWord).joined(separator: " ") }

  /// What distinguishes a command from the name of a client.
  static let mark = "-- "

  /// The options, without the command, as words of a command line for another process.
  var words: [String] {
    (hasOwnPatience ? ["--timeout", canonicalText(of: Double(patience) / 1000)] : [])
      + (isChecked ? ["--validate"] : [])
  }

  /// The options that every command has that takes an adapter.
  static let grammar: [Grammar.Option] = [
    .init(
      name: "timeout", value: "SECONDS",
      summary: """
        Wait so long for each answer of the COMMAND: 5 unless stated, and at least 10 for the first.
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
    if let place = getenv("KENNEL_FD").map({ String(cString: $0) }), place != "3", place != "" {
      throw failure("KENNEL_FD can only be 3, not \"\(place)\"")
    }
    guard !adapter.isEmpty else { throw failure("there is no COMMAND after --") }
    for name in ["client"] where contains(name) {
      throw failure("--\(name) does not go together with a COMMAND")
    }
    var options = AdapterOptions(command: adapter)
    options.transcript = value(of: "transcript")
    options.isChecked = contains("validate")
    if let text = value(of: "timeout") {
      guard let seconds = Double(text), seconds >= 0.1, seconds <= 3600 else {
        throw failure("--timeout needs a number of seconds from 0.1 to 3600, not \"\(text)\"")
      }
      options.patience = Int(seconds * 1000)
      options.firstPatience = max(options.patience, options.firstPatience)
      options.hasOwnPatience = true
    }
    return options
  }
}

extension AdapterSession {
  /// Says that the rest is not run, and how much that is.
  ///
  /// - Parameters:
  ///   - left: How many runs were not made.
  ///   - occasions: In what it came to a bad end.
  static func sayFarewell(left: Int, after occasions: String = "runs") {
    Console.message(
      "kennel: the adapter came to a bad end in \(limit) \(occasions) one after another\n")
    if left > 0 {
      Console.message("kennel: \(left == 1 ? "1 run was" : "\(left) runs were") not made\n")
    }
  }
}
