import ClientInterface
import Faults
import ReferenceClient
import ReferenceServer
import Simulator
import TestKit
import Testing
import Trace
import Tree
import Wire

/// Faults while the order of deliveries is open, and in copies of a run.
@Suite struct FaultOrderTests {
  private func puppets() -> Simulator {
    var run = Simulator(Puppet(), Puppet())
    #expect(run.settle() == .settled)
    run.openOrder()
    return run
  }

  /// Lets everything happen, always what is last in the list.
  private func exhaust(_ run: inout Simulator, end: Interval = .seconds(600)) {
    while true {
      while let delivery = run.deliveries().last { run.perform(delivery) }
      if run.settleFurther(quiet: .seconds(2), until: end) != nil { return }
    }
  }

  @Test func `what is stalled cannot happen, and can again`() {
    var run = puppets()
    run.inject(.stall(alice, .toServer))
    run.set("a", 1, by: alice)
    run.set("b", 1, by: bob)
    #expect(run.deliveries().count == 1)
    exhaust(&run)
    #expect(run.serverTree == Node(json: ["b": 1]))
    #expect(run.faultMarks[0].hasTakenEffect == false || run.now >= .milliseconds(30))

    run.advanceToRest()
    run.inject(.resume(alice, .both))
    #expect(run.deliveries().count == 1)
    exhaust(&run)
    #expect(run.serverTree == Node(json: ["a": 1, "b": 1]))
    #expect(run.faultMarks.map(\.hasTakenEffect) == [true, true])
  }

  @Test func `while a fault is armed every two deliveries conflict`() {
    var run = puppets()
    run.call(alice, "l", .listen("L", .init("a"), [.value]))
    run.call(bob, "l", .listen("L", .init("b"), [.value]))
    var reaches = run.deliveries().map(\.reach)
    #expect(!reaches[0].conflicts(with: reaches[1]))

    run.arm(.drop(bob), when: .message(.request(.listen), of: alice, .after))
    reaches = run.deliveries().map(\.reach)
    #expect(reaches[0].conflicts(with: reaches[1]))
    #expect(reaches[0].conflicts(with: .call(of: 1)))
    run.perform(run.deliveries()[0])
    #expect(run.lines(with: "bob  connection lost").count == 1)
    exhaust(&run)
    #expect(run.deliveries().isEmpty)
  }

  @Test func `a fault that waits for a time comes when nothing is under way`() {
    var run = puppets()
    run.arm(.drop(alice), when: .after(.milliseconds(1)))
    run.set("a", 1)
    exhaust(&run)

    #expect(run.serverTree == Node(json: ["a": 1]))
    #expect(run.faultMarks[0].hasTakenEffect)
    #expect(run.lines(with: "alice  connection lost").count == 1)
  }

  @Test func `copies have their own faults and marks`() {
    var first = Simulator(ReferenceClient(profile: .firebase), Puppet())
    #expect(first.settle() == .settled)
    first.arm(.loseAcknowledgement(alice), when: .after(.seconds(1)))
    first.inject(.stall(bob, .both))
    var second = first
    second.disarm()
    first.advance(by: .seconds(1))
    first.set("a", 1)
    second.set("a", 1)
    #expect(first.settle() == .settled)
    #expect(second.settle() == .settled)

    #expect(first.faultMarks.map(\.hasTakenEffect) == [true, false])
    #expect(second.faultMarks.map(\.hasTakenEffect) == [false, false])
    #expect(first.lines(with: "server <- alice  put").count == 2)
    #expect(second.lines(with: "server <- alice  put").count == 1)
  }

  @Test func `runs with the same faults have the same trace`() {
    func hash() -> Fingerprint {
      var run = Simulator(
        ReferenceClient(profile: .wilddog2), ReferenceClient(profile: .wilddog2),
        latency: Latency(.milliseconds(1), through: .milliseconds(30)))
      run.inject(.closeAfter(alice, messages: 7, .both))
      run.inject(.drift(bob, .init(gain: 1, per: 7)))
      run.arm(.lateClose(bob, after: .seconds(2)), when: .message(.hello, of: bob, .after))
      run.arm(.restart(down: .seconds(1), .done), when: .after(.milliseconds(200)))
      for number in 0..<20 {
        run.call(alice, CallID("t\(number)"), .transaction("n", .increment(1), localEvents: .shown))
        run.set("x", 1, by: bob)
        run.advance(by: .milliseconds(25))
      }
      #expect(run.settle() == .settled)
      #expect(run.faultMarks.map(\.hasTakenEffect) == [true, true, true, true])
      return run.trace.hash
    }
    #expect(hash() == hash())
  }
}

extension Simulator {
  /// Moves time on while nothing can happen.
  fileprivate mutating func advanceToRest() {
    while advanceFurther(to: .seconds(1)) {}
  }
}
