import ClientInterface
import ReferenceServer
import Testing
import Tree
import Wire

@Suite struct ServerValueTests {
  private static let timestamp: JSON = [".sv": "timestamp"]

  @Test func `everyone sees the same time, wherever it stands`() {
    var harness = Harness(connections: 2)
    _ = harness.send(.listen(""))
    _ = harness.send(.listen("a/x"), from: 1)

    let sent = harness.send(
      .put("a", ["x": Self.timestamp, "y": [".value": 1, ".priority": Self.timestamp]]))

    let stored = #"{"x":1480000000000,"y":{".value":1,".priority":1480000000000}}"#
    #expect(sent == ["0: put /a \(stored)", "1: put /a/x 1480000000000", "0: ok {}"])
    #expect(harness.tree == #"{"a":\#(stored)}"#)
  }

  @Test func `the time is told to the millisecond`() {
    var harness = Harness(connections: 0)
    harness.now = Instant(milliseconds: 1_480_000_000_066)

    _ = harness.write(.put("", Node(json: Self.timestamp)))

    #expect(harness.tree == "1480000000066")
  }

  @Test func `a priority can be the time`() {
    var harness = Harness(["a": 1])

    _ = harness.send(.put("a/.priority", Self.timestamp))

    #expect(harness.tree == #"{"a":{".value":1,".priority":1480000000000}}"#)
  }

  @Test func `an increment adds to the number that is there, else it is the number`() {
    var harness = Harness(["n": 5, "s": "text"])
    let one: JSON = [".sv": ["increment": 1]]

    _ = harness.send(.merge("", ["n": one, "s": one, "new/deep": one]))
    _ = harness.send(.put("", ["n": one, "kept": 1]))

    #expect(harness.tree == #"{"kept":1,"n":7}"#)
  }

  @Test(arguments: [1.7e308, -1.7e308])
  func `an increment beyond all numbers ends at the last one`(number: Double) {
    var harness = Harness(["n": .number(number)])

    let one: JSON = [".sv": ["increment": .number(number)]]
    _ = harness.send(.put("n", one))

    let last = number > 0 ? Double.greatestFiniteMagnitude : -.greatestFiniteMagnitude
    #expect(harness.server.tree[Path("n")].scalar == .number(last))
  }
}
