public import ClientInterface
public import Faults
package import Invariants
public import Scenario
package import Simulator
public import Trace
public import Tree

/// What running one scenario in one profile has shown.
public struct ScenarioResult: Sendable {
  /// The scenario as it was run.
  public var scenario: Scenario
  /// The profile in which it was run, or for which it is unsupported.
  public var profile: Profile
  /// Where the randomness of the run started; the same seed gives the same trace.
  public var seed: UInt64
  /// What came of the run; `reason` explains those that are neither pass nor fail.
  public var verdict: Verdict
  /// Why the verdict is neither pass nor fail; one line. `nil` for those two.
  public var reason: String?
  /// What else is known of that reason, a line each: the last words of a process that ended.
  public var context: [String] = []
  /// In the order of the steps and of what became apparent first, advice behind failures. Later ones
  /// may all follow from the first.
  public var divergences: [Divergence]
  /// Everything that happened; without events when the scenario was not run.
  public var trace: Trace
  /// What became of the faults among the steps.
  public var faults = FaultCounts()
  /// How many steps were made before the run ended.
  public var stepsRun: Int
  /// What the run took out of its queue, and how long it lasted in virtual time: what its cost is
  /// measured against.
  public internal(set) var queueSteps = 0
  /// How long the run lasted, from its start to its last moment; zero when it was not run.
  public internal(set) var duration = Interval.zero
  /// The server's tree at the end.
  public internal(set) var serverTree = Node.empty
  /// What the server's clock showed at the start.
  public internal(set) var epoch = Configuration.standardEpoch
  /// The times that clients were given where they were wrong, by the event of the trace.
  var wrongTimes: [Int: Instant] = [:]
  /// How often invariants could not be judged, and why.
  package internal(set) var doubts = Doubts()
  /// Where another run with the same choices differed, when the verdict is
  /// `nondeterministic` and it is known; this run is the first of the two.
  public var firstDifference: TraceDifference?
  /// The choices of the run; `nil` when it was not run.
  package var tape: ChoiceTape?

  /// The result of a run of a scenario in a profile; what is not given here is empty, or can be set
  /// later.
  public init(
    _ scenario: Scenario, _ profile: Profile, seed: UInt64, _ verdict: Verdict,
    reason: String? = nil, divergences: [Divergence] = [], trace: Trace = Trace(),
    stepsRun: Int = 0
  ) {
    self.scenario = scenario
    self.profile = profile
    self.seed = seed
    self.verdict = verdict
    self.reason = reason
    self.divergences = divergences
    self.trace = trace
    self.stepsRun = stepsRun
  }

  /// What two runs that went the same way have in common.
  public var hash: Fingerprint { trace.hash }
}
