internal import ClientInterface
public import Conformance
public import Scenario
internal import ScenarioFiles
internal import Trace

/// Why a scenario fails: when that became inevitable, and what would have to be otherwise.
public struct Explanation: Sendable {
  /// The failure.
  public var result: ScenarioResult
  /// The signature of `result`: of its first divergence, or its verdict where the client crashed or
  /// hung.
  public var signature: Signature
  /// How the order of what is open led there; `nil` where nothing is open, or that decides nothing.
  public var failureProbability: FailureProbability?
  /// The order that fails, where the order decides.
  public var order: Order?
  /// Changes of one step that make it pass and do not take away what fails, in the order of what
  /// explains most; empty where `failureProbability` explains the failure.
  public var neighbours: [Neighbour] = []

  /// The scenario as a file that needs no other, and without what concerns the machine on which a
  /// hunt found it.
  package var scenarioText: String {
    var scenario = result.scenario
    scenario.find = nil
    return scenario.yaml()
  }

  /// A change that makes the scenario pass. Steps are numbered from 1.
  public enum Neighbour: Hashable, Sendable {
    /// A step comes before the one before it.
    case earlier(Int)
    case without(Int)
  }
}

extension FailingSetup {
  /// How many futures are drawn at each point: fewer where few orders are tried.
  private static func draws(_ explorer: Explorer) -> Int { max(1, min(200, explorer.limit / 50)) }

  /// What the client does wrong in the usual order, without a search for what else would have to be otherwise.
  ///
  /// - Returns: `nil` when it does not fail there.
  public func story(of scenario: Scenario) -> Explanation? {
    let result = runner.run(scenario, in: profile)
    return result.signature.map { Explanation(result: result, signature: $0) }
  }

  /// Explains why the client fails in a scenario. The explorer runs the same client where the
  /// scenario leaves an order open.
  ///
  /// - Returns: `nil` when the client does not fail, in no order that was tried.
  public func explain(_ scenario: Scenario, with explorer: Explorer) -> Explanation? {
    var order = Order()
    var result = runner.run(scenario, in: profile)
    let isOpen = explorer.opens(scenario)
    if isOpen {
      guard let failure = explorer.explore(scenario, in: profile).failure else { return nil }
      (result, order) = (failure.result, failure.witness)
    }
    guard let signature = result.signature else { return nil }
    var explanation = Explanation(result: result, signature: signature)
    if isOpen,
      let failureProbability = explorer.failureProbability(
        scenario, in: profile, along: order, draws: Self.draws(explorer)),
      failureProbability.moment != nil
    {
      explanation.failureProbability = failureProbability
      explanation.order = order
    } else if let judge = judge(of: scenario) {
      explanation.neighbours = judge.neighbours(of: result, Occasion(of: result, self))
    }
    return explanation
  }
}

/// A failing scenario with the question whether a changed one fails.
struct StepJudge {
  let scenario: Scenario
  let target: Signature
  /// Asked before each run whether there is no point in more.
  let hasGivenUp: () -> Bool
  let signature: (Scenario) -> Signature?

  /// Changes of one step that make it pass, although what it is about is still there: of the order
  /// first, then the steps that the failure does not follow from by itself, then the others.
  func neighbours(of result: ScenarioResult, _ occasion: Occasion) -> [Explanation.Neighbour] {
    let steps = scenario.steps
    let acts = steps.indices.filter { steps[$0].action.isIntervention }
    let moves = acts.filter { index in
      guard index > 0, steps[index - 1].action.isIntervention else { return false }
      var copy = scenario
      copy.steps.swapAt(index - 1, index)
      return passes(copy, occasion)
    }
    let cut = acts.filter { passes(scenario.without([$0]), occasion) }
    let led = Set(
      result.divergences.first?.evidence.map { result.trace.causes(of: $0).map(\.step) } ?? [])
    func rank(_ index: Int) -> Int {
      (led.contains(index + 1) ? 2 : 0) + (steps[index].action.isFault ? 1 : 0)
    }
    return moves.map { .earlier($0 + 1) }
      + (0..<4).flatMap { level in cut.filter { rank($0) == level } }.map { .without($0 + 1) }
  }

  private func passes(_ candidate: Scenario, _ occasion: Occasion) -> Bool {
    if hasGivenUp() { return false }
    let tidy = candidate.tidied()
    return tidy.steps.count <= candidate.steps.count && signature(tidy) == nil
      && occasion.stays(in: tidy)
  }
}

extension Scenario {
  fileprivate func without(_ steps: [Int]) -> Scenario {
    var copy = self
    let omitted = Set(steps)
    copy.steps = self.steps.enumerated().filter { !omitted.contains($0.offset) }.map(\.element)
    return copy
  }
}
