public import ClientInterface
public import Conformance
public import Scenario
import ScenarioFiles
internal import Wire

/// A client that fails in a scenario, with all that a run of it depends on.
public struct FailingSetup {
  /// Runs the client that fails, in the seed in which it does.
  public var runner: ScenarioRunner
  /// Runs the client that is right, in the same seed.
  public var reference: ScenarioRunner
  /// The profile in which both runners run every scenario.
  public var profile: Profile
  /// Says which rules are advice in the profile; `nil` takes all of them for binding.
  public var rules: RuleBook?

  /// Takes two runners, which should have the same seed; neither is run yet.
  public init(_ runner: ScenarioRunner, reference: ScenarioRunner, profile: Profile) {
    self.runner = runner
    self.reference = reference
    self.profile = profile
  }

  /// Whether a client that does not obey a rule in the profile is wrong.
  func isBinding(_ rule: String) -> Bool {
    guard let rule = RuleID(rule).flatMap({ rules?[$0] }) else { return true }
    return rule.binds == .client && rule.level(in: profile.name) == .must
  }

  /// Makes a failing scenario small and writes it as a person would have: with what the reference
  /// client shows as its expectations, so that the reference client passes it.
  ///
  /// A scenario whose expectations allow what the reference client does not do is shrunk as if they
  /// did not: what counts is that the small one fails in the same way.
  ///
  /// - Parameters:
  ///   - scenario: Judged by its expectations or by the invariants alone.
  ///   - expected: What it has to fail with; `nil` for whatever it fails with.
  ///   - file: The path of the file that it will become.
  ///   - limit: How many runs the search may take.
  ///   - isWorthwhile: Whether to go on with a scenario of which no step can be left out any more.
  /// - Returns: `nil` when the client does not fail, or not in that way, and when it is not worthwhile to
  ///   go on.
  public func shrink(
    _ scenario: Scenario, to expected: Signature? = nil, file: String = "",
    executions limit: Int = .max, where isWorthwhile: @escaping (Scenario) -> Bool = { _ in true }
  ) -> ShrunkFailure? {
    let original = runner.run(scenario, in: profile)
    guard let signature = original.signature, expected ?? signature == signature else { return nil }
    let finishing = ScenarioFinalizer(
      self, rules: scenario.rules, isAdvice: original.verdict == .advice, file: file)
    var executions = 1
    var isKnown = false
    var needingShadow: ShrunkFailure?
    for method in JudgingMethod.allCases {
      guard let subject = method.subject(scenario) else { continue }
      let target = method.isFaithful || scenario.judging == .invariants ? signature : nil
      var shrinker = shrinker(method, of: subject, to: target, after: original)
      shrinker.executionLimit = limit - executions
      shrinker.isWorthwhile = { small in
        isKnown = !isWorthwhile(small)
        return !isKnown
      }
      let result = shrinker.shrink(subject, to: target)
      if isKnown { return nil }
      executions += result?.executions ?? 1
      guard var result else { continue }
      executions += stateForms(of: &result, method, limit - executions)
      guard var failure = failure(of: result, method, to: target, finishing) else { continue }
      (failure.executions, failure.stepsBefore) = (executions, scenario.elementCount)
      if finishing.failsAlone(failure.scenario, with: failure.signature) {
        prove(&failure, finishing, limit)
        return failure
      }
      failure.needsShadow = true
      needingShadow = needingShadow ?? failure
    }
    needingShadow?.executions = executions
    return needingShadow
      ?? ShrunkFailure(
        scenario: scenario, signature: signature, executions: executions,
        stepsBefore: scenario.elementCount, isMinimal: false)
  }

  /// Makes scenarios small, judged by this method.
  private func shrinker(
    _ method: JudgingMethod, of subject: Scenario, to target: Signature?,
    after original: ScenarioResult
  ) -> Shrinker {
    var shrinker = Shrinker { candidate in
      target != nil && !original.canRecur(in: candidate)
        ? nil : method.signature(of: candidate, self)
    }
    shrinker.guesses = original.likelyCores(of: subject)
    if method == .invariants, original.scenario.judging == .invariants {
      shrinker.known = original.signature
    }
    return shrinker
  }

  /// What was made small, as a file shows it; `nil` where that is something else, and where it is no defect.
  private func failure(
    of result: ShrinkResult, _ method: JudgingMethod, to target: Signature?,
    _ finishing: ScenarioFinalizer
  ) -> ShrunkFailure? {
    let finished = finishing.finished(
      result.scenario, runner.run(result.scenario, in: profile), to: target)
    // A file that shows something else is not what was found.
    guard target == nil || finished.signature == target else { return nil }
    // What no client passes shows no defect.
    guard method == .invariants || finishing.isPassed(finished.scenario) else { return nil }
    return ShrunkFailure(
      scenario: finished.scenario, signature: finished.signature, executions: result.executions,
      stepsBefore: result.scenario.elementCount, isMinimal: result.isMinimal)
  }

  /// Makes the forms in which the server words things choices of the scenario, where the failure
  /// needs any: a file is run with the seed 0, with which there is only the first one.
  ///
  /// - Returns: How many runs it took.
  private func stateForms(
    of result: inout ShrinkResult, _ method: JudgingMethod, _ limit: Int
  ) -> Int {
    guard result.scenario.choices == nil, runner.seed != 0 else { return 0 }
    let signature = result.signature
    var (plain, stated) = (result.scenario, result.scenario)
    plain.form = .asWritten
    if method.signature(of: plain, self) == signature { return 1 }
    stated.choices = runner.run(stated, in: profile).choices
    var file = self
    (file.runner.seed, file.reference.seed) = (0, 0)
    var shrinker = Shrinker { [file] in method.signature(of: $0, file) }
    shrinker.executionLimit = limit
    guard let smaller = shrinker.shrink(stated, to: signature) else { return 2 }
    result = smaller
    return 2 + smaller.executions
  }

  /// How often what is finished may become smaller once more.
  private static let rounds = 4

  /// Leaves out what the expectations do not need, where they show the defect in another way than
  /// that in which the scenario was made small.
  private func prove(_ failure: inout ShrunkFailure, _ finishing: ScenarioFinalizer, _ limit: Int) {
    guard failure.scenario.judging == .expectations else { return }
    for _ in 0..<Self.rounds {
      let looksAtInputs = failure.scenario.looksAtInputs
      let bare = failure.scenario.bare
      var shrinker = Shrinker {
        JudgingMethod.expectations.signature(of: $0, self, withInputs: looksAtInputs)
      }
      shrinker.executionLimit = limit - failure.executions
      guard let result = shrinker.proved(bare, to: failure.signature) else {
        failure.isMinimal = false
        return
      }
      failure.executions += result.executions
      failure.isMinimal = result.isMinimal
      if result.scenario.yaml() == bare.yaml() { return }
      let finished = finishing.finished(
        result.scenario, runner.run(result.scenario, in: profile), to: failure.signature)
      guard finished.signature == failure.signature else { return }
      failure.scenario = finished.scenario
      failure.signature = finished.signature
    }
  }

  /// A way to ask whether the failing scenario still fails when its steps are changed; `nil` when
  /// there is none.
  func judge(of scenario: Scenario) -> StepJudge? {
    for method in JudgingMethod.allCases {
      guard let subject = method.subject(scenario),
        let signature = method.signature(of: subject, self)
      else { continue }
      return StepJudge(
        scenario: subject, target: signature, hasGivenUp: runner.hasGivenUp,
        signature: { method.signature(of: $0, self) })
    }
    return nil
  }
}

/// A failing scenario that was made small.
public struct ShrunkFailure: Sendable {
  /// Ready to be written with `Scenario.yaml`, and read from that text: its steps have their
  /// locations in it.
  public var scenario: Scenario
  /// What it fails with. That can be another signature than before, where its expectations show the
  /// defect earlier than an invariant does.
  public var signature: Signature
  /// How many runs it took.
  public var executions: Int
  /// How many things happened before it was shrunk, expectations not counted.
  public var stepsBefore: Int
  /// Whether nothing can be left out by itself any more.
  public var isMinimal: Bool
  /// Whether it shows its failure only to a runner that has a shadow.
  public var needsShadow = false

  /// How many things happen now.
  public var stepsAfter: Int { scenario.elementCount }
}

extension Scenario {
  /// How many things happen, each of those that happen together by itself; expectations and
  /// settling are no events.
  public var elementCount: Int {
    elements.count { element in
      switch self[element].category {
      case .call, .fault, .group, .delay: true
      case .observation, .control: false
      }
    }
  }
}

/// How a scenario is judged while it is made small.
private enum JudgingMethod: CaseIterable {
  /// By the invariants alone: the cheapest, where they notice the defect.
  case invariants
  /// By what the reference client shows in each changed scenario.
  case expectations
  /// The same, also where that shows the defect in another way than the scenario did.
  case otherExpectations

  var isFaithful: Bool { self != .otherExpectations }

  /// The scenario to begin with; `nil` where this cannot be done with it.
  func subject(_ scenario: Scenario) -> Scenario? {
    switch self {
    case .invariants: scenario.withoutExpectations
    case .expectations: scenario.judging == .expectations ? scenario.bare : nil
    case .otherExpectations:
      scenario.judging == .expectations
        ? scenario.bare.lookingAtServer : scenario.named.judgedByExpectations.waysToLook.last
    }
  }

  func signature(
    of candidate: Scenario, _ failingSetup: FailingSetup, withInputs: Bool = true
  ) -> Signature? {
    if self == .invariants {
      return failingSetup.runner.run(candidate, in: failingSetup.profile).signature
    }
    guard let filled = failingSetup.reference.expecting(candidate, in: failingSetup.profile),
      filled.isUnordered
        || failingSetup.reference.run(filled, in: failingSetup.profile).verdict == .pass
    else { return nil }
    // A file is run without a shadow.
    var runner = failingSetup.runner
    runner.shadows = { _ in nil }
    return runner.run(withInputs ? filled : filled.withoutInputs, in: failingSetup.profile)
      .signature
  }
}
