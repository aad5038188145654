import AdapterSessions
import ClientInterface
import Commands
import Conformance
import Document
import Recordings
import Reports
import System
import TraceFiles

/// What `kennel replay` was asked for.
struct ReplayOptions {
  /// The client that is tried; nil means the reference client, and for a trace the one of its run.
  var client: String?

  /// The program behind which the client is; nil for a client of the kit.
  var adapter: AdapterOptions?

  /// Whether groups that an accident explains are shown as well.
  var isVerbose: Bool

  /// Whether to walk through the events of the one trace.
  var isStepping: Bool

  /// Whether the scenario of a trace is run as its file is now.
  var usesPresentFile: Bool

  /// Traces, recordings and directories of them; at least one.
  var paths: [String]
}

extension ReplayOptions {
  /// - Throws: `Failure.usage` when there is no path.
  init(_ arguments: Arguments) throws(Failure) {
    guard !arguments.operands.isEmpty else {
      throw arguments.failure(
        "replay needs the path of a trace, a recording or a directory of them")
    }
    client = arguments.value(of: "client")
    adapter = try arguments.adapterOptions()
    isVerbose = arguments.contains("verbose")
    isStepping = arguments.contains("step")
    usesPresentFile = arguments.contains("changed")
    paths = arguments.operands
  }

  static let grammar = Grammar(
    command: "kennel replay", operands: "FILE... [-- COMMAND [ARGUMENT...]]",
    summary: """
      A trace, which 'kennel run --trace' has written, is run again with its seed and its choices, \
      from the text of the scenario that is in it, and every event is compared. \
      Specs/trace-format.md describes traces.

      A recording of another client is compared with the reference client. This feeds what \
      happened to the recorded client to the reference client and compares what both do, group by \
      group: all that one input causes, in order. A difference fails unless an accident of the \
      recorded client explains it; Specs/accidents.md describes the accidents.

      A trace or recording of a live session, which 'kennel serve --record' has written, tells only \
      what went over the wire. The calls that made the client send it are inferred, and the requests \
      are compared.

      A directory stands for all traces and recordings (*.jsonl) below it.
      """,
    options: [
      .init(
        name: "client", value: "NAME",
        summary: "Try the client NAME instead of the reference client, or that of the trace."),
      .init(
        name: "changed",
        summary: """
          Run the scenario of a trace as its file is now, with the choices of the trace, and tell \
          where it goes another way and which choices do not fit any more.
          """),
      .init(
        name: "step",
        summary: "Walk through the events of a trace; Enter: next, h: the other commands."),
      .init(name: "verbose", letter: "v", summary: "Show also what accidents explain."),
    ] + AdapterOptions.grammar,
    notes: """
      Lines with - were recorded, lines with + were done now. Groups are counted if they have output.

      Examples:
        kennel replay Tests/RecordingsTests/Recordings/firebase-js-12.18
        kennel replay -v session.jsonl
        kennel run races --trace traces && kennel replay traces
        kennel replay --step trace.jsonl
        kennel replay --changed trace.jsonl
        kennel replay trace.jsonl -- python3 adapter.py

      \(ExitCode.help)
      """,
    takesAdapter: true)
}

extension ReplayOptions: Command {
  /// Replays the recordings and reports where they differ.
  func perform() throws(Failure) -> ExitCode {
    let subject = try subject(of: self)
    var summary = ReplaySummary()
    var traces = 0
    var parted = 0
    var broken = 0
    let files = try recordingFiles(self)
    for file in files {
      let text = try Files.text(of: file)
      if isOfServer(text) {
        for recording in try comparable(text, file, self) {
          try compare(recording, file, subject, &summary)
        }
        continue
      }
      if TraceFile.isTrace(text) {
        let replay = try replay(text, file, self, subject)
        traces += 1
        parted += replay.difference == nil ? 0 : 1
        continue
      }
      let recording = try recording(text, in: file, self)
      let cast = subject?.makeCast(recording.profile, 0)
      let replay = Replay(of: recording, with: cast?.makeClient("client"))
      if let breakdown = cast?.breakdown() {
        try Console.output(breakdown.text(file: file))
        broken += 1
        continue
      }
      summary.add(replay)
      for difference in isVerbose ? replay.differences : replay.unexplained {
        try Console.output(difference.text(file: file))
      }
    }
    if traces < files.count { try Console.output(summary.text) }
    if summary.unexplained > 0 || parted + broken > 0 { return .divergence }
    return summary.groupsWithOutput == 0 && traces == 0 ? .usage : .success
  }
}

/// The client that is tried; nil when none is named.
private func subject(of options: ReplayOptions) throws(Failure) -> ClientUnderTest? {
  if options.client == nil, options.adapter == nil { return nil }
  return try ClientUnderTest(named: options.client, or: options.adapter, clock: "replay")
}

/// Compares what a client of a live session sent with what the client that is tried sends.
private func compare(
  _ recording: Recording, _ file: String, _ subject: ClientUnderTest?,
  _ summary: inout ReplaySummary
) throws(Failure) {
  let cast = subject?.makeCast(recording.profile, 0)
  let replay = Replay(of: recording, with: cast?.makeClient("client"))
  summary.add(replay)
  for difference in replay.unexplained {
    try Console.output("\(recording.name): " + difference.text(file: file))
  }
}

extension Breakdown {
  fileprivate func text(file: String) -> String {
    ["\(verdict.rawValue.uppercased())  \(file)", "  " + reason].map { $0 + "\n" }.joined()
      + circumstances.map { "  \($0)\n" }.joined()
  }
}

/// Replays a trace and reports on it.
private func replay(
  _ text: String, _ file: String, _ options: ReplayOptions, _ subject: ClientUnderTest?
) throws(Failure) -> TraceReplay {
  let replay = try replayTrace(text, file, options, subject)
  var report = ReplayReport(replay, name: file, kit: kitVersion)
  report.client = options.adapter?.subject ?? options.client
  report.isOfPresentFile = options.usesPresentFile
  try Console.output(report.text)
  if options.isStepping { try walk(replay) }
  return replay
}

private func recordingFiles(_ options: ReplayOptions) throws(Failure) -> [String] {
  var files: [String] = []
  for path in options.paths {
    guard Files.isDirectory(path) else {
      files.append(path)
      continue
    }
    let directory = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    let found = try Files.files(below: directory, suffix: ".jsonl")
    if found.isEmpty { throw .unusable("there is no recording (*.jsonl) in \(path)") }
    files += found
  }
  if options.isStepping, files.count != 1 {
    throw .unusable("--step is for one trace, but \(files.count) files were named")
  }
  return files
}

private func recording(
  _ text: String, in file: String, _ options: ReplayOptions
) throws(Failure) -> Recording {
  if text.isEmpty {
    throw .unusable("\(file):1:1: the file is empty; expected a trace or a recording")
  }
  guard Recording.isRecording(text) else {
    throw .unusable(
      "\(file):1:1: this is neither a trace nor a recording; "
        + "expected a JSON object with \"trace\" or \"recording\" in the first line")
  }
  if options.isStepping { throw .unusable("--step is for traces; \(file) is none") }
  if options.usesPresentFile { throw .unusable("--changed is for traces; \(file) is none") }
  do throws(SourceError) {
    let recording = try Recording.readable(text, file: file)
    if let cut = recording.cut {
      Console.message("kennel: \(cut); using what stands before\n")
    }
    return recording
  } catch {
    throw .unusable("\(error)")
  }
}
