import Document
import Testing

@testable import Scenario

@Suite struct RuleBookTests {
  private let good = """
    # Events

    What listeners receive, and when.

    ## EVT-1 Value comes last

    - level: MUST
    - profiles: all
    - should: wilddog-1
    - source: 004 "事件保证";
      recordings

    After all child events of a change, and only then, the value event of the same listener
    is raised.

    ## EVT-2 deleted

    ## EVT-3 Removals come first

    - level: SHOULD
    - binds: server
    - profiles: wilddog-2, firebase
    - source: recordings
    - tested: unit
    - differs: firebase: never
    - differs: wilddog-2: always
    - differs: wilddog-1: unspecified

    One paragraph:
    - an item
    - another

    Another paragraph.
    """

  private func problems(_ text: String, file: String = "Specs/rules/events.md") -> [String] {
    RuleBook(files: [(file, text)]).problems.map(\.description)
  }

  private func rule(
    heading: String = "EVT-1 Title",
    attributes: String = "- level: MUST\n- profiles: all\n- source: 004",
    text: String = "It happens."
  ) -> String {
    "## \(heading)\n\n\(attributes)\n\n\(text)\n"
  }

  @Test func `rules are read with everything that is known of them`() throws {
    let book = RuleBook(files: [("Specs/rules/events.md", good)])

    #expect(book.problems.isEmpty)
    #expect(book.deleted == [try #require(RuleID("EVT-2"))])
    #expect(
      book.rules == [
        Rule(
          id: try #require(RuleID("EVT-1")), title: "Value comes last", level: .must,
          binds: .client, profiles: [], advisedIn: ["wilddog-1"],
          source: "004 \"事件保证\"; recordings", differs: [], tested: .scenarios,
          text: "After all child events of a change, and only then, the value event of the same "
            + "listener is raised.",
          file: "Specs/rules/events.md", line: 5),
        Rule(
          id: try #require(RuleID("EVT-3")), title: "Removals come first", level: .should,
          binds: .server, profiles: ["wilddog-2", "firebase"], advisedIn: [], source: "recordings",
          differs: ["firebase: never", "wilddog-2: always", "wilddog-1: unspecified"],
          tested: .unit,
          text: "One paragraph:\n- an item\n- another\n\nAnother paragraph.",
          file: "Specs/rules/events.md", line: 18),
      ])
  }

  @Test func `a rule is found by its id, and its neighbours by a slip of it`() throws {
    let book = RuleBook(files: [("Specs/rules/events.md", good)])

    #expect(book[try #require(RuleID("EVT-3"))]?.title == "Removals come first")
    #expect(book[try #require(RuleID("EVT-2"))] == nil)
    #expect(book.suggestions(for: "EVT-4").map(\.description) == ["EVT-1", "EVT-3"])
    #expect(book.suggestions(for: "nothing like it").isEmpty)
  }

  @Test func `an empty list of profiles means every profile`() {
    let rules = RuleBook(files: [("events.md", good)]).rules

    #expect(rules.map { $0.holds(for: "wilddog-1") } == [true, false])
  }

  @Test func `a file that holds no family may have other headings`() {
    #expect(problems("## listener\n\nWho receives.\n", file: "Specs/glossary.md") == [])
  }

  @Test(arguments: ["EVT", "EVT-0", "EVT-01", "EVT-+1", "evt-1", "EV-1", "EVTS-1", "EVT-1-2", ""])
  func `text of another form is no id`(text: String) {
    #expect(RuleID(text) == nil)
  }

  @Test func `ids are ordered by family and then by number`() {
    let ids = ["WRT-1", "EVT-10", "EVT-9"].compactMap { RuleID($0) }

    #expect(ids.sorted().map(\.description) == ["EVT-9", "EVT-10", "WRT-1"])
  }

  @Test func `malformed headings are told`() {
    let prefix = "Specs/rules/events.md:1: "

    #expect(
      problems("## Values\n") == [
        prefix + "\"Values\" is no rule heading; write \"## EVT-7 Title\""
      ])
    #expect(
      problems(rule(heading: "EVT-1")) == [
        prefix + "EVT-1 has no title; write a few words after the id"
      ])
    #expect(
      problems(rule(heading: "QRY-1 Title")) == [
        prefix + "QRY-1 does not belong in this file, which holds EVT"
      ])
    #expect(
      problems(rule(), file: "notes.md") == [
        "notes.md:1: EVT-1 is in a file that holds no rules; "
          + "each family has a file of its own"
      ])
  }

  @Test func `ids that are used twice or leave a gap are told`() {
    let files = [
      ("Specs/rules/events.md", rule() + rule(heading: "EVT-3 Third")), ("more/events.md", rule()),
    ]
    let problems = RuleBook(files: files.map { (name: $0.0, text: $0.1) }).problems

    #expect(
      problems.map(\.description) == [
        "Specs/rules/events.md:8: EVT-3 stands where EVT-2 is expected; numbers ascend by one, "
          + "and a deleted rule stays as \"## ID deleted\"",
        "more/events.md:1: EVT-1 is already defined at Specs/rules/events.md:1; ids are never used twice",
      ])
  }

  @Test(arguments: [
    ("- level: must", 3, "unknown level \"must\"; did you mean \"MUST\"?"),
    ("- level: ALWAYS", 3, "unknown level \"ALWAYS\"; expected one of MUST, SHOULD, MAY"),
    ("- level: MUST\n- level: MAY", 4, "\"level\" is given twice"),
    (
      "- level: MUST\n- profile: all", 4,
      "unknown attribute \"profile\"; did you mean \"profiles\"?"
    ),
    (
      "- level: MUST\n- tested: units", 4,
      "unknown kind of test \"units\"; did you mean \"unit\"?"
    ),
    (
      "- level: MUST\n- tested: by hand", 4,
      "unknown kind of test \"by hand\"; expected one of scenarios, vectors, unit, recordings, "
        + "adapter"
    ),
    (
      "- level: MUST\n- binds: everybody", 4,
      "unknown binds \"everybody\"; expected one of client, server"
    ),
    ("- level: MUST\n- note", 4, "\"note\" is no attribute; write \"- name: value\""),
    ("- level: MUST\n- differs:", 4, "\"differs:\" is no attribute; write \"- name: value\""),
  ])
  func `malformed attributes are told`(attributes: String, line: Int, message: String) {
    let text = rule(attributes: attributes + "\n- profiles: all\n- source: 004")

    #expect(problems(text) == ["Specs/rules/events.md:\(line): \(message)"])
  }

  @Test func `unknown profiles are told`() {
    let text = rule(attributes: "- level: MUST\n- profiles: firebase, wilddog2\n- source: 004")

    #expect(
      problems(text) == [
        "Specs/rules/events.md:4: unknown profile \"wilddog2\"; did you mean \"wilddog-2\"?"
      ])
  }

  @Test func `a rule that is not in all profiles says what holds in the others`() {
    let head =
      "- level: MUST\n- profiles: firebase\n- source: 004\n- differs: wilddog-1: unspecified"

    #expect(
      problems(rule(attributes: head)) == [
        "Specs/rules/events.md:1: EVT-1 does not hold for wilddog-2 and does not state why; write "
          + "\"- differs: wilddog-2: unspecified\", \"not recorded\", or what is different there"
      ])
    #expect(problems(rule(attributes: head + "\n- differs: wilddog-2: never")) == [])
    #expect(
      problems(rule(attributes: head + "\n- differs: wilddog-2: never\n- differs: sometimes")) == [
        "Specs/rules/events.md:8: \"sometimes\" names no profile; write \"- differs: PROFILE: what\", "
          + "with one of wilddog-1, wilddog-2, firebase"
      ])
  }

  @Test func `what is missing is reported`() {
    #expect(
      problems("## EVT-1 Title\n") == [
        "Specs/rules/events.md:1: EVT-1 has no text; "
          + "write it in a sentence or two below its attributes",
        "Specs/rules/events.md:1: EVT-1 has no level; write \"- level: ...\" below the heading",
        "Specs/rules/events.md:1: EVT-1 has no profiles; write \"- profiles: ...\" below the heading",
        "Specs/rules/events.md:1: EVT-1 has no source; write \"- source: ...\" below the heading",
      ])
  }
}
