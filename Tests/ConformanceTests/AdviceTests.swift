import ClientInterface
import Conformance
import Document
import Scenario
import ScenarioFiles
import TestKit
import Testing

/// What becomes of a divergence, by the level of the rules that it is about.
@Suite struct AdviceTests {
  private static let rules = RuleBook(files: [
    (
      name: "Specs/rules/events.md",
      text: [("MUST", "client"), ("SHOULD", "client"), ("MAY", "client"), ("MUST", "server")]
        .enumerated().map { index, rule in
          """
          ## EVT-\(index + 1) Title

          - level: \(rule.0)
          - binds: \(rule.1)
          - profiles: all
          - source: 004

          It happens.

          """
        }.joined(separator: "\n")
    )
  ])

  /// Runs a client that never answers a call, unless a script says otherwise.
  private func run(
    rules: String, _ expectations: [String], script: [String: [ClientOutput]] = [:]
  ) throws -> ScenarioResult {
    let steps = expectations.enumerated().map { index, text in
      "  - alice.set: {path: a, value: 1, as: w\(index)}\n  - expect: {\(text)}\n"
    }
    let scenario = try Self.scenario(
      "rules: [\(rules)]\nclients: [alice]\nsteps:\n" + steps.joined())
    var runner = ScenarioRunner { _, _ in ScriptedClient(script: script) }
    runner.invariants = .ignored
    return runner.run(scenario, in: .firebase)
  }

  private static func scenario(_ body: String) throws -> Scenario {
    let read = ScenarioReader.read(
      file: "s.yaml", bytes: Array("kennel: 1\ntitle: T\n\(body)".utf8), load: { _ in nil },
      rules: rules)
    #expect(read.problems.map(\.description) == [])
    return try #require(read.scenarios.first)
  }

  private let first = "alice.w0: {ok: true}"
  private let second = "alice.w1: {ok: true}"

  private static let verdicts: [(rules: String, verdict: Verdict)] = [
    ("EVT-1", .fail), ("EVT-2", .advice), ("EVT-3", .advice), ("EVT-2, EVT-3", .advice),
    ("EVT-2, EVT-1", .fail), ("EVT-2, EVT-4", .advice), ("EVT-1, EVT-4", .fail),
  ]

  @Test(arguments: verdicts)
  func `the verdict follows from the highest level that a client must obey`(
    rules: String, verdict: Verdict
  ) throws {
    let result = try run(rules: rules, [first])

    #expect(result.verdict == verdict)
    #expect(result.verdict.count == (verdict == .fail ? .failed : .passed))
    #expect(result.signature == Signature("missing-outcome ok set"))
  }

  @Test func `an expectation is evidence for the rules that it names`() throws {
    let result = try run(rules: "EVT-1, EVT-2", ["rules: [EVT-2], " + first])

    #expect(result.verdict == .advice)
    #expect(result.divergences.map(\.rules) == [["EVT-2"]])
    #expect(result.divergences.map(\.weight) == [.advice])
  }

  @Test func `what comes after advice may follow from it`() throws {
    let excused = try run(rules: "EVT-1, EVT-2", ["rules: [EVT-2], " + first, second])
    let wrong = try run(rules: "EVT-1, EVT-2", [first, "rules: [EVT-2], " + second])

    #expect(excused.divergences.map(\.weight) == [.advice, .advice])
    #expect(wrong.verdict == .fail)
    #expect(wrong.divergences.map(\.weight) == [.failure, .advice])
  }

  @Test func `a run that does not settle does not meet the expectation that waits for it`() throws {
    let again = ClientOutput.setTimer(1, after: .milliseconds(10), .other)
    let script = ["w0": [again], "timer 1": [again]]
    let advised = try run(rules: "EVT-1, EVT-2", ["rules: [EVT-2], " + first], script: script)
    let wrong = try run(rules: "EVT-1, EVT-2", [first], script: script)

    #expect(advised.verdict == .advice)
    #expect(advised.divergences.map(\.kind.name) == ["unsettled"])
    #expect(advised.divergences.map(\.rules) == [["EVT-2"]])
    #expect(wrong.verdict == .fail)
    #expect(wrong.divergences.map(\.rules) == [[]])
  }

  @Test func `no rule is cited for a failure that binds servers alone`() throws {
    #expect(try run(rules: "EVT-4, EVT-1", [first]).divergences[0].rules == ["EVT-1", "EVT-4"])
  }

  @Test func `nothing excuses a run that breaks an invariant`() throws {
    let script: [String: [ClientOutput]] = ["w0": [.completed("w0", .ok), .completed("w0", .ok)]]
    let scenario = try Self.scenario(
      """
      rules: [EVT-2]
      clients: [alice]
      steps:
        - alice.set: {path: a, value: 1, as: w0}
        - expect: {alice.w0: {error: disconnect}}
      """)
    let runner = ScenarioRunner { _, _ in ScriptedClient(script: script) }

    let result = runner.run(scenario, in: .firebase)

    #expect(result.verdict == .fail)
    #expect(result.divergences.first?.kind.name == "invariant")
    #expect(result.divergences.last?.weight == .advice)
  }

  @Test func `a client that tries every second for ever is advised to try less often`() throws {
    let scenario = try Kit.projectScenario("connection/tries-become-rarer")
    let runner = ScenarioRunner { _, profile in
      ChangedClient(
        profile,
        output: { _, output in
          guard case let .setTimer(timer, delay, .backOff) = output else { return output }
          return .setTimer(timer, after: min(delay, .seconds(1)), .backOff)
        })
    }

    for profile in scenario.profiles {
      let result = runner.run(scenario, in: profile)
      #expect(result.verdict == .advice, "\(result.sentence)")
    }
  }
}
