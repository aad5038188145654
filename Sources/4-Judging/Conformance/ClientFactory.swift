public import ClientInterface

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

extension ScenarioResult {
  /// Judges the run by what ended it, in place of what was observed.
  mutating func take(_ outage: ClientOutage) {
    verdict = outage.verdict
    reason = outage.reason
    context = outage.context
    divergences = []
  }
}
