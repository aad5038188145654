import ClientInterface
import TestKit
import Testing
import Tree

/// One sentence of a report and what provokes it. The client is alice; what she does is scripted.
struct SentenceCase: Sendable, CustomTestStringConvertible {
  var steps: String
  var script: [String: [ClientOutput]]
  var text: String

  init(_ steps: String, _ script: [String: [ClientOutput]], _ text: String) {
    (self.steps, self.script, self.text) = (steps, script, text)
  }

  var testDescription: String { text }

  /// Compares the sentence of the report with the expected one.
  func check(sourceLocation: SourceLocation = #_sourceLocation) throws {
    let sentence = try Kit.sentence("clients: [alice]\nsteps:\n" + steps, script: script)
    #expect(sentence == text, sourceLocation: sourceLocation)
  }

  /// One listener at room, receiving everything, of which these events are expected.
  static func feed(
    _ expected: String, _ observed: [ClientOutput], _ sentence: String
  ) -> SentenceCase {
    SentenceCase(
      """
        - alice.listen: {path: room, as: feed}
          expect: {alice.feed: [\(expected)]}
      """, ["feed": observed], sentence + "\non  alice.feed = /room")
  }
}

@Suite struct EventSentenceTests {
  static let lists: [SentenceCase] = [
    .feed(
      "{child_added: a, value: 1}", [],
      "expected child_added /room/a, but the client raised nothing more"),
    .feed(
      "{child_added: a, value: 1}, {value: {a: 1}}", [.value(["a": 1])],
      "expected child_added /room/a, but the client raised value /room next"),
    .feed(
      "{child_added: a, value: 1}", [.added("a", 1), .value(["a": 1])],
      "the client raised value /room, but nothing more was expected"),
    .feed(
      "{child_added: a, value: 1}, {value: {a: 1}}",
      [.added("a", 1), .added("b", 2, after: "a"), .value(["a": 1])],
      "the client raised child_added /room/b, which was not expected here"),
    .feed(
      "", [.added("a", 1)],
      "the client raised child_added /room/a, but nothing was expected of this listener"),
    .feed(
      "{child_added: a, value: 1}", [.added("b", 1)],
      "expected child_added /room/a, but the client raised child_added /room/b"),
    .feed(
      "{child_added: a, value: 1}, {value: {a: 1}}", [.value(["a": 1]), .added("a", 1)],
      "the right events in the wrong order: value /room came before child_added /room/a"),
    .feed(
      "{value: null}, {value: 1}", [.value(1)],
      "expected value /room = null, but the client raised value /room = 1 next"),
    .feed(
      "{value: 1}, {value: 2}", [.value(2), .value(1)],
      "the right events in the wrong order: value /room = 2 came before value /room = 1"),
    .feed(
      "{value: {name: a text that is long enough to be cut, z: 1}}, "
        + "{value: {name: a text that is long enough to be cut, z: 2}}",
      [.value(["name": "a text that is long enough to be cut", "z": 2])],
      "expected value /room = ... long enough to be cut\",\"z\":1}, "
        + "but the client raised value /room = ...\nlong enough to be cut\",\"z\":2} next"),
    .feed(
      "{cancelled: permission_denied}", [.cancelled("feed", "disconnect")],
      "expected cancelled (permission_denied), but the client raised cancelled (disconnect)"),
    .feed(
      "{child_added: $pushId, value: 1}", [],
      "expected child_added /room/$pushId, but the client raised nothing more"),
  ]

  static let fields: [SentenceCase] = [
    .feed(
      "{child_added: a, value: 1}", [.added("a", 2)],
      "child_added /room/a is 2, expected 1"),
    .feed(
      "{value: {a: {b: 1}}}", [.value(["a": ["b": 2]])],
      "value /room has 2 at a/b, expected 1"),
    .feed(
      "{value: {a: {b: 1}}}", [.value(["a": ["c": 1, "b": 1]])],
      "value /room has 1 at a/c, expected nothing"),
    .feed("{value: null}", [.value(1)], "value /room is 1, expected nothing"),
    .feed(
      "{child_added: a, value: $pushId}", [.added("a", "x")],
      "child_added /room/a is \"x\", expected a push id"),
    .feed(
      "{child_added: a, value: 1, prev: null}", [.added("a", 1, after: "b")],
      "child_added /room/a comes after b, expected after nothing (first)"),
    .feed(
      "{child_added: a, value: 1, prev: b}", [.added("a", 1)],
      "child_added /room/a comes after nothing (first), expected after b"),
    .feed(
      "{child_added: a, value: 1, prev: b}",
      [.event(Event(.childAdded, to: "feed", key: "a", value: Node(1)))],
      "child_added /room/a has no previous key, expected after b"),
    .feed(
      "{value: {a: 1}}", [.value(["a": 1], key: "hall")],
      "value /room names the key hall, expected room"),
    .feed(
      "{value: {a: 1}}", [.value(["a": 1], key: nil)],
      "value /room names the key null, expected room"),
    .feed(
      "{value: {a: 1, b: 2}}", [.value(["a": 1, "b": 2], order: .listed(["b", "a"]))],
      "value /room lists its children as b, a, expected a, b"),
    .feed(
      "{child_added: a, value: 1, at: 5ms}", [.added("a", 1)],
      "child_added /room/a came after 0 ms, expected at 5 ms"),
    .feed(
      "{child_added: a, value: 1, within: [5ms, 10ms]}", [.added("a", 1)],
      "child_added /room/a came after 0 ms, expected within 5 ms to 10 ms"),
  ]

  @Test(arguments: lists) func `a difference in a list of events is told`(
    example: SentenceCase
  ) throws {
    try example.check()
  }

  @Test(arguments: fields) func `a difference in an event is told`(example: SentenceCase) throws {
    try example.check()
  }

  static let ended: [SentenceCase] = [
    SentenceCase(
      """
        - alice.listen: {path: room, as: feed}
        - alice.kill
        - alice.start
        - alice.set: {path: room, value: 1}
        - expect: {}
      """, ["#1": [.value(1)]],
      "the client raised value /room for a listener whose process was killed in step 2\n"
        + "on  alice.feed = /room"),
    SentenceCase(
      """
        - alice.listen: {path: room, as: feed}
        - alice.unlisten: feed
        - expect: {}
      """, ["#1": [.value(1)]],
      "the client raised value /room for a listener that was removed in step 2\n"
        + "on  alice.feed = /room"),
    SentenceCase(
      """
        - alice.listen: {path: room, as: feed}
          expect: {alice.feed: [{cancelled: permission_denied}]}
        - alice.go-online: {}
      """, ["feed": [.cancelled("feed", "permission_denied")], "#1": [.value(1)]],
      "the client raised value /room for a listener that was cancelled\n"
        + "on  alice.feed = /room"),
    SentenceCase(
      """
        - alice.once: {path: room, event: value, as: feed}
          expect: {alice.feed: [{value: 1}]}
      """, ["feed": [.value(1), .value(2)]],
      "the client raised value /room for a listener that was to receive one event\n"
        + "on  alice.feed = /room"),
  ]

  @Test(arguments: ended) func `an event after the end of its listener is told`(
    example: SentenceCase
  ) throws {
    try example.check()
  }

  static func ticks(_ gap: String, _ second: Int, _ third: Int, _ text: String) -> SentenceCase {
    SentenceCase(
      """
        - alice.listen: {path: room, as: feed}
        - expect:
            alice.feed: [{value: 1}, {value: 2}, {value: 3}, {each-gap: {\(gap)}}]
      """,
      [
        "feed": [.value(1), .setTimer(1, after: .milliseconds(second), .other)],
        "timer 1": [.value(2), .setTimer(2, after: .milliseconds(third), .other)],
        "timer 2": [.value(3)],
      ], text + "\non  alice.feed = /room")
  }

  @Test(arguments: [
    ticks(
      "min: 20ms", 20, 10, "event 3 came 10 ms after the one before it, expected at least 20 ms"),
    ticks(
      "max: 15ms", 20, 10, "event 2 came 20 ms after the one before it, expected at most 15 ms"),
    ticks(
      "growth: 1.5", 20, 25,
      "event 3 came 25 ms after the one before it, expected at least 1.5 times the 20 ms before it"),
  ])
  func `a wrong gap between events is told`(example: SentenceCase) throws {
    try example.check()
  }
}
