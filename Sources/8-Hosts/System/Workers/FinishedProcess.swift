/// What a process has written until it ended.
package struct FinishedProcess {
  package let ending: ChildProcess.Ending
  /// What it wrote on its standard output.
  package let output: String
  /// What it wrote on its standard error.
  package let errorOutput: String

  /// Runs a program without input, and waits for its end.
  ///
  /// - Parameters:
  ///   - words: What follows the name of the program.
  ///   - environment: Variables that it gets besides those of this process.
  ///   - program: The program; this one if not given.
  /// - Throws: `Failure.notStarted` when it does not start.
  package init(
    _ words: [String], environment: [String: String] = [:],
    program: String = ChildProcess.thisProgram
  ) throws(Failure) {
    let process = try ChildProcess(program, words, environment: environment)
    process.closeInput()
    var output: [UInt8] = []
    var errorOutput: [UInt8] = []
    while process.hasOpenStreams {
      for arrival in ProcessOutput.next(from: [process], within: nil) {
        switch arrival.stream {
        case .output: output += arrival.bytes
        case .error: errorOutput += arrival.bytes
        }
      }
    }
    ending = process.wait()
    self.output = String(decoding: output, as: UTF8.self)
    self.errorOutput = String(decoding: errorOutput, as: UTF8.self)
  }
}

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
