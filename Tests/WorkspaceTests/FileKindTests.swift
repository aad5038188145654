import Document
import System
import TestKit
import Testing
import Workspace

/// A file given to the wrong command is told apart from one with mistakes.
@Suite struct FileKindTests {
  @Test(
    arguments: [
      ("a.yaml", "kennel: 1\ntitle: T\nsteps:\n  - settle\n", .scenario),
      ("a.yaml", "# known: no\r\n  kennel: 1\r\n  clients: [a]\r\n", .scenario),
      ("a.yaml", "---\n\"steps\" : []\n", .scenario),
      ("a.json", "{\"kennel\": 1,\n \"steps\": []}\n", .scenario),
      ("a.yaml", "{kennel: 1, steps: []}\n", .scenario),
      ("a.yaml", "kennel: 1\nknown: []\n", .knownFailures),
      ("a.yaml", "kennel: 1\nsteps: []\nknown: []\n", .scenario),
      ("a.yaml", "kennel: 1\ncauses: []\n", .knownCauses),
      ("a.hunted", "kennel: 1\n", .knownCauses),
      ("b/kennel.yaml", "", .project),
      ("a.yaml", "kennel: 1\ncommand: [python3]\n", .project),
      ("a", "{\"trace\":2,\"scenario\":\"x\"}\n{\"n\":0}\n", .trace),
      ("a", "{\"trace\":2,\"live\":{}}\n", .liveTrace),
      ("a", "{\"trace\":2,\"scen", .trace),
      ("a", "{\"recording\":1}\n", .recording),
      ("a", "{\"scenario\":\"x\",\"verdict\":\"pass\",\"steps\":4}\n", .report),
      ("a", "{\"summary\":{}}\n", .report),
      ("a", "<?xml version=\"1.0\"?>\n<testsuites/>\n", .junit),
      ("a", "<!DOCTYPE html>\n<p>known: <svg>", .page),
      ("a", "<svg xmlns=\"x\"/>", .picture),
      ("a.yaml", "kennel: 1\nunknown: []\n", nil),
      ("a.yaml", "kennel: 1\n  known: []\n", nil),
      ("a.md", "# Title\n\nWhat it is about\n\nclients: x\nsteps: y\n", nil),
      ("a.md", "known failures\nsteps-of: x\n", nil),
      ("a.json", "{\"name\": \"x\"}", nil),
      ("a", "", nil),
    ] as [(String, String, FileKind?)])
  func `a file is what its content says`(file: String, text: String, kind: FileKind?) {
    #expect(FileKind(of: text, in: file) == kind, "\(text)")
  }

  @Test func `a file of another kind says what it is, what was expected, and what takes it`() {
    let trace = FileKind.objection(
      to: "{\"trace\":2}\n", in: "my run.jsonl", expecting: .scenario)
    let list = FileKind.objection(
      to: "kennel: 1\nknown: []\n", in: "list.yaml", expecting: .trace, .liveTrace, .recording)

    #expect(
      trace?.description
        == "my run.jsonl:1:1: this is a trace; expected a scenario; 'kennel replay 'my run.jsonl'' runs it "
        + "again, 'kennel view 'my run.jsonl'' shows it")
    #expect(
      list?.description
        == "list.yaml:1:1: this is a list of known failures; expected a trace or a recording; "
        + "'kennel run --known list.yaml' compares with it, 'kennel known list.yaml' shows it")
  }

  @Test(arguments: [
    ("", "the file is empty; expected a scenario; it begins with 'kennel: 1'; "),
    ("\r\n# nothing\n", "the file is empty; expected a scenario; "),
    ("Hello\n", "no line begins with \"kennel:\" or \"steps:\"; expected a scenario; "),
  ])
  func `a file that is nothing says how one begins`(text: String, start: String) {
    let objection = FileKind.objection(to: text, in: "a.yaml", expecting: .scenario)
    #expect(objection?.message.hasPrefix(start) == true, "\(objection?.message ?? "")")
  }

  @Test(arguments: [
    ("kennel: 1\ntitel: T\nstep: []\n", FileKind.scenario), ("{\"steps\": [", .scenario),
    ("{", .trace), ("{\"verdict\": 1}", .report), ("kennel: 1\nknwon: []\n", .knownFailures),
  ])
  func `a file with mistakes is left to its reader`(text: String, kind: FileKind) {
    #expect(FileKind.objection(to: text, in: "a", expecting: kind) == nil)
  }

  @Test func `every scenario of the kit is one`() throws {
    for file in try SourceTree.files(below: "Scenarios", ending: ["yaml"]) {
      #expect(FileKind(of: try SourceTree.text(of: file), in: file) == .scenario, "\(file)")
    }
  }
}
