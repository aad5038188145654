public import ClientInterface

/// The clients of one run.
///
/// Clients that live in another process share it, and what becomes of that process concerns the whole
/// run.
public struct Cast {
  /// Makes the clients of a run in a profile, with the seed that it is given.
  public typealias Factory = (_ profile: Profile, _ seed: UInt64) -> Cast

  /// Makes a client; called again where one is started after it was killed.
  public var makeClient: (_ name: String) -> any SyncClient

  /// What has kept the clients from answering, as far as is known by now; `nil` for nothing.
  public var breakdown: () -> Breakdown?

  public init(
    makeClient: @escaping (_ name: String) -> any SyncClient,
    breakdown: @escaping () -> Breakdown? = { nil }
  ) {
    self.makeClient = makeClient
    self.breakdown = breakdown
  }
}

/// The clients of a run have ceased to answer: what was observed of them since tells nothing.
public struct Breakdown: Hashable, Sendable {
  public var verdict: Verdict
  /// What happened; one line.
  public var reason: String
  /// What else is known of it, a line each.
  public var circumstances: [String]

  public init(_ verdict: Verdict, reason: String, circumstances: [String] = []) {
    self.verdict = verdict
    self.reason = reason
    self.circumstances = circumstances
  }
}

extension ScenarioResult {
  /// Judges the run by what ended it, in place of what was observed.
  mutating func take(_ breakdown: Breakdown) {
    verdict = breakdown.verdict
    reason = breakdown.reason
    circumstances = breakdown.circumstances
    divergences = []
  }
}
