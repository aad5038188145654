import ClientInterface
import Conformance
import Reports
import TestKit
import Testing
import Tree
import Wire

/// Scenarios that are judged by invariants alone.
@Suite struct JudgingTests {
  private let body = """
    judge: invariants
    clients: [alice]
    data: {room: {a: 1}}
    steps:
      - alice.listen: {path: room, events: [child_added, child_removed], as: feed}
      - settle
      - alice.set: {path: room/a, value: 2}
      - settle
    """

  @Test func `whatever is observed is right as long as invariants hold`() throws {
    let result = Kit.run(try Kit.scenario(body))

    #expect(result.verdict == .pass)
    #expect(result.stepsRun == 4)
  }

  @Test func `the first rest with a broken invariant ends the run`() throws {
    let without = "without: [{invariant: INV-37, because: a scripted client does not listen}]\n"
    let result = try Kit.result(without + body, ["feed": [.added("a", 1), .added("a", 1)]])

    #expect(result.divergences.map(\.kind.name) == ["invariant"])
    #expect(result.stepsRun == 1)
    #expect(result.divergences.first?.step == 1)
    #expect(
      TextReport(rules: Kit.rules).text(of: result) == """
        FAIL  An example   step 1 of 4   rule EVT-4
              Scenarios/test/example.yaml:9

          child_added a came while the child was there already (INV-1)
          on  alice.feed = /room

            20 ms  alice  listen /room   child_removed, child_added   as feed
          > 20 ms  alice  raised child_added a = 1, after (first)   on feed

          rule EVT-4: not among the rules that were read

          replay  tools/kennel run test/example --profile wilddog-2 --seed 0

        """)
  }

  @Test func `what is wrong after the last rest is told as well`() throws {
    let body = """
      judge: invariants
      clients: [alice]
      data: {room: {a: 1}}
      steps: [{alice.listen: {path: room, events: [child_added, child_removed], as: feed}}]
      """
    let result = try Kit.result(body, ["feed": [.added("a", 1), .added("a", 1)]])

    #expect(result.divergences.map(\.kind.name) == ["invariant"])
  }

  @Test func `what no client may do is told as well`() throws {
    let result = try Kit.result(body, ["feed": [.connect, .added("a", 1, to: "food")]])

    #expect(result.divergences.map(\.kind.name).contains("protocol"))
    #expect(result.divergences.map(\.kind.name).contains("unknown-label"))
    // A scenario's own rules say nothing of this.
    let rules = Dictionary(
      result.divergences.map { ($0.kind.name, $0.rules) }, uniquingKeysWith: { first, _ in first })
    #expect(rules["protocol"] == ["CON-11"])
    #expect(rules["unknown-label"] == [])
  }

  @Test func `a run that does not settle is told`() throws {
    let result = try Kit.result(
      body,
      [
        "open": [.setTimer(1, after: .seconds(1), .other)],
        "timer 1": [.setTimer(1, after: .seconds(1), .other)],
      ])

    #expect(result.divergences.map(\.kind.name) == ["unsettled"])
    #expect(result.divergences.map(\.rules) == [[]])
  }

  @Test func `what is sent too early is about the greeting`() throws {
    let early = try Kit.result(body, ["opened": [.send(.request(1, .stats([])))]])
    let lonely = try Kit.result(body, ["open": [.send(.ping)]])

    #expect(early.divergences.first?.rules == ["CON-12"])
    #expect(lonely.divergences.first?.rules == ["CON-12"])
  }
}
