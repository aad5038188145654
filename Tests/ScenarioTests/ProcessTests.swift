import Document
import Scenario
import ScenarioFiles
import Testing

/// Names and calls of clients that end, start again or react.
@Suite struct ProcessTests {
  private func problems(_ steps: String) -> [String] {
    read(scenarioHead + steps).problems.map(\.message)
  }

  @Test func `a callback may have its name from a later step, and its calls give names`() {
    #expect(
      problems(
        """
        steps:
          - alice.on: {listener: feed, do: [{unlisten: feed}, {set: {path: b, value: 1, as: w}}]}
          - alice.listen: {path: a, as: feed}
            expect: {alice.w: {ok: true}}
        """) == [])
  }

  @Test func `a new process may give the names of the old one, which need not have ended`() {
    #expect(
      problems(
        """
        steps:
          - alice.set: {path: a, value: 1, as: w}
          - alice.kill
          - alice.start
          - alice.set: {path: a, value: 1, as: w}
          - expect: {alice.w: {ok: true}}
        """) == [])
  }

  @Test func `a client that is to be killed some time can be called until it is started`() {
    #expect(
      problems(
        """
        steps:
          - alice.kill: {when: {frame: put, edge: after-delivery}}
          - alice.set: {path: a, value: 1, as: w}
          - settle
          - alice.start
          - alice.set: {path: a, value: 2, as: w}
          - expect: {alice.w: {ok: true}}
          - alice.kill: {when: {after: 5s}}
          - alice.set: {path: a, value: 2, as: w2}
        """) == [])
  }
}
