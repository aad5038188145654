import ClientInterface
import ReferenceServer
import Testing
import Tree
import Wire

@Suite struct WindowTests {
  @Test func `a child that leaves and the one that comes in its place are one message`() {
    var harness = Harness(["a": 1, "b": 2, "c": 3])
    _ = harness.send(.listen("", Query(limit: .first(2)), tag: 1))

    #expect(harness.send(.put("a", .null)) == [#"0: merge / {"a":null,"c":3} tag 1"#, "0: ok {}"])
  }

  @Test func `a child that enters pushes one out in the same message`() {
    var harness = Harness(["b": 2, "c": 3, "d": 4])
    _ = harness.send(.listen("", Query(limit: .first(2)), tag: 1))

    #expect(harness.write(.put("a", Node(1))) == [#"0: merge / {"a":1,"c":null} tag 1"#])
  }

  @Test func `a change deep inside a child sends the child whole`() {
    var harness = Harness(["a": ["n": 1, "m": ["k": 2]]])
    _ = harness.send(.listen("", Query(ordering: .child("n"), limit: .last(1)), tag: 1))

    let sent = harness.write(.put("a/m/k", Node(3)))

    #expect(sent == [#"0: merge / {"a":{"m":{"k":3},"n":1}} tag 1"#])
  }

  @Test func `a change of the ordering value can exchange the window`() {
    var harness = Harness(["a": ["n": 1], "b": ["n": 2]])
    _ = harness.send(.listen("", Query(ordering: .child("n"), limit: .last(1)), tag: 1))

    let sent = harness.write(.put("a/n", Node(3)))

    #expect(sent == [#"0: merge / {"a":{"n":3},"b":null} tag 1"#])
  }

  @Test func `a change outside the window is not told`() {
    var harness = Harness(["a": 1, "b": 2, "c": 3])
    _ = harness.send(.listen("", Query(limit: .first(2)), tag: 1))

    #expect(harness.send(.put("c", 4)) == ["0: ok {}"])
  }

  @Test func `an update is one change of the window`() {
    var harness = Harness(["a": 1, "b": 2])
    _ = harness.send(.listen("", Query(limit: .first(2)), tag: 1))

    let sent = harness.send(.merge("", ["a": .null, "b": 5, "c": 6, "d": 7]))

    #expect(sent == [#"0: merge / {"a":null,"b":5,"c":6} tag 1"#, "0: ok {}"])
  }

  @Test func `a write above changes the window in one message`() {
    var harness = Harness(["room": ["a": 1, "b": 2]])
    _ = harness.send(.listen("room", Query(limit: .first(2)), tag: 1))

    #expect(
      harness.write(.put("", Node(json: ["room": ["b": 2, "c": 3]])))
        == [#"0: merge /room {"a":null,"c":3} tag 1"#])
    #expect(
      harness.write(.put("", .empty)) == [#"0: merge /room {"b":null,"c":null} tag 1"#])
  }

  @Test func `the window of a scalar is empty`() {
    var harness = Harness(["a": 1])
    _ = harness.send(.listen("", Query(limit: .first(2)), tag: 1))

    #expect(harness.write(.put("", Node(5))) == [#"0: merge / {"a":null} tag 1"#])
    #expect(harness.write(.put("b", Node(2))) == [#"0: merge / {"b":2} tag 1"#])
  }

  @Test func `a priority moves a child into a window by priority`() {
    var harness = Harness(["a": 1, "b": 2])
    _ = harness.send(.listen("", Query(ordering: .priority, limit: .last(1)), tag: 1))

    let sent = harness.write(.put("a/.priority", Node(1)))

    #expect(sent == [#"0: merge / {"a":{".value":1,".priority":1},"b":null} tag 1"#])
  }

  @Test func `the priority of the location is no part of a window`() {
    var harness = Harness(["a": 1])
    _ = harness.send(.listen("", Query(limit: .first(1)), tag: 1))

    #expect(harness.send(.put(".priority", 1)) == ["0: ok {}"])
  }

  @Test func `a tagged listen that only orders is told of scalars and priorities`() {
    var harness = Harness(["a": 1])
    _ = harness.send(.listen("", Query(ordering: .key), tag: 1))

    #expect(harness.write(.put("b", Node(2))) == [#"0: merge / {"b":2} tag 1"#])
    #expect(
      harness.write(.put(".priority", Node(3)))
        == [#"0: put / {"a":1,"b":2,".priority":3} tag 1"#])
    #expect(harness.write(.put("", Node(4))) == ["0: put / 4 tag 1"])
  }

  @Test func `what was sent adds up to the window, write after write`() {
    let query = Query(ordering: .child("n"), start: .init(2), limit: .last(2))
    var harness = Harness()
    _ = harness.send(.listen("", query, tag: 1))
    var held = Node.empty

    for step in 0..<200 {
      let key = Key(String(step * 7 % 5))
      let value = Double(step * 13 % 6)
      let node = step % 4 == 3 ? Node.empty : Node(json: ["n": .number(value)])
      var out: [ServerMessage] = []
      _ = harness.collect {
        $0.server.write(.put(Path([key]), node), at: $0.now, into: &$1)
        out = $1.map(\.message)
      }
      if case let .merge(_, parts, _)? = out.first {
        held = parts.reduce(held) { $0.setting($1.node, at: $1.path) }
      }

      #expect(out.count <= 1)
      #expect(held == query.window(of: harness.server.tree).node, "step \(step)")
    }
  }
}
