import Testing
import Tree

@Suite struct ExportTests {
  @Test(
    arguments: [
      ("null", .null), ("true", true), ("-0", .number(-0.0)), (#""x""#, "x"),
      (#"{".value":1,".priority":5}"#, [".priority": 5, ".value": 1]),
      (#"{"9":1,"10":2,"a":3}"#, ["a": 3, "10": 2, "9": 1]),
      (#"{"a":1,".priority":"p"}"#, [".priority": "p", "a": 1]),
      (#"{"0":1,"2":3}"#, [1, .null, 3]),
      (#"{"a":{".sv":"timestamp"}}"#, ["a": [".sv": "timestamp"]]),
      (
        #"{".value":{".sv":"timestamp"},".priority":{".sv":"timestamp"}}"#,
        [".value": [".sv": "timestamp"], ".priority": [".sv": "timestamp"]]
      ),
      (#"{".sv":{"increment":1.5}}"#, [".sv": ["increment": 1.5]]),
      // What clients ignore: null priorities, other members with a dot, unknown placeholders.
      ("1", [".value": 1, ".priority": .null]),
      (#"{"a":1}"#, ["a": 1, ".other": 2, ".value": .null]),
      ("null", [".sv": "unknown"]),
      ("null", ["a": [".sv": ["decrement": 1]]]),
      // A member that begins with a dot and a combining mark begins with a dot.
      ("null", [".\u{301}": 1]),
    ] as [(String, JSON)])
  func `the export format is read and written`(text: String, json: JSON) {
    #expect(Node(json: json).description == text)
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func `every node survives export`(seed: UInt64) {
    var dice = Dice(seed)
    for _ in 0..<50 {
      let node = dice.node(depth: 3)

      #expect(Node(json: node.json) == node, "seed \(seed)")
      #expect(node.description == node.json.text, "seed \(seed)")
      #expect(Node(json: node.json).description == node.description, "seed \(seed)")
    }
  }

  @Test(arguments: [
    // Keys, and whether they read as a list: the largest is less than twice their number.
    (["0"], true), (["1"], true), (["2"], false), (["0", "1", "2"], true), (["0", "3"], true),
    (["0", "4"], false), (["1", "3"], true), (["2", "3"], true), (["0", "1", "a"], false),
    (["00"], false), (["0", "01"], false), (["-1", "0"], false), (["-0"], false), (["a"], false),
    (["5", "6", "7", "8"], false), (["4", "5", "6", "7"], true),
  ])
  func `keys that look like indices read as a list`(keys: [String], isList: Bool) {
    let node = Node(Children(keys.map { (Key($0), Node(1)) }))

    #expect((node.plainJSON(.belowTwiceTheCount).elements != nil) == isList)
  }

  @Test func `a list has gaps, and lists within lists are lists`() {
    let node = Node(json: ["1": ["0": true, "1": [".value": 2, ".priority": 3]], "2": ["a": 4]])

    #expect(node.plainJSON(.belowTwiceTheCount).text == #"[null,[true,2],{"a":4}]"#)
  }

  @Test func `the plain value has no priorities`() {
    let node = Node(json: ["a": [".value": 1, ".priority": 2], ".priority": 3, "b": ["c": 1]])

    #expect(node.plainJSON(.belowTwiceTheCount).text == #"{"a":1,"b":{"c":1}}"#)
    #expect(Node(json: [".value": 1, ".priority": 2]).plainJSON(.belowTwiceTheCount) == 1)
    #expect(Node.empty.plainJSON(.belowTwiceTheCount) == .null)
  }
}

@Suite struct ServerValueTests {
  @Test(
    arguments: [
      (.timestamp, nil, 1000), (.timestamp, "x", 1000), (.increment(2), nil, 2),
      (.increment(2), 40, 42), (.increment(2), "x", 2), (.increment(2), true, 2),
      (.increment(-0.5), 1, 0.5),
    ] as [(ServerValue, Scalar?, Scalar)])
  func `placeholders become numbers`(value: ServerValue, current: Scalar?, becomes: Scalar) {
    #expect(value.resolved(time: 1000, current: current) == becomes)
  }

  @Test(
    arguments: [
      .null, 1, "timestamp", [".sv": 1], [".sv": "other"], [".sv": ["increment": "1"]], ["sv": 1],
    ] as [JSON])
  func `other values are no placeholders`(json: JSON) {
    #expect(ServerValue(json) == nil)
  }
}
