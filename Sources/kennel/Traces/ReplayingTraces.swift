import Conformance
import Glibc
import Report
import TraceFiles

/// Runs the scenario of a trace again and tells how it went.
///
/// The text in the trace is what is run: the scenario's file need not be there, and when it has
/// changed since, a warning says so.
///
/// - Parameters:
///   - text: The trace.
///   - name: Its path.
///   - client: The client that is tried; nil means the one that the trace names.
/// - Returns: How it went.
/// - Throws: `Failure.unusable` when the trace cannot be read or run.
func replayTrace(_ text: String, _ name: String, client: String?) throws(Failure) -> TraceReplay {
  let file = try reading { () throws(TraceFileError) in try TraceFile(text, file: name) }
  let runner = try ClientUnderTest(named: client ?? file.header.client).runner(
    seed: file.header.seed)
  for warning in sourceWarnings(file.header) { Console.message("kennel: \(warning)\n") }
  return try reading { () throws(TraceFileError) in
    try TraceReplay(of: file, named: name, by: runner)
  }
}

private func reading<Value>(
  _ body: () throws(TraceFileError) -> Value
) throws(Failure) -> Value {
  do throws(TraceFileError) {
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
    guard let text = try? Files.text(of: source.file), text == source.text else {
      return "\(source.file) has changed since; running the text in the trace"
    }
    return nil
  }
}

/// Walks through the events of a replay by the lines of standard input, until `q` or its end.
///
/// In a terminal a prompt asks for each line.
func walk(_ replay: TraceReplay) throws(Failure) {
  var walk = TraceWalk(replay)
  let isAsking = isatty(STDIN_FILENO) == 1
  try Console.output(walk.text)
  while true {
    if isAsking { try Console.output("> ") }
    guard let line = readLine(), let answer = walk.answer(to: line) else { return }
    try Console.output(answer)
  }
}
