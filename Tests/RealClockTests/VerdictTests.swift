import ClientInterface
import Conformance
import Document
import RealClock
import Scenario
import Testing
import Trace

/// What several runs of one scenario come to.
@Suite struct VerdictTests {
  private let scenario = Scenario(id: "a/b", file: "a/b.yaml", title: "T", clients: ["alice"])

  private func attempt(
    _ verdict: Verdict, _ text: String = "late", late: Int = 1, slow: Int = 1
  ) -> RealClockAttempt {
    var timekeeping = Timekeeping()
    timekeeping.record(lateness: .milliseconds(late))
    timekeeping.record(answer: .milliseconds(slow))
    let position = Position(line: 1, column: 1)
    let kind: Divergence.Kind =
      text == "late" ? .unsettled(UnsettledReason([])) : .unknownLabel("x")
    let divergences = verdict == .fail ? [Divergence(kind, of: .server, at: position)] : []
    return RealClockAttempt(
      ScenarioResult(scenario, .firebase, seed: 0, verdict, divergences: divergences), timekeeping)
  }

  private func result(_ attempts: RealClockAttempt...) throws -> ScenarioResult {
    var verdict = RealClockVerdict(RealClockSettings())
    for (index, attempt) in attempts.enumerated() {
      #expect(verdict.take(attempt) == (index < attempts.count - 1))
    }
    return try #require(verdict.result)
  }

  @Test func `a pass needs no repetition, however slow the machine is`() throws {
    #expect(try result(attempt(.pass, late: 900, slow: 900)).verdict == .pass)
  }

  @Test func `what comes in each run is a failure, which tells how it was proved`() throws {
    let result = try result(attempt(.fail), attempt(.fail, late: 7), attempt(.fail, slow: 9))

    #expect(result.verdict == .fail)
    #expect(result.divergences.count == 1)
    #expect(
      result.context == [
        "it diverged in the same way in 3 runs of 3; kennel was late by 7 ms at most, the adapter "
          + "answered within 9 ms"
      ])
  }

  @Test func `what does not come again proves nothing`() throws {
    let result = try result(attempt(.fail), attempt(.pass))

    #expect(result.verdict == .inconclusive)
    #expect(result.reason == "the first run diverged, and the second ended with pass")
    #expect(result.divergences.isEmpty)
    #expect(result.context.count == 2)
    #expect(
      result.context[0]
        == "run 1: fail (unsettled); kennel was late by 1 ms at most, the adapter answered within "
        + "1 ms")
  }

  @Test func `what comes in another way proves nothing either`() throws {
    let result = try result(attempt(.fail), attempt(.fail), attempt(.fail, "other"))

    #expect(result.verdict == .inconclusive)
    #expect(result.reason == "the first run diverged, and the third diverged in another way")
  }

  @Test func `a divergence on a machine that is late proves nothing`() throws {
    let result = try result(attempt(.fail), attempt(.fail, late: 200), attempt(.fail))

    #expect(result.verdict == .inconclusive)
    #expect(
      result.reason
        == "it diverged, but the machine did not keep its time: kennel itself was late by 200 ms "
        + "once (at most 150 ms are all right)")
  }

  @Test func `a client that ends is not run again`() throws {
    #expect(try result(attempt(.crash)).verdict == .crash)
  }
}
