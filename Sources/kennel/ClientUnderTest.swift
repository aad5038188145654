import Adapters
import ClientInterface
import Conformance
import Mutants
import ReferenceClient
import ReferenceServer
import Scenario
import Tree

/// What a command runs: the reference client, or a mutant, which may bring its own server.
struct ClientUnderTest {
  let makeClient: ScenarioRunner.Factory
  /// What the server does wrong; nil for nothing.
  let serverDefect: ServerDefect?
  /// Where the client lives in another process.
  private(set) var adapter: AdapterSession?

  /// A client behind an adapter.
  init(_ adapter: AdapterSession) {
    makeClient = { name, _ in RemoteClient(name: name, session: adapter) }
    serverDefect = nil
    self.adapter = adapter
  }

  /// The client behind an adapter if there is one, else the subject that `--client` names.
  ///
  /// - Throws: `Failure` when there is none with this name.
  init(named name: String?, or adapter: AdapterOptions?) throws(Failure) {
    if let adapter {
      self.init(try AdapterSession(adapter))
    } else {
      try self.init(named: name)
    }
  }

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

  /// Runs a scenario with it once.
  ///
  /// - Throws: `Failure` when it is in another process that cannot be started.
  func run(
    _ scenario: Scenario, in profile: Profile, seed: UInt64, hasShadow: Bool
  ) throws(Failure) -> ScenarioResult {
    var runner = runner(seed: seed)
    if hasShadow { runner.shadow = { ReferenceClient(profile: $0) } }
    guard let adapter else { return runner.run(scenario, in: profile) }
    try adapter.begin(AdapterRun(profile, seed: seed))
    var result = runner.run(scenario, in: profile)
    adapter.conclude(&result)
    return result
  }

  /// Runs scenarios with it.
  func runner(seed: UInt64) -> ScenarioRunner {
    var runner = ScenarioRunner(seed: seed, client: makeClient)
    runner.serverDefect = serverDefect
    return runner
  }
}
