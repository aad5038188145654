import Conformance
import Testing
import Trace

@Suite struct TallyTests {
  @Test func `verdicts count as passed, failed or skipped`() {
    let tally = Tally([.pass, .fail, .crash, .unsupported, .inconclusive, .kitError])

    #expect(tally == Tally(passed: 1, failed: 3, skipped: 2))
    #expect(tally.line == "1 passed, 3 failed, 2 skipped")
  }

  @Test func `tallies add up`() {
    var tally = Tally(passed: 1, failed: 2)
    tally += Tally(passed: 3, skipped: 4, known: 5)
    tally.add(.skipped, 2)

    #expect(tally == Tally(passed: 4, failed: 2, skipped: 6, known: 5))
    #expect(tally.line == "4 passed, 2 failed, 6 skipped, 5 known")
  }
}
