import Document
import KnownFailures
import Scenario
import Testing

/// What is fine and what is red, row by row.
@Suite struct StandingTests {
  private let signature = "missing-event child_added listener"

  private func list(_ change: (inout KnownFailure) -> Void = { _ in }) throws -> KnownFailures {
    var entry = KnownFailure(
      scenario: Glob("limits/refill"), most: nil, profiles: [], rule: nil, signature: signature,
      kind: .bug, issue: "https://example.org/7", until: try date("2026-12-31"), note: nil,
      file: "known.yaml", position: Position(line: 4, column: 5))
    change(&entry)
    return KnownFailures([entry])
  }

  private func date(_ text: String) throws -> CalendarDate { try #require(CalendarDate(text)) }

  private func standing(
    _ end: RunEnd.End, of scenario: String = "limits/refill", on day: String = "2026-11-01",
    _ change: (inout KnownFailure) -> Void = { _ in }
  ) throws -> Standing {
    try list(change).standing(of: RunEnd(scenario, in: "firebase", end), on: date(day))
  }

  @Test func `listed and failing with the same signature is known`() throws {
    let standing = try standing(.failed(signature, rule: "LIM-7"))

    #expect(standing.word == "known")
    #expect(
      standing.sentence == "known failure (bug) until 2026-12-31: https://example.org/7")
  }

  @Test func `not listed is told by the verdict alone`() throws {
    #expect(try standing(.failed(signature, rule: nil), of: "limits/other") == .unlisted)
    #expect(
      try standing(.failed(signature, rule: nil)) { $0.profiles = ["wilddog-2"] } == .unlisted)
    #expect(try standing(.passed, of: "limits/other") == .unlisted)
    #expect(Standing.unlisted.sentence == nil)
    #expect(Standing.unlisted.word == nil)
  }

  @Test func `listed and passing is stale`() throws {
    let standing = try standing(.passed)

    #expect(standing.word == "stale")
    #expect(
      standing.sentence == "it passes, but known.yaml:4 lists it as a known failure; remove it "
        + "there, or run 'kennel known --update known.yaml'")
  }

  @Test func `failing with another signature is different`() throws {
    let standing = try standing(.failed("inv-7 listener", rule: nil))

    #expect(standing.word == "different")
    #expect(
      standing.sentence == "it fails with the signature \"inv-7 listener\", but known.yaml:4 lists "
        + "it with \"missing-event child_added listener\"")
  }

  @Test func `failing for another rule is different where the rule is listed`() throws {
    let same = try standing(.failed(signature, rule: "LIM-7")) { $0.rule = "LIM-7" }
    let other = try standing(.failed(signature, rule: "LIM-8")) { $0.rule = "LIM-7" }
    let none = try standing(.failed(signature, rule: nil)) { $0.rule = "LIM-7" }

    #expect(same.word == "known")
    #expect(
      other.sentence
        == "it fails with rule LIM-8, but known.yaml:4 lists it with rule LIM-7")
    #expect(
      none.sentence == "it fails with no rule, but known.yaml:4 lists it with rule LIM-7")
  }

  @Test func `expired is red although it fails as listed, from the day after the last`() throws {
    let last = try standing(.failed(signature, rule: nil), on: "2026-12-31")
    let after = try standing(.failed(signature, rule: nil), on: "2027-01-01")

    #expect(last.word == "known")
    #expect(after.word == "expired")
    #expect(
      after.sentence == "known.yaml:4 listed it as a known failure until 2026-12-31; mend it, or "
        + "agree on another date (https://example.org/7)")
  }

  @Test func `what was not judged is neither stale nor known`() throws {
    #expect(try standing(.skipped) == .unlisted)
    #expect(try standing(.fault) == .unlisted)
  }

  @Test(arguments: [
    ("2026-11-30", nil), ("2026-12-01", "30 days from now"), ("2026-12-30", "1 day from now"),
    ("2026-12-31", "which is today"), ("2027-01-01", nil),
  ])
  func `thirty days before the last one there is a warning`(day: String, time: String?) throws {
    let warnings = try list().warnings(on: date(day)).map(\.message)

    #expect(
      warnings
        == (time.map {
          [
            "limits/refill is a known failure until 2026-12-31, \($0); mend it, or agree on another "
              + "date (https://example.org/7)"
          ]
        } ?? []))
  }
}
