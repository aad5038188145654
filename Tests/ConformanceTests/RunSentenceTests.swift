import ClientInterface
import Testing
import Tree
import Wire

@Suite struct RunSentenceTests {
  private static let put = ClientOutput.send(.request(1, .put("room", Node(1), hash: nil)))

  static let wire: [SentenceCase] = [
    SentenceCase(
      "  - expect: {frames: {alice: {put: 2}}}", ["hello": [put]],
      "alice sent 1 put frame, expected 2\non  alice"),
    SentenceCase(
      "  - expect: {frames: {alice: {put: 0}}}", ["hello": [put, put]],
      "alice sent 2 put frames, expected 0\non  alice"),
    SentenceCase(
      "  - expect: {}", ["open": [put]],
      "the client sends request 1, put /room, without a connection; wait for the server's hello"
        + "\non  alice"),
    SentenceCase(
      "  - expect: {}", ["opened": [put]],
      "the client sends request 1, put /room, before the hello of the server; wait for it\non  alice"
    ),
    SentenceCase(
      "  - expect: {}", ["hello": [.connect]],
      "the client asks for a connection although it has one or has asked for one; close the first"
        + "\non  alice"),
    SentenceCase(
      "  - expect: {}", ["hello": [.value(1, to: "L9")]],
      "the client called back for L9, which does not exist\non  alice"),
    SentenceCase(
      "  - expect: {}", ["hello": [.completed("#4", .ok)]],
      "the client called back for #4, which does not exist\non  alice"),
  ]

  @Test(arguments: wire) func `what a client may not do on a connection is told`(
    example: SentenceCase
  ) throws {
    try example.check()
  }

  static let whole: [SentenceCase] = [
    SentenceCase(
      "  - expect: {server: {room: {a: 1}}}", ["hello": [put]],
      "the server has 1 at /room, expected {\"a\":1}\non  server"),
    SentenceCase(
      """
        - server.set: {path: room, value: {a: 1, b: 2}}
        - expect: {server: {room: {a: 1}}}
      """, [:], "the server has 2 at /room/b, expected nothing\non  server"),
    SentenceCase(
      """
        - server.set: {path: room, value: {a: 1}}
        - alice.listen: {path: room, event: value, as: feed}
        - expect: {alice.feed: [{value: {a: 2}}], converged: true}
      """, ["feed": [.value(["a": 2])]],
      "the listener shows 2 at /room/a, but the server has 1\non  alice.feed = /room"),
    SentenceCase(
      """
        - alice.listen: {path: room, event: value, as: feed}
        - alice.set: {path: room, value: 1, as: w}
        - expect:
            alice.feed: [{value: 1}]
            alice.w: {ok: true}
            order: [alice.feed#1 < alice.w]
      """, ["w": [.completed("w", .ok), .value(1)]],
      "alice.w came before alice.feed#1, expected after it\non  alice"),
    SentenceCase(
      "  - expect: {}",
      [
        "hello": [.setTimer(1, after: .seconds(1), .other)],
        "timer 1": [.setTimer(1, after: .seconds(1), .other)],
      ],
      "the run does not settle: timer 1 of alice fires every 1 s\non  server"),
  ]

  @Test(arguments: whole) func `a difference in the run as a whole is told`(
    example: SentenceCase
  ) throws {
    try example.check()
  }
}
