import ClientInterface
import Faults
import ReferenceServer
import Simulator
import TestKit
import Testing
import Trace
import Tree
import Wire

@Suite struct ConnectionTests {
  @Test func `a connection takes one latency to open and one more for the hello`() {
    var run = Simulator(Puppet())

    #expect(run.settle() == .settled)

    #expect(run.isConnected(alice))
    #expect(
      run.lines().dropFirst() == [
        "0 ms  alice  asks for a connection",
        "10 ms  server <- alice  connection opened   session session1",
        "10 ms  server -> alice  hello   session session1",
        "10 ms  alice  connection opened",
        "20 ms  alice <- server  hello   session session1",
      ])
  }

  @Test func `messages of one link arrive in order even when a later one is faster`() {
    var run = Simulator(Puppet())
    _ = run.settle()
    let start = run.trace.count

    run.inject(.latency(.fixed(.milliseconds(50)), nil))
    run.set("a", 1)
    run.inject(.latency(.fixed(.milliseconds(5)), nil))
    run.set("b", 2)
    _ = run.settle()

    #expect(
      run.lines(with: "server <- alice", from: start) == [
        "70 ms  server <- alice  put /a 1   request 1",
        "70 ms  server <- alice  put /b 2   request 2",
      ])
    #expect(run.serverTree == Node(json: ["a": 1, "b": 2]))
  }

  @Test func `of what is due at one time the earlier cause comes first`() {
    var run = Simulator(Puppet(), Puppet())
    _ = run.settle()
    let start = run.trace.count

    run.set("x", 1, by: bob)
    run.set("x", 2, by: alice)
    run.set("x", 3, by: bob)
    _ = run.settle()

    #expect(
      run.lines(with: "server <-", from: start) == [
        "30 ms  server <- bob  put /x 1   request 1",
        "30 ms  server <- alice  put /x 2   request 1",
        "30 ms  server <- bob  put /x 3   request 2",
      ])
  }

  @Test func `a cut loses what is in flight and closes both ends at once`() {
    var run = Simulator(Puppet(), Puppet()) { $0.data = Node(json: ["a": 1]) }
    _ = run.settle()
    run.call(alice, "l", .listen("L", .init("a"), [.value]))
    run.call(alice, "d", .onDisconnectSet("gone", Node(true)))
    run.advance(by: .milliseconds(15))
    run.set("b", 1)
    let start = run.trace.count

    run.inject(.cut(alice))

    #expect(
      run.lines(from: start) == [
        "35 ms  network (alice)  cut",
        "35 ms  alice -> server  lost: put /b 1   request 3",
        "35 ms  server -> alice  lost: data /a 1",
        "35 ms  server -> alice  lost: answer ok   request 1",
        "35 ms  server -> alice  lost: answer ok   request 2",
        "35 ms  server <- alice  connection closed   session session1",
        "35 ms  alice  connection lost",
      ])
    #expect(run.serverTree == Node(json: ["a": 1, "gone": true]))
    #expect(run.settle() == .settled)
    #expect(run.now == .milliseconds(35))
  }

  @Test func `while a client is cut off or refused its attempts fail until the network heals`() {
    let retry = [ClientOutput.setTimer(1, after: .seconds(1), .backOff)]
    var run = Simulator(Puppet(onRefused: retry, onTimer: [.connect]))
    run.inject(.refuse(alice))

    #expect(run.settle() == .settled)
    #expect(run.now == .milliseconds(10))
    #expect(!run.isConnected(alice))

    run.inject(.heal(alice))
    #expect(run.settle() == .settled)
    #expect(run.isConnected(alice))
    #expect(run.now == .milliseconds(1030))
    #expect(run.lines(with: "refused") == ["10 ms  alice  connection refused"])
  }

  @Test func `refusing leaves an open connection alone`() {
    var run = Simulator(Puppet())
    _ = run.settle()

    run.inject(.refuse(alice))
    run.set("a", 1)
    _ = run.settle()

    #expect(run.isConnected(alice))
    #expect(run.serverTree == Node(json: ["a": 1]))
  }

  @Test func `what a client sent before it closed still arrives and what comes back is lost`() {
    var run = Simulator(Puppet())
    _ = run.settle()
    let start = run.trace.count

    run.set("a", 1)
    run.call(alice, "off", .goOffline)
    #expect(run.settle() == .settled)

    #expect(
      run.lines(from: start) == [
        "20 ms  alice  set /a 1   as w",
        "20 ms  alice -> server  put /a 1   request 1",
        "20 ms  alice  go-offline   as off",
        "20 ms  alice  disconnects",
        "30 ms  server <- alice  put /a 1   request 1",
        "30 ms  server -> alice  answer ok   request 1",
        "30 ms  server -> alice  lost: answer ok   request 1",
        "30 ms  server <- alice  connection closed   session session1",
      ])
    #expect(run.serverTree == Node(json: ["a": 1]))
  }

  @Test func `a cut also loses what is under way over a connection that the client has closed`() {
    var run = Simulator(Puppet())
    _ = run.settle()
    run.set("a", 1)
    run.call(alice, "off", .goOffline)
    let start = run.trace.count

    run.inject(.cut(alice))

    #expect(
      run.lines(from: start) == [
        "20 ms  network (alice)  cut",
        "20 ms  alice -> server  lost: put /a 1   request 1",
        "20 ms  server <- alice  connection closed   session session1",
      ])
    #expect(run.settle() == .settled)
    #expect(run.now == .milliseconds(20))
    #expect(run.nextDue() == nil)
  }

  @Test func `nothing of an old connection reaches the next one`() {
    var run = Simulator(Puppet())
    _ = run.settle()
    run.set("a", 1)
    run.advance(by: .milliseconds(15))
    let start = run.trace.count

    run.call(alice, "off", .goOffline)
    run.call(alice, "on", .goOnline)
    _ = run.settle()

    #expect(run.lines(with: "alice <- server", from: start).count == 1)
    #expect(
      run.lines(with: "lost", from: start) == [
        "35 ms  server -> alice  lost: answer ok   request 1"
      ])
    #expect(run.isConnected(alice))
  }

  @Test func `sending without a connection and asking for a second one are faults of the client`() {
    var run = Simulator(Puppet(opening: []), Puppet(opening: [.connect, .connect]))

    run.set("a", 1)
    _ = run.settle()

    #expect(
      run.lines(with: "network") == [
        "0 ms  network (bob)  asked for a second connection",
        "0 ms  network (alice)  sent without a connection",
      ])
    #expect(run.serverTree.isEmpty)
  }

  @Test func `an attempt that is given up is never answered`() {
    var run = Simulator(Puppet(opening: [.connect, .disconnect]))

    #expect(run.settle() == .settled)

    #expect(run.now == .zero)
    #expect(!run.isConnected(alice))
  }

  @Test func `others at the server can write and forbid`() {
    var run = Simulator(Puppet()) {
      $0.data = Node(json: ["a": 1])
      $0.security = [.init("secret", deny: [.write])]
    }
    _ = run.settle()
    let start = run.trace.count

    run.inject(.write(.set("b", Node(2))))
    run.inject(.write(.update("c", [.init("d", Node(3))])))
    run.inject(.write(.remove("a")))
    run.inject(.reject(.init("b", deny: [.write, .read])))
    run.set("secret", 1)
    run.set("b", 3)
    _ = run.settle()

    #expect(run.serverTree == Node(json: ["b": 2, "c": ["d": 3]]))
    #expect(
      run.lines(with: "  server  ", from: start) == [
        "20 ms  server  set /b 2",
        "20 ms  server  update /c {\"d\":3}",
        "20 ms  server  remove /a",
        "20 ms  server  deny read, write at /b",
      ])
    #expect(run.lines(with: "alice <- server  answer permission_denied").count == 2)
  }
}
