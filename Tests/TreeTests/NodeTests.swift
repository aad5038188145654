import Testing
import Tree

@Suite struct NodeTests {
  private func node(_ json: JSON) -> Node { Node(json: json) }

  @Test(
    arguments: [
      .null, [:], [], ["a": .null], ["a": ["b": [:]]], ["a": [.null, [:]]], [".priority": 1],
      [".value": .null, ".priority": 1],
    ] as [JSON])
  func `nothing within nothing is nothing`(json: JSON) {
    #expect(Node(json: json) == .empty)
  }

  @Test(
    arguments: [
      // What stands there, where is written, what is written, what stands there then.
      (["a": 1], "b", 2, #"{"a":1,"b":2}"#),
      (["a": 1], "a", .null, "null"),
      (["a": ["b": ["c": 1]]], "a/b/c", .null, "null"),
      (["a": ["b": ["c": 1]], "d": 2], "a/b/c", .null, #"{"d":2}"#),
      (["a": ["b": 1, ".priority": 5]], "a/b", .null, "null"),
      (["a": ["b": 1, ".priority": 5]], "a/c", 2, #"{"a":{"b":1,"c":2,".priority":5}}"#),
      (["a": 1], "a/b/c", 2, #"{"a":{"b":{"c":2}}}"#),
      ([".value": 1, ".priority": 5], "b", 2, #"{"b":2,".priority":5}"#),
      ([".value": 1, ".priority": 5], "b", .null, #"{".value":1,".priority":5}"#),
      (["a": 1], "a/b/c", .null, #"{"a":1}"#),
      (.null, "a/b", .null, "null"),
      (["a": 1], "", 3, "3"),
      (["a": 1], ".priority", 3, #"{"a":1,".priority":3}"#),
      (["a": 1, ".priority": 3], ".priority", .null, #"{"a":1}"#),
      (1, ".priority", "p", #"{".value":1,".priority":"p"}"#),
      ([".value": 1, ".priority": 3], ".priority", .null, "1"),
      (.null, ".priority", 3, "null"),
      (["a": 1], "b/.priority", 3, #"{"a":1}"#),
      (["a": 1], "a/.priority", 3, #"{"a":{".value":1,".priority":3}}"#),
    ] as [(JSON, Path, JSON, String)])
  func `writing follows the rules`(before: JSON, path: Path, written: JSON, after: String) {
    let old = node(before)
    let text = old.description

    #expect(old.setting(node(written), at: path).description == after)
    #expect(old.description == text)
  }

  @Test func `reading follows paths and finds priorities`() {
    let root = node(["a": ["b": 1, ".priority": "p"], "c": [".value": 2, ".priority": 3]])

    #expect(root[Path("a/b")] == Node(1))
    #expect(root[Path("a/.priority")] == Node("p"))
    #expect(root[Path("c/.priority")] == Node(3))
    #expect(root[Path("c/d")] == .empty)
    #expect(root[Path(".priority")] == .empty)
    #expect(root[Path("x/y/z")] == .empty)
    #expect(root[Path.root] == root)
  }

  @Test func `equality includes priorities everywhere`() {
    let plain = node(["a": ["b": 1]])
    let prioritized = node(["a": ["b": [".value": 1, ".priority": 2]]])

    #expect(plain != prioritized)
    #expect(plain == prioritized.setting(.empty, at: Path("a/b/.priority")))
    #expect(node(1) == node(1.0))
    #expect(node(0) == node(-0.0))
    #expect(node(true) != node(1))
    #expect(node("1") != node(1))
    #expect(node("caf\u{E9}") != node("cafe\u{301}"))
  }

  @Test(arguments: 0..<30 as Range<UInt64>)
  func `equal nodes have equal fingerprints and others do not`(seed: UInt64) {
    var dice = Dice(seed)
    let nodes = (0..<40).map { _ in dice.node(depth: 3) }
    for a in nodes {
      for b in nodes {
        let isSame = a.description == b.description
        let isEqual = a == b
        if isSame { #expect(isEqual, "seed \(seed): \(a)") }
        #expect(isEqual == (a.fingerprint == b.fingerprint), "seed \(seed): \(a) and \(b)")
      }
    }
  }

  @Test(arguments: 0..<30 as Range<UInt64>)
  func `what was written is found there, and nothing else has changed`(seed: UInt64) {
    var dice = Dice(seed)
    var root = dice.node(depth: 3)
    for _ in 0..<100 {
      let path = Path([dice.pick(["a", "b", "0"]), dice.pick(["a", "b", "0"]), "c"])
      let written = dice.node(depth: 1)
      let new = root.setting(written, at: path)
      let sibling = path.dropLast().appending(Key("d"))

      #expect(new[path] == written, "seed \(seed): \(path)")
      if !root[path.dropLast()].isScalar {
        #expect(new[sibling] == root[sibling], "seed \(seed): \(path)")
      }
      root = new
    }
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func `many children set at once come to the same as one after the other`(seed: UInt64) {
    var dice = Dice(seed)
    let names = (0..<150).map { Key("\($0)") }
    let old = dice.roll(4) == 0 ? dice.node(depth: 0) : node(of: names, &dice)
    let chosen = names.filter { _ in dice.roll(4) > 0 }
    let written = chosen.map { (key: $0, node: dice.roll(2) == 0 ? .empty : dice.node(depth: 1)) }
    var sets = written.filter { !$0.node.isEmpty } + written.filter(\.node.isEmpty)
    if dice.roll(3) == 0 { sets.append((key: .priority, node: Node(7))) }

    let expected = sets.reduce(old) { $0.setting($1.node, at: $1.key) }

    #expect(old.setting(sets) == expected, "seed \(seed)")
    #expect(old.setting(sets).description == expected.description, "seed \(seed)")
  }

  private func node(of names: [Key], _ dice: inout Dice) -> Node {
    let children = names.filter { _ in dice.roll(2) == 0 }.map { ($0, dice.node(depth: 1)) }
    return Node(Children(children), priority: 1)
  }

  @Test func `digests are the same in every process`() {
    #expect(node(["a": 1, "b": ["c": "x"]]).fingerprint.description == "ff9625b9b61dabc8")
    #expect(Node.empty.fingerprint.description == "0000000000000000")
  }
}

@Suite struct SameChildTests {
  @Test func `a zero takes the place of a negative one`() {
    let node = Node(Children([(Key("a"), Node(.number(-0.0)))]))

    #expect(node.setting(Node(.number(0)), at: Key("a")).description == #"{"a":0}"#)
  }

  @Test func `a node that gets the child it has stays as it is`() {
    let node = Node(json: ["a": ["b": 1], "c": "x", ".priority": 2])

    for key in node.children.keys {
      #expect(node.setting(node[key], at: key) == node)
    }
    #expect(node.setting(.empty, at: Key("d")).description == node.description)
  }
}

extension Path {
  fileprivate func dropLast() -> Path { parent ?? .root }
}

@Suite struct NodeProblemTests {
  @Test(
    arguments: [
      (
        ["a": ["b#": 1]], "/room",
        "below /room/a: key \"b#\" contains \"#\"; keys may not contain . # $ [ ] /"
      ),
      (["": 1], "/", "below /: a key is empty; a key has at least one character"),
      (
        ["a": [".value": 1, ".priority": true]], "/room",
        "the priority true at /room/a is not allowed; a priority is a number, a string, a server"
          + " value, or null"
      ),
    ] as [(JSON, Path, String)])
  func `the first mistake of a value is told with its place`(
    json: JSON, path: Path, problem: String
  ) {
    #expect(NodeProblem.first(in: Node(json: json), at: path)?.description == problem)
  }

  @Test func `numbers that JSON cannot carry are told`() {
    let node = Node(Children([(Key("a"), Node(.number(.infinity)))]))

    #expect(
      NodeProblem.first(in: node, at: "room")?.description
        == "the number at /room/a is not finite; the database stores finite numbers only")
    #expect(
      NodeProblem.first(in: Node(1, priority: .number(.nan)), at: "room")?.description
        == "the number at /room/.priority is not finite; the database stores finite numbers only")
  }

  @Test func `a value is measured together with its place`() {
    let path = Path((0..<31).map { _ in "a" })

    #expect(NodeProblem.first(in: Node(json: ["b": 1]), at: path) == nil)
    #expect(
      NodeProblem.first(in: Node(json: ["b": ["c": 1]]), at: path)?.description
        == "the path has 33 keys; a path has at most 32")
  }

  @Test(arguments: 755...770)
  func `a child is refused exactly where its path is too long`(bytes: Int) {
    let path = Path([Key(String(repeating: "a", count: bytes))])
    let problem = path.appending(Key("bcd")).problem

    #expect(
      NodeProblem.first(in: Node(json: ["bcd": 1]), at: path)?.description == problem?.description)
  }

  @Test func `a value that is fine has no problem`() {
    let json: JSON = ["a": [".value": 1, ".priority": [".sv": "timestamp"]], "b": [true, "x"]]

    #expect(NodeProblem.first(in: Node(json: json), at: "room") == nil)
  }
}
