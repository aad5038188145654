import ClientInterface
import Faults
import ReferenceClient
import Simulator
import TestKit
import Testing
import Trace
import Tree
import Wire

@Suite struct ClockFaultTests {
  /// Says what its clock shows, in milliseconds since the start of the run.
  private struct Watcher: SyncClient {
    mutating func handle(
      _ input: ClientInput, at now: Instant, into outputs: inout [ClientOutput]
    ) {
      guard case .call = input else { return }
      let shown = now - Configuration.standardEpoch
      outputs.append(.log("\(shown.nanoseconds / 1_000_000)"))
    }
  }

  private func shown(_ run: inout Simulator) -> String? {
    run.call(alice, "c", .goOnline)
    return run.lines(with: "log: ").last.flatMap {
      $0.split(separator: "log: ").last.map(String.init)
    }
  }

  @Test func `a clock can be ahead or behind and be set right`() {
    var run = Simulator(Watcher())
    run.inject(.skew(alice, .seconds(3)))
    #expect(run.faultMarks.map(\.hasTakenEffect) == [false])
    #expect(shown(&run) == "3000")
    run.inject(.skew(alice, .milliseconds(-7)))
    run.advance(by: .milliseconds(10))
    #expect(shown(&run) == "3")
    run.inject(.skew(alice, .zero))
    #expect(shown(&run) == "10")
    run.inject(.skew(alice, .zero))
    #expect(run.faultMarks.map(\.hasTakenEffect) == [true, true, true, false])
  }

  @Test func `a clock can gain, lose and jump, also back`() {
    var run = Simulator(Watcher())
    run.inject(.drift(alice, .init(gain: 1, per: 100)))
    run.advance(by: .seconds(10))
    #expect(shown(&run) == "10100")
    run.inject(.drift(alice, .init(gain: -1, per: 2)))
    run.advance(by: .seconds(10))
    #expect(shown(&run) == "15100")
    run.inject(.jump(alice, .seconds(-20)))
    #expect(shown(&run) == "-4900")
    run.inject(.drift(alice, .none))
    run.advance(by: .seconds(1_000_000_000))
    #expect(shown(&run) == "999999995100")
    #expect(run.faultMarks.map(\.hasTakenEffect) == [true, true, true, true])
  }

  @Test func `a wrong clock does not move timers, and outlives the process`() {
    var run = Simulator(Puppet(opening: [.setTimer(1, after: .seconds(1), .other)]))
    run.inject(.jump(alice, .seconds(-500)))
    #expect(run.settle() == .settled)
    #expect(run.now == .seconds(1))

    run = Simulator(Watcher())
    run.inject(.skew(alice, .seconds(1)))
    run.inject(.kill(alice))
    run.inject(.start(alice, .lost))
    #expect(shown(&run) == "1000")
  }

  @Test func `the server's clock shows in hellos and in what it fills in`() {
    var run = Simulator(Puppet(), Puppet(opening: []))
    #expect(run.settle() == .settled)
    run.inject(.serverClock(skew: .seconds(1000)))
    run.set("a", 1)
    #expect(run.settle() == .settled)
    #expect(run.faultMarks.map(\.hasTakenEffect) == [false])

    run.call(alice, "t", .set("t", Node(json: ["x": [".sv": "timestamp"]])))
    #expect(run.settle() == .settled)
    #expect(run.serverTree["t/x" as Path] == Node(.number(1_480_001_000_050)))
    #expect(run.faultMarks.map(\.hasTakenEffect) == [true])

    run.inject(.serverClock(skew: .seconds(-1)))
    run.call(bob, "on", .goOnline)
    #expect(run.settle() == .settled)
    let hellos = run.trace.events.compactMap { event -> Double? in
      if case let .input(_, .frame(.hello(hello))) = event.kind { hello.timestamp } else { nil }
    }
    #expect(hellos == [1_480_000_000_010, 1_479_999_999_070])
    run.inject(.serverClock(skew: .zero))
    #expect(run.faultMarks.map(\.hasTakenEffect) == [true, true, true])
  }

  @Test func `what is left for the end of a session gets the server's time`() {
    var run = Simulator(Puppet())
    #expect(run.settle() == .settled)
    let time = Node(json: [".sv": "timestamp"])
    run.call(alice, "d", .onDisconnectSet("left", time))
    #expect(run.settle() == .settled)
    run.inject(.serverClock(skew: .seconds(1)))
    run.inject(.drop(alice))
    #expect(run.serverTree["left" as Path] == Node(.number(1_480_000_001_040)))
    #expect(run.faultMarks.map(\.hasTakenEffect) == [true, true])
  }

  @Test func `the reference client lives with a clock that jumps`() {
    var run = Simulator(ReferenceClient(profile: .firebase))
    #expect(run.settle() == .settled)
    var keys: [String] = []
    for jump in [0, -3600, 7200, -10_000] {
      run.inject(.jump(alice, .seconds(jump)))
      run.inject(.drop(alice))
      run.call(alice, "p", .push("list", Node(1)))
      #expect(run.settle() == .settled)
      #expect(run.isConnected(alice))
    }
    for line in run.lines(with: "answered p") { keys.append(String(line.suffix(22))) }
    #expect(keys.count == 4 && keys == keys.sorted())
    #expect(run.now < .seconds(12))
    #expect(run.serverTree["list" as Key].children.count == 4)
  }
}
