import Foundation
import Testing

/// An optimised `kennel`, which `tools/test` names, for tests that run very much.
let optimisedProgram = ProcessInfo.processInfo.environment["KENNEL_OPTIMISED"]

extension Trait where Self == ConditionTrait {
  /// The tests are skipped where no optimised program is named.
  static var needsOptimisedProgram: Self {
    .enabled(if: optimisedProgram != nil, "KENNEL_OPTIMISED names no program")
  }
}

/// What a finished program left behind.
struct Outcome: Equatable {
  var status: Int32
  var output: String
  var messages: String
}

/// A program with its environment, to be run and observed.
struct Program {
  var path: String
  var environment = ProcessInfo.processInfo.environment
  var directory = FileManager.default.temporaryDirectory

  /// The `kennel` that was built together with these tests.
  static var kennel: Program {
    let tests = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    var program = Program(path: tests.deletingLastPathComponent().appending(path: "kennel").path)
    program.environment["KENNEL_HOME"] = nil
    program.environment["KENNEL_PROGRAM"] = nil
    program.environment["KENNEL_BUILD"] = nil
    return program
  }

  func run(_ arguments: [String], input: String = "") throws -> Outcome {
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

/// A directory that disappears with this value.
final class Folder {
  let url: URL

  init() throws {
    let name = "kennel-" + String(UInt64.random(in: 0...UInt64.max), radix: 36)
    url = FileManager.default.temporaryDirectory.appending(path: name)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  func write(_ text: String, to name: String, isExecutable: Bool = false) throws {
    let file = url.appending(path: name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try text.write(to: file, atomically: true, encoding: .utf8)
    if isExecutable {
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
    }
  }

  func newFile(_ name: String) throws -> FileHandle {
    try write("", to: name)
    return try FileHandle(forWritingTo: url.appending(path: name))
  }

  func text(_ name: String) throws -> String {
    try String(contentsOf: url.appending(path: name), encoding: .utf8)
  }
}
