import ReferenceServer
import Testing
import Tree
import Wire

@Suite struct WriteTests {
  @Test func `the writer's own listens are told before its write is acknowledged`() {
    var harness = Harness()
    _ = harness.send(.listen("a"))

    #expect(harness.send(.put("a/b", 1)) == ["0: put /a/b 1", "0: ok {}"])
  }

  @Test func `a write that changes nothing is told all the same`() {
    var harness = Harness(["a": 1])
    _ = harness.send(.listen("a", hash: Node(1).hash))

    #expect(harness.send(.put("a", 1)) == ["0: put /a 1", "0: ok {}"])
  }

  @Test func `a listen below a write is told what has become of its place`() {
    var harness = Harness(["a": ["b": 1, "c": 2]])
    _ = harness.send(.listen("a/b"))

    #expect(harness.write(.put("a", Node(json: ["b": 3]))) == ["0: put /a/b 3"])
    #expect(harness.write(.put("", Node(json: 5))) == ["0: put /a/b null"])
  }

  @Test func `a listen elsewhere is told nothing`() {
    var harness = Harness()
    _ = harness.send(.listen("a/b"))

    #expect(harness.write(.put("a/c", Node(1))) == [])
    #expect(harness.write(.merge("a", [Assignment("c", Node(1))])) == [])
  }

  @Test func `an update reaches a listen at or above it as one message`() {
    var harness = Harness(["a": ["x": 1, "y": 2, "z": 3]])
    _ = harness.send(.listen("a"))

    let sent = harness.send(.merge("a", ["x": .null, "y/deep": 5]))

    #expect(sent == [#"0: merge /a {"x":null,"y/deep":5}"#, "0: ok {}"])
    #expect(harness.tree == #"{"a":{"y":{"deep":5},"z":3}}"#)
  }

  @Test func `an update reaches a listen below it as what lies inside`() {
    var harness = Harness()
    _ = harness.send(.listen("a/x"))

    let whole = harness.write(.merge("a", [Assignment("x", Node(1)), Assignment("y", Node(2))]))
    let parts = harness.write(
      .merge(
        "a",
        [Assignment("x/k", Node(1)), Assignment("y/k", Node(2)), Assignment("x/l", Node(3))]))

    #expect(whole == ["0: put /a/x 1"])
    #expect(parts == [#"0: merge /a/x {"k":1,"l":3}"#])
  }

  @Test func `a priority is told at its own place`() {
    var harness = Harness(["a": ["b": 1]])
    _ = harness.send(.listen("a"))

    #expect(harness.send(.put("a/b/.priority", 7)) == ["0: put /a/b/.priority 7", "0: ok {}"])
    #expect(harness.tree == #"{"a":{"b":{".value":1,".priority":7}}}"#)
  }

  @Test func `a priority on nothing is accepted and told to nobody`() {
    var harness = Harness()
    _ = harness.send(.listen("a"))

    #expect(harness.send(.put("a/b/.priority", 7)) == ["0: ok {}"])
    #expect(harness.tree == "null")
  }

  @Test func `while a listen above replaces one below, each change is told once`() {
    var harness = Harness()
    _ = harness.send(.listen("a/b"))
    _ = harness.send(.listen("a"))

    #expect(harness.write(.put("a/b", Node(1))) == ["0: put /a/b 1"])
    #expect(harness.write(.put("", Node(json: ["a": 2]))) == ["0: put /a 2"])

    _ = harness.send(.unlisten("a", query: nil, tag: nil))

    #expect(harness.write(.put("a", Node(json: ["b": 3]))) == ["0: put /a/b 3"])
  }

  @Test func `a filtered listen has its own copy`() {
    var harness = Harness()
    _ = harness.send(.listen("a", Query(limit: .first(1)), tag: 1))
    _ = harness.send(.listen("a"))

    #expect(
      harness.write(.put("a/b", Node(1))) == [#"0: merge /a {"b":1} tag 1"#, "0: put /a/b 1"])
  }

  @Test func `a conditional write is done when the hash is that of the data`() {
    var harness = Harness(["a": 1])

    #expect(harness.send(.put("a", 2, if: Node(1).hash)) == ["0: ok {}"])
    #expect(harness.send(.put("b", 3, if: "")) == ["0: ok {}"])
    #expect(harness.tree == #"{"a":2,"b":3}"#)
  }

  @Test func `a conditional write is refused as stale when the data are others`() {
    var harness = Harness(["a": 1])
    _ = harness.send(.listen("a"))

    let sent = harness.send(.put("a", 2, if: ""))

    #expect(sent == [#"0: datastale "Transaction hash does not match""#])
    #expect(harness.tree == #"{"a":1}"#)
  }

  @Test func `the priority is part of the hash`() {
    var harness = Harness(["a": [".value": 1, ".priority": 2]])

    let sent = harness.send(.put("a", 2, if: Node(1).hash))

    #expect(sent == [#"0: datastale "Transaction hash does not match""#])
  }

  @Test func `a conditional update compares the location of the update`() {
    var harness = Harness(["a": ["x": 1]])
    let hash = Node(json: ["x": 1]).hash

    #expect(harness.send(.merge("a", ["y": 2], if: hash)) == ["0: ok {}"])
    #expect(
      harness.send(.merge("a", ["y": 3], if: hash))
        == [#"0: datastale "Transaction hash does not match""#])
    #expect(harness.tree == #"{"a":{"x":1,"y":2}}"#)
  }
}
