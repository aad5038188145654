public import ClientInterface
public import Conformance
internal import Faults
public import Scenario

/// Runs a scenario again and again, each time with one fault at another moment.
///
/// What a scenario expects no longer holds then; what is judged is what holds in every run. A
/// scenario that fails without faults is not tried.
public struct Sweeper {
  private let runner: ScenarioRunner

  /// Makes new clients with `client` for the runs, all of which have the same seed.
  public init(seed: UInt64 = 0, client: @escaping ScenarioRunner.Factory) {
    self.init(ScenarioRunner(seed: seed, client: client))
  }

  /// Takes over the seed, the clients and the time to give up from a runner.
  public init(_ runner: ScenarioRunner) {
    self.runner = runner
  }

  /// Tries every fault at every moment of a scenario.
  public func sweep(_ scenario: Scenario, in profile: Profile) -> Sweep {
    let original = runner.run(scenario, in: profile)
    guard original.verdict == .pass, let root = root(scenario, profile) else {
      let reason = original.reason ?? "it fails without any fault"
      return Sweep(scenario, profile, .unsupported, reason: reason)
    }
    var sweep = Sweep(scenario, profile, .pass)
    let candidates = FaultCandidate.all(in: scenario)
    var run = root.begin().run
    repeat {
      for candidate in candidates where !runner.hasGivenUp() {
        var copy = root.canCopy ? run : Self.run(root, to: sweep.points)
        let own = copy.faultMarks.count
        let witness = Self.witness(of: candidate, at: sweep.points, in: &copy)
        // Faults of the scenario itself may come later, so those thrown in are just these.
        let marks = copy.faultMarks[own..<own + candidate.faults.count]
        sweep.add(witness, takesEffect: marks.contains { $0.hasTakenEffect })
      }
      sweep.points += 1
    } while run.advanceToNextPoint() && run.stepsRun < run.stepCount
    if sweep.failures > 0 { sweep.verdict = .fail }
    return sweep
  }

  /// Runs a scenario with one fault.
  ///
  /// - Returns: `nil` when the clients cannot be judged by the scenario, or it has no such fault.
  public func run(
    _ scenario: Scenario, in profile: Profile, with injection: Sweep.FaultInjection
  ) -> Sweep.FailingRun? {
    guard
      let candidate = FaultCandidate.all(in: scenario).first(where: { $0.name == injection.fault }),
      let root = root(scenario, profile)
    else { return nil }
    var run = Self.run(root, to: injection.point)
    return Self.witness(of: candidate, at: injection.point, in: &run)
  }

  private func root(_ scenario: Scenario, _ profile: Profile) -> SearchRoot? {
    SearchRoot(scenario.readyForFaults, in: profile, .deliveries, runner)
  }

  private static func run(_ root: SearchRoot, to point: Int) -> ScenarioRun {
    var run = root.begin().run
    for _ in 0..<point where !run.advanceToNextPoint() { break }
    return run
  }

  /// Lets the fault happen now and runs to the end.
  private static func witness(
    of candidate: FaultCandidate, at point: Int, in run: inout ScenarioRun
  ) -> Sweep.FailingRun {
    let moment = run.lastWords
    let end = run.now + FaultCandidate.duration
    for fault in candidate.faults { run.inject(fault) }
    var isRepaired = candidate.repair.isEmpty
    while run.advance() {
      if !isRepaired, run.now >= end {
        for fault in candidate.repair { run.inject(fault) }
        isRepaired = true
      }
    }
    let injection = Sweep.FaultInjection(fault: candidate.name, point: point)
    return Sweep.FailingRun(result: run.result, injection: injection, moment: moment)
  }
}

extension ScenarioRun {
  /// Lets something happen.
  ///
  /// - Returns: `false` when nothing did before the run was over.
  fileprivate mutating func advanceToNextPoint() -> Bool {
    let count = eventCount
    while eventCount == count { if !advance() { return false } }
    return true
  }

  /// How many steps there are before those at the end that only let everything recover.
  fileprivate var stepCount: Int { result.scenario.steps.count - Scenario.recoverySteps }
}

extension Scenario {
  /// How many steps `readyForFaults` adds.
  static let recoverySteps = 2

  /// Without its expectations, and with time at the end in which everything can recover.
  var readyForFaults: Scenario {
    var ready = withoutExpectations
    guard let last = ready.steps.last else { return ready }
    func step(_ text: String, _ action: Action) -> Step {
      Step(file: last.file, position: last.position, text: text, action: action)
    }
    let pause = Interval.seconds(60)
    ready.steps += [step("wait: 60s (after the faults)", .wait(pause)), step("settle", .settle)]
    return ready
  }
}
