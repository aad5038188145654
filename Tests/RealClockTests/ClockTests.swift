import ClientInterface
import RealClock
import Testing

/// How time goes in a run by a real clock.
@Suite struct ClockTests {
  private let start = Instant(milliseconds: 1000)

  @Test func `the time of the world stands while clients work`() {
    var clock = PausableClock(at: start)
    clock.look(at: start + .milliseconds(5))
    clock.hold(true, at: start + .milliseconds(7))
    clock.look(at: start + .milliseconds(500))
    clock.hold(false, at: start + .milliseconds(501))
    clock.look(at: start + .milliseconds(504))

    #expect(clock.now == start + .milliseconds(10))
    #expect(clock.paused == .milliseconds(494))
  }

  @Test func `a process that did not run for long has missed nothing`() {
    var clock = PausableClock(at: start)
    clock.look(at: start + .seconds(3))

    #expect(clock.now == start + PausableClock.longestStride)
    #expect(clock.paused == .milliseconds(2980))
  }

  @Test func `time does not go beyond what is to happen next, nor back`() {
    var clock = PausableClock(at: start)
    clock.limit = start + .milliseconds(4)
    clock.look(at: start + .milliseconds(9))
    #expect(clock.now == start + .milliseconds(4))

    clock.limit = nil
    clock.look(at: start + .milliseconds(8))
    #expect(clock.now == start + .milliseconds(4))
    clock.look(at: start + .milliseconds(11))
    #expect(clock.now == start + .milliseconds(6))
  }

  @Test func `a machine that keeps its time has nothing against a verdict`() {
    var timekeeping = Timekeeping()
    timekeeping.record(lateness: .milliseconds(150))
    timekeeping.record(answer: .milliseconds(250))

    #expect(timekeeping.unsupportedReason(RealClockSettings()) == nil)
    #expect(
      timekeeping.text == "kennel was late by 150 ms at most, the adapter answered within 250 ms")
  }

  @Test func `one that does not is told by how much`() {
    var late = Timekeeping(), slow = Timekeeping()
    late.record(lateness: .milliseconds(310))
    slow.record(answer: .milliseconds(700))
    slow.record(answer: .milliseconds(2))

    #expect(
      late.unsupportedReason(RealClockSettings())
        == "kennel itself was late by 310 ms once (at most 150 ms are all right)")
    #expect(
      slow.unsupportedReason(RealClockSettings())
        == "the adapter took 700 ms once to answer a question that costs nothing (at most 250 ms "
        + "are all right)")
  }

  @Test func `rest takes a quiet window, and what is missing patience`() {
    var quiescence = QuiescenceDetector(RealClockSettings(), from: start)
    quiescence.noteActivity(at: start + .milliseconds(50))
    func isFinished(_ condition: QuiescenceDetector.Condition, after milliseconds: Int) -> Bool {
      quiescence.isFinished(condition, at: start + .milliseconds(milliseconds))
    }

    #expect(!quiescence.isQuiet(at: start + .milliseconds(149)))
    #expect(quiescence.isQuiet(at: start + .milliseconds(150)))
    #expect(!isFinished(.complete, after: 149))
    #expect(isFinished(.complete, after: 150))
    #expect(!isFinished(.lacking, after: 4049))
    #expect(isFinished(.lacking, after: 4050))
    #expect(!isFinished(.disconnected, after: 20_049))
    #expect(isFinished(.disconnected, after: 20_050))
    #expect(!isFinished(.busy, after: 24_000))
    #expect(isFinished(.busy, after: 24_001))
  }

  @Test func `it goes on to a moment at once, and never back`() {
    var clock = PausableClock(at: start)
    clock.skip(to: start + .seconds(60))
    #expect(clock.now == start + .seconds(60))
    clock.skip(to: start)
    clock.look(at: start + .milliseconds(5))
    #expect(clock.now == start + .milliseconds(60_005))
    #expect(clock.paused == .zero)
  }
}
