import Conformance
import Mutants
import Reports
import TestKit
import Testing

/// Each planted defect is noticed, and the report says what it is.
@Suite struct MutantReportTests {
  private func report(_ mutant: Mutant, _ body: String) throws -> String {
    let right = try Kit.run(body, client: Kit.reference)
    #expect(right.verdict == .pass)
    let result = try Kit.run(body) { _, profile in mutant.makeClient(profile) }
    return TextReport(rules: Kit.rules).text(of: result)
  }

  @Test func `a value before its children`() throws {
    let report = try report(.valueFirst, Kit.feed)

    #expect(
      report == """
        FAIL  An example   step 2 of 2   rule EVT-1
              Scenarios/test/example.yaml:10

          the right events in the wrong order: value /room came before child_added /room/a
          on  alice.feed = /room

            40 ms  alice            listen /room   all events   as feed
            40 ms  alice -> server  listen /room   request 2
            60 ms  alice <- server  data /room {"a":1}
          > 60 ms  alice            raised 2 events, expected 2

            - 1  child_added /room/a = 1, after (first)
              1  value /room = {"a":1}
            + 2  child_added /room/a = 1, after (first)
              (- expected, + observed)

        \(Kit.footer)
        """)
  }

  @Test func `a previous key from before the change`() throws {
    let report = try report(
      .stalePreviousKey,
      """
      clients: [alice]
      data: {room: {a: 1}}
      steps:
        - alice.listen: {path: room, events: [child_added], as: feed}
        - expect:
            alice.feed: [{child_added: a, value: 1, prev: null}]
        - server.update: {path: room, value: {b: 2, c: 3}}
        - expect:
            alice.feed:
              - {child_added: b, value: 2, prev: a}
              - {child_added: c, value: 3, prev: b}
      """)

    #expect(
      report == """
        FAIL  An example   step 4 of 4   rule EVT-1
              Scenarios/test/example.yaml:14

          child_added /room/c comes after a, expected after b
          on  alice.feed = /room

            60 ms  server           update /room {"b":2,"c":3}
            70 ms  alice <- server  merge /room {"b":2,"c":3}
          > 70 ms  alice            raised 2 events, expected 2

              1  child_added /room/b = 2, after a
            - 2  child_added /room/c = 3, after b
            + 2  child_added /room/c = 3, after a
              (- expected, + observed)

        \(Kit.footer)
        """)
  }

  @Test func `a write that is not shown at once`() throws {
    let report = try report(
      .lostEcho,
      """
      clients: [alice]
      data: {room: {a: 1}}
      steps:
        - alice.listen: {path: room, event: value, as: feed}
        - expect:
            alice.feed: [{value: {a: 1}}]
        - alice.set: {path: room/b, value: 2, as: w}
        - expect-now:
            alice.feed: [{value: {a: 1, b: 2}}]
        - expect:
            alice.w: {ok: true}
      """)

    #expect(
      report == """
        FAIL  An example   step 4 of 5   rule EVT-1
              Scenarios/test/example.yaml:12

          expected value /room, but the client raised nothing more
          on  alice.feed = /room

            60 ms  alice  set /room/b 2   as w
          > 60 ms  alice  raised 0 events, expected 1

            - 1  value /room = {"a":1,"b":2}
              (- expected, + observed)
              ... 1 later difference not shown (--all)

        \(Kit.footer)
        """)
  }

  @Test func `a write that is not sent again`() throws {
    let report = try report(
      .droppedWrite,
      """
      clients: [alice]
      data: {room: {a: 1}}
      steps:
        - alice.go-offline: {}
        - alice.set: {path: room/b, value: 2, as: w}
        - alice.go-online: {}
        - expect:
            alice.w: {ok: true}
            server: {room: {a: 1, b: 2}}
      """)

    #expect(
      report == """
        FAIL  An example   step 4 of 4   rule EVT-1
              Scenarios/test/example.yaml:11

          the call did not end, expected ok
          on  alice.w = set /room/b

            40 ms  alice            set /room/b 2   as w
            40 ms  alice            go-online   as #2
            40 ms  alice            asks for a connection
            50 ms  server <- alice  connection opened   session session2
            60 ms  alice <- server  hello   session session2
            60 ms  alice -> server  stats {"sdk.kennel.wilddog":1}   request 2
            80 ms  alice <- server  answer ok ""   request 2
          > 80 ms  alice            w has not ended

              ... 1 later difference not shown (--all)

        \(Kit.footer)
        """)
  }

  private let refill = """
    clients: [alice]
    data: {scores: {ann: 1, ben: 2, cid: 3}}
    steps:
      - alice.listen:
          path: scores
          query: {orderBy: .value, limitToLast: 2}
          events: [child_added, child_removed]
          as: top
      - expect:
          alice.top:
            - {child_added: ben, value: 2, prev: null}
            - {child_added: cid, value: 3, prev: ben}
      - server.remove: scores/cid
      - expect:
          alice.top:
            - {child_removed: cid, value: 3}
            - {child_added: ann, value: 1, prev: null}
    """

  @Test func `a window that is not refilled`() throws {
    let report = try report(.noRefill, refill)

    #expect(
      report == """
        FAIL  An example   step 4 of 4   rule EVT-1
              Scenarios/test/example.yaml:20

          expected child_added /scores/ann, but the client raised nothing more
          on  alice.top = /scores orderByValue() limitToLast(2)

            60 ms  server           remove /scores/cid
            70 ms  alice <- server  merge /scores {"ann":1,"cid":null}   tag 1
          > 70 ms  alice            raised 1 event, expected 2

              1  child_removed /scores/cid = 3
            - 2  child_added /scores/ann = 1, after (first)
              (- expected, + observed)

        \(Kit.footer)
        """)
  }
}
