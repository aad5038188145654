package import Processes
package import System

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
