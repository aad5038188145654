import ClientInterface
import Foundation
import Mutants
import ReferenceClient
import Runs
import TestKit
import Testing
import Tree

/// The examples are whole files, which compile and run.
@Suite struct ExampleTests {
  private let folder: Folder
  private let list: String
  private let report: String

  init() throws {
    folder = try Folder()
    (list, report) = (folder.path("known.yaml"), folder.path("report.xml"))
    try folder.write("kennel: 1\nknown: []\n", to: "known.yaml")
  }

  @Test func `a gate is red for failures that nobody knows, and writes a report`() throws {
    #expect(try gateInProcess(list: list, report: report) { ReferenceClient(profile: $0) })
    #expect(try !gateInProcess(list: list, report: report) { Mutant.noRefill.makeClient($0) })
    #expect(try folder.text("report.xml").contains("<failure"))
  }

  @Test func `a gate judges a client behind its adapter`() throws {
    let kennel = Program.kennel.path
    let wrong = [kennel, "adapter", "--client", "no-refill"]
    let other = Process()
    other.executableURL = URL(filePath: "/bin/sleep")
    other.arguments = ["600"]
    other.standardOutput = FileHandle.nullDevice
    other.standardError = FileHandle.nullDevice
    try other.run()
    // A thread of the tests may block SIGTERM, and its children with it.
    defer { kill(other.processIdentifier, SIGKILL) }

    #expect(try gateBehindAdapter([kennel, "adapter"], list: list, report: report))
    #expect(try !gateBehindAdapter(wrong, list: list, report: report))
    #expect(try folder.text("report.xml").contains("<failure"))
    #expect { try checkAdapter([folder.path("nothing")]) } throws: { "\($0)".contains("nothing") }
    #expect(other.isRunning, "a child that the kit did not start was ended")
  }

  @Test func `a server serves what it is given, and refuses what no server can have`() throws {
    #expect(try serveForAWhile(["a": 1], until: { true }) > 0)
    #expect {
      _ = try serveForAWhile(["a": ["b/c": 1]], until: { true })
    } throws: { "\($0)".contains("b/c") }
  }

  @Test func `a client that is right passes, and one that is wrong is told`() throws {
    let right = try checkClient(["limits"], profiles: [.firebase]) {
      ReferenceClient(profile: $0)
    }
    let wrong = try checkClient(["limits/refill-after-foreign-removal"], profiles: [.firebase]) {
      Mutant.noRefill.makeClient($0)
    }

    #expect(right.passed)
    #expect(!wrong.passed)
    #expect(wrong.exitCode == 1)
    #expect(wrong.text.contains("expected child_added /room/"))
    #expect(wrong.text.contains("FAIL  limits/refill-after-foreign-removal  firebase"))
  }

  @Test func `a hunt passes a client that is right, and makes failures small`() {
    let hunt = huntClient(seeds: 1...100, profile: .firebase) { Mutant.noRefill.makeClient($0) }

    #expect(huntInProcess { ReferenceClient(profile: $0) })
    #expect(!hunt.passed)
    #expect(hunt.scenarios.allSatisfy { $0.contains("steps:") })
  }

  @Test func `an example has ten lines of code at most`() throws {
    let files = try SourceTree.files(below: "Tests/ExampleTests", ending: ["swift"])
    for file in files where !file.hasSuffix("/ExampleTests.swift") {
      let lines = try SourceTree.text(of: file).split(separator: "\n")
      let code = lines.filter { !$0.hasPrefix("//") && !$0.hasPrefix("import ") }
      #expect(code.count <= 10, "\(file) has \(code.count) lines of code")
    }
  }
}
