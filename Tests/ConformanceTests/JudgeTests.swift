import ClientInterface
import Conformance
import Scenario
import TestKit
import Testing
import Tree
import Wire

/// What expectations let pass and what they do not.
@Suite struct JudgeTests {
  private func kinds(_ steps: String, _ script: [String: [ClientOutput]]) throws -> [String] {
    let result = try Kit.run("clients: [alice]\nsteps:\n" + steps) { _, _ in
      ScriptedClient(script: script)
    }
    return result.divergences.map(\.kind.name)
  }

  private func feed(_ expected: String, _ observed: [ClientOutput]) throws -> [String] {
    try kinds(
      """
        - alice.listen: {path: room, as: feed}
          expect: {alice.feed: [\(expected)]}
      """, ["feed": observed])
  }

  @Test(arguments: [["a", "b"], ["b", "a"]])
  func `unordered events may come in any order`(keys: [Key]) throws {
    let group = "{$unordered: [{child_added: a, value: 1}, {child_added: b, value: 1}]}"
    let events = keys.map { ClientOutput.added($0, 1) }

    #expect(try feed(group + ", {value: 1}", events + [.value(1)]) == [])
    #expect(try feed("{value: 1}, " + group, [.value(1)] + events) == [])
    #expect(try feed(group + ", {value: 1}", [.value(1)] + events) == ["event-order"])
  }

  @Test func `an event of an unordered group counts once`() throws {
    let group = "{$unordered: [{child_added: a, value: 1}, {child_added: b, value: 1}]}"

    #expect(try feed(group, [.added("a", 1), .added("a", 1)]) == ["other-event"])
    #expect(try feed(group, [.added("b", 1)]) == ["missing-event"])
  }

  @Test func `a bound key is the same in every listener`() throws {
    let steps = """
        - alice.listen: {path: list, events: [child_added], as: one}
        - alice.listen: {path: list, events: [child_added], as: two}
        - alice.push: {path: list, value: 1, as: p}
        - expect:
            alice.p: {key: {$bind: k}, ok: true}
            alice.one: [{child_added: {$ref: k}, value: 1}]
            alice.two: [{child_added: {$ref: k}, value: 1}]
      """
    let answer: [ClientOutput] = [.answered("p", "new"), .added("new", 1, to: "one")]

    #expect(
      try kinds(steps, ["p": answer + [.added("new", 1, to: "two"), .completed("p", .ok)]]) == [])
    #expect(
      try kinds(steps, ["p": answer + [.added("old", 1, to: "two"), .completed("p", .ok)]])
        == ["other-event"])
  }

  @Test func `one of several alternatives must hold as a whole`() throws {
    let steps = """
        - alice.listen: {path: room, event: value, as: feed}
        - alice.set: {path: room, value: 1, as: w}
        - expect:
            one-of:
              - {alice.feed: [{value: 1}], alice.w: {ok: true}}
              - {alice.feed: [], alice.w: {error: permission_denied}}
      """
    let refused = ClientOutput.completed("w", Completion(error: "permission_denied"))

    #expect(try kinds(steps, ["w": [.value(1), .completed("w", .ok)]]) == [])
    #expect(try kinds(steps, ["w": [refused]]) == [])
    #expect(try kinds(steps, ["w": [.value(1), refused]]) == ["different-outcome"])
  }

  @Test func `events are due in the period in which they are listed`() throws {
    let steps = """
        - alice.listen: {path: room, event: value, as: feed}
          expect-now: {alice.feed: [{value: 1}]}
        - expect: {alice.feed: [{value: 2, at: 5ms}]}
        - wait: 1s
      """
    let timer = ClientOutput.setTimer(1, after: .milliseconds(5), .other)

    #expect(
      try kinds(steps, ["feed": [.value(1), timer], "timer 1": [.value(2)]]) == [])
    #expect(
      try kinds(steps, ["feed": [.value(1), .value(2)]]) == ["unexpected-event", "missing-event"])
  }

  @Test func `the end of a call need not be listed for calls without a name`() throws {
    let steps = """
        - alice.set: {path: room, value: 1}
        - alice.push: {path: room, value: 2}
        - expect: {}
      """

    #expect(
      try kinds(steps, ["#1": [.completed("#1", .ok)], "#2": [.answered("#2", "key")]]) == [])
    #expect(try kinds(steps, ["#1": [.threw("#1", "invalid_value")]]) == ["failed-call"])
  }

  @Test func `a transaction that aborts does not succeed`() throws {
    let steps = """
        - alice.transaction: {path: n, update: {abort: true}}
        - expect: {}
      """

    #expect(
      try kinds(steps, ["#1": [.completed("#1", Completion(committed: false))]])
        == ["failed-call"])
  }

  @Test func `frames before the first step count, kinds that are not listed do not`() throws {
    let listen = ClientOutput.send(.request(1, .listen(.init(path: "x"))))
    let put = ClientOutput.send(.request(2, .put("room", Node(1), hash: nil)))

    #expect(
      try kinds("  - expect: {frames: {alice: {put: 1, merge: 0}}}", ["hello": [listen, put]])
        == [])
  }

  @Test func `views that agree with the server have converged`() throws {
    let steps = """
        - server.set: {path: room, value: {a: 1, b: 2}}
        - alice.listen: {path: room, events: [child_added, child_changed, child_removed], as: feed}
        - alice.listen: {path: room, query: {limitToFirst: 1}, event: value, as: part}
        - expect:
            alice.feed: [{child_added: a}, {child_added: b}]
            alice.part: [{value: {a: 1}}]
            converged: true
      """
    let part = ClientOutput.value(["a": 1], to: "part")

    #expect(
      try kinds(steps, ["feed": [.added("a", 1), .added("b", 2)], "part": [part]]) == [])
    #expect(
      try kinds(steps, ["feed": [.added("a", 1), .added("b", 3)], "part": [part]])
        == ["not-converged"])
  }

  @Test func `an order that holds is no divergence`() throws {
    let steps = """
        - alice.listen: {path: room, event: value, as: feed}
        - alice.set: {path: room, value: 1, as: w}
        - expect:
            alice.feed: [{value: 1}, {value: 2}]
            alice.w: {ok: true}
            order: [alice.feed#1 < alice.w, alice.w < alice.feed#2]
      """

    #expect(
      try kinds(steps, ["w": [.value(1), .completed("w", .ok), .value(2)]]) == [])
    #expect(
      try kinds(steps, ["w": [.value(1), .value(2), .completed("w", .ok)]]) == ["order-between"])
  }

  @Test func `without a number an order is about all events`() throws {
    let steps = """
        - alice.listen: {path: room, event: value, as: feed}
        - alice.set: {path: room, value: 1, as: w}
        - expect:
            alice.feed: [{value: 1}, {value: 2}]
            alice.w: {ok: true}
            order: [alice.feed < alice.w]
      """

    #expect(try kinds(steps, ["w": [.value(1), .value(2), .completed("w", .ok)]]) == [])
    #expect(
      try kinds(steps, ["w": [.value(1), .completed("w", .ok), .value(2)]]) == ["order-between"])
  }
}
