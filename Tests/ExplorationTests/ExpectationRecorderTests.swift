import ClientInterface
import Conformance
import Document
import Mutants
import ReferenceClient
import Scenario
import ScenarioFiles
import Search
import Testing

/// What is recorded as what a scenario expects.
@Suite struct ExpectationRecorderTests {
  private static func lines(
    _ steps: [String], profiles: String = "[firebase]", others: [ScenarioRunner] = []
  ) throws -> [[String]] {
    let text =
      "kennel: 1\ntitle: T\nrules: [WRT-1]\nclients: [alice, bob]\nprofiles: \(profiles)\n"
      + "steps:\n" + steps.map { "  - \($0)\n" }.joined()
    let read = ScenarioReader.read(
      file: "s.yaml", bytes: Array(text.utf8), load: { _ in nil }, for: .recording)
    let scenario = try #require(read.scenarios.first, "\(read.problems)")
    let recorder = ExpectationRecorder(
      reference: ScenarioRunner { ReferenceClient(profile: $1) }, others: { _ in others })
    return try recorder.changes(of: scenario).map { change in
      change.expectation.lines.map { "\($0.key): \($0.value)" }
    }
  }

  @Test func `what holds stays`() throws {
    #expect(
      try Self.lines(["alice.set: {path: a, value: 1, as: w}", "expect: {alice.w: {ok: true}}"])
        == [])
  }

  @Test func `what does not hold is filled in, and what is asked for`() throws {
    #expect(
      try Self.lines([
        "alice.set: {path: a, value: 1, as: w}", "expect: {server: $any}", "expect: {server: {}}",
      ]) == [["alice.w: {ok: true}", "server: {a: 1}"], ["server: {a: 1}"]])
  }

  @Test func `steps alone get an expectation at their end`() throws {
    #expect(
      try Self.lines(["alice.set: {path: a, value: 1, as: w}"])
        == [["alice.w: {ok: true}", "server: {a: 1}"]])
  }

  @Test func `what is open becomes alternatives`() throws {
    let steps = [
      "together: [{alice.set: {path: a, value: 1, as: w}}, {bob.set: {path: a, value: 2, as: w}}]",
      "expect: {server: $any}",
    ]

    #expect(
      try Self.lines(steps)
        == [
          [
            "alice.w: {ok: true}", "bob.w: {ok: true}",
            "one-of: [{server: {a: 2}}, {server: {a: 1}}]",
          ]
        ])
  }

  @Test func `what another client that conforms does otherwise is not recorded`() throws {
    let other = ScenarioRunner { ReferenceClient(profile: $1) { $0.writesAreShown = false } }

    #expect(throws: SourceError.self) {
      try Self.lines(
        [
          "alice.listen: {path: a, event: value, as: l}", "expect: {alice.l: [{value: null}]}",
          "alice.set: {path: a, value: 1, as: w}", "expect-now: {}",
          "expect: {alice.w: {ok: true}}",
        ], others: [other])
    }
  }
}
