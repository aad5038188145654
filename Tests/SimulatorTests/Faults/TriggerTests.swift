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

@Suite struct TriggerTests {
  private func puppets() -> Simulator {
    var run = Simulator(Puppet(), Puppet())
    #expect(run.settle() == .settled)
    return run
  }

  @Test func `a fault can wait for a time, and keeps a run from resting when that is near`() {
    var run = puppets()
    run.arm(.drop(alice), when: .after(.seconds(1)))
    run.arm(.drop(bob), when: .after(.seconds(10)))
    #expect(run.settle() == .settled)

    #expect(run.lines(with: "drop").suffix(1) == ["1020 ms  network (alice)  drop"])
    #expect(run.faultMarks.map(\.hasFired) == [true, false])
    #expect(run.faultMarks[0].trigger == .after(.seconds(1)))
    run.advance(by: .seconds(9))
    #expect(run.faultMarks.map(\.hasFired) == [true, true])
  }

  @Test func `a fault can wait for so many messages`() {
    var run = puppets()
    run.arm(.drop(bob), when: .count(3, alice, .both))
    run.set("x", 1, by: bob)
    run.set("a", 1)
    run.set("b", 1)
    run.advance(by: .milliseconds(10))
    #expect(!run.faultMarks[0].hasFired)
    run.advance(by: .milliseconds(10))

    #expect(run.faultMarks[0].hasFired)
    #expect(run.lines(with: "armed: drop") == ["20 ms  network (bob)  armed: drop"])
    #expect(run.lines(with: "bob  connection lost").count == 1)
    run.inject(.cut(alice))
    #expect(run.lines(with: "network (bob)  drop").count == 1)
  }

  @Test func `before a delivery the message is lost, after it it has arrived`() {
    func tree(_ edge: Trigger.Edge) -> Node {
      var run = puppets()
      run.arm(
        .drop(alice), when: .message(.request(.put), of: alice, nth: 2, edge))
      for key in ["a", "b", "c"] { run.set(Path(key), 1) }
      #expect(run.settle() == .settled)
      #expect(run.faultMarks[0].hasTakenEffect)
      return run.serverTree
    }

    #expect(tree(.before) == Node(json: ["a": 1]))
    #expect(tree(.after) == Node(json: ["a": 1, "b": 1]))
  }

  @Test func `a fault of one client can wait for a message of another`() {
    var run = puppets()
    run.arm(.stall(bob, .both), when: .message(.request(nil), of: nil, .after))
    run.set("a", 1, by: bob)
    run.set("b", 1, by: alice)
    #expect(run.settle() == .settled)

    #expect(run.lines(with: "stall both ways").last == "30 ms  network (bob)  stall both ways")
    #expect(run.lines(with: "bob <- server  answer").isEmpty)
    #expect(run.lines(with: "alice <- server  answer").count == 1)
  }

  @Test func `every kind of message can be waited for`() {
    func fires(_ frame: Trigger.Frame) -> Int {
      var run = Simulator(Puppet(onFrame: []), ReferenceClient(profile: .firebase)) {
        $0.tokens = ["t": .init(user: "u")]
      }
      run.arm(.latency(.standard, nil), when: .message(frame, of: bob, .before))
      run.call(bob, "in", .authenticate(token: "t"))
      run.call(bob, "l", .listen("L", .init("a"), [.value]))
      run.call(bob, "s", .set("a", Node(1)))
      run.advance(by: .seconds(100))
      run.inject(.revoke("a"))
      run.inject(.revokeAuth(bob))
      #expect(run.settle() == .settled)
      run.inject(.redirect(bob, host: "other"))
      #expect(run.settle() == .settled)
      run.inject(.shutdown(bob, reason: "r"))
      #expect(run.settle() == .settled)
      let fired = run.lines(with: "network (alice)  latency")
      return fired.first.flatMap { Int($0.prefix { $0 != " " }) } ?? -1
    }
    let times = [
      .request(nil), .request(.put), .request(.get), .ping, .answer(nil), .answer(.listen),
      .acknowledgement, .data, .hello, .revoked, .credentialRevoked, .shutdown, .reset, .pong,
    ].map(fires)

    #expect(times[2] == -1)
    #expect(times.indices.filter { times[$0] == -1 } == [2])
  }

  @Test func `a trigger fires once, and armed faults can be taken back`() {
    var run = puppets()
    run.arm(.latency(.fixed(.zero), alice), when: .message(.request(.put), of: alice, .after))
    run.set("a", 1)
    run.set("b", 1)
    #expect(run.settle() == .settled)
    #expect(run.lines(with: "latency 0 ms").count == 2)

    run.arm(.drop(alice), when: .message(.request(.put), of: alice, .before))
    run.arm(.drop(alice), when: .after(.seconds(1)))
    run.disarm()
    run.set("c", 1)
    #expect(run.settle() == .settled)
    #expect(run.isConnected(alice))
    #expect(run.faultMarks.map(\.hasFired) == [true, false, false])
  }

  @Test func `a message that is stalled by its own trigger waits and is counted once`() {
    var run = puppets()
    run.arm(.stall(alice, .toServer), when: .message(.request(.put), of: alice, .before))
    run.arm(.drop(alice), when: .message(.request(.put), of: alice, nth: 2, .before))
    run.set("a", 1)
    run.set("b", 1)
    #expect(run.settle() == .settled)
    #expect(run.serverTree.isEmpty)

    run.inject(.resume(alice, .toServer))
    #expect(run.settle() == .settled)
    #expect(run.serverTree == Node(json: ["a": 1]))
    #expect(run.faultMarks.map(\.hasTakenEffect) == [true, true, true])
  }

  @Test func `several faults at one message happen in the order of arming`() {
    var run = puppets()
    run.arm(.drop(bob), when: .message(.request(.put), of: alice, .before))
    run.arm(.drop(alice), when: .message(.request(.put), of: alice, .before))
    run.set("a", 1)
    #expect(run.settle() == .settled)

    #expect(run.lines(with: "drop").suffix(2).map { $0.contains("bob") } == [true, false])
    #expect(run.serverTree.isEmpty)
  }

  @Test func `every kind of fault has its name in the list`() {
    #expect(Set(FaultKind.names).count == FaultKind.names.count)
    #expect(FaultKind.names.contains(IndexedFault.halfOpen(alice, notices: .neither).kind.name))
    #expect(Fault.tornRecord(alice).text == "torn record")
    #expect(Fault.jump(alice, .seconds(-2)).client == alice)
    #expect(IndexedFault.serverClock(skew: .zero).client == nil)
  }
}
