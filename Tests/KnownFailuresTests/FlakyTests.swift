import Document
import Reports
import Scenario
import Testing

/// Failures that come and go, which there are on a real clock only.
@Suite struct FlakyTests {
  private let text = """
    kennel: 1
    known:
      - scenario: a/x
        signature: crash
        kind: flaky
        issue: https://example.org/7
        until: 2026-12-31

    """

  private func context(_ allows: Bool) -> KnownFailuresReader.Context {
    .init(scenarios: [.init("a/x", in: ["firebase"])], rules: [], allowsFlaky: allows)
  }

  private func list() -> KnownFailures {
    KnownFailuresReader.read(file: "k.yaml", bytes: Array(text.utf8), context(true)).list
  }

  @Test func `they are listed where clients may have a clock of their own, and nowhere else`() {
    #expect(list().entries.map(\.kind) == [.flaky])
    let other = KnownFailuresReader.read(
      file: "k.yaml", bytes: Array(text.utf8), context(false))
    #expect(other.problems.count == 1)
  }

  @Test func `an unknown kind is told of all that there are`() {
    let wrong = text.replacing("flaky", with: "flakey")
    let reading = KnownFailuresReader.read(
      file: "k.yaml", bytes: Array(wrong.utf8), context(true))
    #expect(
      reading.problems.map(\.message) == [
        "unknown kind \"flakey\"; did you mean flaky?; expected bug, wontfix or flaky"
      ])
  }

  @Test func `a pass is no reason to take them away`() throws {
    let today = try #require(CalendarDate("2026-11-21"))
    #expect(list().knownStatus(of: RunEnd("a/x", in: "firebase", .passed), on: today) == .unlisted)
    let failed = RunEnd("a/x", in: "firebase", .failed("crash", rule: nil))
    #expect(list().knownStatus(of: failed, on: today).word == "known")

    let update = KnownFailuresUpdate(
      of: list(), text: text, runs: [RunEnd("a/x", in: "firebase", .passed)], context(true),
      .init(kind: .bug, issue: nil, until: today))
    #expect(update.text == text)
    #expect(update.changes.isEmpty)
  }
}
