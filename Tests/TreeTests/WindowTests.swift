import Testing
import Tree

@Suite struct WindowTests {
  @Test(arguments: 0..<150 as Range<UInt64>)
  func `a window is what the definition selects`(seed: UInt64) {
    var dice = Dice(seed)
    for _ in 0..<12 {
      let node = dice.node()
      let ordering = dice.pick(orderings)
      let query = dice.query(ordering, over: node)
      let expected = DefinedWindow.keys(of: query, in: node)
      let window = query.window(of: node)

      #expect(window.keys == expected, "seed \(seed): \(query) of \(node)")
      #expect(window.count == expected.count, "seed \(seed)")
      #expect(ordering.keys(of: window.node.children) == expected, "seed \(seed)")
      for (index, key) in expected.enumerated() {
        let before = index == 0 ? nil : expected[index - 1]
        #expect(window.key(before: key) == before, "seed \(seed): \(query) of \(node)")
        #expect(window.node[key] == node[key], "seed \(seed)")
      }
      var shuffled = expected
      shuffled.shuffle(using: &dice)
      #expect(window.sorted(shuffled) == expected, "seed \(seed)")
    }
  }

  @Test func `every ordering, bound, edge and limit selects what the definition selects`() {
    var dice = Dice(1)
    let node = dice.node()
    let scalars: [Scalar?] = [nil, false, true, 0, 1.5, "", "a", "😀"]
    let keys: [Key?] = [nil, "2", "a"]
    for ordering in orderings {
      for value in scalars {
        for key in keys {
          for edge in [Query.Bound.Edge.inclusive, .exclusive] {
            for limit in [nil, Query.Limit.first(2), .last(2)] {
              let bound = Query.Bound(value, key: key, edge: edge)
              check(Query(ordering: ordering, start: bound, limit: limit), node)
              check(Query(ordering: ordering, end: bound, limit: limit), node)
              check(Query(ordering: ordering, start: bound, end: bound, limit: limit), node)
            }
          }
        }
      }
    }
  }

  private func check(_ query: Query, _ node: Node) {
    // By key, a bound is the text of a key and has no key beside it.
    if query.ordering == .key, [query.start, query.end].contains(where: { !isKeyBound($0) }) {
      return
    }
    #expect(
      query.window(of: node).keys == DefinedWindow.keys(of: query, in: node), "\(query) of \(node)")
  }

  private func isKeyBound(_ bound: Query.Bound?) -> Bool {
    guard let bound else { return true }
    guard case .string? = bound.value else { return false }
    return bound.key == nil
  }

  @Test func `a filtered window has neither priority nor scalar of the place`() {
    let query = Query(limit: .first(2))
    let node = Node(json: ["a": [".value": 1, ".priority": 2], "b": 2, ".priority": 7])

    #expect(
      query.window(of: node).node.description == #"{"a":{".value":1,".priority":2},"b":2}"#)
    #expect(query.window(of: Node("x", priority: 1)).node == .empty)
    #expect(Query.all.window(of: node).node == node)
    #expect(Query.all.window(of: Node("x", priority: 1)).node == Node("x", priority: 1))
    #expect(Query(ordering: .key).window(of: node).node == node)
  }

  @Test(
    arguments: [
      (Query(ordering: .value, start: .init(1)), ["n", "o"], ["n", "o", "s", "t", "c"]),
      (Query(ordering: .value, end: .init(1)), ["n"], ["f", "n"]),
      (Query(ordering: .value, start: .init(1), end: .init("s")), [], ["n", "o", "s"]),
      (Query(ordering: .value, start: .init(nil)), ["f", "n", "o", "s", "t", "c"], nil),
      (Query(ordering: .value, end: .init("s"), limit: .last(1)), ["s"], nil),
      (Query(ordering: .value, limit: .last(2)), ["t", "c"], nil),
      (Query(ordering: .key, start: .init("o")), ["o", "s", "t"], nil),
    ] as [(Query, [Key], [Key]?)])
  func `a range within a kind keeps to the kind of its ends`(
    query: Query, within: [Key], across: [Key]?
  ) {
    let node = Node(json: ["f": false, "n": 1, "o": 2, "s": "s", "t": "t", "c": ["x": 1]])
    var narrow = query
    narrow.reach = .withinKind

    #expect(narrow.window(of: node).keys == within)
    #expect(query.window(of: node).keys == across ?? within)
  }

  @Test func `values of all kinds have one order`() {
    let sorted: [OrderValue] = [
      .null, .bool(false), .bool(true), .number(-1), .number(-0.0), .number(1), .string(""),
      .string("1"), .string("Z"), .string("a"), .string("é"), .string("😀"), .string("\u{FFFF}"),
      .children,
    ]

    #expect(sorted.reversed().sorted() == sorted)
    #expect(OrderValue.number(0) == .number(-0.0))
    #expect(!(OrderValue.children < .children))
  }

  @Test func `what a child is ordered by`() {
    let child = Node(json: ["a": ["b": 5, ".priority": 1], "c": "x", ".priority": "p"])

    #expect(Query.Ordering.key.value(of: child) == .null)
    #expect(Query.Ordering.value.value(of: child) == .children)
    #expect(Query.Ordering.priority.value(of: child) == .string("p"))
    #expect(Query.Ordering.child("a").value(of: child) == .children)
    #expect(Query.Ordering.child("a/b").value(of: child) == .number(5))
    #expect(Query.Ordering.child("c/d").value(of: child) == .null)
    #expect(Query.Ordering.value.value(of: Node(.serverValue(.timestamp))) == .null)
  }

  @Test(
    arguments: [
      (.key, 1, 2, false), (.value, 1, 2, true), (.value, 1, 1, false),
      (.value, ["a": ["b": 1]], ["a": ["b": 2]], true),
      (.value, 1, [".value": 1, ".priority": 3], true),
      (.priority, 1, 2, false), (.priority, 1, [".value": 1, ".priority": 3], true),
      (.child("a"), ["a": 1], ["a": 2], true), (.child("a"), ["a": 1, "b": 1], ["a": 1], false),
      (.child("a"), ["a": ["x": 1]], ["a": ["x": 2]], false),
      (.child("a"), ["a": [".value": 1, ".priority": 1]], ["a": 1], false),
      (.child("a"), ["a": 1], 5, true),
    ] as [(Query.Ordering, JSON, JSON, Bool)])
  func `a child moves when its ordering value differs`(
    ordering: Query.Ordering, old: JSON, new: JSON, moves: Bool
  ) {
    #expect(ordering.moves(from: Node(json: old), to: Node(json: new)) == moves)
  }

  @Test func `a query filters when it may leave children out`() {
    #expect(!Query.all.filters)
    #expect(!Query(ordering: .value).filters)
    #expect(Query(start: .init(nil)).filters)
    #expect(Query(end: .init(1)).filters)
    #expect(Query(limit: .last(1)).filters)
  }
}

private let orderings: [Query.Ordering] = [.key, .value, .priority, .child("a"), .child("a/b")]

extension Dice {
  fileprivate mutating func node() -> Node {
    let children = (0..<roll(12)).map { _ in
      let a: JSON = roll(4) == 0 ? ["b": scalar().json] : scalar().json
      let node =
        switch roll(3) {
        case 0: Node(scalar(), priority: priority())
        case 1: Node(json: ["a": a]).settingPriority(priority())
        default: Node(json: ["a": a, "c": 1])
        }
      return (key(), node)
    }
    return Node(Children(children), priority: priority())
  }

  fileprivate mutating func query(_ ordering: Query.Ordering, over node: Node) -> Query {
    var query = Query(ordering: ordering)
    if roll(2) == 0 { query.start = bound(ordering, over: node) }
    if roll(2) == 0 { query.end = bound(ordering, over: node) }
    switch roll(3) {
    case 0: query.limit = .first(1 + roll(5))
    case 1: query.limit = .last(1 + roll(5))
    default: break
    }
    return query
  }

  private mutating func bound(_ ordering: Query.Ordering, over node: Node) -> Query.Bound {
    let edge: Query.Bound.Edge = roll(2) == 0 ? .inclusive : .exclusive
    if ordering == .key { return .init(.string(key().text), edge: edge) }
    let value = roll(8) == 0 ? nil : scalar()
    return .init(value, key: roll(3) == 0 ? key() : nil, edge: edge)
  }
}
