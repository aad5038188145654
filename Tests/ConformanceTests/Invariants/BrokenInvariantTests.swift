import ClientInterface
import Conformance
import Reports
import TestKit
import Testing
import Tree

/// Broken invariants in scenarios.
@Suite struct BrokenInvariantTests {
  private let setup = "clients: [alice]\ndata: {room: {a: 1}}\n"
  private let steps = """
    steps:
      - alice.listen: {path: room, events: [child_added, child_removed], as: feed}
      - expect:
          alice.feed: [{child_added: a, value: 1, prev: null}, {child_added: a, value: 1, prev: null}]
    """
  private let twice: [String: [ClientOutput]] = ["feed": [.added("a", 1), .added("a", 1)]]

  @Test func `a broken invariant is reported like any divergence`() throws {
    let result = try Kit.result(setup + steps, twice)

    #expect(result.divergences.map(\.kind.name) == ["invariant", "invariant"])
    #expect(
      TextReport(rules: Kit.rules).text(of: result) == """
        FAIL  An example   step 2 of 2   rule EVT-4
              Scenarios/test/example.yaml:8

          child_added a came while the child was there already (INV-1)
          on  alice.feed = /room

            20 ms  alice  listen /room   child_removed, child_added   as feed
          > 20 ms  alice  raised child_added a = 1, after (first)   on feed

              ... 1 later difference not shown (--all)

          rule EVT-4: not among the rules that were read

          replay  tools/kennel run test/example --profile wilddog-2 --seed 0

        """)
  }

  @Test func `a scenario can do without an invariant`() throws {
    let without = """
      without:
        - {invariant: INV-1, because: it is about a client that repeats itself}
        - {invariant: INV-37, because: a scripted client listens to nothing}

      """
    let result = try Kit.result(setup + without + steps, twice)

    #expect(result.verdict == .pass)
  }

  @Test func `an expectation that failed is told without invariants`() throws {
    let other = steps.replacing("value: 1, prev: null}]", with: "value: 2, prev: null}]")
    let result = try Kit.result(setup + other, twice)

    #expect(result.divergences.map(\.kind.name) == ["event-value"])
  }
}
