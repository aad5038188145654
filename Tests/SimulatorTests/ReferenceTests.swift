import ClientInterface
import Faults
import ReferenceClient
import Simulator
import Testing
import Trace
import Tree

@Suite struct ReferenceTests {
  private func run(
    _ profile: Profile = .wilddog2, adjust: (inout Configuration) -> Void = { _ in }
  ) -> Simulator {
    Simulator(
      ReferenceClient(profile: profile), ReferenceClient(profile: profile), adjust: adjust)
  }

  private func events(_ run: Simulator, of client: ClientIndex, from start: Int) -> [String] {
    run.trace.events.dropFirst(start).compactMap { event in
      switch event.kind {
      case let .output(who, .event) where who == client: event.line(names: run.names)
      case let .output(who, .completed) where who == client: event.line(names: run.names)
      default: nil
      }
    }
  }

  @Test(arguments: Profile.all)
  func `a write travels from one client to the other in two latencies`(profile: Profile) {
    var run = run(profile) { $0.data = Node(json: ["room": ["a": 1]]) }
    #expect(run.settle() == .settled)
    run.call(bob, "l", .listen("feed", .init("room"), [.childAdded, .value]))
    #expect(run.settle() == .settled)
    let start = run.trace.count
    #expect(run.now == .milliseconds(60))

    run.set("room/b", 2)
    #expect(run.settle() == .settled)

    #expect(
      events(run, of: bob, from: start) == [
        "80 ms  bob  raised child_added b = 2, after a   on feed",
        "80 ms  bob  raised value {\"a\":1,\"b\":2}   on feed",
      ])
    #expect(events(run, of: alice, from: start) == ["80 ms  alice  completed w: ok"])
  }

  @Test func `a write made while cut off arrives after the network has healed`() {
    var run = run()
    _ = run.settle()
    run.inject(.cut(alice))
    run.set("a", 1)
    #expect(run.settle() == .settled)
    #expect(run.serverTree.isEmpty)

    run.inject(.heal(alice))
    #expect(run.settle() == .settled)

    #expect(run.isConnected(alice))
    #expect(run.serverTree == Node(json: ["a": 1]))
    #expect(run.lines(with: "completed w: ok").count == 1)
    #expect(run.lines(with: "network").count == 2)
  }

  @Test func `a client that goes offline has settled until it goes online`() {
    var run = run()
    _ = run.settle()
    run.call(alice, "off", .goOffline)
    run.set("a", 1)
    #expect(run.settle() == .settled)
    #expect(!run.isConnected(alice))

    run.call(alice, "on", .goOnline)
    #expect(run.settle() == .settled)

    #expect(run.isConnected(alice))
    #expect(run.serverTree == Node(json: ["a": 1]))
  }

  @Test func `cut off before it ever connected a client connects when it can`() {
    var run = run()
    run.inject(.cut(alice))
    #expect(run.settle() == .settled)
    #expect(!run.isConnected(alice))
    #expect(run.isConnected(bob))

    run.inject(.heal(alice))
    #expect(run.settle() == .settled)
    #expect(run.isConnected(alice))
  }

  @Test func `runs of the reference client have the same hash and go their ways as copies`() {
    func agitated() -> Simulator {
      var run = run {
        $0.latency = Latency(.milliseconds(5), through: .milliseconds(40))
        $0.seed = 9
      }
      for number in 0..<10 {
        run.set("x", Scalar(integerLiteral: number))
        run.call(bob, CallID("t\(number)"), .transaction("n", .increment(1), localEvents: .shown))
        run.advance(by: .milliseconds(20))
        if number == 5 { run.inject(.cut(bob)) }
        if number == 7 { run.inject(.heal(bob)) }
      }
      return run
    }
    var first = agitated()
    var second = first
    var third = agitated()

    second.inject(.cut(alice))
    for _ in 0..<2 { second.advance(by: .milliseconds(1)) }
    #expect(first.settle() == .settled)
    #expect(second.settle() == .settled)
    #expect(third.settle() == .settled)

    #expect(first.trace.hash == third.trace.hash)
    #expect(first.trace.hash != second.trace.hash)
    #expect(first.serverTree == third.serverTree)
    #expect(first.serverTree["x" as Key] == Node(9))
  }
}
