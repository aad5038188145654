import ClientEngine
import Commands
import Document
import Reports
import RunModel
import Runs
import ServerHost
import System
import Trace
import Tree
import Workspace

/// The command `kennel monitor`.
struct MonitorCommand: Command {
  var reportsAdvice = true
  /// The server between which and its clients it listens in; nil for files.
  var proxied: String?
  var port: Int?
  var server = ServerOptions()
  /// Recordings, traces and directories of them; at least one, unless a server is named.
  var paths: [String] = []

  static var options: [Option<Self>] {
    [
      .flag(
        "no-notes", \.reportsAdvice, is: false,
        "Leave out what is only advisable, such as requests without an answer."),
      .value(
        "proxy", "URL", \.proxied, .text,
        """
        Judge live: serve clients in place of the server at URL, and hand on to it what they say, and to them \
        what it says, until Ctrl-C.
        """),
      .value(
        "port", "P", \.port, .number(0...65535), letter: "p",
        "With --proxy: the port for clients, 9000 unless stated; 0 for one that is free."),
      .value(
        "record", "DIR", \.server.recordingFolder, .text,
        "With --proxy: write a recording of each client and a trace of all to DIR."),
      .value(
        "faults", "FILE", \.server.faultFile, .text,
        "With --proxy: what goes wrong in between, as 'kennel serve --faults' takes it."),
    ]
  }

  static let grammar = Grammar(
    command: "kennel monitor", operands: "[TRACE|RECORDING|DIR...]",
    summary: """
      Reports protocol violations of clients and servers in recordings and traces: handshakes, request numbers and answers, listens, writes, and the form of every \
      message. Specs/wire-monitor.md lists the checks.

      A directory means all traces and recordings (*.jsonl) below it. With --proxy it is between clients and a \
      server of others, and judges what both send.
      """,
    notes: """
      Each finding is a line, FILE:LINE: TEXT (RULE); notes begin with "note:" and do not count \
      as failures. The last line counts connections; those that were never established count as \
      skipped. With --proxy a finding begins with its connection instead: connection 2 (alice): TEXT (RULE).

      Examples:
        kennel monitor session.jsonl
        kennel run races --trace traces && kennel monitor traces
        kennel monitor --no-notes recordings
        kennel monitor --proxy http://127.0.0.1:5000/?ns=test --port 9000 --record session
      """)

  mutating func take(_ arguments: Arguments) throws(Failure) {
    guard !arguments.contains("proxy") else {
      if let word = arguments.operands.first {
        throw arguments.failure("monitor --proxy takes no operands, and \"\(word)\" is one")
      }
      return
    }
    for option in ["port", "record", "faults"] where arguments.contains(option) {
      throw arguments.failure(
        "--\(option) is for a live session; expected --proxy URL beside it, or files without it")
    }
    paths = try arguments.someOperands(
      else: "monitor needs the path of a recording, a trace or a directory of them, or --proxy URL")
  }

  mutating func finish(_ arguments: Arguments) throws(Failure) {
    guard let proxied else { return }
    guard let (address, path) = DatabaseAddress.parse(proxied), path == .root else {
      throw arguments.failure("--proxy \(ServerOptions.objection(toURL: proxied))")
    }
    server.upstream = address
  }

  func perform() throws(Failure) -> ExitCode {
    let tally = try proxied == nil ? judgeFiles() : judgeLive()
    try Console.output("\(tally.line)\n")
    return tally.exitCode
  }

  /// Serves in between, and reports each finding when it comes.
  private func judgeLive() throws(Failure) -> Tally {
    var options = server
    (options.port, options.hasPage, options.warn) = (port ?? 9000, false, Console.warn)
    options.found = { finding, connection in
      guard reportsAdvice || !finding.isNote else { return }
      try? Console.output("\(connection): \(finding.sentence)\n")
    }
    let session = try ServeSession(options)
    Interrupt.begin()
    try session.run(until: Interrupt.hasCome) { start throws(Failure) in
      try Console.output(
        "between clients at http://127.0.0.1:\(start.port) and \(proxied ?? "")\n")
    }
    return session.tally
  }

  /// Judges the files and reports each finding.
  private func judgeFiles() throws(Failure) -> Tally {
    var tally = Tally()
    for record in try RecordedFile.all(at: paths, kind: "recording or trace") {
      let file = record.path
      let text =
        record.isNamed
        ? try FileKind.text(of: file, expecting: FileKind.recorded) : try Files.text(of: file)
      if !record.isNamed, !WireTranscript.isTranscript(text) { continue }
      let transcript: WireTranscript
      do throws(SourceError) {
        transcript = try WireTranscript(text, file: file)
      } catch {
        throw .mistake(error)
      }
      let locatedFindings = transcript.locatedFindings.filter {
        reportsAdvice || !$0.finding.isNote
      }
      try Console.output(locatedFindings.map { $0.text(file: file) + "\n" }.joined())
      tally += transcript.tally
    }
    return tally
  }
}
