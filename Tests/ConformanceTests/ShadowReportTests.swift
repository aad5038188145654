import ClientInterface
import Conformance
import ReferenceClient
import Reports
import TestKit
import Testing
import Tree

/// What a shadow does otherwise, in words. The scripted client never sends anything, so its shadow
/// gets no answers.
@Suite struct ShadowReportTests {
  private func report(
    _ steps: String, _ script: [String: [ClientOutput]]
  ) throws -> String {
    let body = "judge: invariants\nclients: [alice]\nsteps:\n" + steps
    var runner = ScenarioRunner { _, _ in ScriptedClient(script: script) }
    runner.invariants = .ignored
    runner.shadows = ReferenceClient.shadows(in:)
    return TextReport(rules: Kit.rules).text(of: runner.run(try Kit.scenario(body), in: .firebase))
  }

  private let steps = """
      - alice.listen: {path: room, as: feed}
      - alice.set: {path: room, value: {a: 1}}
      - settle
    """

  @Test func `an event that the shadow raises and the client does not is told`() throws {
    let text = try report(steps, ["#1": [.added("a", 1)]])

    #expect(
      text == """
        FAIL  An example   step 2 of 3   rule EVT-1
              Scenarios/test/example.yaml:8

          expected value /room, but the client raised nothing more; expected is what the \
        reference client
          does with the same messages
          on  alice.feed = /room

            20 ms  alice  set /room {"a":1}   as #1
          > 20 ms  alice  raised 1 event, expected 2

              1  child_added /room/a = 1, after (first)
            - 2  value /room = {"a":1}
              (- expected, + observed)

          rule EVT-1: Children come before the value.
          firebase: it is the same there.

          replay  tools/kennel run test/example --profile firebase --seed 0

        """)
  }

  @Test func `an event that the shadow raises otherwise is told`() throws {
    let text = try report(steps, ["#1": [.added("a", 2), .value(["a": 1])]])

    #expect(text.contains("  child_added /room/a is 2, expected 1; expected is what the reference"))
    #expect(text.contains("    - 1  child_added /room/a = 1, after (first)"))
    #expect(text.contains("    + 1  child_added /room/a = 2, after (first)"))
  }

  @Test func `an end that the shadow does not come to is told`() throws {
    let text = try report(
      "  - alice.set: {path: a.b, value: 1}\n  - settle", ["#1": [.completed("#1", .ok)]])

    #expect(
      text.contains(
        "the call ended with ok, expected invalid_path thrown; expected is what the"))
  }

  @Test func `an end that the client does not come to is told`() throws {
    let text = try report("  - alice.set: {path: a.b, value: 1}\n  - settle", [:])

    #expect(
      text.contains("the call did not end, expected invalid_path thrown; expected is what the"))
  }

  @Test func `an end of which the shadow knows nothing is told`() throws {
    let text = try report(
      "  - alice.set: {path: a, value: 1}\n  - settle", ["#1": [.completed("#1", .ok)]])

    #expect(text.contains("the call ended with ok, but no end was expected here; expected is"))
  }

  @Test(arguments: [true, false])
  func `what the function of a transaction sees is told where all is known`(isKnown: Bool) throws {
    // It tells its functions that 5 is there, whatever is.
    var runner = ScenarioRunner {
      ChangedClient(
        $1,
        output: { _, output in
          if case let .updateRan(call, _) = output { .updateRan(call, input: 5) } else { output }
        })
    }
    runner.invariants = .ignored
    runner.shadows = ReferenceClient.shadows(in:)
    let scenario = try Kit.scenario(
      """
      judge: invariants
      clients: [alice]
      data: {a: 1}
      steps:
        - alice.listen: {path: \(isKnown ? "a" : "b"), event: value}
        - settle
        - alice.transaction: {path: a, update: {abort: true}}
        - settle
      """)

    let text = TextReport(rules: Kit.rules).text(of: runner.run(scenario, in: .firebase))

    let sentence = "the function was called with [5], expected [1]; expected is what"
    #expect(text.contains(sentence) == isKnown)
    #expect(text.isEmpty != isKnown)
  }

  private static let ends: [(end: Completion?, sentence: String)] = [
    (.ok, ""), (nil, "the call did not end, expected ok"),
    (
      Completion(error: "permission_denied"),
      "the call ended with error permission_denied, expected ok"
    ),
  ]

  @Test(arguments: ends)
  func `how a push ends is compared`(end: Completion?, sentence: String) throws {
    var runner = ScenarioRunner {
      ChangedClient(
        $1,
        output: { _, output in
          guard case let .completed(call, _) = output else { return output }
          return end.map { .completed(call, $0) }
        })
    }
    runner.invariants = .ignored
    runner.shadows = ReferenceClient.shadows(in:)
    let scenario = try Kit.scenario(
      """
      judge: invariants
      clients: [alice]
      steps:
        - alice.push: {path: a, value: 1}
        - settle
      """)

    let text = TextReport(rules: Kit.rules).text(of: runner.run(scenario, in: .firebase))

    #expect(text.contains(sentence + "; expected is what the") != sentence.isEmpty)
    #expect(text.isEmpty == sentence.isEmpty)
  }

  @Test func `expectations are judged before shadows`() throws {
    let body = """
      clients: [alice]
      steps:
        - alice.set: {path: a.b, value: 1, as: w}
        - expect: {alice.w: {ok: true}}
      """
    var runner = ScenarioRunner { _, _ in
      ScriptedClient(script: ["w": [.completed("w", .ok)]])
    }
    runner.invariants = .ignored
    runner.shadows = ReferenceClient.shadows(in:)
    let result = runner.run(try Kit.scenario(body), in: .firebase)

    #expect(result.divergences.map(\.kind.name) == ["shadow-different-outcome"])
    #expect(result.signature?.text == "different-outcome threw invalid_path by ok set")
    #expect(result.cause?.text == "different-outcome threw invalid_path by ok")
  }
}
