import ClientInterface
import Testing
import Tree

@Suite struct OutcomeSentenceTests {
  /// A set named w of which this outcome is expected.
  private static func write(
    _ expected: String, _ outputs: [ClientOutput], _ sentence: String
  ) -> SentenceCase {
    SentenceCase(
      """
        - alice.set: {path: room/a, value: 1, as: w}
          expect: {\(expected)}
      """, ["w": outputs], sentence + "\non  alice.w = set /room/a")
  }

  static let writes: [SentenceCase] = [
    write("alice.w: {ok: true}", [], "the call did not end, expected ok"),
    write(
      "alice.w: {ok: true}", [.completed("w", Completion(error: "PERMISSION_DENIED"))],
      "the call ended with error permission_denied, expected ok"),
    write(
      "alice.w: {threw: invalid_path}", [.threw("w", "invalid_value")],
      "the call ended with invalid_value thrown, expected invalid_path thrown"),
    write(
      "alice.w: {ok: true}", [.completed("w", .ok), .completed("w", .ok)],
      "the call ended a second time, with ok"),
    write(
      "alice.w: {ok: true, at: 5ms}", [.completed("w", .ok)],
      "the call ended after 0 ms, expected at 5 ms"),
  ]

  @Test(arguments: writes) func `a difference in the end of a write is told`(
    example: SentenceCase
  ) throws {
    try example.check()
  }

  private static func transaction(
    _ expected: String, _ outputs: [ClientOutput], _ sentence: String
  ) -> SentenceCase {
    SentenceCase(
      """
        - alice.transaction: {path: n, update: {increment: 1}, as: t}
          expect: {alice.t: {\(expected)}}
      """, ["t": outputs], sentence + "\non  alice.t = transaction /n")
  }

  static let others: [SentenceCase] = [
    transaction(
      "committed: true, value: 2", [.completed("t", Completion(committed: true, value: Node(1)))],
      "the call ended with committed 1, expected committed 2"),
    transaction(
      "committed: true", [.completed("t", Completion(committed: false))],
      "the call ended with not committed null, expected committed"),
    transaction(
      "committed: false, value: 3", [.completed("t", Completion(committed: true, value: Node(3)))],
      "the call ended with committed 3, expected not committed 3"),
    transaction(
      "committed: true, inputs: [null, 5]",
      [
        .updateRan("t", input: .null),
        .completed("t", Completion(committed: true, value: Node(1))),
      ],
      "the function was called with [null], expected [null,5]"),
    transaction(
      "committed: true, inputs: [{n: {a: 1}}, {x: {a: 7, b: a text of some length}}]",
      [
        .updateRan("t", input: ["n": ["a": 1]]),
        .updateRan("t", input: ["x": ["b": "a text of some length"]]),
        .completed("t", Completion(committed: true, value: Node(1))),
      ],
      "input 2 of the function has nothing at x/a, expected 7"),
    SentenceCase(
      """
        - alice.push: {path: list, value: 1, as: p}
          expect: {alice.p: {key: $pushId, ok: true}}
      """, ["p": [.answered("p", "short"), .completed("p", .ok)]],
      "the call was answered with short, expected $pushId\non  alice.p = push /list"),
    SentenceCase(
      """
        - alice.push: {path: list, value: 1, as: p}
          expect: {alice.p: {key: $pushId, ok: true}}
      """, ["p": [.completed("p", .ok)]],
      "the call was answered with no key, expected $pushId\non  alice.p = push /list"),
    SentenceCase(
      """
        - alice.push: {path: list, as: p}
          expect: {alice.p: {key: $pushId}}
      """, [:], "the call was not answered, expected no end, key $pushId\non  alice.p = push /list"),
    SentenceCase(
      """
        - alice.set: {path: room/a, value: 1, as: w}
          expect-now: {}
        - expect: {alice.w: {ok: true}}
      """, ["w": [.completed("w", .ok)]],
      "the call ended with ok, but no end was expected here\non  alice.w = set /room/a"),
    SentenceCase(
      """
        - alice.set: {path: room/a, value: 1}
          expect: {}
      """, ["#1": [.completed("#1", Completion(error: "permission_denied"))]],
      "the call ended with error permission_denied, but it should have succeeded\n"
        + "on  alice.#1 = set /room/a"),
  ]

  @Test func `a call that ends although its process was killed is told`() throws {
    let example = SentenceCase(
      """
        - alice.set: {path: room/a, value: 1}
        - alice.kill
        - alice.start
        - alice.set: {path: room/a, value: 2}
        - expect: {}
      """, ["#2": [.completed("#1", .ok)]],
      "the call ended with ok, but its process had been killed\non  alice.#1 = set /room/a")

    try example.check()
  }

  @Test(arguments: others) func `a difference in the end of another call is told`(
    example: SentenceCase
  ) throws {
    try example.check()
  }
}
