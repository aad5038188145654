import AdapterProtocol
import Document
import Glibc
package import Scenario
package import System
import Tree

/// How an adapter is started, and how long it is waited for.
package struct AdapterOptions {
  /// The program and its arguments.
  package var command: [String]
  /// How long an answer may take, in milliseconds.
  package var timeout = standardTimeout
  /// How many seconds can be asked for.
  fileprivate static let timeouts = 0.1...3600
  /// How long one may take unless it is stated, in milliseconds.
  package static let standardTimeout = 5000
  /// How long the first answer may take: to start a runtime takes longer than to answer.
  package var initialTimeout = 10_000
  /// Whether it is stated how long.
  package var hasOwnTimeout = false
  /// Whether this process and the adapter are kept on one processor.
  package var staysOnOneProcessor = true
  /// Whether every line is checked against the schema.
  package var isChecked = false
  /// The folder with the pipes to an adapter that is started by hand; nil starts the command.
  package var folder: String?
  /// The file for a transcript; nil for none.
  package var transcript: String?
  /// Receives warnings and requests to the user, without a newline at the end.
  package var warn: (String) -> Void

  package init(command: [String], warn: @escaping (String) -> Void) {
    self.command = command
    self.warn = warn
  }
}

extension AdapterOptions {
  /// Starts the program, or waits until one is attached.
  ///
  /// - Throws: `Failure.notStarted` when there is no such program.
  package func makeProcess(_ transcript: Transcript?) throws(Failure) -> AdapterProcess {
    Descendants.watch()
    let transport: any AdapterTransport =
      if let folder {
        try Attachment(in: folder, warn: warn)
      } else {
        try ChildProcess(
          command.first ?? "", Array(command.dropFirst()),
          outputDescriptor: Self.hasOwnDescriptor ? 3 : STDOUT_FILENO)
      }
    return AdapterProcess(
      transport, transcript: transcript, inspector: isChecked ? Self.inspect : nil)
  }

  @Sendable private static func inspect(_ line: JSON) -> String? {
    AdapterSchema.answer.mismatch(to: line)
  }

  /// Whether lines come over descriptor 3, because standard output is not the adapter's own:
  /// `KENNEL_FD=3` in the environment, which the adapter sees too.
  private static var hasOwnDescriptor: Bool {
    getenv("KENNEL_FD").map { String(cString: $0) } == "3"
  }

  /// How the subject of a run is called in files, in place of the name of a client.
  package var subject: String { Self.mark + command.map(shellWord).joined(separator: " ") }

  /// What distinguishes a command from the name of a client.
  package static let mark = "-- "
}

extension Fleet {
  /// How it is called in files, with the adapter of the clients that no member is; nil for the reference
  /// client alone. What has programs or several implementations begins with `--`, like the end of a
  /// command line that names them.
  package func subject(or adapter: AdapterOptions?) -> String? {
    let fleet = playing()
    guard !fleet.members.isEmpty else { return adapter?.subject ?? rest }
    let named = fleet.words.map { "--client " + shellWord($0) }
    return (named + [adapter?.subject].compactMap { $0 }).joined(separator: " ")
  }
}

extension AdapterOptions {
  /// The options of every command that takes an adapter.
  package static var options: [Option<AdapterOptions>] {
    Option.table([
      .value(
        "timeout", "SECONDS", \.statedTimeout, .timeout,
        "Wait at most SECONDS for each answer of the COMMAND (default: 5; the first at least 10)."
      ).setting("timeout").with { $0.standard = canonicalText(of: Double(standardTimeout) / 1000) },
      .flag(
        "validate", \.isChecked, letter: "V",
        "Check every line to and from the COMMAND against Specs/adapter-protocol.schema.json."),
      .value(
        "transcript", "FILE", \.transcript, .text,
        "Write every line to and from the COMMAND into FILE."
      ).excluding("jobs"),
    ]) { $0.needsAdapter = true }
  }

  /// The end of a command line that starts the same program for another process, which must not write
  /// the transcript of this one.
  package var words: [String] {
    Self.options.except("transcript").words(of: self) + ["--"] + command
  }

  /// How many seconds an answer may take, if that is stated.
  private var statedTimeout: Double? {
    get { hasOwnTimeout ? Double(timeout) / 1000 : nil }
    set {
      hasOwnTimeout = newValue != nil
      timeout = newValue.map { Int($0 * 1000) } ?? Self.standardTimeout
      initialTimeout = max(timeout, initialTimeout)
    }
  }
}

extension OptionKind where Value == Double {
  /// How long an adapter may take for an answer, in seconds.
  fileprivate static var timeout: OptionKind {
    let range = AdapterOptions.timeouts
    let ends = [range.lowerBound, range.upperBound].map(canonicalText).joined(separator: " to ")
    return OptionKind(
      "a number of seconds from \(ends)",
      { Double($0).flatMap { range.contains($0) ? $0 : nil } }, text: canonicalText)
  }
}

/// An adapter that is started by hand, under a debugger for example: two named pipes in a
/// folder lead to it and back.
///
/// Opening a named pipe waits until its other end is opened, in an order that depends on the
/// shell; so both ends are opened here without waiting.
final class Attachment: AdapterTransport {
  private(set) var input: Int32?
  private(set) var streams: [ChildProcess.Stream: Int32] = [:]
  var hasEnded: Bool { streams[.output] == nil }
  var group: ProcessGroup? { nil }
  var endingText: String? { hasEnded ? "its output was closed" : nil }

  /// Waits until an adapter has opened both pipes.
  ///
  /// - Parameters:
  ///   - folder: Where the pipes are, or are made: `in`, which the adapter reads, and `out`.
  ///   - warn: Receives the request to start the adapter.
  /// - Throws: `Failure.output` when there can be no pipes in the folder.
  init(in folder: String, warn: (String) -> Void) throws(Failure) {
    signal(SIGPIPE, SIG_IGN)
    try Files.makeDirectory(folder)
    let (there, back) = (Files.join(folder, "in"), Files.join(folder, "out"))
    for path in [there, back] { try Self.makePipe(path) }
    let output = open(back, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard output >= 0 else { throw .output(path: back, reason: Files.lastReason()) }
    streams[.output] = output
    warn(
      "waiting for an adapter; start it with its input from \(there) and its output to \(back):\n"
        + "  COMMAND < \(shellWord(there)) > \(shellWord(back))")
    // There is no reader before the adapter reads.
    while true {
      let descriptor = open(there, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
      if descriptor >= 0 {
        input = descriptor
        return
      }
      guard errno == ENXIO || errno == EINTR else {
        throw .output(path: there, reason: Files.lastReason())
      }
      usleep(20_000)
    }
  }

  private static func makePipe(_ path: String) throws(Failure) {
    if Files.isPipe(path) { unlink(path) }
    guard mkfifo(path, 0o600) == 0 else {
      let reason = Files.lastReason()
      let isThere = Files.exists(path)
      throw .output(
        path: path,
        reason: isThere ? "it is no pipe, and would be lost; expected another --folder" : reason)
    }
  }

  deinit { destroy() }

  func closeInput() {
    if let input { Glibc.close(input) }
    input = nil
  }

  func close(_ stream: ChildProcess.Stream) {
    if let descriptor = streams[stream] { Glibc.close(descriptor) }
    streams[stream] = nil
  }

  /// The process belongs to the user who has started it: it sees its input end.
  func terminate() { closeInput() }

  func destroy() {
    closeInput()
    close(.output)
  }
}
