public import ClientInterface
public import Conformance
internal import Faults
public import Scenario

/// Tries the orders that scenarios leave open.
///
/// Without more said these are the orders of concurrent steps and, in a scenario with a range of
/// latencies, those of all deliveries. Every order is judged like any other run. Clients that are
/// values are copied where orders part; a run with one that is a class is made again each time.
public struct Explorer {
  /// How many orders are tried before it is given up to try all.
  public var limit = 100_000
  /// `nil` tries every order and, when there are too many, draws some more from all over.
  public var strategy: Strategy?
  /// How many changes or delays the strategies `pct` and `delay` make.
  public var depth = 3
  /// What counts as open: by default only what the scenario itself leaves open.
  public var freedom = Freedom.stated
  /// Whether orders that can come to nothing new are left out, as they are by default; orders that
  /// a strategy draws are not affected.
  public var reduction = Reduction.reduced
  private let runner: ScenarioRunner

  /// What is taken as open.
  public enum Freedom: Hashable, Sendable {
    /// What the scenario states.
    case stated
    /// How long messages take, and what arrives between concurrent steps, too.
    case deliveries
  }

  /// Makes new clients with `client` for the runs; the seed serves the runs and what strategies
  /// draw.
  public init(seed: UInt64 = 0, client: @escaping ScenarioRunner.Factory) {
    self.init(ScenarioRunner(seed: seed, client: client))
  }

  /// Takes over the seed, the clients, the server defect and the time to give up from a runner.
  public init(_ runner: ScenarioRunner) {
    self.runner = runner
  }

  /// Tries the orders of one scenario in one profile.
  public func explore(_ scenario: Scenario, in profile: Profile) -> ExplorationResult {
    let scenario = judged(scenario)
    guard let root = root(scenario, profile) else {
      let reason = runner.run(scenario, in: profile).reason
      return ExplorationResult(scenario, profile, .unsupported, reason: reason)
    }
    var survey = ExplorationResult(scenario, profile, .pass)
    var log: ExplorationLog
    if let strategy, strategy != .exhaustive {
      log = ExplorationLog()
      draw(limit, by: strategy, from: root, into: &log)
      survey.drawn = log.orders
    } else {
      var search = OrderSearch(root, reduction, limit: limit, hasGivenUp: runner.hasGivenUp)
      survey.isComplete = search.run()
      log = search.log
      survey.orders = log.orders
      if !survey.isComplete, strategy == nil, !runner.hasGivenUp() {
        survey.drawn = (limit + 9) / 10
        draw(survey.drawn, by: .pos, from: root, into: &log)
      }
    }
    survey.fill(from: log, root)
    survey.failure?.shorten(runner)
    return survey
  }

  /// Whether there is more than one order to try.
  public func opens(_ scenario: Scenario) -> Bool {
    freedom == .deliveries || scenario.hasOpenLatency
      || scenario.steps.contains { step in
        if case .together = step.action { true } else { false }
      }
  }

  var seed: UInt64 { runner.seed }

  /// Runs one order to its end.
  ///
  /// - Returns: How it was judged, and its moves in words; `nil` when the clients cannot be
  ///   judged by the scenario.
  public func run(
    _ scenario: Scenario, in profile: Profile, order: Order
  ) -> ExplorationResult.Failure? {
    guard let (run, words, _) = root(judged(scenario), profile)?.finish(order) else {
      return nil
    }
    var outcome = ExplorationResult.Failure(run, witness: order, words: words)
    outcome.shorten(runner)
    return outcome
  }

  /// What a scenario expects of the order that it fixes does not hold in others.
  func judged(_ scenario: Scenario) -> Scenario {
    let isOpened = freedom == .deliveries && !scenario.hasOpenLatency
    return isOpened && scenario.fixedOrder != nil ? scenario.withoutExpectations : scenario
  }

  /// Where all runs of a scenario begin.
  func root(_ scenario: Scenario, _ profile: Profile) -> SearchRoot? {
    let stated = scenario.hasOpenLatency ? OpenChoices.deliveries : .calls
    return SearchRoot(scenario, in: profile, freedom == .deliveries ? .everything : stated, runner)
  }

  private func draw(
    _ count: Int, by strategy: Strategy, from root: SearchRoot, into log: inout ExplorationLog
  ) {
    let sampler = Sampler(root, strategy, depth: depth, seed: runner.seed)
    for number in 0..<count where !runner.hasGivenUp() { sampler.draw(number, into: &log) }
  }
}

extension ExplorationResult.Failure {
  /// How many choices are tried to be left out.
  private static let attempts = 200

  /// Leaves out how late messages are, one after the other, where that changes nothing.
  fileprivate mutating func shorten(_ runner: ScenarioRunner) {
    guard let signature = result.signature else { return }
    var scenario = result.scenario
    for choice in choices.filter({ $0.client != nil }).suffix(Self.attempts).reversed() {
      if runner.hasGivenUp() { return }
      let fewer = briefChoices.filter { $0 != choice }
      scenario.choices = fewer
      if runner.run(scenario, in: result.profile).signature == signature { briefChoices = fewer }
    }
  }
}

extension ExplorationResult {
  /// For how many findings the example run is described in words.
  private static let wordedFindings = 100

  fileprivate mutating func fill(from log: ExplorationLog, _ root: SearchRoot) {
    failures = log.failures
    findings = log.findings
    for index in findings.indices.prefix(Self.wordedFindings) {
      findings[index].words = root.finish(findings[index].witness).words
    }
    failure = log.failure
    if let witness = failure?.witness { failure?.words = root.finish(witness).words }
    unreached = scenario.alternatives.filter { !log.reached.contains($0.alternative) }.map(
      \.location)
    if failures > 0 {
      verdict = .fail
    } else if let first = log.first, first.verdict != .pass {
      verdict = first.verdict
      reason = first.reason
    } else if !unreached.isEmpty {
      verdict = isComplete ? .vacuous : .inconclusive
      let locations = unreached.map { "\($0.file):\($0.position)" }.joined(separator: ", ")
      let nouns = unreached.count == 1 ? "this alternative" : "these alternatives"
      reason =
        "no order \(isComplete ? "reaches" : "that was tried reached") \(nouns): \(locations)"
    }
  }
}

extension Scenario {
  /// Whether a latency is a range.
  fileprivate var hasOpenLatency: Bool {
    let ranges = [latency.standard] + latency.overrides.map(\.range)
    return ranges.contains { $0.isOpen }
      || steps.contains { step in
        guard case let .fault(.latency(latency, _)) = step.action else { return false }
        return latency.range.isOpen
      }
  }

  /// Every alternative of an expectation, in order.
  fileprivate var alternatives: [(alternative: Alternative, location: ExplorationResult.Location)] {
    steps.enumerated().flatMap { number, step in
      (step.expectation?.alternatives ?? []).enumerated().map { index, expectation in
        (
          Alternative(step: number + 1, index: index),
          ExplorationResult.Location(file: step.file, position: expectation.position)
        )
      }
    }
  }
}

extension ClosedRange<Interval> {
  fileprivate var isOpen: Bool { lowerBound < upperBound }
}
