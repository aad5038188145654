package import Processes
package import System

/// A command of this program that is run again whenever files change.
package struct WatchedCommand {
  private let words: [String]
  private let environment: [String: String]
  private let paths: [String]

  /// - Parameters:
  ///   - words: The command with its options and operands.
  ///   - environment: Variables that it gets besides those of this process.
  ///   - paths: The directories and files that are watched.
  package init(_ words: [String], environment: [String: String], watching paths: [String]) {
    self.words = words
    self.environment = environment
    self.paths = paths
  }

  /// Runs the command, and again after each change, until a signal comes.
  ///
  /// - Parameters:
  ///   - write: Takes what the command writes, as it comes.
  ///   - report: Takes what is going on, a line without a newline.
  /// - Throws: `Failure` when the command does not start or nothing can be watched.
  package func run(
    write: (ChildProcess.Stream, [UInt8]) -> Void, report: (String) -> Void
  ) throws(Failure) {
    Interrupt.begin()
    repeat {
      // What changes during the run is noticed too.
      let watch = try FileWatch(paths)
      try runOnce(write)
      if Interrupt.hasCome() { return }
      report("watching \(watch.count == 1 ? "1 folder" : "\(watch.count) folders"); Ctrl-C ends")
      guard watch.wait() else { return }
      report("something has changed")
    } while !Interrupt.hasCome()
  }

  private func runOnce(_ write: (ChildProcess.Stream, [UInt8]) -> Void) throws(Failure) {
    let process = try ChildProcess(ChildProcess.thisProgram, words, environment: environment)
    process.closeInput()
    while process.hasOpenStreams, !Interrupt.hasCome() {
      for arrival in ProcessOutput.next(from: [process], within: 200) {
        write(arrival.stream, Array(arrival.bytes))
      }
    }
    if Interrupt.hasCome() { Descendants.endAll() }
    _ = process.wait()
  }
}
