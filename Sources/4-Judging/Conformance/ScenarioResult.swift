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
  public var divergences: [Divergence] = []
  /// Everything that happened; without events when the scenario was not run.
  public var trace = Trace()
  /// The faults among the steps, with what became of them.
  package internal(set) var faultMarks: [FaultMark] = []
  /// How many steps were made before the run ended.
  public var stepsRun = 0
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
}

extension ScenarioResult {
  /// The result of a run of a scenario in a profile; what is not given here is empty, or can be set
  /// later.
  public init(
    _ scenario: Scenario, _ profile: Profile, seed: UInt64, _ verdict: Verdict,
    reason: String? = nil, divergences: [Divergence] = [], trace: Trace = Trace()
  ) {
    self.init(
      scenario: scenario, profile: profile, seed: seed, verdict: verdict, reason: reason,
      divergences: divergences, trace: trace)
  }

  /// What two runs that went the same way have in common.
  public var hash: Fingerprint { trace.hash }
  /// What became of the faults among the steps.
  public var faults: FaultCounts { FaultCounts(faultMarks) }

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

  /// Judges the run by what ended it, in place of what was observed.
  mutating func take(_ outage: ClientOutage) {
    verdict = outage.verdict
    reason = outage.reason
    context = outage.context
    divergences = []
  }
}

/// What came out of running one scenario in one profile.
public enum Verdict: String, CaseIterable, Hashable, Sendable {
  /// Everything that was expected happened, and nothing else.
  case pass
  /// Nothing was otherwise but what a client should do, or may: SHOULD and MAY in the rules.
  case advice
  /// The client did something else than the specification says.
  case fail
  /// The scenario needs something that the client says it does not have, or is not for this
  /// profile.
  case unsupported
  /// It is unknown. Never in virtual time.
  case inconclusive
  /// The client ended in the middle of the run.
  case crash
  /// The client did not answer an input.
  case hang
  /// The client is behind an adapter that does not keep to its protocol.
  case brokenProtocol = "broken-protocol"
  /// Two runs with the same seed differed.
  case nondeterministic
  /// Nothing in the scenario could have failed.
  case vacuous
  /// The kit itself could not run the scenario.
  case kitError = "kit-error"
}

extension Verdict {
  /// How the last line of a run counts scenarios.
  public enum Count: Hashable, Sendable {
    case passed
    case failed
    case skipped
  }

  /// What could not be judged is skipped; everything else that is no pass is a failure.
  public var count: Count {
    switch self {
    case .pass, .advice: .passed
    case .fail, .crash, .hang, .brokenProtocol, .nondeterministic, .vacuous, .kitError: .failed
    case .unsupported, .inconclusive: .skipped
    }
  }
}

extension Tally {
  /// Counts each of the verdicts as passed, failed or skipped; O(*n*) in their number.
  public init(_ verdicts: some Sequence<Verdict>) {
    self.init()
    for verdict in verdicts { add(verdict.count) }
  }

  /// Counts `number` more runs.
  public mutating func add(_ kind: Verdict.Count, _ number: Int = 1) {
    switch kind {
    case .passed: passed += number
    case .failed: failed += number
    case .skipped: skipped += number
    }
  }
}
