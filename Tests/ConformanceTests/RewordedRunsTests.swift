import ClientInterface
import Conformance
import Faults
import Scenario
import TestKit
import Testing
import Tree

/// Faults and reasons are values. Their words can be changed, and no run is judged otherwise.
@Suite struct RewordedRunsTests {
  /// What a run comes to, without any words for people.
  private struct Outcome: Equatable {
    let verdict: Verdict
    let signature: Signature?
    let hash: String
    let divergences: [String]

    init(_ result: ScenarioResult) {
      verdict = result.verdict
      signature = result.signature
      hash = result.hash.description
      divergences = result.divergences.map { "\($0.kind.name) \($0.rules) \($0.weight)" }
    }
  }

  enum Client: CaseIterable {
    /// It passes everywhere.
    case reference
    /// Tries to connect so seldom that runs do not settle.
    case seldomTries
    /// Never closes a connection on which nothing comes, which is no more than advice.
    case noticesNothing

    var runner: ScenarioRunner {
      switch self {
      case .reference: Kit.runner()
      case .seldomTries: Kit.runner(client: "tries-an-hour-apart")
      case .noticesNothing:
        ScenarioRunner { _, profile in
          ChangedClient(
            profile,
            output: { input, output in
              if case .timer = input, output == .disconnect { nil } else { output }
            })
        }
      }
    }
  }

  @Test(arguments: Client.allCases)
  func `no verdict depends on the words for faults and reasons`(client: Client) throws {
    let runner = client.runner
    let words = "clock of the server, its connection is half-open, on-disconnects lost"
    var unsettled: Set<Divergence.Weight> = []
    for scenario in try Kit.projectScenarios() {
      let usual = runner.run(scenario, in: scenario.profiles[0])
      let reworded = Words.$change.withValue({ _ in words }) {
        runner.run(scenario, in: scenario.profiles[0])
      }
      #expect(Outcome(reworded) == Outcome(usual), "\(scenario.id)")
      for divergence in usual.divergences where divergence.kind.name == "unsettled" {
        unsettled.insert(divergence.weight)
      }
    }
    switch client {
    case .reference: #expect(unsettled == [])
    case .seldomTries: #expect(unsettled.contains(.failure))
    case .noticesNothing: #expect(unsettled.contains(.advice))
    }
  }

  @Test func `the words are those that a test puts in their place`() {
    let fault = IndexedFault.cut(ClientIndex(0))
    #expect(Words.$change.withValue({ "<\($0)>" }, operation: { fault.text }) == "<cut>")
    #expect(fault.text == "cut")
  }
}
