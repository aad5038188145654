import ReferenceServer
import Testing
import Tree
import Wire

@Suite struct ListenTests {
  @Test func `the data come before the answer`() {
    var harness = Harness(["a": ["b": 1]])

    #expect(harness.send(.listen("a")) == [#"0: put /a {"b":1}"#, "0: ok {}"])
  }

  @Test func `who has the data already gets only the answer`() {
    let data: JSON = ["b": 1, ".priority": 2]
    var harness = Harness(["a": data])

    let sent = harness.send(.listen("a", hash: Node(json: data).hash))

    #expect(sent == ["0: ok {}"])
  }

  @Test func `who has nothing where nothing is gets only the answer`() {
    var harness = Harness()

    #expect(harness.send(.listen("a")) == ["0: ok {}"])
  }

  @Test func `who holds what is gone is told so`() {
    var harness = Harness()

    #expect(harness.send(.listen("a", hash: Node(1).hash)) == ["0: put /a null", "0: ok {}"])
  }

  @Test func `a filtered listen gets its window with its tag`() {
    var harness = Harness(["a": 1, "b": 2, "c": 3])

    let sent = harness.send(.listen("", Query(limit: .last(2)), tag: 4))

    #expect(sent == [#"0: put / {"b":2,"c":3} tag 4"#, "0: ok {}"])
  }

  @Test func `the hash of a filtered listen is that of its window`() {
    var harness = Harness(["a": 1, "b": 2, "c": 3])
    let window = Node(json: ["b": 2, "c": 3])

    let sent = harness.send(.listen("", Query(limit: .last(2)), tag: 4, hash: window.hash))

    #expect(sent == ["0: ok {}"])
  }

  @Test func `a window that was never sent, because its hash agreed, is kept up to date`() {
    var harness = Harness(["a": 1])
    let hash = Node(json: ["a": 1]).hash
    _ = harness.send(.listen("", Query(limit: .last(1)), tag: 4, hash: hash))

    let sent = harness.write(.put("b", Node(2)))

    #expect(sent == [#"0: merge / {"a":null,"b":2} tag 4"#])
  }

  @Test func `an ended listen is told nothing more`() {
    var harness = Harness()
    _ = harness.send(.listen("a"))

    #expect(harness.send(.unlisten("a", query: nil, tag: nil)) == ["0: ok {}"])
    #expect(harness.write(.put("a", Node(1))) == [])
  }

  @Test func `ending one of two listens at a location leaves the other`() {
    var harness = Harness()
    let query = Query(limit: .first(1))
    _ = harness.send(.listen("a"))
    _ = harness.send(.listen("a", query, tag: 1))
    _ = harness.send(.unlisten("a", query: query, tag: 1))

    #expect(harness.write(.put("a/b", Node(1))) == ["0: put /a/b 1"])
  }

  @Test func `a listen that is made again replaces the first`() {
    var harness = Harness()
    _ = harness.send(.listen("a"))
    _ = harness.send(.listen("a"))

    #expect(harness.write(.put("a", Node(1))) == ["0: put /a 1"])
    #expect(harness.server.resources(of: .init(0)).listens == [.init(path: "a")])
  }

  @Test func `a single read answers with the data`() {
    var harness = Harness(["a": ["x": 1, "y": 2]])

    #expect(harness.send(.get("a", .all)) == [#"0: ok {"x":1,"y":2}"#])
    #expect(harness.send(.get("a", Query(limit: .first(1)))) == [#"0: ok {"x":1}"#])
    #expect(harness.send(.get("b", .all)) == ["0: ok null"])
    #expect(harness.write(.put("a", Node(1))) == [])
  }
}
