import ClientInterface
import Faults
import LiveServer
import ReferenceServer
import Testing
import Tree

/// What affects the server while real clients are connected.
@Suite struct LiveServerFaultTests {
  private func net(_ carrier: Carrier = .segments) -> Net {
    var net = Net(
      FaultyServer(
        LiveServer(LiveServerSettings(tokens: ["t": TokenClaims(user: "ann")])),
        clients: ["alice", "bob"]))
    net.inject(.heal(bob))
    net.connect("alice", carrier)
    net.request("alice", "o", #"{"p":"/gone","d":true}"#)
    _ = net.received("alice")
    return net
  }

  @Test func `access is refused from now on, also to requests and in namespaces to come`() {
    var net = net()
    net.inject(.reject(SecurityRule("/a", deny: [.write])))
    net.put("alice", "/b", "1")
    #expect(net.bitten == [false, false])
    net.put("alice", "/a", "1")
    #expect(net.received("alice") == ["ok 2", "permission_denied 3"])
    #expect(net.bitten == [false, true])
    let put = net.ask("PUT", "/a.json?ns=other", "1")

    #expect(net.came(to: put) == ["401"])
  }

  @Test func `listens are revoked, and credentials`() {
    var net = net()
    net.listen("alice", "/a/b")
    net.request("alice", "auth", #"{"cred":"t"}"#)
    _ = net.received("alice")
    net.inject(.revoke("/c"))
    #expect(net.bitten == [false, false])
    net.inject(.revoke("/a"))
    #expect(net.received("alice") == ["revoked /a/b"])
    net.inject(.revokeAuth(bob))
    net.inject(.revokeAuth(alice))
    #expect(net.received("alice") == ["credential revoked"])

    #expect(net.bitten == [false, false, true, false, true])
  }

  @Test(arguments: [
    (Carrier.engine, ["credential revoked", "revoked /club"]),
    (.segments, ["credential revoked"]),
  ])
  func `whose connection goes on listens no more to what only users may read`(
    carrier: Carrier, received: [String]
  ) {
    var net = net(carrier)
    net.inject(.reject(SecurityRule("/club", deny: [.read], unless: .authenticated)))
    net.request("alice", "auth", #"{"cred":"t"}"#)
    net.listen("alice", "/club")
    net.listen("alice", "/park")
    _ = net.received("alice")
    net.inject(.revokeAuth(alice))

    #expect(net.received("alice") == received)
  }

  @Test func `conditional writes are stale, by whatever way they come`() {
    var net = net()
    net.inject(.stale(writes: 1, .withheld))
    net.request("alice", "p", #"{"p":"/a","d":1,"h":""}"#)
    net.request("alice", "p", #"{"p":"/a","d":1,"h":""}"#)

    #expect(net.received("alice") == ["datastale 2", "ok 3"])
    #expect(net.bitten == [false, true])
  }

  @Test(arguments: Carrier.allCases)
  func `the server restarts, and is away for a while`(carrier: Carrier) {
    var net = net(carrier)
    var other = net
    net.put("alice", "/a", "1")
    net.inject(.restart(down: .seconds(2), .done))
    #expect(net.received("alice") == ["ok 2", "closed"])
    #expect(net.tree == #"{"a":1,"gone":true}"#)
    #expect(net.connect("bob", carrier) == false)
    #expect(net.ask("GET", "/a.json") == nil)
    net.wait(2000)
    #expect(net.connect("bob", carrier) == true)
    #expect(net.received("bob") == ["hello"])

    other.inject(.restart(down: .zero, .lost))
    #expect(other.tree == "null")
    #expect(other.connect("alice", carrier) == true)
    #expect(other.bitten == [false, true])
  }

  @Test func `the clock of the server goes wrong`() throws {
    var net = net()
    net.inject(.serverClock(skew: .seconds(3600)))
    net.put("alice", "/a", #"{".sv":"timestamp"}"#)

    #expect(net.tree == #"{"a":1480003600000}"#)
    #expect(net.bitten == [false, true])
    net.inject(.serverClock(skew: .zero))
    #expect(net.bitten == [false, true, true])
  }

  @Test func `another client writes`() {
    var net = net()
    net.listen("alice", "/a")
    _ = net.received("alice")
    net.inject(.write(.set("/a", Node(json: 5))))

    #expect(net.received("alice") == ["put /a 5"])
    #expect(net.reported().last == "another client writes /a")
    #expect(net.bitten == [false, true])
  }

  @Test(arguments: [
    (
      Fault.kill(alice),
      "a live client's process belongs to its user, so kill is not possible"
    ),
    (
      .start(alice, .kept),
      "a live client's process belongs to its user, so start is not possible"
    ),
    (
      .jump(alice, .seconds(1)),
      "a live client reads the clock of its own machine, so jump is not possible"
    ),
    (
      .tornRecord(alice),
      "a live client stores on a disk of its own, so torn-record is not possible"
    ),
  ])
  func `what a client has for itself is not disturbed`(
    fault: IndexedFault, unsupportedReason: String
  ) {
    var net = net()
    net.inject(fault)

    #expect(FaultyServer.unsupportedReason(to: fault) == unsupportedReason)
    #expect(FaultyServer.unsupportedReason(to: .cut(alice)) == nil)
    #expect(net.fired == [true, false])
    #expect(net.reported() == ["bob: heal"])
  }
}
