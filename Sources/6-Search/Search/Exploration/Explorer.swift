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
  /// What orders range over: by default only what the scenario itself leaves open.
  public var scope = Scope.stated
  /// Whether orders that can come to nothing new are left out, as they are by default; orders that
  /// a strategy draws are not affected.
  public var reduction = Reduction.reduced
  /// What goes wrong in addition: by default nothing.
  public var faults = Faults.none
  /// What the reduction overlooks, for tests of what finds that.
  package var oversight: Oversight?
  private let runner: ScenarioRunner

  /// What orders range over.
  public enum Scope: Hashable, Sendable {
    /// What the scenario states.
    case stated
    /// How long messages take, and what arrives between concurrent steps, too.
    case deliveries
  }

  /// What goes wrong in orders, beyond what the scenario states.
  public enum Faults: Hashable, Sendable {
    case none
    /// At most one of the faults of a sweep, at any moment of any order. With one, the order is
    /// judged by what holds in every run.
    case one
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
    let roots = [root] + rootsWithFaults(scenario, profile)
    var log = ExplorationLog()
    if let strategy, strategy != .exhaustive {
      draw(limit, by: strategy, from: roots, into: &log)
      survey.drawn = log.orders
    } else {
      let limits = SearchLimits(
        orders: limit, hasGivenUp: runner.hasGivenUp, oversight: oversight)
      survey.isComplete = roots.allSatisfy { $0.search(reduction, limits, into: &log) }
      survey.orders = log.orders
      if reduction == .reduced, !runner.hasGivenUp() {
        survey.unreduced = unreduced(roots, draws: min(log.orders, Self.estimatingDraws))
      }
      if !survey.isComplete, strategy == nil, !runner.hasGivenUp() {
        survey.nearby = tryNearby(roots, into: &log)
        survey.drawn = rest
        draw(rest, by: .pos, from: roots, into: &log)
      }
    }
    survey.fill(from: log, roots)
    survey.failure?.shorten(runner)
    return survey
  }

  /// How many orders are drawn at most to estimate how many there are.
  private static let estimatingDraws = 100

  /// How many more orders are tried where not all can be.
  private var rest: Int { (limit + 9) / 10 }

  private func unreduced(_ roots: [SearchRoot], draws: Int) -> Double {
    let share = max(1, draws / roots.count)
    return roots.reduce(0) { $0 + $1.estimatedOrders(draws: share, seed: runner.seed) }
  }

  /// Tries the orders next to that of time, for each fault as many as for the others.
  private func tryNearby(
    _ roots: [SearchRoot], into log: inout ExplorationLog
  ) -> ExplorationResult.Nearby {
    let before = log.orders
    var bounds: [Int] = []
    for root in roots {
      let share = SearchLimits(
        orders: log.orders + max(1, rest / roots.count), hasGivenUp: runner.hasGivenUp)
      var search = DelaySearch(root)
      // Where it ends before its limit there is nothing with more delays.
      if !search.run(share, into: &log) { bounds.append(search.bound ?? -1) }
    }
    let bound = bounds.min() ?? 0
    return .init(orders: log.orders - before, delays: bound < 0 ? nil : bound)
  }

  /// Whether there is more than one order to try.
  public func opens(_ scenario: Scenario) -> Bool {
    scope == .deliveries || scenario.hasOpenLatency
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
    guard let (run, words, _) = root(of: order, scenario, profile)?.finish(order) else {
      return nil
    }
    var outcome = ExplorationResult.Failure(run.run, witness: order, words: words)
    outcome.shorten(runner)
    return outcome
  }

  private func root(of order: Order, _ scenario: Scenario, _ profile: Profile) -> SearchRoot? {
    order.fault == nil
      ? root(judged(scenario), profile)
      : rootsWithFaults(scenario, profile, of: .one).first { $0.fault == order.fault }
  }

  /// Why a scenario leaves no such order open; `nil` when it does, and when the clients cannot be
  /// judged by it.
  ///
  /// - Returns: A clause: which choices there are.
  public func objection(
    to order: Order, of scenario: Scenario, in profile: Profile
  ) -> String? {
    if let fault = order.fault, let objection = FaultCandidate.objection(to: fault, in: scenario) {
      return objection
    }
    let counts = root(of: order, scenario, profile)?.finish(order).counts.filter { $0 > 1 }
    return counts.flatMap { order.objection(in: $0) }
  }

  /// What a scenario expects of the order that it fixes does not hold in others.
  func judged(_ scenario: Scenario) -> Scenario {
    let isOpened = scope == .deliveries && !scenario.hasOpenLatency
    return isOpened && scenario.fixedOrder != nil ? scenario.withoutExpectations : scenario
  }

  /// Where all runs of a scenario begin.
  func root(_ scenario: Scenario, _ profile: Profile) -> SearchRoot? {
    let stated = scenario.hasOpenLatency ? Scenario.OrderScope.deliveries : .calls
    return SearchRoot(scenario, in: profile, scope == .deliveries ? .everything : stated, runner)
  }

  /// Where all runs of a scenario begin in which something goes wrong, for each fault one.
  private func rootsWithFaults(
    _ scenario: Scenario, _ profile: Profile, of faults: Faults? = nil
  ) -> [SearchRoot] {
    guard faults ?? self.faults == .one else { return [] }
    let openChoices = scope == .deliveries ? Scenario.OrderScope.everything : .deliveries
    return FaultCandidate.all(in: scenario).compactMap {
      SearchRoot(scenario.readyForFaults, in: profile, openChoices, runner, $0)
    }
  }

  private func draw(
    _ count: Int, by strategy: Strategy, from roots: [SearchRoot], into log: inout ExplorationLog
  ) {
    let samplers = roots.map { Sampler($0, strategy, depth: depth, seed: runner.seed) }
    for number in 0..<count where !runner.hasGivenUp() {
      samplers[number % samplers.count].draw(number, into: &log)
    }
  }
}

extension ExplorationResult.Failure {
  /// How many choices are tried to be left out.
  private static let attempts = 200

  /// Leaves out how late messages are, one after the other, where that changes nothing.
  fileprivate mutating func shorten(_ runner: ScenarioRunner) {
    // An ordinary run cannot have the fault.
    guard witness.fault == nil, let signature = result.signature else { return }
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

  fileprivate mutating func fill(from log: ExplorationLog, _ roots: [SearchRoot]) {
    func words(_ order: Order) -> [String] {
      roots.first { $0.fault == order.fault }?.finish(order).words ?? []
    }
    failures = log.failures
    findings = log.findings
    for index in findings.indices.prefix(Self.wordedFindings) {
      findings[index].words = words(findings[index].witness)
    }
    failure = log.failure
    if let witness = failure?.witness { failure?.words = words(witness) }
    unreached = scenario.alternatives.filter { !log.heldAlternatives.contains($0.alternative) }.map(
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
