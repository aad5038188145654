package import AdapterSessions
import Conformance
import Document
import Recordings
import Reports
package import System
package import TraceFiles
import Workspace

/// Which traces and recordings are replayed, and how.
package struct ReplaySettings {
  /// The client that is tried; nil means the reference client, and for a trace the one of its run.
  package var client: String?
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
    let isNamed = settings.client != nil || settings.adapter != nil
    subject =
      isNamed
      ? try ClientUnderTest(named: settings.client, or: settings.adapter, clock: "replay") : nil
  }

  /// Replays all files.
  ///
  /// - Returns: `divergence` if something differs that no accident explains, and `usage` if there was
  ///   nothing to compare.
  /// - Throws: `Failure.unusable` for a file that is neither a trace nor a recording, or cannot be run.
  package mutating func run() throws(Failure) -> ExitCode {
    let files = try RecordedFile.all(at: settings.paths, kind: "recording").map(\.path)
    if settings.isStepping, files.count != 1 {
      throw .unusable("--step is for one trace, but \(files.count) files were named")
    }
    for file in files { try replay(file) }
    if traces < files.count { try observer.report(summary.text) }
    if summary.unexplained > 0 || failures > 0 { return .divergence }
    return summary.groupsWithOutput == 0 && traces == 0 ? .usage : .success
  }

  private mutating func replay(_ file: String) throws(Failure) {
    let text = try Files.text(of: file)
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
    report.client = settings.adapter?.subject ?? settings.client
    report.isOfCurrentFile = settings.runsCurrentFile
    try observer.report(report.text)
    if settings.isStepping { try observer.walk(replay) }
  }

  private func recording(_ text: String, in file: String) throws(Failure) -> Recording {
    guard Recording.isRecording(text) else { throw neitherTraceNorRecording(text, file) }
    if settings.isStepping { throw .unusable("--step is for traces; \(file) is none") }
    if settings.runsCurrentFile { throw .unusable("--changed is for traces; \(file) is none") }
    do throws(SourceError) {
      let recording = try Recording.readable(text, file: file)
      if let cut = recording.cut { observer.warn("\(cut); using what comes before") }
      return recording
    } catch {
      throw .unusable("\(error)")
    }
  }
}

extension ClientOutage {
  fileprivate func text(file: String) -> String {
    ["\(verdict.rawValue.uppercased())  \(file)", "  " + reason].map { $0 + "\n" }.joined()
      + context.map { "  \($0)\n" }.joined()
  }
}
