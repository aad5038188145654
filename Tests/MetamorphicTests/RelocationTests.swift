import Metamorphic
import Scenario
import TestKit
import Testing

@Suite struct RelocationTests {
  private let paths = """
    clients: [alice]
    data: {room: {a: 1}}
    security: [{path: secret, deny: [read]}]
    steps:
      - alice.listen: {path: room, as: feed, query: {orderBy: x/y, startAt: {value: 1, key: a}}}
      - alice.listen: {path: .info/connected, event: value, as: on}
      - alice.update: {path: /, value: {room/b: 2, c: 3}}
      - alice.transaction: {path: room, update: {set: {a: 2}}}
      - alice.on-disconnect-set: {path: here, value: false}
      - server.reject: {path: x, deny: [write]}
      - together:
          - server.set: {path: /, value: {room: {a: 1}}}
          - server.remove: room
      - alice.unlisten: {listener: feed, path: room}
      - expect:
          alice.feed: [{child_added: a, value: 1, prev: null}]
          alice.on: [{value: true}]
          server: {room: {$bind: x}}
    """

  @Test func `under a deeper root every location but those of info is deeper`() throws {
    let scenario = try Kit.scenario(paths)
    let expected = try Kit.scenario(
      """
      clients: [alice]
      data: {deep: {root: {room: {a: 1}}}}
      security: [{path: deep/root/secret, deny: [read]}]
      steps:
        - alice.listen: {path: deep/root/room, as: feed, query: {orderBy: x/y, startAt: {value: 1, key: a}}}
        - alice.listen: {path: .info/connected, event: value, as: on}
        - alice.update: {path: deep/root, value: {room/b: 2, c: 3}}
        - alice.transaction: {path: deep/root/room, update: {set: {a: 2}}}
        - alice.on-disconnect-set: {path: deep/root/here, value: false}
        - server.reject: {path: deep/root/x, deny: [write]}
        - together:
            - server.set: {path: deep/root, value: {room: {a: 1}}}
            - server.remove: deep/root/room
        - alice.unlisten: {listener: feed, path: deep/root/room}
        - expect:
            alice.feed: [{child_added: a, value: 1, prev: null}]
            alice.on: [{value: true}]
            server: {deep: {root: {room: {$bind: x}}}}
      """)

    #expect(try differences(ScenarioChange.deeperRoot.applied(to: scenario), expected) == [])
  }

  @Test func `new names keep the order of the old ones, wherever a key stands`() throws {
    let scenario = try Kit.scenario(
      """
      clients: [alice]
      data: {room: {a: {.value: 1, .priority: a}, '10': {x: b}, '9': [1, 2]}}
      steps:
        - alice.listen: {path: room, as: feed, query: {orderBy: .key, startAt: a, endAt: b}}
        - alice.listen: {path: room, as: named, query: {orderBy: x, equalTo: {value: a, key: b}}}
        - alice.listen: {path: room, as: valued, query: {orderBy: .value, equalTo: a}}
        - alice.transaction: {path: t, update: {merge: {b: {.sv: {increment: 1}}}}, as: t}
        - alice.set: {path: 'bad#key', value: {a: 1}, as: bad}
        - expect:
            alice.feed: [{child_added: b, value: {$subset: {a: $any}}, prev: {$oneOf: [a, '9']}}]
            alice.t: {committed: true, value: {b: 1}, inputs: [{a: 1}]}
            alice.bad: {threw: invalid_path}
            one-of:
              - {alice.named: [{$unordered: [{child_removed: a}]}]}
              - {server: {a: {$each: {x: a}}}}
      """)
    let expected = try Kit.scenario(
      """
      clients: [alice]
      data: {k-room: {k-a: {.value: 1, .priority: a}, '107': {k-x: b}, '97': {'7': 1, '17': 2}}}
      steps:
        - alice.listen: {path: k-room, as: feed, query: {orderBy: .key, startAt: k-a, endAt: k-b}}
        - alice.listen: {path: k-room, as: named, query: {orderBy: k-x, equalTo: {value: a, key: k-b}}}
        - alice.listen: {path: k-room, as: valued, query: {orderBy: .value, equalTo: a}}
        - alice.transaction: {path: k-t, update: {merge: {k-b: {.sv: {increment: 1}}}}, as: t}
        - alice.set: {path: 'bad#key', value: {k-a: 1}, as: bad}
        - expect:
            alice.feed: [{child_added: k-b, value: {$subset: {k-a: $any}}, prev: {$oneOf: [k-a, '97']}}]
            alice.t: {committed: true, value: {k-b: 1}, inputs: [{k-a: 1}]}
            alice.bad: {threw: invalid_path}
            one-of:
              - {alice.named: [{$unordered: [{child_removed: k-a}]}]}
              - {server: {k-a: {$each: {k-x: a}}}}
      """)

    #expect(try differences(ScenarioChange.renamedKeys.applied(to: scenario), expected) == [])
  }

  @Test func `where lists are shown, integers keep their names`() throws {
    let body = """
      clients: [alice]
      steps:
        - alice.transaction: {path: ROOT, update: {set: [1, 2]}, as: t}
        - expect: {alice.t: {committed: true, value: {'0': 1, '1': 2}, inputs: [[1]]}}
      """
    let scenario = try Kit.scenario(body.replacing("ROOT", with: "a"))
    let expected = try Kit.scenario(body.replacing("ROOT", with: "k-a"))

    #expect(try differences(ScenarioChange.renamedKeys.applied(to: scenario), expected) == [])
  }

  @Test func `inspections ask the same of other places`() throws {
    let body = """
      clients: [alice]
      steps:
        - alice.listen: {path: AT/room, as: feed}
        - alice.inspect: {path: AT/room/KEY, ask: parent, as: up}
        - alice.inspect: {path: AT/room, ask: child, with: KEY, as: down}
        - alice.inspect: {path: AT/room, ask: equals, with: /AT/room, as: same}
        - alice.inspect: {path: AT/room, ask: key, as: name}
        - alice.inspect: {path: AT/room, query: [{orderBy: KEY}, {startAt: 1}], ask: valid, as: good}
        - alice.inspect: {snapshot: feed, of: KEY, ask: value, as: value}
        - alice.inspect: {snapshot: feed, ask: children, as: keys}
        - alice.inspect: {mutable: {KEY: 1}, changes: [{child: KEY, value: {KEY: 2}}], ask: export, as: all}
        - expect:
            alice.feed: [{child_added: KEY, value: 1}, {value: {KEY: 1}}]
            alice.up: {answer: /AT/room}
            alice.down: {answer: /AT/room/KEY}
            alice.same: {answer: true}
            alice.name: {answer: room}
            alice.good: {answer: true}
            alice.value: {answer: {KEY: 1}}
            alice.keys: {answer: [KEY]}
            alice.all: {answer: {KEY: {KEY: 2}}}
      """
    func scenario(at path: String, key: String) throws -> Scenario {
      try Kit.scenario(body.replacing("AT", with: path).replacing("KEY", with: key))
    }
    let deeper = try ScenarioChange.deeperRoot.applied(to: scenario(at: "x", key: "a"))
    let renamed = try ScenarioChange.renamedKeys.applied(to: scenario(at: "x", key: "a"))

    #expect(try differences(deeper, scenario(at: "deep/root/x", key: "a")) == [])
    let other = body.replacing("room", with: "k-room")
      .replacing("AT", with: "k-x").replacing("KEY", with: "k-a")
    #expect(try differences(renamed, Kit.scenario(other)) == [])
  }

  @Test(arguments: [
    (
      ScenarioChange.deeperRoot, "a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p/q/r/s/t/u/v/w/x/y/z/1/2/3/4/5",
      "a path would be deeper or longer than the database allows"
    ),
    (.renamedKeys, "-", #"the key "-" would not stay in its place among push ids"#),
  ])
  func `a location that cannot move is a reason not to`(
    change: ScenarioChange, path: String, reason: String
  ) throws {
    let body = """
      clients: [alice]
      steps:
        - alice.push: {path: x, value: 1, as: p}
        - alice.set: {path: '\(path)', value: 1}
        - expect: {alice.p: {ok: true}}
      """

    #expect(try Kit.unsupportedReason(to: change, body) == reason)
  }

  @Test(arguments: [
    (
      "{url: 'https://kennel.test/a', ask: key, as: q}", "an absolute address is inspected", 2
    ),
    ("{path: a, ask: url, as: q}", "an inspection asks for an absolute address", 2),
    (
      "{path: /, ask: parent, as: q}",
      "an inspection asks what the root is called or what is above it", 1
    ),
    (
      "{snapshot: all, ask: key, as: q}",
      "an inspection asks what the root is called or what is above it", 1
    ),
  ])
  func `a question about the root is a reason not to move it`(
    inspection: String, reason: String, count: Int
  ) throws {
    let body = """
      clients: [alice]
      steps:
        - alice.listen: {path: /, event: value, as: all}
        - expect: {alice.all: [{value: null}]}
        - alice.inspect: \(inspection)
        - expect: {alice.q: {answer: null}}
      """
    let unsupportedReasons = try [ScenarioChange.deeperRoot, .renamedKeys].compactMap {
      try Kit.unsupportedReason(to: $0, body)
    }

    #expect(unsupportedReasons == Array(repeating: reason, count: count))
  }

  @Test func `a small cache is a reason not to make paths longer`() throws {
    let body = """
      clients: [alice]
      persistence: {cache: 200B}
      steps: [alice.set: {path: a, value: 1}]
      """

    for change in [ScenarioChange.deeperRoot, .renamedKeys] {
      #expect(
        try Kit.unsupportedReason(to: change, body)
          == "a cache of a stated size holds less where paths are longer")
    }
  }
}
