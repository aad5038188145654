package import AdapterSessions
import Conformance
import Document
import Recordings
import Reports
package import Scenario
package import System
package import TraceFiles
import Workspace

/// Which traces and recordings are replayed, and how.
package struct ReplaySettings {
  /// What plays the clients; nothing named means the reference client, and for a trace those of its run.
  package var fleet = Fleet()
  /// The program behind which the client is; nil for a client of the kit.
  package var adapter: AdapterOptions?
  /// Whether groups that an accident explains are reported as well.
  package var isVerbose = false
  /// Whether to walk through the events of the one trace.
  package var isStepping = false
  /// Whether the scenario of a trace is run as its file is now.
  package var runsCurrentFile = false
  /// Traces, recordings and directories of them.
  package var paths: [String]

  package init(paths: [String] = []) { self.paths = paths }
}

/// Replays traces and recordings, one file after another, and reports where they differ.
package struct FileReplay {
  /// Who receives what is found while files are replayed.
  package struct Observer {
    /// Receives the report on a file, and at the end the figures of all recordings.
    let report: (String) throws(Failure) -> Void
    /// Receives warnings, a line each without a newline.
    let warn: (String) -> Void
    /// Walks through the events of a trace.
    let walk: (TraceReplay) throws(Failure) -> Void

    package init(
      report: @escaping (String) throws(Failure) -> Void, warn: @escaping (String) -> Void,
      walk: @escaping (TraceReplay) throws(Failure) -> Void
    ) {
      self.report = report
      self.warn = warn
      self.walk = walk
    }
  }

  let settings: ReplaySettings
  let observer: Observer
  /// The client that is tried; nil when none is named.
  let subject: ClientUnderTest?
  private var summary = ReplaySummary()
  private var traces = 0
  private var failures = 0

  /// - Throws: `Failure` when the client does not exist or cannot be started.
  package init(_ settings: ReplaySettings, observer: Observer) throws(Failure) {
    self.settings = settings
    self.observer = observer
    let isNamed = settings.fleet != Fleet() || settings.adapter != nil
    subject =
      isNamed
      ? try ClientUnderTest(settings.fleet, or: settings.adapter, clock: "replay") : nil
  }

  /// Replays all files.
  ///
  /// - Returns: `divergence` if something differs that no accident explains, and `usage` if there was
  ///   nothing to compare.
  /// - Throws: `Failure.unusable` for a file that is neither a trace nor a recording, or cannot be run.
  package mutating func run() throws(Failure) -> ExitCode {
    let files = try RecordedFile.all(at: settings.paths, kind: "recording or trace").map(\.path)
    if settings.isStepping, files.count != 1 {
      throw .unusable("--step is for one trace, but \(files.count) files were named")
    }
    for file in files { try replay(file) }
    if traces < files.count { try observer.report(summary.text) }
    if summary.unexplained > 0 || failures > 0 { return .divergence }
    return summary.groupsWithOutput == 0 && traces == 0 ? .usage : .success
  }

  private mutating func replay(_ file: String) throws(Failure) {
    let text = try FileKind.text(of: file, expecting: FileKind.recorded)
    if Self.isOfServer(text) { return try replaySession(text, file) }
    if TraceFile.isTrace(text) {
      let replay = try replayTrace(text, file)
      traces += 1
      if replay.difference != nil { failures += 1 }
      return try report(replay, file)
    }
    let recording = try recording(text, in: file)
    let clientFactory = subject?.makeClientFactory(recording.profile, 0)
    let replay = Replay(of: recording, with: clientFactory?.makeClient("client"))
    if let outage = clientFactory?.outage() {
      failures += 1
      return try observer.report(outage.text(file: file))
    }
    summary.add(replay)
    for difference in settings.isVerbose ? replay.differences : replay.unexplained {
      try observer.report(difference.text(file: file))
    }
  }

  /// Compares what each client of a live session sent with what the client that is tried sends.
  private mutating func replaySession(_ text: String, _ file: String) throws(Failure) {
    for recording in try recordings(ofSession: file) {
      let clientFactory = subject?.makeClientFactory(recording.profile, 0)
      let replay = Replay(of: recording, with: clientFactory?.makeClient("client"))
      summary.add(replay)
      for difference in replay.unexplained {
        try observer.report("\(recording.name): " + difference.text(file: file))
      }
    }
  }

  private func report(_ replay: TraceReplay, _ file: String) throws(Failure) {
    var report = ReplayReport(replay, name: file, kit: kitVersion)
    report.client = settings.fleet.subject(or: settings.adapter)
    report.isOfCurrentFile = settings.runsCurrentFile
    try observer.report(report.text)
    if settings.isStepping { try observer.walk(replay) }
  }

  private func recording(_ text: String, in file: String) throws(Failure) -> Recording {
    if settings.isStepping { throw .unusable("--step is for traces; \(file) is none") }
    if settings.runsCurrentFile { throw .unusable("--changed is for traces; \(file) is none") }
    do throws(SourceError) {
      let recording = try Recording.readable(text, file: file)
      if let cut = recording.cut { observer.warn("only what comes before this is used:\n\(cut)") }
      return recording
    } catch {
      throw .mistake(error)
    }
  }
}

extension ClientOutage {
  fileprivate func text(file: String) -> String {
    ["\(verdict.rawValue.uppercased())  \(file)", "  " + reason].map { $0 + "\n" }.joined()
      + context.map { "  \($0)\n" }.joined()
  }
}

extension FileReplay {
  /// Whether a text is what a live server wrote down, which has no calls or cannot be run again.
  static func isOfServer(_ text: String) -> Bool {
    TraceFile.isTrace(text) ? TraceFile.isLive(text) : Recording.isOfServer(text)
  }

  /// The recordings of the clients of a live session, with calls, as far as they can be compared.
  /// Warnings say what cannot be compared, and why.
  func recordings(ofSession file: String) throws(Failure) -> [Recording] {
    if settings.isStepping {
      throw .unusable(
        "--step is for runs that can be made again; \(file) is of a live session: go through it with"
          + " 'kennel view \(file)'")
    }
    if settings.runsCurrentFile {
      throw .unusable(
        "--changed is for runs of a scenario; \(file) is of a live session: make a scenario of it with"
          + " 'kennel scenario-from \(file)'")
    }
    let session = try recordedSession(from: [file])
    session.warnings.forEach(observer.warn)
    do throws(SourceError) {
      let recordings = try session.recordings(named: file)
      if recordings.allSatisfy({ $0.groups.isEmpty }) {
        observer.warn("\(file): no client sent anything; there is nothing to compare")
      } else if recordings.contains(where: { !$0.recordsReceivedEvents }) {
        observer.warn(
          "\(file): calls are inferred from what clients sent; only requests are compared")
      }
      return recordings
    } catch {
      throw .mistake(error)
    }
  }
}

extension FileReplay {
  /// Runs the scenario of a trace again.
  ///
  /// The text in the trace is what is run: the scenario's file need not be there, and when it has
  /// changed since, a warning reports it. If the settings ask for it, it is the file that is run.
  ///
  /// - Throws: `Failure.unusable` when the trace cannot be read or run.
  func replayTrace(_ text: String, _ name: String) throws(Failure) -> TraceReplay {
    let file = try reading { () throws(SourceError) in try TraceFile(text, file: name) }
    let header = file.header
    let client =
      if let subject { subject } else {
        try ClientUnderTest(named: try header.ownClient(for: "replay", in: name))
      }
    let runner = client.runner(seed: header.seed)
    if settings.runsCurrentFile {
      return TraceReplay(of: file, with: try currentScenario(of: header), by: runner)
    }
    sourceWarnings(header).forEach(observer.warn)
    return try reading { () throws(SourceError) in
      try TraceReplay(of: file, named: name, by: runner)
    }
  }
}

extension TraceFile.Header {
  /// The client of the kit that the run of a trace was one of.
  ///
  /// - Parameters:
  ///   - command: What the client is needed for.
  ///   - file: The path of the trace.
  /// - Returns: Its name.
  /// - Throws: `Failure.unusable` when it is another program: what a file says is not started.
  func ownClient(for command: String, in file: String) throws(Failure) -> String {
    if client.hasPrefix("--") {
      throw .unusable(
        "the run of \(file) was one of another program; name it again: "
          + "\(programWord) \(command) \(shellWord(file)) \(client)")
    }
    return client
  }
}

/// The scenario of a trace as its file is now.
private func currentScenario(of header: TraceFile.Header) throws(Failure) -> Scenario {
  guard Files.exists(header.file) else {
    throw .unusable("\(header.file) is not there; without --changed the text in the trace is run")
  }
  let library = try ScenarioLibrary([header.file])
  try library.requireNoProblems()
  guard let scenario = library.scenarios.first(where: { $0.id == header.scenario }) else {
    throw .unusable("\(header.file) has no scenario \"\(header.scenario)\" any more")
  }
  return scenario
}

/// The value of a closure; what it throws is a failure of the command line.
func reading<Value>(
  _ body: () throws(SourceError) -> Value
) throws(Failure) -> Value {
  do throws(SourceError) {
    return try body()
  } catch {
    throw .mistake(error)
  }
}

/// What is not any more as it was when the trace was made.
private func sourceWarnings(_ header: TraceFile.Header) -> [String] {
  header.sources.compactMap { source in
    guard Files.exists(source.file) else {
      return "\(source.file) is not there; running the text in the trace"
    }
    guard let text = try? Files.text(of: source.file) else {
      return "\(source.file) cannot be read; running the text in the trace"
    }
    guard let line = firstChange(source.text, text) else { return nil }
    return "\(source.file) has changed since, from line \(line) on; running the text in the trace "
      + "(--changed runs the file)"
  }
}

/// The first line that is not the same in two texts, from 1.
private func firstChange(_ first: String, _ second: String) -> Int? {
  if first == second { return nil }
  func lines(_ text: String) -> [Substring.UTF8View] {
    text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
  }
  return zip(lines(first), lines(second)).prefix { $0.elementsEqual($1) }.count + 1
}

/// A file that was named, or found in a directory that was named.
package struct RecordedFile {
  package let path: String
  /// Whether it was named itself: then it must be a recording or a trace.
  package let isNamed: Bool

  /// The files at some paths; a directory stands for all traces and recordings below it.
  ///
  /// - Parameters:
  ///   - paths: Files and directories.
  ///   - kind: What is looked for, as the message says when a directory has none.
  /// - Returns: The files, in the order of the paths and then of their names.
  /// - Throws: `Failure.unusable` for a directory without such a file, and `Failure.file` for one that
  ///   cannot be read.
  package static func all(
    at paths: [String], kind: String
  ) throws(Failure) -> [RecordedFile] {
    var files: [RecordedFile] = []
    for path in paths {
      guard Files.isDirectory(path) else {
        files.append(RecordedFile(path: path, isNamed: true))
        continue
      }
      let directory = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
      let found = try Files.files(below: directory, suffix: ".jsonl")
      if found.isEmpty {
        throw .unusable("there is no \(kind) (*.jsonl) in \(path); \(FileKind.recordedOrigin)")
      }
      files += found.map { RecordedFile(path: $0, isNamed: false) }
    }
    return files
  }
}
