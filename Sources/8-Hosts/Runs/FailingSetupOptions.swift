package import AdapterSessions
package import ClientInterface
package import Conformance
package import Exploration
import ReferenceClient
package import Scenario
package import Shrinking
package import System
import Text
package import Workspace

/// Which client fails in which scenario, for commands that look at one failure.
package struct FailingSetupOptions {
  package var profile: String?
  package var seed: UInt64?
  /// The client under test; nil means the reference client.
  package var client: String?
  /// The program behind which the client is; nil for a client of the kit.
  package var adapter: AdapterOptions?
  /// Whether clients are compared with a reference client that gets the same messages.
  package var hasShadow = false
  package var selector: String

  /// - Parameter selector: The path or id of the scenario.
  package init(of selector: String) { self.selector = selector }
}

extension FailingSetupOptions {
  /// The rest of a command line that runs a scenario with these options.
  package func words(in profile: Profile, needsShadow: Bool) -> [String] {
    ["--profile", profile.name, "--seed", String(seed ?? 0)] + (needsShadow ? ["--shadow"] : [])
      + (client.map { ["--client", $0] } ?? [])
      + (adapter.map { $0.words + ["--"] + $0.command } ?? [])
  }

  /// What runs the client that fails.
  ///
  /// - Throws: `Failure` when there is no such client.
  package func runner() throws(Failure) -> ScenarioRunner {
    let subject = try ClientUnderTest(
      named: client, or: adapter, clock: "shrink, like why,")
    // A client that ends its process is looked at as often as one that does something wrong.
    subject.adapter?.givesUp = false
    var runner = subject.runner(seed: seed ?? 0)
    if hasShadow { runner.shadow = { ReferenceClient(profile: $0) } }
    return runner
  }
}

extension FailingSetupOptions {
  /// The one scenario, and the client in the profile in which it fails.
  ///
  /// - Throws: `Failure.unusable` when it does not fail.
  package func failingSetup(
    in library: ScenarioLibrary, tryingOrders explorer: Explorer? = nil
  ) throws(Failure) -> (Scenario, FailingSetup) {
    try library.requireNoProblems()
    guard let scenario = library.scenarios.first, library.scenarios.count == 1 else {
      let ids = library.scenarios.prefix(3).map { shellWord($0.id) }.joined(separator: ", ")
      let count = library.scenarios.count
      throw .unusable(
        "\(selector) has \(count) scenarios; expected one" + (count > 1 ? ", such as \(ids)" : ""))
    }
    return (scenario, try failingSetup(of: scenario, tryingOrders: explorer))
  }

  /// The client in the first profile in which it fails in a scenario.
  ///
  /// - Throws: `Failure.unusable` when it does not fail.
  package func failingSetup(
    of scenario: Scenario, tryingOrders explorer: Explorer? = nil
  ) throws(Failure) -> FailingSetup {
    let runner = try runner()
    let reference = ScenarioRunner(seed: seed ?? 0) { ReferenceClient(profile: $1) }
    var verdicts: [String] = []
    for candidate in scenario.profiles where profile == nil || candidate.name == profile {
      let verdict = runner.run(scenario, in: candidate).verdict
      let fails =
        [.fail, .advice, .crash, .hang, .brokenProtocol].contains(verdict)
        || explorer?.explore(scenario, in: candidate).failure != nil
      if fails {
        return FailingSetup(runner, reference: reference, profile: candidate)
      }
      verdicts.append("\(verdict.rawValue) in \(candidate.name)")
    }
    if verdicts.isEmpty { throw .unusable("\(scenario.id) is not for \(profile ?? "any profile")") }
    throw .unusable(
      "\(scenario.id) does not fail (\(verdicts.joined(separator: ", "))); "
        + "expected a scenario that does")
  }
}
