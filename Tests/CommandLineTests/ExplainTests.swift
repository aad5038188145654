import Foundation
import TestKit
import Testing

@Suite struct ExplainTests {
  private let home: Folder
  private let kennel: Program

  init() throws {
    home = try Folder()
    try home.write(
      """
      ## EVT-1 Value comes last

      - level: MUST
      - profiles: wilddog-2, firebase
      - source: 004; recordings
      - differs: firebase: sometimes

      After all child events of a change, and only then, the value event of the same listener is
      raised.

      ## EVT-2 deleted
      """, to: "Specs/rules/events.md")
    try home.write("", to: "Scenarios/writes/merge.yaml")
    var program = Program.kennel
    program.directory = home.url.appending(path: "Scenarios/writes")
    kennel = program
  }

  @Test(arguments: ["EVT-1", "evt-1"])
  func `a rule is explained from anywhere in the source tree`(id: String) throws {
    let text = """
      EVT-1 Value comes last
      MUST, wilddog-2, firebase

        After all child events of a change, and only then, the value event of the
        same listener is raised.

      differs: firebase: sometimes
      source:  004; recordings
      at:      Specs/rules/events.md:1

      """

    #expect(try kennel.run(["explain", id]) == Outcome(status: 0, output: text, messages: ""))
  }

  @Test func `at most twelve scenarios that cite a rule are listed`() throws {
    for number in 10..<24 {
      try home.write(
        """
        kennel: 1
        title: An example
        rules: [EVT-1]
        clients: [alice]
        steps: [settle]
        """, to: "Scenarios/events/s\(number).yaml")
    }
    let text = try kennel.run(["explain", "EVT-1"]).output
    let ids = (10..<22).map { "  events/s\($0)\n" }.joined()

    #expect(text.hasSuffix(":1\n\nscenarios:\n" + ids + "  ... and 2 more\n"))
  }

  @Test func `an invariant is explained with the rule that it follows from`() throws {
    let text = """
      INV-7
      holds in every run, whatever a scenario expects

        The previous key is the neighbour in the window after the change.

      follows from EVT-10

      """

    #expect(try kennel.run(["explain", "inv-7"]) == Outcome(status: 0, output: text, messages: ""))
    #expect(
      try kennel.run(["explain", "INV-13"]).output.contains("\n\nfollows from EVT-1 Value comes"))
  }

  @Test(arguments: ["last", "VALUE", "evt", "comes last", "Same"])
  func `a word lists the rules that have it`(word: String) throws {
    let expected = Outcome(status: 0, output: "EVT-1  Value comes last\n", messages: "")

    #expect(try kennel.run(["explain", word]) == expected)
  }

  @Test(arguments: ["keep-alive", "SIGN OF", "glossary"])
  func `a word of the glossary is explained`(word: String) throws {
    try home.write(
      """
      | Term | Meaning | Not used for it |
      |---|---|---|
      | keep-alive | A message that shows whether a connection works. | sign of life |

      """, to: "Specs/glossary.md")

    let outcome = try kennel.run(["explain", word])

    #expect(outcome.output == "keep-alive\n  A message that shows whether a connection works.\n")
  }

  @Test(arguments: [
    ("EVT-3", "there is no rule \"EVT-3\"; did you mean \"EVT-1\"?"),
    (
      "nothing-like-it",
      "there is no rule \"nothing-like-it\"; a word such as \"priority\" finds the rules that have it"
    ),
    ("EVT-2", "rule EVT-2 was deleted; its id is never used again"),
  ])
  func `a rule that does not exist is told`(id: String, message: String) throws {
    let expected = Outcome(status: 2, output: "", messages: "kennel: \(message)\n")

    #expect(try kennel.run(["explain", id]) == expected)
  }

  @Test func `the directory can be named in the environment`() throws {
    var program = Program.kennel
    program.environment["KENNEL_HOME"] = home.url.path

    let outcome = try program.run(["explain", "EVT-1"])
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("at:      \(home.url.path)/Specs/rules/events.md:1\n"))
  }

  @Test func `a directory without a specification is told`() throws {
    let empty = try Folder()
    var program = Program.kennel
    program.environment["KENNEL_HOME"] = empty.url.path
    let named = try program.run(["explain", "EVT-1"])
    program.environment["KENNEL_HOME"] = nil
    program.directory = empty.url
    let searched = try program.run(["explain", "EVT-1"])

    program.environment["KENNEL_HOME"] = empty.url.path
    #expect(
      try program.run(["run", "writes"]).messages
        == "kennel: there is no file or directory writes, and KENNEL_HOME is \(empty.url.path), "
        + "which has no Specs and Scenarios in it\n")
    #expect(
      named.messages
        == "kennel: KENNEL_HOME is \(empty.url.path), which has no Specs and Scenarios in it\n")
    #expect(
      searched.messages
        == "kennel: no directory from \(empty.url.path) upwards has Specs and Scenarios in it; "
        + "go to the source tree, or name it in KENNEL_HOME\n")
    #expect([named.status, searched.status] == [2, 2])
  }
}
