import Document
import Reports
import Scenario
import Testing

/// What is fine and what is red, row by row.
@Suite struct KnownFailureStatusTests {
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

  private func knownStatus(
    _ end: RunEnd.End, of scenario: String = "limits/refill", on day: String = "2026-11-01",
    _ change: (inout KnownFailure) -> Void = { _ in }
  ) throws -> KnownFailureStatus {
    try list(change).knownStatus(of: RunEnd(scenario, in: "firebase", end), on: date(day))
  }

  @Test func `listed and failing with the same signature is known`() throws {
    let knownStatus = try knownStatus(.failed(signature, rule: "LIM-7"))

    #expect(knownStatus.word == "known")
    #expect(
      knownStatus.sentence == "known failure (bug) until 2026-12-31: https://example.org/7")
  }

  @Test func `not listed is told by the verdict alone`() throws {
    #expect(try knownStatus(.failed(signature, rule: nil), of: "limits/other") == .unlisted)
    #expect(
      try knownStatus(.failed(signature, rule: nil)) { $0.profiles = ["wilddog-2"] } == .unlisted)
    #expect(try knownStatus(.passed, of: "limits/other") == .unlisted)
    #expect(KnownFailureStatus.unlisted.sentence == nil)
    #expect(KnownFailureStatus.unlisted.word == nil)
  }

  @Test func `listed and passing is stale`() throws {
    let knownStatus = try knownStatus(.passed)

    #expect(knownStatus.word == "stale")
    #expect(
      knownStatus.sentence == "it passes, but known.yaml:4 lists it as a known failure; remove it "
        + "there, or run 'kennel known --update known.yaml limits/refill'")
  }

  @Test func `failing with another signature is different`() throws {
    let knownStatus = try knownStatus(.failed("inv-7 listener", rule: nil))

    #expect(knownStatus.word == "different")
    #expect(
      knownStatus.sentence
        == "it fails with the signature \"inv-7 listener\", but known.yaml:4 lists "
        + "it with \"missing-event child_added listener\"; a signature is what went wrong in a few words, "
        + "the same for failures that are alike")
  }

  @Test func `failing for another rule is different where the rule is listed`() throws {
    let same = try knownStatus(.failed(signature, rule: "LIM-7")) { $0.rule = "LIM-7" }
    let other = try knownStatus(.failed(signature, rule: "LIM-8")) { $0.rule = "LIM-7" }
    let none = try knownStatus(.failed(signature, rule: nil)) { $0.rule = "LIM-7" }

    #expect(same.word == "known")
    #expect(
      other.sentence
        == "it fails with rule LIM-8, but known.yaml:4 lists it with rule LIM-7")
    #expect(
      none.sentence == "it fails with no rule, but known.yaml:4 lists it with rule LIM-7")
  }

  @Test func `expired is red although it fails as listed, from the day after the last`() throws {
    let last = try knownStatus(.failed(signature, rule: nil), on: "2026-12-31")
    let after = try knownStatus(.failed(signature, rule: nil), on: "2027-01-01")

    #expect(last.word == "known")
    #expect(after.word == "expired")
    #expect(
      after.sentence == "known.yaml:4 listed it as a known failure until 2026-12-31; fix it, or "
        + "agree on another date (https://example.org/7)")
  }

  @Test func `what fails as an entry of no scenario says may have been renamed`() throws {
    func status(_ signature: String, _ profiles: [String] = []) throws -> KnownFailureStatus {
      try knownStatus(.failed(signature, rule: nil), of: "limits/filled") {
        ($0.scenario, $0.mismatch) = (Glob("limits/refil"), "there is no scenario")
        $0.profiles = profiles
      }
    }
    let renamed = try status(signature, ["firebase"])

    #expect(renamed.word == "renamed")
    #expect(
      renamed.sentence
        == "known.yaml:4 lists this failure for limits/refil, which is no scenario any "
        + "more; if that has become limits/filled, write so there, or run "
        + "'kennel known --update known.yaml'")
    #expect(try status("inv-7 listener") == .unlisted)
    #expect(try status(signature, ["wilddog-2"]) == .unlisted)
  }

  @Test func `an entry of no scenario is warned of`() throws {
    let list = try list { $0.mismatch = "there is no scenario" }

    #expect(try list.warnings(on: date("2026-01-01")).map(\.message) == ["there is no scenario"])
  }

  @Test func `what was not judged is neither stale nor known`() throws {
    #expect(try knownStatus(.skipped) == .unlisted)
    #expect(try knownStatus(.fault) == .unlisted)
    #expect(try knownStatus(.advised) == .unlisted)
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
            "limits/refill is a known failure until 2026-12-31, \($0); fix it, or agree on another "
              + "date (https://example.org/7)"
          ]
        } ?? []))
  }
}
