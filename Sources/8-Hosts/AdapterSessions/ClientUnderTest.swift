import AdapterProtocol
package import ClientInterface
package import Conformance
import Document
import HostedSDKs
import Mutants
import ReferenceClient
package import ReferenceServer
package import Scenario
package import System

/// What a command runs: the reference client, a mutant, which may bring its own server, a client behind an
/// adapter, or a fleet of these.
package struct ClientUnderTest {
  /// Makes the clients of a run.
  package let makeClientFactory: ClientFactory.Maker
  /// What the server does wrong; nil for nothing.
  package let serverDefect: ServerDefect?
  /// Where clients live in other processes.
  package private(set) var adapters: [AdapterSession] = []
  /// The adapter behind which all clients are; nil for clients of the kit, and for a fleet.
  package private(set) var adapter: AdapterSession?

  /// A client behind an adapter.
  package init(_ adapter: AdapterSession) {
    makeClientFactory = { adapter.clientFactory($0, $1) }
    serverDefect = nil
    adapters = [adapter]
    self.adapter = adapter
  }

  /// What plays the clients of runs.
  ///
  /// - Parameters:
  ///   - fleet: The values of `--client`.
  ///   - adapter: The adapter of those clients that no member of the fleet is; nil where that is a client
  ///     of the kit.
  ///   - command: What needs clients whose time is the kit's; nil when others will do as well.
  /// - Throws: `Failure` as for a single client, and for what cannot be one of several.
  package init(
    _ fleet: Fleet, or adapter: AdapterOptions?, clock command: String?
  ) throws(Failure) {
    let isAlone = fleet.members.isEmpty
    let rest = try Self(
      named: fleet.rest, or: adapter, clock: isAlone ? command : Self.severalClients)
    guard !isAlone else {
      self = rest
      return
    }
    try rest.requireNoServer(fleet.rest ?? "")
    // Clients that one implementation plays share its processes.
    var subjects: [String?] = [nil]
    var parts = [rest]
    var places: [String: Int] = [:]
    for member in fleet.members {
      if !subjects.contains(member.subject) {
        subjects.append(member.subject)
        parts.append(try Self(playing: member.subject, as: adapter))
      }
      places[member.client] = subjects.firstIndex(of: member.subject)
    }
    self.init(fleet: parts, places)
  }

  /// Several implementations.
  ///
  /// - Parameters:
  ///   - parts: The implementations; the first one plays every client that has no place.
  ///   - places: Which of them plays a client.
  package init(fleet parts: [ClientUnderTest], _ places: [String: Int]) {
    makeClientFactory = { profile, seed in
      let factories = parts.map { $0.makeClientFactory(profile, seed) }
      return ClientFactory(
        makeClient: { factories[places[$0] ?? 0].makeClient($0) },
        outage: { factories.lazy.compactMap { $0.outage() }.first })
    }
    serverDefect = nil
    adapters = parts.flatMap(\.adapters)
  }

  /// Clients of one version whose later processes are those of another: they open what the first has
  /// stored.
  package init(_ old: ClientUnderTest, upgradedTo new: ClientUnderTest) {
    makeClientFactory = { profile, seed in
      let (first, later) = (
        old.makeClientFactory(profile, seed), new.makeClientFactory(profile, seed)
      )
      var started: Set<String> = []
      return ClientFactory(
        makeClient: { (started.insert($0).inserted ? first : later).makeClient($0) },
        outage: { first.outage() ?? later.outage() })
    }
    serverDefect = nil
    adapters = old.adapters + new.adapters
  }

  /// One of several implementations: a client of the kit, or what a command starts.
  ///
  /// - Parameters:
  ///   - subject: The name of a client of the kit, or a command with blanks between its words; a command
  ///     of one word is a path, `./adapter`.
  ///   - adapter: How long its answers may take.
  /// - Throws: `Failure` when there is no such client, when the program does not start, and for a client
  ///   that brings a server of its own.
  package init(playing subject: String, as adapter: AdapterOptions? = nil) throws(Failure) {
    let words = subject.split(separator: " ").map(String.init)
    guard !words.isEmpty else {
      throw .unusable(
        "--client CLIENT= is empty; expected a client of the kit or a command behind it")
    }
    guard words.count > 1 || subject.contains("/") else {
      try self.init(named: subject)
      try requireNoServer(subject)
      return
    }
    var options = adapter ?? AdapterOptions(command: [], warn: { _ in })
    (options.command, options.transcript, options.folder) = (words, nil, nil)
    try self.init(named: nil, or: options, clock: Self.severalClients)
  }

  /// What needs clients whose time is the kit's, where there are several implementations.
  private static let severalClients = "a run with several implementations"

  /// - Throws: `Failure.unusable` for a client that brings a server of its own.
  private func requireNoServer(_ name: String) throws(Failure) {
    guard serverDefect == nil else {
      throw .unusable(
        "\(name) is a defect of the server, which serves all clients; expected a client, such as "
          + "reference")
    }
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
  package var hasGivenUp: Bool { adapters.contains(where: \.hasGivenUp) }

  /// Has runs go on however often a program fails.
  package func neverGivesUp() { for adapter in adapters { adapter.givesUp = false } }

  /// Runs scenarios with it.
  package func runner(seed: UInt64) -> ScenarioRunner {
    var runner = ScenarioRunner(seed: seed, clientFactory: makeClientFactory)
    runner.serverDefect = serverDefect
    if !adapters.isEmpty { runner.hasGivenUp = { hasGivenUp } }
    return runner
  }
}
