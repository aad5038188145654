import AdapterProtocol
package import ClientInterface
package import Conformance
import Document
import HostedSDKs
import Mutants
import ReferenceClient
package import ReferenceServer
package import System

/// What a command runs: the reference client, or a mutant, which may bring its own server.
package struct ClientUnderTest {
  /// Makes the clients of a run.
  package let makeClientFactory: ClientFactory.Maker
  /// What the server does wrong; nil for nothing.
  package let serverDefect: ServerDefect?
  /// Where the client lives in another process.
  package private(set) var adapter: AdapterSession?

  /// A client behind an adapter.
  package init(_ adapter: AdapterSession) {
    makeClientFactory = { adapter.clientFactory($0, $1) }
    serverDefect = nil
    self.adapter = adapter
  }

  /// The client behind an adapter if there is one, else the subject that `--client` names.
  ///
  /// - Parameters:
  ///   - name: The value of `--client`.
  ///   - adapter: The adapter.
  ///   - command: What needs clients whose time is the kit's; nil when others will do as well.
  /// - Throws: `Failure` when there is none with this name, and for an adapter whose clients have a
  ///   clock of their own where that will not do.
  package init(
    named name: String?, or adapter: AdapterOptions?, clock command: String?
  ) throws(Failure) {
    if let adapter {
      let session = try AdapterSession(adapter)
      if let command, session.hello.clock == .real { throw Self.realClock(command) }
      self.init(session)
    } else {
      try self.init(named: name)
    }
  }

  /// The subject that `--client` names; without a name the reference client.
  ///
  /// - Throws: `Failure` when there is none with this name.
  package init(named name: String?) throws(Failure) {
    guard let name, name != "reference" else {
      self.init { ReferenceClient(profile: $0) }
      return
    }
    if name == "sdk" {
      self.init { makeDocumentedSDK($0) }
      return
    }
    if let client = NondeterministicClient(rawValue: name) {
      self.init { client.makeClient($0) }
      return
    }
    guard let mutant = Mutant(named: name) else { throw Self.unknown(name) }
    self.init(serverDefect: mutant.serverDefect) { mutant.makeClient($0) }
  }

  /// Clients that a function makes, and perhaps a server that does something wrong.
  package init(
    serverDefect: ServerDefect? = nil, makeClient: @escaping (Profile) -> any SyncClient
  ) {
    makeClientFactory = { profile, _ in ClientFactory { _ in makeClient(profile) } }
    self.serverDefect = serverDefect
  }

  private static func realClock(_ command: String) -> Failure {
    .unusable(
      "the clients of this adapter have a clock of their own (\"clock\": \"real\"), so no run can "
        + "be made again exactly, which \(command) needs; try them with 'kennel run', have a run "
        + "written down with --record, make a scenario of it with 'kennel scenario-from', and hand "
        + "that to \(command)")
  }

  private static func unknown(_ name: String) -> Failure {
    let names =
      ["reference", "sdk"] + (Mutant.all + Mutant.subtle + Mutant.benign).map(\.name)
      + NondeterministicClient.allCases.map(\.name)
    let hint = didYouMean(
      closestMatches(to: name, in: names), orElse: "; kennel mutants --list names them")
    return .unusable("there is no client \"\(name)\"" + hint)
  }

  /// Whether it has failed so often that nothing more is run.
  package var hasGivenUp: Bool { adapter?.hasGivenUp ?? false }

  /// Runs scenarios with it.
  package func runner(seed: UInt64) -> ScenarioRunner {
    var runner = ScenarioRunner(seed: seed, clientFactory: makeClientFactory)
    runner.serverDefect = serverDefect
    if let adapter { runner.hasGivenUp = { adapter.hasGivenUp } }
    return runner
  }
}
