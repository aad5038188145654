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

  /// Why a sweep of a scenario tries no such fault; `nil` when it does, and when the clients cannot be
  /// judged by the scenario.
  ///
  /// - Returns: A clause: which faults, or which moments, there are.
  public func objection(
    to injection: Sweep.FaultInjection, of scenario: Scenario, in profile: Profile
  ) -> String? {
    if let objection = FaultCandidate.objection(to: injection.fault, in: scenario) {
      return objection
    }
    guard var run = root(scenario, profile)?.begin().run else { return nil }
    var last = 0
    while last < injection.point, run.advanceToNextPoint(), run.stepsRun < run.stepCount {
      last += 1
    }
    return last < injection.point ? "the moments of this scenario are 0..\(last)" : nil
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

/// What trying one fault at every moment of a scenario has shown.
public struct Sweep: Sendable {
  /// The scenario as it was given, with its expectations, which the runs with faults do not judge.
  public var scenario: Scenario
  /// The profile in which every run was made.
  public var profile: Profile
  /// `fail` if any run with a fault failed, `pass` if none did, `unsupported` for the `reason`.
  public var verdict: Verdict
  /// Why nothing was tried; `nil` otherwise.
  public var reason: String?
  /// Between how many things that happen a fault was tried.
  public var points = 0
  /// How many runs were made, each with one fault.
  public var runs = 0
  /// In how many of them the fault changed something.
  public var takesEffect = 0
  /// How many of them failed.
  public var failures = 0
  /// What failed in the same way, in the order in which it was found first.
  public var findings: [Finding] = []
  /// The faults that were tried, with how often they changed something.
  public var kinds: [Kind] = []

  /// One fault at one moment.
  public struct FaultInjection: Hashable, Sendable, CustomStringConvertible {
    /// `cut:alice`.
    public var fault: String
    /// After how many things that happened.
    public var point: Int

    /// Takes the name of a fault as a sweep reports it and a number of events that precede it;
    /// whether a scenario has such a fault shows only when it is run.
    public init(fault: String, point: Int) {
      self.fault = fault
      self.point = point
    }

    /// Reads `cut:alice@17`.
    ///
    /// - Returns: `nil` for anything else.
    public init?(text: String) {
      let parts = text.split(separator: "@", omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty, let point = Int(parts[1]), point >= 0 else {
        return nil
      }
      self.init(fault: String(parts[0]), point: point)
    }

    public var description: String { "\(fault)@\(point)" }
  }

  /// Failures with one signature.
  public struct Finding: Sendable {
    /// What the failures have in common; `nil` if their results list no divergence.
    public var signature: Signature?
    /// How many runs failed with this signature, over all faults and moments.
    public var count = 1
    /// The faults that led to it, each once.
    public var faults: [String]
    /// The first run that failed with this signature.
    public var witness: FailingRun
  }

  /// A run with its fault.
  public struct FailingRun: Sendable {
    /// How the run was judged without the expectations of the scenario, with its trace.
    public var result: ScenarioResult
    /// Which fault was added to the scenario, and when; `Sweeper.run` makes the same run of it.
    public var injection: FaultInjection
    /// What had happened last when the fault struck, in words.
    public var moment: String
  }

  /// A kind of fault, for any client.
  public struct Kind: Hashable, Sendable {
    /// The part of the fault's name before the colon, such as `cut` in `cut:alice`.
    public var name: String
    /// How many runs had a fault of this kind.
    public var runs = 0
    /// In how many of these runs the fault changed something.
    public var takesEffect = 0

    /// Takes counts that are known already; without them it has not been tried yet.
    public init(name: String, runs: Int = 0, takesEffect: Int = 0) {
      self.name = name
      self.runs = runs
      self.takesEffect = takesEffect
    }
  }

  init(_ scenario: Scenario, _ profile: Profile, _ verdict: Verdict, reason: String? = nil) {
    self.scenario = scenario
    self.profile = profile
    self.verdict = verdict
    self.reason = reason
  }

  /// The sweep without what only a report on it needs.
  public var withoutEvidence: Sweep {
    var sweep = self
    sweep.findings = []
    return sweep
  }
}

extension Sweep {
  mutating func add(_ witness: FailingRun, takesEffect: Bool) {
    runs += 1
    self.takesEffect += takesEffect ? 1 : 0
    count(witness.injection.fault, takesEffect: takesEffect)
    guard witness.result.verdict == .fail else { return }
    failures += 1
    let fault = witness.injection.fault
    let signature = witness.result.signature
    guard let index = findings.firstIndex(where: { $0.signature == signature }) else {
      findings.append(Finding(signature: signature, faults: [fault], witness: witness))
      return
    }
    findings[index].count += 1
    if !findings[index].faults.contains(fault) { findings[index].faults.append(fault) }
  }

  private mutating func count(_ fault: String, takesEffect: Bool) {
    let name = String(fault.prefix { $0 != ":" })
    let index = kinds.firstIndex { $0.name == name } ?? kinds.count
    if index == kinds.count { kinds.append(Kind(name: name)) }
    kinds[index].runs += 1
    kinds[index].takesEffect += takesEffect ? 1 : 0
  }
}
