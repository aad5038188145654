import Foundation
import TestKit
import Testing

/// `kennel init`, and what a project file says to every command.
@Suite struct InitTests {
  private let folder: Folder
  private let kennel: Program

  init() throws {
    folder = try Folder()
    var program = Program.project
    program.environment["KENNEL_HOME"] = program.directory.path
    program.directory = folder.url
    kennel = program
  }

  @Test func `a project is ready to run, from its directory and below`() throws {
    let outcome = try kennel.run(["init", "python"])
    #expect(outcome.status == 0, "\(outcome.messages)")
    #expect(outcome.output.contains("wrote  kennel.yaml\n"))
    let words = ["writes/local-echo", "--profile", "firebase"]
    let run = try kennel.run(["run", "--jsonl", "r"] + words)
    try folder.write("", to: "below/deep/file")
    var below = kennel
    below.directory = folder.url.appending(path: "below/deep")

    #expect(run.status == 0, "\(run)")
    #expect(try folder.text(".gitignore") == ".kennel/\n")
    #expect(try folder.text(".github/workflows/kennel.yml").contains("adapter.py\n"))
    #expect(try kennel.run(["doctor"]).output.contains("ok    it starts and introduces itself"))
    #expect(try below.run(["run"] + words).status == 0)
    #expect(try kennel.run(["smoke"]).output.contains(" passed, "))
    let failing = try kennel.run(["run", "writes/local-echo", "--client", "lost-echo"])
    #expect(failing.output.contains("--client lost-echo\n"))
    #expect(!failing.output.contains("adapter.py"))
  }

  @Test func `what is there is kept, and the reference client can be named`() throws {
    try folder.write("build/", to: ".gitignore")
    try folder.write("kennel: 1\ncommand: [\"false\"]\nprofiles: [firebase]\n", to: "kennel.yaml")

    let outcome = try kennel.run(["init", "--", "node", "my adapter.js"])
    let run = try kennel.run(["run", "writes/local-echo"])
    let reference = try kennel.run(["run", "writes/local-echo", "--client", "reference"])

    #expect(outcome.output.hasPrefix("kept   kennel.yaml\nwrote  known-failures.yaml\n"))
    #expect(outcome.output.contains("\nThere is no my adapter.js yet. How to write it:\n  /"))
    #expect(try folder.text(".gitignore") == "build/\n.kennel/\n")
    #expect(run.status == 4, "\(run)")
    #expect(reference.output.contains("selected 1 = ran 1\n"), "\(reference)")
  }

  @Test func `mistakes in a project file are all reported, with their locations`() throws {
    try folder.write(
      """
      kennel: 2
      comand: node a.js
      profiles: [firebse]
      timeout: 0
      known: []

      """, to: "kennel.yaml")

    let outcome = try kennel.run(["run", "writes/local-echo"])

    #expect(outcome.status == 2)
    let found = outcome.messages.split(separator: "\n").map { line in
      String(line.drop { $0 != ":" })
    }
    let expected: [String] = [
      ":1:9: kennel is 2; expected 1",
      ":2:1: unknown key \"comand\"; did you mean command?; expected one of kennel, command, "
        + "profiles, known, timeout, scenarios",
      ":3:12: unknown profile \"firebse\"; expected one of wilddog-1, wilddog-2, firebase",
      ":4:10: timeout is 0; expected seconds from 0.1 to 3600",
      ":5:8: known is []; expected the path of a file",
      ": 5 problems in \(folder.url.path)/kennel.yaml; nothing was run",
    ]
    #expect(found == expected, "\(outcome.messages)")
  }

  @Test func `scenarios of the project are run where none are named`() throws {
    try folder.write(
      """
      kennel: 1
      title: A value is read
      rules: [EVT-4]
      clients: [alice]
      data: {doc: 1}
      steps:
        - alice.listen: {path: doc, event: value, as: feed}
        - expect: {alice.feed: [{value: 1}]}

      """, to: "mine/one.yaml")
    try folder.write("kennel: 1\nscenarios: [mine]\nprofiles: [firebase]\n", to: "kennel.yaml")

    #expect(try kennel.run(["run"]).output.contains("selected 1 = ran 1\n"))
    #expect(try kennel.run(["run", "writes/local-echo"]).output.contains("selected 1 = ran 1\n"))
    var other = kennel
    other.environment["KENNEL_PROJECT"] = "none"
    #expect(try other.run(["run", "guides"]).output.contains("selected ") == true)
  }

  @Test func `a language without a template gets a way to go on`() throws {
    let outcome = try kennel.run(["new", "adapter", "cobol"])

    #expect(outcome.status == 2)
    #expect(outcome.messages.contains("Any other language will do too"))
    #expect(outcome.messages.contains("/Specs/adapter-protocol.md\n"))
    #expect(outcome.messages.contains("'tools/kennel new adapter ruby'"))
    #expect(outcome.messages.contains("'tools/kennel init -- COMMAND'"))
    #expect(outcome.messages.contains("tools/kennel doctor -- COMMAND"))
  }
}
