import Document
import KnownFailures
import Scenario
import Testing

@Suite struct KnownFailuresReaderTests {
  private let context = KnownFailuresReader.Context(
    scenarios: (1...21).map { .init("many/s\($0)", in: ["firebase"]) } + [
      .init("limits/refill", in: ["wilddog-1", "firebase"]),
      .init("limits/slide[n=1]", in: ["firebase"]), .init("limits/slide[n=2]", in: ["firebase"]),
    ], rules: ["LIM-7", "LIM-8"])

  private func read(_ text: String) -> (list: KnownFailures, problems: [String]) {
    let reading = KnownFailuresReader.read(file: "known.yaml", bytes: Array(text.utf8), context)
    return (reading.list, reading.problems.map(\.description))
  }

  private func entry(_ changes: [String: String?] = [:]) -> String {
    var fields: [(String, String)] = [
      ("scenario", "limits/refill"), ("signature", "missing-event value listener"),
      ("kind", "bug"), ("issue", "https://example.org/7"), ("until", "2026-12-31"),
    ]
    for key in changes.keys.sorted() {
      fields.removeAll { $0.0 == key }
      if let value = changes[key] ?? nil { fields.append((key, value)) }
    }
    return "  -\n" + fields.map { "    \($0.0): \($0.1)\n" }.joined()
  }

  private func problems(_ changes: [String: String?]) -> [String] {
    read("kennel: 1\nknown:\n" + entry(changes)).problems
  }

  @Test func `an entry is read with everything that it says`() throws {
    let reading = read(
      """
      kennel: 1
      known:
        # why
        - scenario: limits/refill
          max: 3
          profiles: [firebase, wilddog-1]
          rule: LIM-7
          signature: missing-event child_added listener
          kind: wontfix
          issue: https://example.org/issues/7#note
          until: 2026-12-31
          note: it is so
      """)

    #expect(reading.problems == [])
    let entry = try #require(reading.list.entries.first)
    #expect(entry.scenario.text == "limits/refill")
    #expect(entry.maxCount == 3)
    #expect(entry.profiles == ["firebase", "wilddog-1"])
    #expect(entry.rule == "LIM-7")
    #expect(entry.signature == "missing-event child_added listener")
    #expect(entry.kind == .wontfix)
    #expect(entry.issue == "https://example.org/issues/7#note")
    #expect(entry.until.description == "2026-12-31")
    #expect(entry.note == "it is so")
    #expect(entry.location == "known.yaml:4")
  }

  @Test func `a list may be empty`() {
    #expect(read("kennel: 1\nknown: []\n").problems == [])
  }

  @Test(arguments: [
    (
      "scenario", "limits/refil", "5:15",
      "there is no scenario \"limits/refil\"; did you mean limits/refill?"
    ),
    ("scenario", "'nothing/*'", "5:15", "no scenario matches \"nothing/*\""),
    (
      "scenario", "'many/*'", "5:15",
      "\"many/*\" matches 21 scenarios; a pattern that matches more than 20 says how many it may "
        + "match: max: 21"
    ),
    ("scenario", "[a]", "5:15", "scenario is [\"a\"]; expected a text"),
    ("max", "0", "9:10", "max is 0; expected a whole number from 1 up"),
    ("profiles", "[]", "9:15", "profiles is []; expected a list such as [firebase]"),
    (
      "profiles", "[firebas]", "9:16",
      "unknown profile \"firebas\"; did you mean firebase?; expected one of wilddog-1, wilddog-2, "
        + "firebase"
    ),
    ("profiles", "[firebase, firebase]", "9:26", "firebase occurs twice; expected it once"),
    ("rule", "LIM-77", "9:11", "there is no rule \"LIM-77\"; did you mean LIM-7 or LIM-8?"),
    (
      "signature", "Missing  event", "9:16",
      "signature is \"Missing  event\"; expected it as reports have it, such as "
        + "\"missing-event child_added listener\""
    ),
    (
      "kind", "flaky", "9:11",
      "flaky is for runs by a real clock; here the same seed gives the same run every time; "
        + "expected bug or wontfix"
    ),
    ("kind", "bgu", "9:11", "unknown kind \"bgu\"; did you mean bug?; expected bug or wontfix"),
    (
      "issue", "'#7'", "9:12",
      "issue is \"#7\"; expected a link such as https://example.org/issues/7"
    ),
    (
      "issue", "'https://'", "9:12",
      "issue is \"https://\"; expected a link such as https://example.org/issues/7"
    ),
    ("until", "2026-02-30", "9:12", "until is \"2026-02-30\"; expected a day such as 2026-12-31"),
    ("until", "2026", "9:12", "until is 2026; expected a day such as 2026-12-31"),
    ("note", "''", "9:11", "note is \"\"; expected a text"),
    (
      "issues", "x", "9:5",
      "unknown key \"issues\"; did you mean issue?; expected one of scenario, max, profiles, rule, "
        + "signature, kind, issue, until, note"
    ),
  ])
  func `a mistake in an entry is told with its place`(
    key: String, value: String, position: String, message: String
  ) {
    let found = problems([key: value])
    // The changed field is the last one of the entry, in the location of the one before.
    let line = ["max", "profiles", "rule", "note", "issues"].contains(key) ? "9" : "8"
    let column = position.split(separator: ":")[1]

    #expect(found == ["known.yaml:\(line):\(column): \(message)"])
  }

  @Test(arguments: ["scenario", "signature", "kind", "issue", "until"])
  func `what is missing is told`(key: String) {
    #expect(
      problems([key: nil]) == [
        "known.yaml:4:5: a known failure has no \(key); expected \(key): ..."
      ])
  }

  @Test func `a pattern with too many matches for its max is told`() {
    #expect(problems(["scenario": "'many/*'", "max": "21"]) == [])
    #expect(
      problems(["scenario": "'many/*'", "max": "20"]) == [
        "known.yaml:9:15: \"many/*\" matches 21 scenarios; max allows 20"
      ])
  }

  @Test func `two entries that list the same run are told`() {
    let all = "kennel: 1\nknown:\n" + entry()
    #expect(read(all + entry(["profiles": "[wilddog-2]"])).problems == [])
    #expect(
      read(all + entry(["profiles": "[firebase]"])).problems == [
        "known.yaml:10:5: limits/refill is already listed at 4:5; expected each scenario once in "
          + "each profile"
      ])
    #expect(
      read(
        "kennel: 1\nknown:\n" + entry(["scenario": "'limits/slide[n=1]'"])
          + entry(["scenario": "limits/slide"])
      ).problems == [
        "known.yaml:10:5: limits/slide[n=1] is already listed at 4:5; expected each scenario once "
          + "in each profile"
      ])
  }

  @Test(arguments: [
    ("[]", ["1:1: the file is no mapping; expected the keys kennel, known"]),
    (
      "known: 7",
      [
        "1:1: the file has no kennel; expected kennel: ...",
        "1:8: known is no list; expected a list of known failures, or []",
      ]
    ),
    ("kennel: 2\nknown: []", ["1:9: kennel is 2; expected 1"]),
    (
      "kennel: 1\nknwon: []",
      [
        "1:1: the file has no known; expected known: ...",
        "2:1: unknown key \"knwon\"; did you mean known?; expected one of kennel, known",
      ]
    ),
    (
      "kennel: 1\nknown: [x]",
      [
        "2:9: a known failure is no mapping; expected the keys scenario, max, profiles, rule, "
          + "signature, kind, issue, until, note"
      ]
    ),
  ])
  func `a file of another form is told`(text: String, messages: [String]) {
    #expect(read(text).problems == messages.map { "known.yaml:" + $0 })
  }

  @Test func `all mistakes are told at once, and then there is no list`() {
    let reading = read(
      "kennel: 1\nknown:\n" + entry() + entry(["scenario": "x", "kind": "y", "until": "z"]))

    #expect(reading.problems.count == 3)
    #expect(reading.list.entries.isEmpty)
  }
}
