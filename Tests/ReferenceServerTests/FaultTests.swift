import ClientInterface
import Faults
import ReferenceServer
import Testing
import Tree
import Wire

@Suite struct FaultTests {
  @Test(arguments: [StaleData.sent, .withheld])
  func `conditional writes can be refused as stale whatever their hash`(
    data: StaleData
  ) {
    var harness = Harness(["n": 5])
    _ = harness.send(.listen("n"))
    harness.server.refuseAsStale(next: 1, data)
    let stale = #"0: datastale "Transaction hash does not match""#
    let hash = Node(5).hash

    #expect(harness.send(.put("m", 1)) == ["0: ok {}"])
    #expect(harness.server.staleRefusalsLeft == 1)
    #expect(
      harness.send(.put("n", 6, if: hash)) == (data == .sent ? ["0: put /n 5", stale] : [stale]))
    #expect(harness.server.staleRefusalsLeft == 0)
    #expect(harness.send(.put("n", 6, if: hash)) == ["0: put /n 6", "0: ok {}"])
  }

  @Test(arguments: [
    (OnDisconnectFate.done, #"{"a":1,"gone":2}"#), (.lost, #"{"a":1}"#),
  ])
  func `a restart forgets connections and keeps the tree`(
    left: OnDisconnectFate, tree: String
  ) {
    var harness = Harness(["a": 1], connections: 2)
    _ = harness.send(.listen("gone"), from: 1)
    _ = harness.send(.onDisconnectPut("gone", Node(1)))
    _ = harness.send(.onDisconnectPut("gone", Node(2)), from: 1)

    #expect(harness.collect { $0.server.restart(left, at: $0.now, into: &$1) } == [])
    #expect(harness.tree == tree)
    #expect(harness.server.openConnections == [])
    #expect(harness.send(.put("b", 1)) == [])
    #expect(harness.open(7).count == 1)
  }

  @Test func `the hello names the host that was asked for`() {
    var harness = Harness(connections: 0)
    let hello = harness.collect { $0.server.open(.init(1), at: $0.now, host: "new", into: &$1) }
    #expect(hello.map { $0.contains(#""h":"new""#) } == [true])
  }

  @Test func `whether the end of a connection writes the time is known`() {
    var harness = Harness()
    let time: JSON = ["x": [".sv": "timestamp"]]
    _ = harness.send(.onDisconnectPut("a", Node(1)))
    #expect(!harness.server.leavesTimestamp(.init(0)))
    _ = harness.send(.onDisconnectMerge("a", [.init("b", Node(json: time))]))
    #expect(harness.server.leavesTimestamp(.init(0)))
    #expect(Node(json: [".value": 1, ".priority": [".sv": "timestamp"]]).holdsTimestamp)
  }
}
