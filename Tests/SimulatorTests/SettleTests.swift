import ClientInterface
import Faults
import Simulator
import TestKit
import Testing
import Trace
import Tree
import Wire

@Suite struct SettleTests {
  private func timer(
    _ id: TimerID, _ after: Interval, _ purpose: TimerPurpose = .other
  ) -> ClientOutput {
    .setTimer(id, after: after, purpose)
  }

  @Test func `settling waits for timers within the quiet horizon and for no later ones`() {
    var run = Simulator(Puppet(opening: [timer(1, .seconds(2)), timer(2, .seconds(5))]))

    #expect(run.settle() == .settled)
    #expect(run.now == .seconds(2))

    #expect(run.settle(quiet: .seconds(4)) == .settled)
    #expect(run.now == .seconds(5))
  }

  @Test(arguments: [TimerPurpose.keepAlive, .idle])
  func `timers that keep a connection or close an idle one do not hold a run up`(
    purpose: TimerPurpose
  ) {
    let again = timer(1, .milliseconds(500), purpose)
    var run = Simulator(Puppet(opening: [.connect, again], onTimer: [.send(.ping), again]))

    #expect(run.settle() == .settled)
    #expect(run.now == .milliseconds(20))
  }

  @Test func `back-off timers count where the network is up`() {
    let again = timer(1, .milliseconds(500), .backOff)
    var run = Simulator(Puppet(opening: [again], onTimer: [.connect]))

    #expect(run.settle() == .settled)
    #expect(run.isConnected(alice))
    #expect(run.now == .milliseconds(520))
  }

  @Test func `a client that was taken offline is at rest`() {
    var run = Simulator(Puppet(opening: [.connect, timer(1, .seconds(3), .backOff)]))
    run.advance(by: .milliseconds(100))
    run.call(alice, "off", .goOffline)

    #expect(run.settle() == .settled)

    #expect(run.now == .milliseconds(110))
  }

  @Test func `a client without a connection and without plans is at rest`() {
    var run = Simulator(Puppet(opening: []))

    #expect(run.settle() == .settled)
    #expect(run.now == .zero)
  }

  @Test func `a client that waits too long for its next attempt is named`() {
    var run = Simulator(Puppet(opening: [timer(7, .seconds(612), .backOff)]))

    #expect(
      run.settle().reason
        == "alice waits for a connection: the next attempt is in 12 s")
    #expect(run.now == .seconds(600))
  }

  @Test func `a timer that fires for ever is named`() {
    let again = timer(3, .seconds(1), .backOff)
    let other = timer(4, .milliseconds(1500))
    var run = Simulator(
      Puppet(opening: [.connect, again], onTimer: [again]),
      Puppet(opening: [other], onTimer: [other])
    )

    #expect(
      run.settle().reason
        == "timer 3 (back-off) of alice fires every 1 s; timer 4 of bob fires every 1.5 s")
  }

  @Test func `a client that never connects although its timer fires is named`() {
    let again = timer(3, .seconds(1), .backOff)
    var run = Simulator(Puppet(opening: [again], onTimer: [again]))

    #expect(
      run.settle(deadline: .seconds(30)).reason
        == "alice waits for a connection: timer 3 (back-off) of alice fires every 1 s")
  }

  @Test func `a timer that is due for the first time at the deadline is named`() {
    var run = Simulator(Puppet(opening: [timer(1, .milliseconds(400))]))

    #expect(
      run.settle(deadline: .milliseconds(100)).reason
        == "timer 1 of alice is due in 300 ms")
  }

  @Test func `messages without end are named`() {
    let put = ClientOutput.send(.request(9, .put("a", Node(1), hash: nil)))
    var run = Simulator(Puppet(onFrame: [put]))
    _ = run.settle()
    run.set("a", 1)

    #expect(
      run.settle(deadline: .milliseconds(1005)).reason
        == "messages keep flowing between alice and the server: last put /a 1   request 9")
  }

  @Test func `an attempt that is under way at the deadline is named`() {
    var run = Simulator(Puppet(), latency: .fixed(.seconds(5)))

    #expect(
      run.settle(deadline: .seconds(1)).reason
        == "alice waits for a connection: an attempt is under way")
    run.advance(by: .seconds(5))
    #expect(
      run.settle(deadline: .seconds(1)).reason
        == "alice waits for the hello of the server; "
        + "messages keep flowing between alice and the server: last hello   session session1")
  }

  @Test func `a run in which time stands still ends with a reason`() {
    let again = timer(1, .zero)
    var run = Simulator(Puppet(opening: [again], onTimer: [again])) { $0.eventLimit = 1000 }

    let reason = "1000 events happened at 0 ms without time moving; timer 1 of alice comes next"
    #expect(run.settle().reason == reason)
    #expect(run.runaway?.text == reason)
    run.advance(by: .seconds(1))
    #expect(run.now == .zero)
    #expect(run.runNext() == false)
  }

  @Test func `a run that is busy without end is given up before the deadline`() {
    let again = timer(1, .milliseconds(1))
    var run = Simulator(Puppet(opening: [again], onTimer: [again])) { $0.eventLimit = 1000 }

    #expect(run.settle().reason == "timer 1 of alice fires every 1 ms")
    #expect(run.now < .seconds(2))
  }
}
