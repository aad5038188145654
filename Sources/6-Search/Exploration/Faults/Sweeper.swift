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

  public init(seed: UInt64 = 0, client: @escaping ScenarioRunner.Factory) {
    self.init(ScenarioRunner(seed: seed, client: client))
  }

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
    let mishaps = Mishap.all(in: scenario)
    var run = root.begin()
    repeat {
      for mishap in mishaps where !runner.hasGivenUp() {
        var copy = root.canCopy ? run : Self.run(root, to: sweep.points)
        let own = copy.faultMarks.count
        let witness = Self.witness(of: mishap, at: sweep.points, in: &copy)
        // Faults of the scenario itself may come later, so those thrown in are just these.
        let marks = copy.faultMarks[own..<own + mishap.faults.count]
        sweep.add(witness, bites: marks.contains { $0.hasBitten })
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
    _ scenario: Scenario, in profile: Profile, with strike: Sweep.Strike
  ) -> Sweep.Witness? {
    guard let mishap = Mishap.all(in: scenario).first(where: { $0.name == strike.fault }),
      let root = root(scenario, profile)
    else { return nil }
    var run = Self.run(root, to: strike.point)
    return Self.witness(of: mishap, at: strike.point, in: &run)
  }

  private func root(_ scenario: Scenario, _ profile: Profile) -> Root? {
    Root(scenario.readyForFaults, in: profile, .deliveries, runner)
  }

  private static func run(_ root: Root, to point: Int) -> OpenRun {
    var run = root.begin()
    for _ in 0..<point where !run.advanceToNextPoint() { break }
    return run
  }

  /// Lets the mishap happen now and runs to the end.
  private static func witness(
    of mishap: Mishap, at point: Int, in run: inout OpenRun
  ) -> Sweep.Witness {
    let moment = run.lastWords
    let end = run.now + Mishap.duration
    for fault in mishap.faults { run.inject(fault) }
    var isRelieved = mishap.relief.isEmpty
    while run.advance() {
      if !isRelieved, run.now >= end {
        for fault in mishap.relief { run.inject(fault) }
        isRelieved = true
      }
    }
    let strike = Sweep.Strike(fault: mishap.name, point: point)
    return Sweep.Witness(result: run.result, strike: strike, moment: moment)
  }
}

extension OpenRun {
  /// Lets something happen.
  ///
  /// - Returns: `false` when nothing did before the run was over.
  fileprivate mutating func advanceToNextPoint() -> Bool {
    let count = eventCount
    while eventCount == count { if !advance() { return false } }
    return true
  }

  /// How many steps there are before those at the end that only let everything get well.
  fileprivate var stepCount: Int { result.scenario.steps.count - Scenario.recoverySteps }
}

extension Scenario {
  fileprivate static let recoverySteps = 2

  /// Without its expectations, and with time at the end in which everything can get well again.
  fileprivate var readyForFaults: Scenario {
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
