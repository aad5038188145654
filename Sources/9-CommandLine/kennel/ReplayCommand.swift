import AdapterSessions
import Commands
import Glibc
import RecordedRuns
import Reports
import System
import TraceFiles

/// The command `kennel replay`.
struct ReplayCommand: Command {
  var settings = ReplaySettings()

  static var options: [Option<Self>] {
    [
      .value(
        "client", "NAME", \.settings.client, .text,
        "Try the client NAME instead of the reference client, or that of the trace."),
      .flag(
        "changed", \.settings.runsCurrentFile,
        """
        Run the scenario of a trace as its file is now, with the choices of the trace, and report \
        where it differs and which choices do not fit any more.
        """),
      .flag(
        "step", \.settings.isStepping,
        "Walk through the events of a trace; Enter: next, h: the other commands."),
      .flag("verbose", \.settings.isVerbose, letter: "v", "Also show what accidents explain."),
    ] + AdapterOptions.options.within(\.settings.adapter)
  }

  static let grammar = Grammar(
    command: "kennel replay", operands: "FILE... [-- COMMAND [ARGUMENT...]]",
    summary: """
      Runs a trace of 'kennel run --trace' again, with the seed, the choices and the scenario \
      text in the trace, and compares every event. \
      Specs/trace-format.md describes traces.

      A recording of another client is compared with the reference client. This feeds what \
      happened to the recorded client to the reference client and compares what both do, group by \
      group: all that one input causes, in order. A difference fails unless an accident of the \
      recorded client explains it; Specs/accidents.md describes the accidents.

      A trace or recording of a live session, which 'kennel serve --record' has written, contains only \
      what went over the wire. The calls that made the client send it are inferred, and the requests \
      are compared.

      A directory means all traces and recordings (*.jsonl) below it.
      """,
    notes: """
      Lines with - were recorded; lines with + are from this run. Groups without output do not count.

      Examples:
        kennel replay Tests/RecordingsTests/Recordings/firebase-js-12.18
        kennel replay -v session.jsonl
        kennel run races --trace traces && kennel replay traces
        kennel replay --step trace.jsonl
        kennel replay --changed trace.jsonl
        kennel replay trace.jsonl -- python3 adapter.py
      """,
    takesAdapter: true)

  mutating func take(_ arguments: Arguments) throws(Failure) {
    settings.paths = try arguments.someOperands(
      else: "replay needs the path of a trace, a recording or a directory of them")
    settings.adapter = try arguments.adapterOptions()
  }

  /// Replays the files and reports where they differ.
  func perform() throws(Failure) -> ExitCode {
    let observer = FileReplay.Observer(
      report: Console.output, warn: Console.warn, walk: walk)
    var replay = try FileReplay(settings, observer: observer)
    return try replay.run()
  }
}

/// Walks through the events of a replay by the lines of standard input, until `q` or its end.
///
/// In a terminal a prompt asks for each line.
private func walk(_ replay: TraceReplay) throws(Failure) {
  var walk = TraceWalk(replay)
  let isInteractive = isatty(STDIN_FILENO) == 1
  try Console.output(walk.text)
  while true {
    if isInteractive { try Console.output("> ") }
    guard let line = readLine(), let answer = walk.answer(to: line) else { return }
    try Console.output(answer)
  }
}
