import AdapterSessions
import Document
import Processes
import Scenario
import System
import Text
import TraceFiles
import Workspace

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
    if client.hasPrefix(AdapterOptions.mark) {
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
    throw .unusable("\(error)")
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
