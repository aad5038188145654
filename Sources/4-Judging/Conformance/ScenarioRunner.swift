public import ClientInterface
public import ReferenceServer
public import Scenario
internal import Simulator
public import Trace

/// Runs scenarios against clients and judges what they do.
public struct ScenarioRunner {
  /// Makes a new client; called for each client of each run, and again where a client is started
  /// after it was killed.
  public typealias Factory = (_ name: String, _ profile: Profile) -> any SyncClient

  /// How often a scenario is run.
  public enum Repetition: Hashable, Sendable {
    case once
    /// A second run with the same seed must leave the same trace. This notices clients that look at
    /// a clock or draw numbers, but not an order that is fixed for a process.
    case twice
  }

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
  /// Whether each scenario is run a second time, to notice clients that are not deterministic.
  public var repetition: Repetition
  /// What the server of the runs does wrong; `nil` for nothing.
  public var serverDefect: ServerDefect?
  /// Makes the client with which each client under test is compared: its shadow, which is given
  /// exactly the same calls and messages. Whatever the two let their applications see differently
  /// is a divergence. `nil` compares nothing.
  public var shadow: ((_ profile: Profile) -> any SyncClient)?
  /// Whether there is no point in running more, because the clients cannot be reached any more.
  public var hasGivenUp: () -> Bool = { false }
  private let makeClientFactory: ClientFactory.Maker

  /// Runs clients that have nothing in common but the run; `client` is called for each of them.
  public init(seed: UInt64 = 0, repetition: Repetition = .once, client: @escaping Factory) {
    self.init(seed: seed, repetition: repetition) { profile, _ in
      ClientFactory { client($0, profile) }
    }
  }

  /// Runs clients that have something in common in each run, such as the process they live in.
  public init(
    seed: UInt64 = 0, repetition: Repetition = .once, clientFactory: @escaping ClientFactory.Maker
  ) {
    self.seed = seed
    self.repetition = repetition
    makeClientFactory = clientFactory
  }

  /// Runs one scenario in one profile.
  public func run(_ scenario: Scenario, in profile: Profile) -> ScenarioResult {
    let (clientFactory, clients) = makeClients(for: scenario, in: profile)
    if let reason = Self.unsupportedReason(to: scenario, in: profile, clients) {
      return ScenarioResult(scenario, profile, seed: seed, .unsupported, reason: reason)
    }
    var result = runOnce(scenario, in: profile, clientFactory, clients)
    if repetition == .twice, result.verdict != .kitError {
      let (clientFactory, clients) = makeClients(for: scenario, in: profile)
      result.compare(with: runOnce(scenario, in: profile, clientFactory, clients))
    }
    return result
  }

  /// What the clients can do, in a profile.
  public func capabilities(in profile: Profile) -> Set<String> {
    makeClientFactory(profile, seed).makeClient("alice").abilities
  }

  /// The clients of a run, fresh.
  private func makeClients(
    for scenario: Scenario, in profile: Profile
  ) -> (clientFactory: ClientFactory, clients: [any SyncClient]) {
    let clientFactory = makeClientFactory(profile, scenario.statedSeed ?? seed)
    return (clientFactory, scenario.clients.map(clientFactory.makeClient))
  }

  private func runOnce(
    _ scenario: Scenario, in profile: Profile, _ clientFactory: ClientFactory,
    _ clients: [any SyncClient]
  ) -> ScenarioResult {
    var run = run(of: scenario, in: profile, clientFactory, clients)
    guard let scope = scenario.statedOrder?.scope else {
      run.runSteps()
      return run.result
    }
    var open = ExplorableRun(run, OpenChoices(scope))
    open.followTape()
    return open.result
  }

  private func run(
    of scenario: Scenario, in profile: Profile, _ clientFactory: ClientFactory,
    _ clients: [any SyncClient]
  ) -> ScenarioRun {
    var run = ScenarioRun(scenario, profile, scenario.statedSeed ?? seed, clients, clientFactory)
    run.judgesInvariants = invariants == .judged
    run.simulator.serverDefect = serverDefect
    run.watchShadows(shadow.map { make in { make(profile) } })
    return run
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
    var run = ScenarioRun(scenario, profile, seed, clients, clientFactory)
    run.judgesInvariants = false
    return run.recorded()
  }

  /// A run that leaves to the caller what the scenario leaves open, at its beginning.
  ///
  /// - Returns: `nil` when the clients cannot be judged by the scenario; `run` says why.
  package func openRun(
    _ scenario: Scenario, in profile: Profile, _ openChoices: OpenChoices
  ) -> ExplorableRun? {
    let (clientFactory, clients) = makeClients(for: scenario, in: profile)
    guard Self.unsupportedReason(to: scenario, in: profile, clients) == nil else { return nil }
    return ExplorableRun(run(of: scenario, in: profile, clientFactory, clients), openChoices)
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

extension ScenarioResult {
  /// Makes the verdict `nondeterministic` when the other run of the same differed.
  mutating func compare(with other: ScenarioResult) {
    guard hash != other.hash else { return }
    hasDiverged(from: "a second run", at: TraceDifference(trace, other.trace))
  }

  /// Makes the verdict `nondeterministic`: a run that differs each time proves
  /// nothing.
  ///
  /// - Parameters:
  ///   - other: Which run differed: `a second run`.
  ///   - firstDifference: Where; `nil` when that is not known.
  ///   - near: Where roughly, when that is all that is known.
  public mutating func hasDiverged(
    from other: String, at firstDifference: TraceDifference?, near: String? = nil
  ) {
    let moment = firstDifference.map { " at \(text(of: $0))" } ?? near.map { " " + $0 } ?? ""
    verdict = .nondeterministic
    reason = "\(other) with the same seed differed\(moment)"
    divergences = []
    self.firstDifference = firstDifference
  }

  /// `event 6, at 20 ms, in step 1 of 3`.
  private func text(of firstDifference: TraceDifference) -> String {
    let event = firstDifference.first ?? firstDifference.second
    let time = event.map { ", at \($0.time.millisecondText)" } ?? ""
    let step = event?.step ?? 0
    let stepText =
      step > 0 ? ", in step \(step) of \(scenario.steps.count)" : ", before the first step"
    return "event \(firstDifference.number)\(time)\(stepText)"
  }
}
