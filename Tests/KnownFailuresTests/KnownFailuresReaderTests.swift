import Document
import Reports
import Scenario
import TestKit
import Testing

@Suite struct KnownFailuresReaderTests {
  private let context = KnownFailuresReader.Context(
    scenarios: (1...21).map { .init("many/s\($0)", in: ["firebase"]) } + [
      .init("limits/refill", in: ["wilddog-1", "firebase"]),
      .init("limits/slide[n=1]", in: ["firebase"]), .init("limits/slide[n=2]", in: ["firebase"]),
    ], rules: ["LIM-7", "LIM-8"])

  private func read(_ text: String) -> (list: KnownFailures, problems: [SourceError]) {
    KnownFailuresReader.read(file: "known.yaml", bytes: Array(text.utf8), context)
  }

  private func entry(_ scenario: String, _ more: String = "note: it is so") -> String {
    """
      - scenario: \(scenario)
        signature: missing-event value listener
        kind: bug
        issue: https://example.org/7
        until: 2026-12-31
        \(more)

    """
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
    #expect(entry.until?.description == "2026-12-31")
    #expect(entry.note == "it is so")
    #expect(entry.location == "known.yaml:4")
  }

  @Test func `a list may be empty`() {
    #expect(read("kennel: 1\nknown: []\n").problems == [])
  }

  @Test func `a pattern may match as many as it says`() {
    #expect(read("kennel: 1\nknown:\n" + entry("'many/*'", "max: 21")).problems == [])
  }

  @Test func `two entries may list one scenario in different profiles`() {
    let entries = entry("limits/refill") + entry("limits/refill", "profiles: [wilddog-2]")
    #expect(read("kennel: 1\nknown:\n" + entries).problems == [])
  }

  @Test(arguments: try Mistake.files(of: "known-failures"))
  func `mistakes are told with their places, and then there is no list`(
    mistake: Mistake
  ) throws {
    let reading = read(try mistake.text)

    try mistake.check(reading.problems.map { "\($0.position): \($0.message)" })
    #expect(reading.list.entries.isEmpty)
  }
}
