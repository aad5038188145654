import ClientInterface
import Faults
import ReferenceServer
import Testing
import Tree
import Wire

@Suite struct OnDisconnectTests {
  @Test func `registering is acknowledged and changes nothing`() {
    var harness = Harness()
    _ = harness.send(.listen(""))

    #expect(harness.send(.onDisconnectPut("a", Node(1))) == ["0: ok {}"])
    #expect(harness.send(.onDisconnectMerge("b", [Assignment("x", Node(1))])) == ["0: ok {}"])
    #expect(harness.tree == "null")
  }

  @Test func `what was left for the end is done in order, and others are told`() {
    var harness = Harness(connections: 2)
    _ = harness.send(.listen(""), from: 1)
    _ = harness.send(.onDisconnectPut("a", Node(1)))
    _ = harness.send(.onDisconnectMerge("", [Assignment("a", Node(2)), Assignment("b", Node(3))]))
    _ = harness.send(.onDisconnectPut("b", .empty))

    let sent = harness.close(0)

    #expect(sent == ["1: put /a 1", #"1: merge / {"a":2,"b":3}"#, "1: put /b null"])
    #expect(harness.tree == #"{"a":2}"#)
  }

  @Test func `it is done once`() {
    var harness = Harness()
    _ = harness.send(.onDisconnectPut("a", Node(1)))
    _ = harness.close(0)
    _ = harness.write(.put("a", .empty))

    #expect(harness.close(0) == [])
    _ = harness.open(0)
    #expect(harness.close(0) == [])
    #expect(harness.tree == "null")
  }

  @Test func `only the connection that ended counts`() {
    var harness = Harness(connections: 2)
    _ = harness.send(.onDisconnectPut("a", Node(1)))
    _ = harness.send(.onDisconnectPut("b", Node(1)), from: 1)

    _ = harness.close(1)

    #expect(harness.tree == #"{"b":1}"#)
    #expect(harness.server.resources(of: .init(0)).onDisconnects == [.put("a", Node(1))])
  }

  @Test func `cancelling forgets the location and what is below`() {
    var harness = Harness()
    _ = harness.send(.onDisconnectPut("", Node(json: ["kept": 1])))
    _ = harness.send(.onDisconnectPut("a", Node(1)))
    _ = harness.send(.onDisconnectPut("a/b", Node(1)))
    _ = harness.send(
      .onDisconnectMerge("", [Assignment("a/c", Node(1)), Assignment("d", Node(1))]))
    _ = harness.send(.onDisconnectMerge("a", [Assignment("e", Node(1))]))

    #expect(harness.send(.onDisconnectCancel("a")) == ["0: ok {}"])
    _ = harness.close(0)

    #expect(harness.tree == #"{"d":1,"kept":1}"#)
  }

  @Test func `server values are filled in when the connection ends`() {
    var harness = Harness(["n": 1])
    _ = harness.send(.onDisconnectPut("seen", Node(.serverValue(.timestamp))))
    _ = harness.send(.onDisconnectPut("n", Node(.serverValue(.increment(1)))))
    harness.now = harness.now + .seconds(5)
    _ = harness.write(.put("n", Node(10)))

    _ = harness.close(0)

    #expect(harness.tree == #"{"n":11,"seen":1480000005000}"#)
  }

  @Test func `rules are looked at when the request arrives, and when it is done`() {
    var harness = Harness(security: [SecurityRule("locked", deny: [.write])])

    let put = harness.send(.onDisconnectPut("locked/a", Node(1)))
    let merge = harness.send(
      .onDisconnectMerge("", [Assignment("a", Node(1)), Assignment("locked", Node(1))]))
    _ = harness.send(.onDisconnectPut("b", Node(1)))
    harness.server.deny(SecurityRule("b", deny: [.write]))
    _ = harness.close(0)

    #expect(put == [#"0: permission_denied "Permission denied""#])
    #expect(merge == put)
    #expect(harness.tree == "null")
  }

  @Test func `each write is judged by the data that those before it have left`() {
    var harness = Harness(connections: 2)
    let rules = #"{"rules": {"$a": {".read": true, ".write": "!data.exists()"}}}"#
    harness.server.rules = SecurityRules.read(Array(rules.utf8)).rules
    for path in ["a", "b", "b"] as [Path] {
      _ = harness.send(.onDisconnectPut(path, Node(json: .string("\(path)"))))
    }
    _ = harness.send(.put("a", "first"), from: 1)

    _ = harness.close(0)

    #expect(harness.tree == #"{"a":"first","b":"/b"}"#)
  }

  @Test(arguments: [OnDisconnectFate.done, nil])
  func `who has signed out leaves nothing that was a user's to write`(restart: OnDisconnectFate?) {
    let rule = SecurityRule("a", deny: [.write], unless: .user("ann"))
    var harness = Harness(connections: 2, security: [rule])
    harness.server.tokens = ["t": TokenClaims(user: "ann")]
    for number in 0...1 {
      _ = harness.send(.authenticate(.init("t")), from: number)
      _ = harness.send(
        .onDisconnectMerge("a", [Assignment(Path("\(number)"), Node(1))]), from: number)
    }
    _ = harness.send(.unauthenticate)

    if let restart {
      _ = harness.collect { $0.server.restart(restart, at: $0.now, into: &$1) }
    } else {
      _ = harness.close(0) + harness.close(1)
    }

    #expect(harness.tree == #"{"a":{"1":1}}"#)
  }
}
