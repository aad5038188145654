import Commands
import Document
import RecordedRuns
import System
import Trace
import WireMonitor

/// The command `kennel monitor`.
struct MonitorCommand: Command {
  /// Whether what is only advisable is reported.
  var reportsAdvice = true
  /// Recordings, traces and directories of them; at least one.
  var paths: [String] = []

  static var options: [Option<Self>] {
    [
      .flag(
        "no-notes", \.reportsAdvice, is: false,
        "Leave out what is only advisable, such as requests without an answer.")
    ]
  }

  static let grammar = Grammar(
    command: "kennel monitor", operands: "FILE...",
    summary: """
      Reports protocol violations of clients and servers in recordings and traces: handshakes, request numbers and answers, listens, writes, and the form of every \
      message. Specs/wire-monitor.md lists the checks.

      A directory means all traces and recordings (*.jsonl) below it.
      """,
    notes: """
      Each finding is a line, FILE:LINE: TEXT (RULE); notes begin with "note:" and do not count \
      as failures. The last line counts connections; those that were never established count as \
      skipped.

      Examples:
        kennel monitor session.jsonl
        kennel run races --trace traces && kennel monitor traces
        kennel monitor --no-notes recordings
      """)

  mutating func take(_ arguments: Arguments) throws(Failure) {
    paths = try arguments.someOperands(
      else: "monitor needs the path of a recording, a trace or a directory of them")
  }

  /// Judges the files and reports each finding.
  func perform() throws(Failure) -> ExitCode {
    var tally = Tally()
    for record in try RecordedFile.all(at: paths, kind: "recording or trace") {
      let file = record.path
      let text = try Files.text(of: file)
      if !record.isNamed, !WireTranscript.isTranscript(text) { continue }
      let transcript: WireTranscript
      do throws(SourceError) {
        transcript = try WireTranscript(text, file: file)
      } catch {
        throw .unusable("\(error)")
      }
      let locatedFindings = transcript.locatedFindings.filter {
        reportsAdvice || !$0.finding.isNote
      }
      try Console.output(locatedFindings.map { $0.text(file: file) + "\n" }.joined())
      tally += transcript.tally
    }
    try Console.output("\(tally.line)\n")
    return tally.exitCode
  }
}
