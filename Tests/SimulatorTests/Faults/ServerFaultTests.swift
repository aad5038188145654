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

@Suite struct ServerFaultTests {
  private func references(adjust: (inout Configuration) -> Void = { _ in }) -> Simulator {
    var run = Simulator(
      ReferenceClient(profile: .wilddog2), ReferenceClient(profile: .wilddog2), adjust: adjust)
    #expect(run.settle() == .settled)
    return run
  }

  @Test func `a client follows a redirect to the new host and stays there`() {
    var run = references()
    run.inject(.redirect(alice, host: "other.test"))
    #expect(run.settle() == .settled)
    run.inject(.drop(alice))
    #expect(run.settle() == .settled)

    #expect(run.isConnected(alice))
    #expect(
      run.lines(with: "asks for").map { $0.hasSuffix("a connection to other.test") }
        == [false, false, true, true])
    #expect(run.lines(with: "reset").count == 2)
    #expect(run.faultMarks[0].hasTakenEffect)

    // A new process does not know and is told again.
    run.inject(.kill(alice))
    run.inject(.start(alice, .kept))
    #expect(run.settle() == .settled)
    #expect(run.isConnected(alice))
    #expect(run.lines(with: "reset").count == 4)
    #expect(run.faultMarks.map(\.hasTakenEffect) == [true, true, true, true])
  }

  @Test func `a host that nobody has is refused, and a client that is away is redirected later`() {
    var run = Simulator(Puppet(opening: [.connectTo("nowhere")]), Puppet(opening: []))
    run.inject(.redirect(bob, host: "other.test"))
    #expect(run.settle() == .settled)
    #expect(run.lines(with: "refused") == ["10 ms  alice  connection refused"])
    #expect(run.faultMarks.map(\.hasTakenEffect) == [false])

    run.call(bob, "on", .goOnline)
    #expect(run.settle() == .settled)
    #expect(run.lines(with: "bob <- server  reset").count == 1)
    #expect(run.faultMarks.map(\.hasTakenEffect) == [true])
  }

  @Test func `a client that was shut down rests until it is called back`() {
    var run = references()
    run.inject(.shutdown(alice, reason: "why"))
    #expect(run.settle() == .settled)
    #expect(!run.isConnected(alice))
    #expect(run.now == .milliseconds(60))

    run.inject(.shutdown(alice, reason: "again"))
    #expect(run.faultMarks.map(\.hasTakenEffect) == [true, false])
    run.call(alice, "on", .goOnline)
    #expect(run.settle() == .settled)
    #expect(run.isConnected(alice))
  }

  @Test(arguments: [(StaleData.sent, 2), (.withheld, 1)])
  func `a transaction that is called stale runs again`(data: StaleData, reported: Int) {
    var run = references { $0.data = Node(json: ["n": 5]) }
    run.call(bob, "s", .set("x", Node(1)))
    run.inject(.stale(writes: 1, data))
    run.call(alice, "l", .listen("L", .init("n"), [.value]))
    #expect(run.settle() == .settled)
    let start = run.trace.count
    #expect(run.faultMarks.map(\.hasTakenEffect) == [false])

    run.call(alice, "t", .transaction("n", .increment(1), localEvents: .shown))
    #expect(run.settle() == .settled)

    #expect(run.serverTree["n" as Key] == Node(6))
    #expect(run.lines(with: "alice <- server  answer datastale", from: start).count == 1)
    #expect(run.lines(with: "alice <- server  data /n", from: start).count == reported)
    #expect(run.faultMarks.map(\.hasTakenEffect) == [true])
  }

  @Test(arguments: [OnDisconnectFate.done, .lost])
  func `a restart breaks every connection and keeps the data`(left: OnDisconnectFate) {
    var run = references()
    run.call(alice, "d", .onDisconnectSet("gone", Node(true)))
    run.call(alice, "s", .set("a", Node(1)))
    #expect(run.settle() == .settled)
    run.set("b", 2)
    let start = run.trace.count

    run.inject(.restart(down: .seconds(5), left))
    run.advance(by: .seconds(4))
    #expect(!run.isConnected(alice))
    #expect(!run.isConnected(bob))
    let gone = left == .done ? Node(true) : .empty
    #expect(run.serverTree["gone" as Key] == gone)
    #expect(run.settle() == .settled)

    #expect(run.lines(with: "connection closed", from: start).count == 2)
    #expect(run.lines(with: "lost: put /b 2", from: start).count == 1)
    #expect(!run.lines(with: "refused", from: start).isEmpty)
    #expect(run.isConnected(alice) && run.isConnected(bob))
    #expect(run.serverTree["a" as Key] == Node(1))
    #expect(run.serverTree["b" as Key] == Node(2))
    #expect(run.faultMarks.map(\.hasTakenEffect) == [true])
  }

  @Test func `a half-open client does not learn of a restart`() {
    var run = Simulator(Puppet())
    #expect(run.settle() == .settled)
    run.inject(.halfOpen(alice, notices: .neither))
    run.inject(.restart(down: .zero, .lost))
    #expect(run.lines(with: "connection lost").isEmpty)
    run.call(alice, "off", .goOffline)
    #expect(run.settle() == .settled)
    #expect(run.faultMarks.map(\.hasTakenEffect) == [true, true])
  }

  @Test func `rules and revocations take effect when somebody is refused`() {
    var run = references { $0.tokens = ["t": TokenClaims(user: "u")] }
    run.inject(.reject(SecurityRule("secret", deny: [.read])))
    run.inject(.reject(SecurityRule("fixed", deny: [.write])))
    run.inject(.revoke("open"))
    run.inject(.revokeAuth(alice))
    #expect(run.faultMarks.map(\.hasTakenEffect) == [false, false, false, false])

    run.call(alice, "in", .authenticate(token: "t"))
    run.call(alice, "l", .listen("L", .init("open"), [.value]))
    run.call(alice, "s", .set("secret", Node(1)))
    run.call(alice, "u", .update("", [.init("fixed/x", Node(1))]))
    #expect(run.settle() == .settled)
    #expect(run.faultMarks.map(\.hasTakenEffect) == [false, true, true, false])
    run.call(alice, "r", .listen("R", .init("secret/x"), [.value]))
    run.call(alice, "o", .listen("O", .init("other"), [.value]))
    #expect(run.settle() == .settled)
    run.inject(.revoke("other"))
    run.inject(.revokeAuth(alice))
    #expect(run.faultMarks.map(\.hasTakenEffect) == [true, true, true, false, true, true])
  }
}
