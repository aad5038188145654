import ClientInterface
import Faults
import LiveServer
import Testing
import Tree
import Wire

/// The moments for which faults wait, in real time.
@Suite struct LiveTriggerTests {
  private func net() -> Net {
    var net = Net("alice", "bob", latency: .fixed(.milliseconds(1)))
    for name in ["alice", "bob"] { net.connect(name) }
    net.wait(10)
    _ = net.received("alice")
    return net
  }

  @Test func `a time`() {
    var net = net()
    net.arm(.drop(alice), when: .after(.milliseconds(500)))
    net.wait(499)
    #expect(net.fired == [false])
    net.wait(1)

    #expect(net.fired == [true])
    #expect(net.received("alice") == ["closed"])
    #expect(net.live.marks[0].trigger == .after(.milliseconds(500)))
  }

  private static let story: [(name: String, act: @Sendable (inout Net) -> Void)] = [
    ("put a", { $0.put("alice", "/a", "1") }), ("put b", { $0.put("alice", "/b", "1") }),
    ("listen", { $0.listen("alice", "/a") }),
    ("ping", { $0.say("alice", #"{"t":"c","d":{"t":"p","d":{}}}"#) }),
    ("shutdown", { $0.inject(.shutdown(alice, reason: "")) }),
    ("redirect", { $0.inject(.redirect(alice, host: "x")) }),
    ("revoke", { $0.inject(.revoke("/a")) }), ("connect", { $0.connect("carol") }),
  ]

  @Test(arguments: [
    (Trigger.count(2, alice, .toServer), "put b"), (.count(2, alice, .toClient), "put b"),
    (.count(3, alice, .both), "put b"),
    (.message(.request(.put), of: alice, nth: 2, .before), "put b"),
    (.message(.request(nil), of: nil, nth: 3, .after), "listen"),
    (.message(.ping, of: alice, .after), "ping"), (.message(.pong, of: alice, .before), "ping"),
    (.message(.acknowledgement, of: alice, .before), "put a"),
    (.message(.answer(.listen), of: alice, .after), "listen"),
    (.message(.answer(nil), of: alice, .after), "put a"),
    (.message(.data, of: alice, .after), "listen"),
    (.message(.hello, of: nil, .after), "connect"),
    (.message(.shutdown, of: alice, .after), "shutdown"),
    (.message(.reset, of: alice, .after), "redirect"),
    (.message(.revoked, of: alice, .after), "revoke"), (.message(.hello, of: bob, .after), "never"),
  ])
  func `a message, by its kind and number`(trigger: Trigger, moment: String) {
    var net = net()
    net.arm(.write(.set("/fault", .empty)), when: trigger)
    var fired: String?
    for (name, act) in Self.story where fired == nil {
      act(&net)
      net.wait(3)
      if net.fired[0] { fired = name }
    }

    #expect(fired ?? "never" == moment)
  }

  @Test func `before a delivery the message is lost, after it it has arrived`() {
    func tree(_ edge: Trigger.Edge) -> String {
      var net = net()
      net.arm(.drop(alice), when: .message(.request(.put), of: alice, nth: 2, edge))
      for path in ["/a", "/b", "/c"] { net.put("alice", path, "1") }
      net.wait(10)
      #expect(net.bitten == [true])
      return net.tree
    }

    #expect(tree(.before) == #"{"a":1}"#)
    #expect(tree(.after) == #"{"a":1,"b":1}"#)
  }

  @Test func `several that match at the same message happen in the order of their arming`() {
    var net = net()
    let put = Trigger.message(.request(.put), of: nil, .after)
    net.arm(.refuse(bob), when: put)
    net.arm(.heal(bob), when: put)
    net.arm(.heal(alice), when: .count(1, alice, .toServer))
    net.put("alice", "/a", "1")
    net.wait(1)

    #expect(net.reported() == ["bob: refuse", "bob: heal", "alice: heal"])
    #expect(net.fired == [true, true, true])
  }

  @Test func `a message that was stalled counts once`() {
    var net = net()
    net.arm(.refuse(bob), when: .message(.request(.put), of: alice, nth: 2, .before))
    net.inject(.stall(alice, .toServer))
    net.put("alice", "/a", "1")
    net.wait(5)
    net.inject(.resume(alice, .both))
    net.wait(5)
    #expect(net.fired == [false, true, true])
    net.put("alice", "/a", "2")
    net.wait(5)

    #expect(net.fired == [true, true, true])
  }

  @Test func `a fault is one record of the session, with its arguments`() {
    let live = LiveServer(LiveServerSettings(isRecorded: true))
    var net = Net(FaultyServer(live, clients: ["alice", "bob"], latency: .fixed(.zero), seed: 0))
    net.connect("alice")
    net.inject(.latency(.fixed(.milliseconds(7)), alice))
    net.inject(.closeAfter(alice, messages: 2, .toClient))
    net.inject(.loseAcknowledgement(alice))
    net.put("alice", "/a", "1")
    net.wait(50)
    let records = net.effects.compactMap { effect -> String? in
      if case let .record(.fault(fault), _) = effect { fault.text } else { nil }
    }
    let faults = [
      "latency 7 ms", "close after 2 messages to the client", "lost acknowledgement",
      // What the one before it comes to.
      "drop",
    ]

    #expect(records == faults)
    #expect(net.reported() == faults.map { "alice: " + $0 })
  }
}
