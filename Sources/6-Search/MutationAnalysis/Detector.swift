internal import ClientInterface
public import Conformance
internal import Hunting
public import Mutants
internal import ReferenceClient
public import Scenario
import ScenarioFiles
internal import Search

/// Lets the kit look for the defect of a mutant in every way that it has.
public struct Detector {
  /// How many drawn scenarios are run at most.
  public var huntLimit: UInt64 = 400
  /// After how many milliseconds the hunt is given up even so; `nil` for never.
  public var huntMilliseconds: Double?
  /// Whether what was found is made small.
  public var shrinks = true
  var scenarios: [Scenario]
  /// Milliseconds since some moment.
  let clock: () -> Double

  /// - Parameters:
  ///   - scenarios: The suite.
  ///   - clock: Milliseconds since some moment: only for reporting how long it took.
  public init(_ scenarios: [Scenario], clock: @escaping () -> Double) {
    self.scenarios = scenarios
    self.clock = clock
  }

  /// Looks for the defect of one mutant.
  public func examine(_ mutant: Mutant) -> MutantResult {
    var evidence = MutantResult(of: mutant)
    let failing = runSuite(of: mutant, &evidence)
    if CauseMeasurement.concerns(mutant) { evidence.outcome = outcome(of: mutant, failing) }
    hunt(mutant, &evidence)
    if shrinks, mutant.component != .benign { shrink(mutant, &evidence) }
    return evidence
  }

  /// What runs scenarios with a mutant.
  public static func runner(_ mutant: Mutant, seed: UInt64 = 0) -> ScenarioRunner {
    var runner = ScenarioRunner(seed: seed) { _, profile in mutant.makeClient(profile) }
    runner.serverDefect = mutant.serverDefect
    return runner
  }
}

// MARK: - The suite

extension Detector {
  /// - Returns: The ids of the scenarios that fail in each profile, whichever way shows it.
  private func runSuite(
    of mutant: Mutant, _ evidence: inout MutantResult
  ) -> [Profile: Set<String>] {
    var runner = Self.runner(mutant)
    var failing: [Profile: Set<String>] = [:]
    let start = clock()
    var apart = 0.0
    for scenario in scenarios {
      for profile in scenario.profiles where mutant.profiles.contains(profile) {
        runner.invariants = .ignored
        if runner.run(scenario, in: profile).verdict.count == .failed {
          evidence.suite.add(scenario, profile)
          failing[profile, default: []].insert(scenario.id)
          evidence.times.suite = evidence.times.suite ?? clock() - start - apart
        }
        let begun = clock()
        runner.invariants = .judged
        let broken = runner.run(scenario.judgedByInvariants, in: profile)
        apart += clock() - begun
        if broken.verdict.count == .failed {
          evidence.invariants.add(scenario, broken)
          failing[profile, default: []].insert(scenario.id)
          evidence.times.invariants = evidence.times.invariants ?? apart
        }
      }
    }
    evidence.invariants.sort()
    return failing
  }

  /// What failures tell of their cause, in the first profile in which there are any; they are run again,
  /// judged as in any other run.
  private func outcome(
    of mutant: Mutant, _ failing: [Profile: Set<String>]
  ) -> CauseMeasurement.Outcome? {
    guard let profile = mutant.profiles.first(where: { failing[$0] != nil }),
      let ids = failing[profile]
    else { return nil }
    let runner = Self.runner(mutant)
    var account = CauseMeasurement.Account()
    for scenario in scenarios where scenario.profiles.contains(profile) {
      if ids.contains(scenario.id) {
        account.take(runner.run(scenario, in: profile))
      } else {
        account.pass(scenario)
      }
    }
    return account.outcome(of: mutant)
  }
}

extension Scenario {
  /// The scenario without its expectations: it is judged by the invariants alone.
  fileprivate var judgedByInvariants: Scenario {
    var scenario = self
    scenario.judging = .invariants
    scenario.steps = steps.compactMap { step in
      var step = step
      let expectation = step.expectation
      step.expectation = nil
      guard case .expect = step.action else { return step }
      step.action = .settle
      return expectation?.timing == .settled ? step : nil
    }
    return scenario
  }

  /// The id without the parameters of a matrix.
  var family: String { String(id.prefix { $0 != "[" }) }
}

extension MutantResult.Suite {
  fileprivate mutating func add(_ scenario: Scenario, _ profile: Profile) {
    if first == nil { first = .init(scenario: scenario.id, profile: profile.name) }
    if failing.last != scenario.family { failing.append(scenario.family) }
  }
}

extension MutantResult.BrokenInvariant {
  fileprivate mutating func add(_ scenario: Scenario, _ result: ScenarioResult) {
    if failing.last != scenario.family { failing.append(scenario.family) }
    for divergence in result.divergences {
      guard case let .broken(invariant, _) = divergence.kind, !ids.contains(invariant.id) else {
        continue
      }
      ids.append(invariant.id)
    }
  }

  fileprivate mutating func sort() {
    let order = Invariant.all.map(\.id)
    ids.sort { (order.firstIndex(of: $0) ?? 0) < (order.firstIndex(of: $1) ?? 0) }
  }
}

// MARK: - The hunt

extension Detector {
  private func hunt(_ mutant: Mutant, _ evidence: inout MutantResult) {
    let start = clock()
    for seed in 1...max(1, huntLimit) where huntLimit > 0 {
      evidence.hunted += 1
      if let signature = result(of: mutant, seed: seed).signature {
        evidence.hunt = .init(seed: seed, signature: signature)
        evidence.times.hunt = clock() - start
        return
      }
      if let huntMilliseconds, clock() - start > huntMilliseconds { return }
    }
  }

  /// Runs the scenario of a seed with a mutant.
  func result(of mutant: Mutant, seed: UInt64) -> ScenarioResult {
    let (scenario, profile) = drawn(for: mutant, seed)
    return Self.hunter(of: mutant, seed: seed).run(scenario, in: profile)
  }

  /// The scenario of a seed, and the profile in which it is run.
  func drawn(for mutant: Mutant, _ seed: UInt64) -> (Scenario, Profile) {
    let profile = mutant.profiles[Int(seed % UInt64(mutant.profiles.count))]
    return (Generator(profile: profile).scenario(seed: seed).scenario, profile)
  }

  /// What runs scenarios with a mutant and its shadow.
  static func hunter(of mutant: Mutant, seed: UInt64) -> ScenarioRunner {
    var runner = runner(mutant, seed: seed)
    runner.shadows = ReferenceClient.shadows(in:)
    return runner
  }
}

// What was found, made small.

extension Detector {
  /// The path of the file that a small scenario could become.
  private static let file = "Scenarios/found/small.yaml"

  /// Makes small what the hunt has found, or else the first scenario of the suite that fails.
  ///
  /// The latter also where the former needs a shadow to be seen.
  func shrink(_ mutant: Mutant, _ evidence: inout MutantResult) {
    let start = clock()
    var result: (small: ShrunkFailure, failingSetup: FailingSetup)?
    for (scenario, failingSetup) in failures(of: mutant, evidence)
    where result?.small.needsShadow ?? true {
      guard let small = failingSetup.shrink(scenario, file: Self.file) else { continue }
      if result == nil || !small.needsShadow { result = (small, failingSetup) }
    }
    guard let (small, failingSetup) = result else { return }
    evidence.times.shrinking = clock() - start
    var shrunk = MutantResult.Shrunk(steps: small.stepsAfter, executions: small.executions)
    shrunk.isMinimal = small.isMinimal
    shrunk.needsShadow = small.needsShadow
    shrunk.text = small.scenario.yaml()
    shrunk.profile = failingSetup.profile.name
    shrunk.seed = failingSetup.runner.seed
    shrunk.signature = small.signature
    evidence.shrunk = shrunk
  }

  private func failures(of mutant: Mutant, _ evidence: MutantResult) -> [(Scenario, FailingSetup)] {
    var failures: [(Scenario, FailingSetup)] = []
    if let seed = evidence.hunt?.seed {
      let (scenario, profile) = drawn(for: mutant, seed)
      let failingSetup = FailingSetup(
        Self.hunter(of: mutant, seed: seed), reference: Self.reference(seed), profile: profile)
      failures.append((scenario, failingSetup))
    }
    if let first = evidence.suite.first, let profile = Profile(named: first.profile),
      let scenario = scenarios.first(where: { $0.id == first.scenario })
    {
      let failingSetup = FailingSetup(
        Self.runner(mutant), reference: Self.reference(0), profile: profile)
      failures.append((scenario, failingSetup))
    }
    return failures
  }

  /// What runs scenarios with the reference client.
  static func reference(_ seed: UInt64) -> ScenarioRunner {
    ScenarioRunner(seed: seed) { ReferenceClient(profile: $1) }
  }

  /// Whether the file of a small scenario fails here as it did where it was made, and the reference
  /// client passes it.
  public static func confirms(_ evidence: MutantResult) -> Bool {
    guard let shrunk = evidence.shrunk, let profile = Profile(named: shrunk.profile),
      let scenario = Scenario(text: shrunk.text, file: file)
    else { return false }
    let runner =
      shrunk.needsShadow
      ? hunter(of: evidence.mutant, seed: shrunk.seed)
      : runner(evidence.mutant, seed: shrunk.seed)
    let result = runner.run(scenario, in: profile)
    return result.signature == shrunk.signature
      && reference(shrunk.seed).run(scenario, in: profile).verdict == .pass
  }
}
