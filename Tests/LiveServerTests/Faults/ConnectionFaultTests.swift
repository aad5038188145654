import ClientInterface
import Faults
import LiveServer
import Testing

/// Faults of connections in real time, on everything that carries messages.
@Suite struct LiveConnectionFaultTests {
  private func net(_ carrier: Carrier) -> Net {
    var net = Net("alice", "bob")
    net.inject(.heal(bob))
    net.connect("alice", carrier)
    net.put("alice", "/a", "1")
    #expect(net.received("alice") == ["hello", "ok 1"])
    return net
  }

  @Test func `nothing is looked at before there are faults`() {
    var net = Net("alice")
    net.connect("alice")
    net.put("alice", "/a", "1")

    #expect(!net.live.isDisturbed)
    #expect(net.received("alice") == ["hello", "ok 1"])
    #expect(net.live.nextDue == nil)
  }

  @Test(arguments: Carrier.allCases)
  func `cut breaks the connection and refuses others until heal`(carrier: Carrier) {
    var net = net(carrier)
    net.request("alice", "o", #"{"p":"/gone","d":true}"#)
    _ = net.received("alice")
    net.inject(.cut(alice))

    #expect(net.received("alice") == ["closed"])
    #expect(net.tree == #"{"a":1,"gone":true}"#)
    #expect(net.connect("alice", carrier) == false)
    #expect(net.ask("GET", "/a.json?client=alice") == nil)
    #expect(net.connect("bob", carrier) == true)
    net.inject(.heal(alice))
    #expect(net.connect("alice", carrier) == true)
    #expect(net.received("alice") == ["hello"])
    #expect(net.bitten == [false, true, true])
    #expect(net.reported() == ["bob: heal", "alice: cut", "alice: heal"])
  }

  @Test(arguments: Carrier.allCases)
  func `drop breaks the connection only`(carrier: Carrier) {
    var net = net(carrier)
    net.inject(.drop(alice))
    #expect(net.received("alice") == ["closed"])
    #expect(net.connect("alice", carrier) == true)
    net.leave("alice")
    net.wait(0)
    net.inject(.drop(alice))

    #expect(net.bitten == [false, true, false])
  }

  @Test func `refuse leaves the open connection alone`() {
    var net = net(.segments)
    net.inject(.refuse(alice))
    net.put("alice", "/a", "2")
    #expect(net.received("alice") == ["ok 2"])
    #expect(net.bitten == [false, false])
    net.leave("alice")

    #expect(net.connect("alice") == false)
    #expect(net.bitten == [false, true])
  }

  @Test(arguments: Carrier.allCases)
  func `latency delays each message, each way, in order`(carrier: Carrier) {
    var net = net(carrier)
    net.inject(.latency(Latency(.milliseconds(20), through: .milliseconds(80)), alice))
    for number in 2...9 { net.put("alice", "/a", "\(number)") }
    net.wait(19)
    #expect(net.received("alice") == [])
    #expect(net.tree == #"{"a":1}"#)
    net.wait(141)

    #expect(net.received("alice") == (2...9).map { "ok \($0)" })
    #expect(net.bitten == [false, true])
  }

  @Test(arguments: Carrier.allCases)
  func `of a half-open connection nobody notices, and the server ends it`(carrier: Carrier) {
    var net = net(carrier)
    net.request("alice", "o", #"{"p":"/gone","d":true}"#)
    _ = net.received("alice")
    net.inject(.halfOpen(alice, notices: .neither))
    #expect(net.bitten == [false, false])
    net.put("alice", "/a", "2")
    #expect(net.bitten == [false, true])
    net.wait(59_999)
    #expect(net.tree == #"{"a":1}"#)
    net.wait(1)

    #expect(net.tree == #"{"a":1,"gone":true}"#)
    #expect(net.received("alice") == [])
  }

  @Test func `a half-open connection takes effect when something is lost`() {
    var net = net(.segments)
    net.connect("bob")
    net.listen("alice", "/a")
    _ = net.received("alice")
    net.inject(.halfOpen(alice, notices: .neither))
    #expect(net.bitten == [false, false])
    net.put("bob", "/a", "2")

    #expect(net.received("alice") == [])
    #expect(net.bitten == [false, true])
  }

  @Test(arguments: Carrier.allCases)
  func `one side can notice a half-open connection at once`(carrier: Carrier) {
    var net = net(carrier)
    net.request("alice", "o", #"{"p":"/gone","d":true}"#)
    _ = net.received("alice")
    var other = net
    net.inject(.halfOpen(alice, notices: .client))
    #expect(net.received("alice") == ["closed"])
    #expect(net.tree == #"{"a":1}"#)
    net.wait(60_000)
    #expect(net.tree == #"{"a":1,"gone":true}"#)

    other.inject(.halfOpen(alice, notices: .server))
    #expect(other.tree == #"{"a":1,"gone":true}"#)
    other.put("alice", "/a", "2")
    other.wait(60_000)
    #expect(other.tree == #"{"a":1,"gone":true}"#)
    #expect(other.bitten == [false, true])
    other.inject(.cut(alice))
    #expect(other.received("alice") == ["closed"])
  }

  @Test(arguments: Carrier.allCases)
  func `what is stalled waits, each direction by itself`(carrier: Carrier) {
    var net = net(carrier)
    net.connect("bob")
    net.listen("bob", "/a")
    _ = net.received("bob")
    net.inject(.stall(alice, .toClient))
    net.put("alice", "/a", "2")
    #expect(net.received("bob") == ["put /a 2"])
    net.inject(.stall(alice, .toServer))
    net.put("alice", "/a", "3")
    #expect(net.received("bob") == [])
    #expect(net.received("alice") == [])
    net.inject(.resume(alice, .toClient))
    #expect(net.received("alice") == ["ok 2"])
    net.inject(.resume(alice, .both))
    #expect(net.received("alice") == ["ok 3"])

    #expect(net.bitten == [false, true, true, true, true])
  }

  @Test func `requests for a connection, and ends of one, wait too`() {
    var net = net(.segments)
    net.request("alice", "o", #"{"p":"/gone","d":true}"#)
    net.inject(.stall(alice, .both))
    net.leave("alice")
    #expect(net.tree == #"{"a":1}"#)
    _ = net.received("alice")
    net.connect("alice")
    #expect(net.received("alice") == [])
    net.inject(.heal(alice))

    #expect(net.tree == #"{"a":1,"gone":true}"#)
    #expect(net.received("alice") == ["hello"])
  }

  @Test(arguments: Carrier.allCases)
  func `it closes after so many messages of one direction, or of both`(carrier: Carrier) {
    for (flow, received) in [
      (FaultDirection.toServer, ["ok 2", "closed"]), (.toClient, ["ok 2", "ok 3", "closed"]),
      (.both, ["ok 2", "closed"]),
    ] {
      var net = net(carrier)
      net.inject(.closeAfter(alice, messages: 2, flow))
      for number in 2...5 { net.put("alice", "/a", "\(number)") }

      #expect(net.received("alice") == received)
      #expect(net.bitten == [false, true])
    }
  }

  @Test(arguments: Carrier.allCases)
  func `an acknowledgement is lost, and what it acknowledges is done`(carrier: Carrier) {
    var net = net(carrier)
    net.inject(.loseAcknowledgement(alice))
    net.listen("alice", "/b")
    #expect(net.received("alice") == ["put /b null", "ok 2"] || net.bitten == [false, false])
    net.put("alice", "/b", "2")

    #expect(net.received("alice") == ["put /b 2", "closed"])
    #expect(net.tree == #"{"a":1,"b":2}"#)
    #expect(net.bitten == [false, true])
    #expect(net.reported() == ["bob: heal", "alice: lost acknowledgement", "alice: drop"])
  }

  @Test(arguments: Carrier.allCases)
  func `the server learns late of an end, and does then what was left for it`(carrier: Carrier) {
    var net = net(carrier)
    net.request("alice", "o", #"{"p":"/gone","d":true}"#)
    _ = net.received("alice")
    net.inject(.lateClose(alice, after: .milliseconds(300)))
    #expect(net.received("alice") == ["closed"])
    net.connect("alice", carrier)
    #expect(net.received("alice") == ["hello"])
    net.wait(299)
    #expect(net.tree == #"{"a":1}"#)
    #expect(net.bitten == [false, false])
    net.wait(1)

    #expect(net.tree == #"{"a":1,"gone":true}"#)
    #expect(net.bitten == [false, true])
  }

  @Test(arguments: Carrier.allCases)
  func `the server can send a client elsewhere, and tell it to go`(carrier: Carrier) {
    var net = net(carrier)
    net.inject(.redirect(alice, host: "there:9000"))
    #expect(net.received("alice") == ["reset there:9000"])
    net.leave("alice")
    net.connect("alice", carrier)
    #expect(net.received("alice") == ["hello", "reset there:9000"])
    net.inject(.redirect(alice, host: "here:9000"))
    net.leave("alice")
    _ = net.received("alice")
    net.connect("alice", carrier)
    net.inject(.shutdown(alice, reason: "away"))

    #expect(
      net.received("alice") == (carrier == .polling ? ["hello"] : ["hello"]) + ["shutdown away"])
    #expect(net.bitten == [false, true, true, true])
  }

  @Test func `signs of life wait while messages do`() {
    var net = Net("alice")
    net.inject(.heal(alice))
    net.connect("alice", .engine)
    net.inject(.stall(alice, .toClient))
    net.perform { $0.receive("2x", from: Socket(1)) }
    #expect(net.effects.filter { $0.socket != nil } == [])
    net.perform { $0.inject(.resume(alice, .both)) }

    #expect(net.effects.contains(.send(Socket(1), "3x")))
  }

  @Test func `the same seed draws the same latencies, and another one others`() {
    func moments(_ seed: UInt64) -> [Int] {
      var net = Net(
        "alice", latency: Latency(.milliseconds(1), through: .milliseconds(99)), seed: seed)
      net.connect("alice")
      net.wait(1000)
      for number in 1...5 { net.put("alice", "/a", "\(number)") }
      return (0..<200).map { _ in
        net.wait(1)
        return net.received("alice").count
      }
    }

    #expect(moments(1) == moments(1))
    #expect(moments(1) != moments(2))
  }
}
