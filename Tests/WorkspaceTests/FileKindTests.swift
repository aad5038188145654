import Document
import Foundation
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
      ("a.har", "{\"log\":{\"version\":\"1.2\",\"entries\":[]}}", .har),
      ("a", "{\n  \"log\": {\n    \"creator\": {}}}\n", .har),
      ("a.json", "{\"log\": {\"lines\": 1}}", nil),
      ("a.yaml", "clients: [a]\nfaults:\n  - network.cut: a\n", .faults),
      ("a", "<svg xmlns=\"x\"/>", .picture),
      ("a.yaml", "kennel: 1\nclients: {x: {}}\ncommand: [python3]\n", .project),
      ("a.yaml", "kennel: 1\nprofiles: firebase\nknown: known.yaml\n", .project),
      ("a.yaml", "kennel: 1\nknown: # none\n", .knownFailures),
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
        == "my run.jsonl:1:1: this is a trace ('kennel replay 'my run.jsonl'' runs it again, 'kennel view "
        + "'my run.jsonl'' shows it); expected a scenario; it begins with 'kennel: 1'; "
        + "\(Home.document("guides/writing-a-scenario.md")) has one to copy")
    #expect(
      list?.description
        == "list.yaml:1:1: this is a list of known failures ('kennel run --known list.yaml' compares with "
        + "it, 'kennel known list.yaml' shows it); expected a trace or a recording; 'kennel run ID --trace "
        + "DIR' writes a trace, 'kennel serve --record DIR' one of a live session")
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
    ("{\"trace\":2,\"sc", "the file ends in the middle of its first line; expected a trace"),
    ("{", "the file ends in the middle of its first line; expected a trace"),
    ("{}", "the first line is no JSON object with \"trace\" or \"recording\"; expected a trace"),
    ("{\n}", "the first line is no JSON object with \"trace\" or \"recording\"; expected a trace"),
    (
      "x y",
      "the first line is no JSON object; expected a trace or a recording; 'kennel run ID --trace"
    ),
  ])
  func `a file that is no whole trace says what it lacks`(text: String, start: String) {
    let objection = FileKind.objection(to: text, in: "a", expecting: .trace, .recording)
    #expect(objection?.message.hasPrefix(start) == true, "\(objection?.message ?? "")")
  }

  @Test(arguments: [
    ("kennel: 1\ntitel: T\nstep: []\n", FileKind.scenario), ("{\"steps\": [", .scenario),
    ("{\"trace\":2,\n", .trace), ("{\"verdict\": 1}", .report),
    ("kennel: 1\nknwon: []\n", .knownFailures),
  ])
  func `a file with mistakes is left to its reader`(text: String, kind: FileKind) {
    #expect(FileKind.objection(to: text, in: "a", expecting: kind) == nil)
  }

  @Test func `every scenario of the kit is one`() throws {
    for file in try SourceTree.files(below: "Scenarios", ending: ["yaml"]) {
      #expect(FileKind(of: try SourceTree.text(of: file), in: file) == .scenario, "\(file)")
    }
  }

  /// What each result may not take the place of, and what the message calls it.
  @Test(
    arguments: [
      ("t", "{\"trace\":2}\n", .picture, "a trace"), ("t", "{\"trace\":2}\n", .page, "a trace"),
      ("t", "{\"trace\":2}\n", nil, "a trace"), ("r", "{\"summary\":{}}\n", .page, "a report in"),
      ("r", "{\"summary\":{}}\n", .report, nil), ("p", "<svg/>", .picture, nil),
      ("p", "<svg/>", .page, "a picture"), ("p", "<html/>", nil, "an HTML page"),
      ("ad.py", "import sys\n", nil, "the source of a program"),
      ("ad", "#!/bin/sh\n", .junit, "the source of a program"), ("ad.py", " \n", .page, nil),
      ("n.md", "# Notes\n", nil, nil), ("n.md", "# Notes\n", .report, "a text of another kind"),
      ("d.json", "{\"steps\": [1]}\n", nil, nil),
      ("d.json", "{}\n", .report, "a text of another kind"),
      ("s.yaml", "kennel: 1\nsteps: []\n", nil, "a scenario"),
      ("s.yaml", "kennel: 1\nsteps: []\n", .scenario, "a scenario"),
      ("s.yaml", "# Made by kennel scenario-from of x\nsteps: []\n", .scenario, "a scenario"),
      ("s.yaml", "kennel: 1\nfound: {seed: 1}\nsteps: []\n", .scenario, "a scenario"),
      ("s.yaml", "new", .scenario, nil), ("s.yaml", "\n", .scenario, nil),
      ("t", "{\"trace\":2}\n", .trace, nil), ("t", "# Notes\n", .trace, "a text of another kind"),
      ("t", "{\"recording\":1}\n", .trace, "a recording"),
      ("r", "{\"recording\":1}\n", .recording, nil),
      ("r", "{\"trace\":2}\n", .recording, "a trace"),
      ("k.yaml", "kennel: 1\ncommand: x\nknown: k\n", .junit, "a project file"),
      ("b.png", nil, nil, "a file that is no text"),
    ] as [(String, String?, FileKind?, String?)])
  func `a result takes the place of what can be made again`(
    name: String, text: String?, result: FileKind?, lost: String?
  ) throws {
    let folder = try Folder()
    let file = folder.path(name)
    if let text { try folder.write(text, to: name) }
    if text == nil { try Data([0x89, 0x50, 0xFF]).write(to: folder.url.appending(path: name)) }

    let failure = lostText { () throws(Failure) in
      try FileKind.write("new", to: file, as: result)
    }

    #expect(
      lost == nil ? failure == nil : failure?.contains(": it is \(lost ?? "")") == true,
      "\(failure ?? "")")
    #expect((try? folder.text(name) == "new") == (lost == nil) || text == nil)
  }

  @Test func `what cannot be written is refused before anything is run`() throws {
    let folder = try Folder()
    for (name, reason) in [
      ("", "it is a folder; expected a file"), ("no/x", "there is no folder "),
    ] {
      let failure = lostText { () throws(Failure) in
        try FileKind.requireReplaceable(folder.path(name), by: .page)
      }
      #expect(failure?.contains(": \(reason)") == true, "\(failure ?? "")")
    }
    try FileKind.requireReplaceable(folder.path("no/x.yaml"), by: .scenario)
  }

  private func lostText(_ body: () throws(Failure) -> Void) -> String? {
    do throws(Failure) {
      try body()
      return nil
    } catch {
      return error.description
    }
  }
}
