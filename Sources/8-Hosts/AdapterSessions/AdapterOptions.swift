import AdapterProtocol
import Document
import Glibc
import Processes
package import System
import Text
import Tree

/// How an adapter is started, and how long it is waited for.
package struct AdapterOptions {
  /// The program and its arguments.
  package var command: [String]
  /// How long an answer may take, in milliseconds.
  package var timeout = standardTimeout
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
    if let folder {
      let transport = try Attachment(in: folder, warn: warn)
      return AdapterProcess(
        transport, transcript: transcript, inspector: isChecked ? Self.inspect : nil)
    }
    let descriptor: Int32 = Self.hasOwnDescriptor ? 3 : STDOUT_FILENO
    let transport = try ChildProcess(
      command.first ?? "", Array(command.dropFirst()), outputDescriptor: descriptor)
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

  /// The options, without the command, as words of a command line for another process.
  package var words: [String] {
    (hasOwnTimeout ? ["--timeout", canonicalText(of: Double(timeout) / 1000)] : [])
      + (isChecked ? ["--validate"] : [])
  }
}
