public import ClientInterface
public import ReferenceServer
public import Scenario
internal import Simulator

/// Runs scenarios against clients and judges what they do.
public struct ScenarioRunner {
  /// Makes a new client; called for each client of each run, and again where a client is started
  /// after it was killed.
  public typealias Factory = (_ name: String, _ profile: Profile) -> any SyncClient

  /// What becomes of invariants that do not hold.
  public enum Invariants: Hashable, Sendable {
    /// They are divergences.
    case judged
    /// Only expectations count: for tests of expectations.
    case ignored
  }

  /// Where the randomness of each run starts; the same scenario and seed give the same trace.
  public var seed: UInt64
  /// Whether invariants that do not hold are divergences; they are, unless this is changed.
  public var invariants = Invariants.judged
  /// What the server of the runs does wrong; `nil` for nothing.
  public var serverDefect: ServerDefect?
  /// Makes the clients with which each client under test is compared: its shadows, which are given
  /// exactly the same calls and messages. Whatever it lets its application see otherwise than all of
  /// them is a divergence, which names what the first of them does. Without any nothing is compared.
  public var shadows: (_ profile: Profile) -> OpenChoices? = { _ in nil }
  /// Whether there is no point in running more, because the clients cannot be reached any more.
  public var hasGivenUp: () -> Bool = { false }
  private let makeClientFactory: ClientFactory.Maker

  /// Runs clients that have nothing in common but the run; `client` is called for each of them.
  public init(seed: UInt64 = 0, client: @escaping Factory) {
    self.init(seed: seed) { profile, _ in ClientFactory { client($0, profile) } }
  }

  /// Runs clients that have something in common in each run, such as the process they live in.
  public init(seed: UInt64 = 0, clientFactory: @escaping ClientFactory.Maker) {
    self.seed = seed
    makeClientFactory = clientFactory
  }

  /// Runs one scenario in one profile.
  public func run(_ scenario: Scenario, in profile: Profile) -> ScenarioResult {
    let (clientFactory, clients) = makeClients(for: scenario, in: profile)
    if let reason = Self.unsupportedReason(to: scenario, in: profile, clients) {
      return ScenarioResult(scenario, profile, seed: seed, .unsupported, reason: reason)
    }
    // The clients are handed over, so that the run can change them where they are.
    var run = ScenarioRun(
      scenario, profile, scenario.statedSeed ?? seed, consume clients, clientFactory,
      open: scenario.statedOrder?.scope)
    run.begin(self)
    run.followTape()
    return run.result
  }

  /// What clients with these names can do, all of them, in a profile; without names, any of them.
  public func capabilities(in profile: Profile, of names: [String] = []) -> Set<String> {
    let clientFactory = makeClientFactory(profile, seed)
    return names.reduce(into: makeClient(in: profile).abilities) { common, name in
      common.formIntersection(clientFactory.makeClient(name).abilities)
    }
  }

  /// A fresh client, as runs in a profile have it.
  package func makeClient(in profile: Profile) -> any SyncClient {
    makeClientFactory(profile, seed).makeClient("alice")
  }

  /// The clients of a run, fresh.
  private func makeClients(
    for scenario: Scenario, in profile: Profile
  ) -> (clientFactory: ClientFactory, clients: [any SyncClient]) {
    let clientFactory = makeClientFactory(profile, scenario.statedSeed ?? seed)
    return (clientFactory, scenario.clients.map(clientFactory.makeClient))
  }

  /// Fills in what a scenario expects: what these clients show wherever something is expected.
  ///
  /// What it expected before does not matter, but for what is looked at: the server's tree and the
  /// messages are, where they were. Calls have names exactly where their outcome is listed.
  ///
  /// - Returns: The scenario, which these clients pass; `nil` when it does not settle with
  ///   them, or they cannot be judged by it.
  public func expecting(_ scenario: Scenario, in profile: Profile) -> Scenario? {
    let (clientFactory, clients) = makeClients(for: scenario, in: profile)
    guard Self.unsupportedReason(to: scenario, in: profile, clients) == nil else { return nil }
    var plain = self
    (plain.invariants, plain.serverDefect, plain.shadows) = (.ignored, nil, { _ in nil })
    var run = ScenarioRun(
      scenario, profile, scenario.statedSeed ?? seed, clients, clientFactory,
      open: scenario.statedOrder?.scope, recorder: Recorder(scenario))
    run.begin(plain)
    run.followTape()
    return run.recorded
  }

  /// A run that leaves to the caller what the scenario leaves open, at its beginning.
  ///
  /// - Returns: `nil` when the clients cannot be judged by the scenario; `run` says why.
  package func openRun(
    _ scenario: Scenario, in profile: Profile, _ scope: Scenario.OrderScope
  ) -> ScenarioRun? {
    let (clientFactory, clients) = makeClients(for: scenario, in: profile)
    guard Self.unsupportedReason(to: scenario, in: profile, clients) == nil else { return nil }
    var run = ScenarioRun(
      scenario, profile, scenario.statedSeed ?? seed, clients, clientFactory, open: scope)
    run.begin(self)
    return run
  }

  /// Why the clients cannot be judged by the scenario, or `nil`.
  private static func unsupportedReason(
    to scenario: Scenario, in profile: Profile, _ clients: [any SyncClient]
  ) -> String? {
    guard scenario.profiles.contains(profile) else {
      return "it is for \(scenario.profiles.map(\.name).joined(separator: ", "))"
    }
    // What a scenario needs takes a look at all its data, and most clients lack nothing.
    if clients.allSatisfy({ $0.capabilities == Capability.all && $0.lacks.isEmpty }) { return nil }
    for need in scenario.capabilities {
      for (name, client) in zip(scenario.clients, clients) where !client.abilities.contains(need) {
        return "\(name) has no \(need)"
      }
    }
    return nil
  }
}

/// The clients of one run.
///
/// Clients that live in another process share it, and what becomes of that process concerns the
/// whole run.
public struct ClientFactory {
  /// Makes the clients of a run in a profile, with the seed that it is given.
  public typealias Maker = (_ profile: Profile, _ seed: UInt64) -> ClientFactory

  /// Makes a client; called again where one is started after it was killed.
  public var makeClient: (_ name: String) -> any SyncClient

  /// What has kept the clients from answering, as far as is known by now; `nil` for nothing.
  public var outage: () -> ClientOutage?

  /// Clients that `makeClient` makes by name; without `outage` nothing counts as keeping them from
  /// answering.
  public init(
    makeClient: @escaping (_ name: String) -> any SyncClient,
    outage: @escaping () -> ClientOutage? = { nil }
  ) {
    self.makeClient = makeClient
    self.outage = outage
  }
}

/// The clients of a run have ceased to answer: what was observed of them since means nothing.
public struct ClientOutage: Hashable, Sendable {
  /// The verdict that the run gets in place of that of its observations.
  public var verdict: Verdict
  /// What happened; one line.
  public var reason: String
  /// What else is known of it, a line each.
  public var context: [String]

  /// An outage that gives the run `verdict`, with its reason on one line and what else is known.
  public init(_ verdict: Verdict, reason: String, context: [String] = []) {
    self.verdict = verdict
    self.reason = reason
    self.context = context
  }
}
