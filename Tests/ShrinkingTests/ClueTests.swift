import ClientInterface
import Conformance
import Mutants
import Reports
import TestKit
import Testing
import Tree
import Wire

/// What reports say besides both sides of a difference and what led there.
@Suite struct ClueTests {
  private func report(
    _ body: String, client: @escaping ScenarioRunner.Factory
  ) throws -> (text: String, result: ScenarioResult) {
    let result = ScenarioRunner(client: client).run(try Kit.found(body), in: .wilddog2)
    let words = Kit.report.text(of: result).split { $0 == " " || $0 == "\n" }
    return (words.joined(separator: " "), result)
  }

  @Test func `it is said when a call ended, and on what`() throws {
    // It gives a transaction up that was out of date.
    let (text, _) = try report(
      """
      rules: [EVT-1]
      clients: [alice]
      data: {count: 5}
      steps:
        - alice.transaction: {path: count, update: {increment: 1}, as: t}
        - expect: {alice.t: {committed: true, value: 6}}
      """
    ) { _, profile in
      ChangedClient(
        profile,
        output: { input, output in
          guard case .frame = input, case .send(.request(_, .put)) = output else { return output }
          return .completed("t", Completion(error: "maxretry"))
        })
    }

    #expect(text.contains("a conforming client sends put /count 6"), "\(text)")
    #expect(text.contains("alice.t ended at 60 ms, after \"answer datastale"), "\(text)")
  }

  @Test func `what the client logged in the turn is shown`() throws {
    let (text, result) = try report(
      """
      rules: [EVT-1]
      clients: [alice]
      steps:
        - alice.set: {path: doc, value: 1, as: w}
        - expect: {alice.w: {ok: true}}
      """
    ) { _, profile in
      ChangedClient(
        profile,
        output: { _, output in
          guard case .send(.request(_, .put)) = output else { return output }
          return .log("INTERNAL ASSERT FAILED: no index\n  at place")
        })
    }

    #expect(text.contains("alice logged: INTERNAL ASSERT FAILED: no index on"), "\(text)")
    let json = try #require(Kit.report.divergences(of: result).first)
    #expect(json["missing"]?["client"] == "alice")
    #expect(json["missing"]?["text"] == "sends put /doc 1")
    #expect(json["clues"]?.elements?.count == 2)
  }

  @Test func `writes that were pending are named where the story does not have them`() throws {
    let mutant = try #require(Mutant(named: "refusal-wipes-siblings"))
    let (text, _) = try report(
      """
      judge: invariants
      clients: [alice]
      security: [{path: room/a, deny: [write]}]
      steps:
        - alice.listen: {path: room, event: value, as: feed}
        - settle
        - alice.set: {path: room/a, value: 1}
        - alice.set: {path: room/b, value: 2}
        - settle
      """
    ) { _, profile in mutant.makeClient(profile) }

    #expect(text.contains("pending then: set /room/b 2 since 60 ms on alice.feed"), "\(text)")
  }
}
