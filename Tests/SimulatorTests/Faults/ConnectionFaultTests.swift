import ClientInterface
import Faults
import ReferenceClient
import Simulator
import TestKit
import Testing
import Trace
import Tree
import Wire

@Suite struct ConnectionFaultTests {
  /// Two puppets that are connected.
  private func puppets(_ first: Puppet = Puppet()) -> Simulator {
    var run = Simulator(first, Puppet())
    #expect(run.settle() == .settled)
    return run
  }

  @Test func `a cut takes effect when there is a connection or when it refuses one`() {
    var run = puppets()
    run.inject(.cut(alice))
    #expect(run.faultMarks.map(\.hasTakenEffect) == [true])

    run.inject(.cut(alice))
    #expect(run.faultMarks.map(\.hasTakenEffect) == [true, false])
    run.call(alice, "on", .goOnline)
    #expect(run.settle() == .settled)
    #expect(run.faultMarks.map(\.hasTakenEffect) == [true, true])
    #expect(run.faultMarks.map(\.name) == ["cut", "cut"])
  }

  @Test func `after a drop the client can connect at once`() {
    var run = puppets()
    run.set("a", 1)
    let start = run.trace.count

    run.inject(.drop(alice))
    run.inject(.drop(alice))
    run.call(alice, "on", .goOnline)
    #expect(run.settle() == .settled)

    #expect(
      run.lines(from: start).prefix(4) == [
        "20 ms  network (alice)  drop",
        "20 ms  alice -> server  lost: put /a 1   request 1",
        "20 ms  server <- alice  connection closed   session session1",
        "20 ms  alice  connection lost",
      ])
    #expect(run.isConnected(alice))
    #expect(run.faultMarks.map(\.hasTakenEffect) == [true, false])
  }

  @Test func `refuse, heal and latency take effect when they matter`() {
    var run = Simulator(Puppet(onRefused: [.setTimer(1, after: .seconds(1), .backOff)]))
    run.inject(.heal(alice))
    run.inject(.refuse(alice))
    #expect(run.settle() == .settled)
    run.inject(.heal(alice))
    #expect(run.faultMarks.map(\.hasTakenEffect) == [false, true, true])

    run = puppets()
    run.inject(.refuse(alice))
    run.inject(.latency(.standard, alice))
    run.inject(.latency(.fixed(.milliseconds(3)), nil))
    run.set("a", 1, by: bob)
    #expect(run.settle() == .settled)
    #expect(run.faultMarks.map(\.hasTakenEffect) == [false, false, true])
    #expect(run.now == .milliseconds(26))
  }

  @Test func `over a half-open connection nothing arrives and the server finds out later`() {
    var run = puppets()
    run.call(alice, "l", .listen("L", .init("a"), [.value]))
    run.advance(by: .milliseconds(15))
    let start = run.trace.count

    run.inject(.halfOpen(alice, notices: .neither))
    run.set("x", 1)
    run.inject(.write(.set("a", Node(2))))
    run.advance(by: .seconds(60))

    #expect(
      run.lines(from: start) == [
        "35 ms  network (alice)  half-open, noticed by nobody",
        "35 ms  server -> alice  lost: answer ok   request 1",
        "35 ms  alice  set /x 1   as w",
        "35 ms  alice -> server  put /x 1   request 2",
        "35 ms  alice -> server  lost: put /x 1   request 2",
        "35 ms  server  set /a 2",
        "35 ms  server -> alice  data /a 2",
        "35 ms  server -> alice  lost: data /a 2",
        "60035 ms  server <- alice  connection closed   session session1",
      ])
    #expect(!run.isConnected(alice))
    #expect(run.faultMarks.map(\.hasTakenEffect) == [true, true])
  }

  @Test func `of a half-open connection one side may receive at once`() {
    var run = puppets()
    let start = run.trace.count
    run.inject(.halfOpen(alice, notices: .client))
    run.inject(.halfOpen(bob, notices: .server))
    run.inject(.halfOpen(bob, notices: .server))
    run.set("x", 1, by: bob)
    run.call(bob, "off", .goOffline)
    #expect(run.settle() == .settled)

    #expect(
      run.lines(from: start) == [
        "20 ms  network (alice)  half-open, noticed by the client",
        "20 ms  alice  connection lost",
        "20 ms  network (bob)  half-open, noticed by the server",
        "20 ms  server <- bob  connection closed   session session2",
        "20 ms  network (bob)  half-open, noticed by the server",
        "20 ms  bob  set /x 1   as w",
        "20 ms  bob -> server  put /x 1   request 1",
        "20 ms  bob -> server  lost: put /x 1   request 1",
        "20 ms  bob  go-offline   as off",
        "20 ms  bob  disconnects",
        "60020 ms  server <- alice  connection closed   session session1",
      ])
    #expect(run.faultMarks.map(\.hasTakenEffect) == [true, true, false])
  }

  @Test func `a run with a half-open connection rests when everyone has noticed`() {
    var run = Simulator(ReferenceClient(profile: .firebase))
    #expect(run.settle() == .settled)
    run.inject(.halfOpen(alice, notices: .neither))
    run.set("a", 1)

    #expect(run.settle() == .settled)

    #expect(run.isConnected(alice))
    #expect(run.serverTree == Node(json: ["a": 1]))
    #expect(run.lines(with: "lost: ping").map { $0.prefix(8) } == ["45040 ms"])
    #expect(run.lines(with: "disconnects") == ["75040 ms  alice  disconnects"])

    var puppet = puppets()
    puppet.inject(.halfOpen(alice, notices: .neither))
    #expect(
      puppet.settle().reason
        == "alice has not noticed that its connection is half-open; nothing is scheduled")
  }

  @Test func `what is stalled waits, in order, and the run rests meanwhile`() {
    var run = puppets()
    run.inject(.stall(alice, .toServer))
    run.inject(.stall(bob, .toClient))
    run.set("a", 1)
    run.set("b", 2)
    run.call(alice, "off", .goOffline)
    run.advance(by: .seconds(1))
    #expect(run.settle() == .settled)
    #expect(run.serverTree.isEmpty)
    #expect(!run.isConnected(bob))
    let start = run.trace.count

    run.inject(.resume(alice, .both))
    run.inject(.resume(bob, .toServer))
    #expect(run.settle() == .settled)

    #expect(
      run.lines(with: "server <-", from: start) == [
        "1020 ms  server <- alice  put /a 1   request 1",
        "1020 ms  server <- alice  put /b 2   request 2",
        "1020 ms  server <- alice  connection closed   session session1",
      ])
    #expect(run.faultMarks.map(\.hasTakenEffect) == [true, false, true, false])
  }

  @Test func `a stall holds back requests for a connection, and heal ends it`() {
    var run = Simulator(Puppet())
    run.inject(.stall(alice, .toClient))
    #expect(run.settle() == .settled)
    #expect(!run.isConnected(alice))
    run.advance(by: .seconds(1))

    run.inject(.heal(alice))
    #expect(run.settle() == .settled)

    #expect(run.isConnected(alice))
    #expect(run.now == .milliseconds(1020))
    #expect(run.faultMarks.map(\.hasTakenEffect) == [true, true])
  }

  @Test(arguments: [(FaultDirection.toServer, 2), (.toClient, 1), (.both, 1)])
  func `a connection can close after so many messages`(flow: FaultDirection, applied: Int) {
    var run = puppets()
    run.inject(.closeAfter(alice, messages: 2, flow))
    run.inject(.closeAfter(bob, messages: 2, flow))
    for key in ["a", "b", "c"] {
      run.set(Path(key), 1)
      run.advance(by: .milliseconds(flow == .toServer ? 1 : 25))
    }
    #expect(run.settle() == .settled)

    #expect(run.serverTree.children.count == (flow == .toClient ? 2 : applied))
    #expect(run.lines(with: "connection lost").count == 1)
    #expect(run.faultMarks.map(\.hasFired) == [true, true])
    #expect(run.faultMarks.map(\.hasTakenEffect) == [true, false])
  }

  @Test func `a lost acknowledgement leaves the write done and the writer without an answer`() {
    var run = puppets()
    run.inject(.loseAcknowledgement(alice))
    run.call(alice, "l", .listen("L", .init("a"), [.value]))
    run.set("a", 1)
    #expect(run.settle() == .settled)

    #expect(run.serverTree == Node(json: ["a": 1]))
    #expect(
      run.lines(with: "").suffix(5) == [
        "40 ms  alice <- server  data /a 1",
        "40 ms  network (alice)  drop",
        "40 ms  server -> alice  lost: answer ok   request 2",
        "40 ms  server <- alice  connection closed   session session1",
        "40 ms  alice  connection lost",
      ])
    #expect(run.faultMarks == [run.faultMarks[0]])
    #expect(run.faultMarks[0].hasTakenEffect)
  }

  @Test func `an old session can end when the new one is up already`() {
    var run = puppets()
    run.call(alice, "d", .onDisconnectSet("gone", Node(true)))
    #expect(run.settle() == .settled)
    let start = run.trace.count

    run.inject(.lateClose(alice, after: .seconds(3)))
    run.call(alice, "on", .goOnline)
    #expect(run.settle() == .settled)

    #expect(
      run.lines(with: "server <-", from: start) == [
        "50 ms  server <- alice  connection opened   session session3",
        "3040 ms  server <- alice  connection closed   session session1",
      ])
    #expect(run.isConnected(alice))
    #expect(run.serverTree == Node(json: ["gone": true]))
    #expect(run.faultMarks.map(\.hasTakenEffect) == [true])
    run.inject(.cut(alice))
    run.inject(.lateClose(alice, after: .seconds(3)))
    #expect(run.faultMarks.map(\.hasTakenEffect) == [true, true, false])
  }
}
