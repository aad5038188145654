import System

/// Another command of this program that a page has started. It goes on while the page is answered.
final class ToolProcess {
  /// Which of the commands it is.
  let name: String
  /// The command line.
  let words: [String]
  /// Whether it has ended.
  private(set) var hasEnded = false
  private let process: ChildProcess
  private var written: [ChildProcess.Stream: [UInt8]] = [:]

  /// - Throws: `Failure.notStarted` when it does not start.
  init(_ name: String, _ words: [String]) throws(Failure) {
    (self.name, self.words) = (name, words)
    process = try ChildProcess(ChildProcess.thisProgram, words)
    process.closeInput()
  }

  deinit { stop() }

  /// What it has written by now.
  func text(of stream: ChildProcess.Stream) -> String {
    String(decoding: written[stream] ?? [], as: UTF8.self)
  }

  /// Takes what it has written since.
  func advance() {
    while process.hasOpenStreams {
      let arrivals = ProcessOutput.next(from: [process], within: 0)
      if arrivals.isEmpty { return }
      for arrival in arrivals { written[arrival.stream, default: []] += arrival.bytes }
    }
    if !hasEnded { _ = process.wait() }
    hasEnded = true
  }

  /// Ends it, and all that it has started.
  func stop() {
    if hasEnded { return }
    process.kill()
    _ = process.wait()
    hasEnded = true
  }
}
