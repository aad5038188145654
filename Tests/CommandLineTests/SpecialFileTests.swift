import Foundation
import Glibc
import TestKit
import Testing

/// Pipes, devices and links among scenario files: nothing is read without an end, or from elsewhere.
@Suite(.timeLimit(.minutes(10))) struct SpecialFileTests {
  private let folder: Folder
  private let kennel: Program
  private static let good = """
    kennel: 1
    title: A value is read
    rules: [EVT-4]
    clients: [alice]
    data: {doc: 1}
    steps:
      - alice.listen: {path: doc, event: value, as: feed}
      - expect: {alice.feed: [{value: 1}]}

    """

  init() throws {
    folder = try Folder()
    var program = Program.project
    program.environment["KENNEL_HOME"] = program.directory.path
    program.directory = folder.url
    kennel = program
    try folder.write(Self.good, to: "good.yaml")
  }

  private func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.url.appending(path: name).path, withDestinationPath: target)
  }

  private func makePipe(_ name: String) {
    #expect(mkfifo(folder.url.appending(path: name).path, 0o644) == 0)
  }

  private func makeSpecialFiles() throws {
    makePipe("a-pipe.yaml")
    try link("b-device.yaml", to: "/dev/zero")
    try link("c-loop.yaml", to: "c-loop.yaml")
    try link("d-nowhere.json", to: "missing")
    try link("e-outside.yaml", to: "/etc/passwd")
    try link("f-folder", to: "/etc")
    try link("g-own-folder", to: ".")
    try link("inside.yaml", to: "good.yaml")
  }

  private static let leftOut = [
    ("a-pipe.yaml", "a named pipe"), ("b-device.yaml", "a link out of the folder"),
    ("c-loop.yaml", "a link that leads to itself"), ("d-nowhere.json", "a link that leads nowhere"),
    ("e-outside.yaml", "a link out of the folder"), ("f-folder", "a link out of the folder"),
  ]

  @Test func `a check of a folder names what is no file of it, and reads the rest`() throws {
    try makeSpecialFiles()
    let outcome = try kennel.run(["check", "."])

    let names = Self.leftOut.map { "./\($0) (\($1))" }.joined(separator: ", ")
    #expect(
      outcome
        == Outcome(
          status: 0,
          output: "checked 2 files: 0 problems; 6 files of other kinds left out: \(names)\n",
          messages: ""))
  }

  @Test func `the layout of a folder leaves them as they are`() throws {
    try makeSpecialFiles()
    let outcome = try kennel.run(["fmt", "--check", "."])

    #expect(outcome.status == 0, "\(outcome)")
    #expect(
      outcome.messages
        == Self.leftOut.map { "kennel: ./\($0): this is \($1); it stays as it is\n" }.joined())
    #expect(outcome.output == "2 files: 0 to be changed\n")
  }

  @Test func `scenarios beside them are listed and run`() throws {
    try makeSpecialFiles()

    #expect(try kennel.run(["list", "."]).status == 0)
    #expect(try kennel.run(["run", ".", "--profile", "firebase"]).status == 0)
  }

  @Test(arguments: ["check", "fmt", "list", "run"])
  func `one that is named is an error at once`(command: String) throws {
    makePipe("pipe.yaml")
    try link("device.yaml", to: "/dev/zero")
    let rest = "expected a regular file; copy what it gives to one, and name that\n"

    #expect(
      try kennel.run([command, "pipe.yaml"])
        == Outcome(
          status: 2, output: "",
          messages: "kennel: cannot read pipe.yaml: it is a named pipe, \(rest)"))
    #expect(
      try kennel.run([command, "device.yaml"])
        == Outcome(
          status: 2, output: "",
          messages: "kennel: cannot read device.yaml: it is a device, \(rest)"))
  }

  @Test func `a fragment is a regular file too`() throws {
    makePipe("_pipe.yaml")
    try folder.write(Self.good + "include: [_pipe.yaml]\n", to: "good.yaml")
    let outcome = try kennel.run(["check", "good.yaml"])

    #expect(outcome.status == 2)
    #expect(
      outcome.output.hasPrefix(
        "good.yaml:9:11: cannot read _pipe.yaml: it is a named pipe, expected a regular file;"),
      "\(outcome)")
  }
}
