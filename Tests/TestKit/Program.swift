package import Foundation

/// What a finished program left behind.
package struct Outcome: Equatable, Sendable {
  /// Its exit code, or the signal that ended it.
  package var status: Int32
  /// What it wrote to standard output.
  package var output: String
  /// What it wrote to standard error.
  package var messages: String

  /// What is expected of a program.
  package init(status: Int32, output: String, messages: String) {
    self.status = status
    self.output = output
    self.messages = messages
  }
}

/// A program with its environment, to be run and observed.
package struct Program: Sendable {
  /// The file that is run.
  package var path: String
  /// The variables that it gets.
  package var environment = ProcessInfo.processInfo.environment
  /// The directory that it runs in.
  package var directory = FileManager.default.temporaryDirectory

  /// A program that runs among the temporary files of the system.
  package init(path: String) {
    self.path = path
  }

  /// The `kennel` that was built together with these tests.
  package static var kennel: Program {
    let tests = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    var program = Program(path: tests.deletingLastPathComponent().appending(path: "kennel").path)
    program.environment["KENNEL_HOME"] = nil
    program.environment["KENNEL_PROGRAM"] = nil
    program.environment["KENNEL_BUILD"] = nil
    return program
  }

  /// The same `kennel`, run in the folder of this project.
  package static var project: Program {
    var kennel = kennel
    kennel.directory = SourceTree.root
    return kennel
  }

  /// Runs it to its end.
  package func run(_ arguments: [String], input: String = "") throws -> Outcome {
    let process = Process()
    process.executableURL = URL(filePath: path)
    process.arguments = arguments
    process.environment = environment
    process.currentDirectoryURL = directory
    let scratch = try Folder()
    try scratch.write(input, to: "input")
    process.standardInput = try FileHandle(
      forReadingFrom: scratch.url.appending(path: "input"))
    process.standardOutput = try scratch.newFile("output")
    process.standardError = try scratch.newFile("messages")
    try process.run()
    process.waitUntilExit()
    return Outcome(
      status: process.terminationStatus, output: try scratch.text("output"),
      messages: try scratch.text("messages"))
  }
}
