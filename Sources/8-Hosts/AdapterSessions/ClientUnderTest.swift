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
  /// What reports call it: a name, and a version where that is known.
  package private(set) var name: String
  /// Of a fleet its implementations, and which of them plays a client.
  private var parts: [ClientUnderTest] = []
  private var places: [String: Int] = [:]
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
    name = "\(adapter.hello.name) \(adapter.hello.version)"
  }

  /// Whether several implementations play the clients.
  package var isFleet: Bool { !parts.isEmpty }

  /// How the client behind an adapter introduces itself, or the implementations of a fleet; nil for others.
  package var introduction: String? {
    isFleet ? name : adapter.map { "\($0.hello.name) \($0.hello.version)" }
  }

  /// What plays a client of scenarios, as reports call it.
  package func name(playing client: String) -> String {
    isFleet ? parts[places[client] ?? 0].name : name
  }

  /// What plays the clients of runs.
  ///
  /// - Parameters:
  ///   - fleet: The values of `--client`.
  ///   - adapter: The adapter of those clients that no member of the fleet is; nil where that is a client
  ///     of the kit.
  ///   - command: What needs clients whose time is the kit's; nil when others will do as well.
  ///   - named: The implementations that have a name.
  /// - Throws: `Failure` as for a single client, and for what cannot be one of several.
  package init(
    _ fleet: Fleet, or adapter: AdapterOptions?, clock command: String?, among named: NamedClients
  ) throws(Failure) {
    let fleet = fleet.playing()
    let isAlone = fleet.members.isEmpty
    var rest = try Self(
      named: fleet.rest, or: adapter, clock: isAlone ? command : Self.severalClients)
    rest.isCalled(as: adapter.flatMap { named.started(by: $0.command) })
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
        do throws(Failure) {
          parts.append(try Self(playing: member.subject, as: adapter, among: named))
        } catch .notStarted(let text) {
          throw .notStarted("\(member.option): \(text)")
        } catch .unusable(let text) {
          throw .unusable("\(member.option): \(text)")
        }
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
    name = parts.map(\.name).joined(separator: ", ")
    adapters = parts.flatMap(\.adapters)
    (self.parts, self.places) = (parts, places)
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
    name = "\(old.name), then \(new.name)"
    adapters = old.adapters + new.adapters
  }

  /// One of several implementations: a client of the kit, or what a command starts.
  ///
  /// - Parameters:
  ///   - subject: The name of one of the implementations or of a client of the kit, or a command with
  ///     blanks between its words; a command of one word is a path, `./adapter`.
  ///   - adapter: How long its answers may take.
  ///   - named: The implementations that have a name.
  /// - Throws: `Failure` when there is no such client, when the program does not start, and for a client
  ///   that brings a server of its own.
  package init(
    playing subject: String, as adapter: AdapterOptions? = nil, among named: NamedClients
  ) throws(Failure) {
    let own = try named.named(subject)
    let words = own?.command ?? subject.split(separator: " ").map(String.init)
    guard !words.isEmpty else {
      throw .unusable(
        "nothing says what plays the client; expected a client of the kit or a command")
    }
    guard own != nil || words.count > 1 || subject.contains("/") else {
      try self.init(named: subject, among: named)
      try requireNoServer(subject)
      return
    }
    var options = adapter ?? AdapterOptions(command: [], warn: { _ in })
    (options.command, options.transcript, options.folder) = (words, nil, nil)
    try self.init(named: nil, or: options, clock: Self.severalClients)
    isCalled(as: own ?? named.started(by: words))
  }

  /// Has reports call it what a project file calls it.
  private mutating func isCalled(as client: NamedClient?) {
    guard let client else { return }
    name = [client.name, client.version ?? adapter?.hello.version].compactMap(\.self)
      .joined(separator: " ")
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
  /// - Parameters:
  ///   - name: The name.
  ///   - named: The implementations that could have been meant.
  /// - Throws: `Failure` when there is none with this name.
  package init(named name: String?, among named: NamedClients = NamedClients()) throws(Failure) {
    let name = name ?? "reference"
    if name == "reference" {
      self.init(called: name) { ReferenceClient(profile: $0) }
    } else if name == "sdk" {
      self.init(called: name) { makeDocumentedSDK($0) }
    } else if let client = NondeterministicClient(rawValue: name) {
      self.init(called: name) { client.makeClient($0) }
    } else if let mutant = Mutant(named: name) {
      self.init(called: name, serverDefect: mutant.serverDefect) { mutant.makeClient($0) }
    } else {
      throw Self.unknown(name, among: named)
    }
  }

  /// Clients that a function makes, and perhaps a server that does something wrong.
  package init(
    called name: String = "", serverDefect: ServerDefect? = nil,
    makeClient: @escaping (Profile) -> any SyncClient
  ) {
    self.name = name
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

  /// The names of the clients of the kit.
  package static var names: [String] {
    ["reference", "sdk"] + (Mutant.all + Mutant.subtle + Mutant.benign).map(\.name)
      + NondeterministicClient.allCases.map(\.name)
  }

  private static func unknown(_ name: String, among named: NamedClients) -> Failure {
    let names = named.all.map(\.name) + Self.names
    let near = closestMatches(to: name, in: names)
    let isProgram = Interpreter.program(for: name) != nil || Interpreter.lack(in: [name]) != nil
    let other =
      isProgram
      ? "; a command is put in quotes where it has arguments, such as 'python3 client.py', and is a path "
        + "where it has none, such as ./client.py"
      : "; kennel mutants --list names them, and a command without arguments is a path, such as ./\(name)"
    return .unusable("there is no client \"\(name)\"" + didYouMean(near, orElse: other))
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
