import ClientInterface
import Simulator
import TestKit
import Testing
import Trace
import Tree

@Suite struct TimerTests {
  @Test func `a timer that is set again moves and fires once`() {
    var run = Simulator(
      Puppet(opening: [
        .setTimer(1, after: .milliseconds(5), .other),
        .setTimer(1, after: .milliseconds(8), .other),
      ]))

    run.advance(by: .seconds(1))

    #expect(run.lines(with: "is due") == ["8 ms  alice  timer 1 is due"])
    #expect(run.now == .seconds(1))
  }

  @Test func `a timer that is cancelled does not fire`() {
    var run = Simulator(
      Puppet(opening: [.setTimer(1, after: .milliseconds(5), .other), .cancelTimer(1)]))

    run.advance(by: .seconds(1))

    #expect(run.lines(with: "is due") == [])
    #expect(run.nextDue() == nil)
  }

  @Test func `timers of one time fire in the order in which they were set`() {
    var run = Simulator(
      Puppet(opening: [
        .setTimer(2, after: .milliseconds(5), .other),
        .setTimer(1, after: .milliseconds(5), .other),
        .setTimer(3, after: .milliseconds(4), .other),
      ]))

    run.advance(by: .milliseconds(5))

    #expect(
      run.lines(with: "is due") == [
        "4 ms  alice  timer 3 is due", "5 ms  alice  timer 2 is due",
        "5 ms  alice  timer 1 is due",
      ])
  }

  @Test func `time stops where it was told to and a negative wait is none`() {
    var run = Simulator(Puppet(opening: [.setTimer(1, after: .milliseconds(-5), .other)]))

    run.advance(by: .zero)
    #expect(run.lines(with: "is due") == ["0 ms  alice  timer 1 is due"])

    run.advance(by: .milliseconds(3))
    #expect(run.now == .milliseconds(3))
  }

  @Test func `a wait that is absurdly long is no wait that overflows`() {
    var run = Simulator(
      Puppet(opening: [.setTimer(1, after: Interval(nanoseconds: .max), .other)]))

    run.advance(by: .seconds(1))

    #expect(run.settle() == .settled)
  }
}
