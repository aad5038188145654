import ClientInterface
import Conformance
import Mutants
import ReferenceClient
import ReferenceServer
import Tree

/// What a command runs: the reference client, or a mutant, which may bring its own server.
struct ClientUnderTest {
  let makeClient: ScenarioRunner.Factory
  /// What the server does wrong; nil for nothing.
  let serverDefect: ServerDefect?

  /// The subject that `--client` names; without a name the reference client.
  ///
  /// - Throws: `Failure` when there is none with this name.
  init(named name: String?) throws(Failure) {
    guard let name, name != "reference" else {
      makeClient = { _, profile in ReferenceClient(profile: profile) }
      serverDefect = nil
      return
    }
    if let client = NondeterministicClient(rawValue: name) {
      makeClient = { _, profile in client.makeClient(profile) }
      serverDefect = nil
      return
    }
    guard let mutant = Mutant(named: name) else { throw Self.unknown(name) }
    makeClient = { _, profile in mutant.makeClient(profile) }
    serverDefect = mutant.serverDefect
  }

  private static func unknown(_ name: String) -> Failure {
    let names =
      ["reference"] + (Mutant.all + Mutant.benign).map(\.name)
      + NondeterministicClient.allCases.map(\.name)
    let guesses = closestMatches(to: name, in: names)
    let hint =
      guesses.isEmpty
      ? "kennel mutants --list names them"
      : "did you mean " + guesses.joined(separator: " or ") + "?"
    return .unusable("there is no client \"\(name)\"; \(hint)")
  }

  /// Runs scenarios with it.
  func runner(seed: UInt64) -> ScenarioRunner {
    var runner = ScenarioRunner(seed: seed, client: makeClient)
    runner.serverDefect = serverDefect
    return runner
  }
}
