package import ClientInterface
package import Document
internal import Faults
import Invariants
internal import Rules
internal import RunModel
package import Scenario
internal import Simulator
package import Trace
package import Tree

/// What was observed in a run so far and what is wrong with it, in every kind of run.
package struct RunEvaluation {
  let scenario: Scenario
  let profile: Profile
  var observationLog: ObservationLog
  var invariants: InvariantMonitor
  /// The invariants that are judged; `nil` for all.
  private let judged: Set<Invariant>?
  /// How much of the trace was read.
  var position = 0
  private var bindings = Bindings()
  private var faults = FaultTracker()
  private(set) package var divergences: [Divergence] = []
  /// How many steps are over.
  package var stepsRun = 0
  /// Whether there was anything that could have failed: a call, or something that was expected.
  private var isJudged = false
  /// The alternatives of expectations that held, which nothing else reports.
  private(set) var heldAlternatives: Set<Alternative> = []

  init(_ scenario: Scenario, in profile: Profile, judging judged: Set<Invariant>? = nil) {
    self.scenario = scenario
    self.profile = profile
    self.judged = judged
    observationLog = ObservationLog(clients: scenario.clients)
    invariants = InvariantMonitor(
      clients: scenario.clients.count, profile: profile, data: scenario.data)
  }

  /// Takes what was added to the trace since the last call: each event once, for all that follows the
  /// run. All turns in it are complete.
  ///
  /// `wrongTimes` has the times that clients were given where they were wrong, by the event.
  mutating func read(
    _ trace: Trace, wrongTimes: [Int: Instant], _ shadows: inout ShadowMonitor?
  ) {
    guard position < trace.events.count else { return }
    trace.events.forEach(from: position) { event in
      observationLog.take(event)
      if let step = invariants.take(event, of: trace, wrongTimes: wrongTimes) {
        finish(step, &shadows)
      }
    }
    position = trace.events.count
    if let step = invariants.finish() { finish(step, &shadows) }
    observationLog.add(invariants.takeBreaches())
  }

  private mutating func finish(_ step: ClientStep, _ shadows: inout ShadowMonitor?) {
    if shadows == nil { invariants.reuse(step) } else { shadows?.take(step) }
  }

  /// The position of a client among those of the scenario.
  package func index(of client: String) -> ClientIndex? {
    observationLog.registry.index(of: client)
  }

  /// A call with the keys that expectations have named so far.
  package func resolved(_ call: Action.Call) -> Action.Call { call.resolved(by: bindings) }

  /// Registers a call that is about to be made; `sequence` is the event of the trace that it will be.
  package mutating func register(
    _ call: Action.Call, of client: ClientIndex, step: Int, sequence: Int
  ) {
    observationLog.registry.add(call, of: client, step: step, sequence: sequence)
    isJudged = true
  }

  /// Adds the faults for which a step has asked, which have these marks.
  package mutating func addFaults(of step: Step, marks: Range<Int>) {
    faults.add(step, marks: marks)
  }

  /// What the server has, who is connected and what clocks showed at the moment of an expectation.
  package struct SystemState {
    package var server: Node
    package var online: Set<ClientIndex>
    /// What clocks may have shown so far, in milliseconds since 1970.
    package var times: [ClosedRange<Double>]

    package init(server: Node, online: Set<ClientIndex>, times: [ClosedRange<Double>]) {
      self.server = server
      self.online = online
      self.times = times
    }
  }

  /// What would differ if an expectation were judged now.
  package func differences(_ expectation: Expectation, _ state: SystemState) -> [Divergence] {
    var judge = judge(of: expectation, state)
    return judge.divergences()
  }

  /// Compares what was observed since the last expectation.
  mutating func compare(with expectation: Expectation, of step: Step, _ state: SystemState) {
    var judge = judge(of: expectation, state)
    add(judge.divergences(), file: step.file, citing: expectation.rules)
    bindings = judge.bindings
    heldAlternatives.formUnion(judge.held.map { Alternative(step: stepsRun + 1, index: $0) })
    isJudged = isJudged || expectation.statesAnything
  }

  private func judge(of expectation: Expectation, _ state: SystemState) -> Judge {
    var bindings = bindings
    bindings.serverTimes = state.times
    return Judge(expectation, observationLog.period, observationLog.registry, state, bindings)
  }

  /// Adds the invariants that were broken since the last expectation.
  ///
  /// Once an expectation has failed, not merely for what clients should do, they are passed over: they would report the same defect again,
  /// and with less.
  mutating func addBroken(at position: Position, file: String) {
    let found = takeFindings()
    guard divergences.allSatisfy({ $0.isBrokenInvariant || $0.weight == .advice }) else { return }
    add(found.map { observationLog.registry.divergence($0, at: position) }, file: file)
  }

  /// Hands out the invariants that were broken since the last call and about which the scenario
  /// makes no exception.
  mutating func takeFindings() -> [InvariantViolation] {
    let found = invariants.takeFindings()
    if found.isEmpty || (scenario.without.isEmpty && judged == nil) { return found }
    let exempt = Set(scenario.without.map(\.invariant))
    return found.filter {
      !exempt.contains($0.invariant) && judged?.contains($0.invariant) ?? true
    }
  }

  /// The run has not settled; where it was to, for an expectation, that is not met.
  package mutating func giveUp(_ reason: UnsettledReason, at position: Position, in file: String) {
    let last = observationLog.period.arrivals.last?.sequence
    let expectation = scenario.steps.first {
      $0.file == file && $0.expectation?.position == position
    }?.expectation
    add(
      [Divergence(.unsettled(reason), of: .server, at: position, evidence: last)], file: file,
      citing: expectation?.rules ?? [])
  }

  /// Adds divergences; without a step to that which runs, and without rules citing those of the
  /// scenario.
  mutating func add(
    _ found: [Divergence], step: Int? = nil, file: String, citing rules: [Scenario.Citation] = []
  ) {
    let rules = rules.isEmpty ? scenario.rules : rules
    // What binds the server alone is never what a client did wrong.
    let ids = (rules.filter { $0.binds == .client } + rules.filter { $0.binds == .server }).map(
      \.id)
    let isAdvice = !rules.isEmpty && rules.allSatisfy { $0.level != .must || $0.binds == .server }
    divergences += found.map {
      var divergence = $0
      divergence.step = step ?? stepsRun + 1
      divergence.file = file
      let traits = divergence.kind.traits
      divergence.rules = traits.sorted(ids)
      // What comes after a difference that is allowed may follow from it.
      let isExcused = isAdvice || divergences.contains { $0.weight == .advice }
      divergence.weight = traits.weight(isExcused: isExcused)
      // Advice without a rule would have no source.
      if divergence.weight == .advice, divergence.rules.isEmpty { divergence.rules = ids }
      return divergence
    }
  }

  /// Whether something was observed that no client may do.
  var hasFailed: Bool { divergences.contains { $0.weight == .failure } }

  /// What came of the run.
  ///
  /// - Parameters:
  ///   - trace: All that happened.
  ///   - seed: Where the randomness of the run started.
  ///   - marks: What became of its faults.
  ///   - ineffective: The verdict on a run without a divergence in which a fault changed nothing.
  ///     Where invariants alone are judged, the steps were drawn, and not every fault among them
  ///     need have mattered.
  /// - Returns: The result, without what is known only to the maker of the run.
  func result(
    _ trace: Trace, seed: UInt64, marks: [FaultMark], ineffective: Verdict = .vacuous
  ) -> ScenarioResult {
    var verdict = divergences.isEmpty ? Verdict.pass : hasFailed ? .fail : .advice
    var reason: String?
    if verdict == .pass, !isJudged {
      verdict = .vacuous
      reason = "no client is called and nothing is expected"
    } else if verdict == .pass, scenario.judging == .expectations,
      let unsupportedReason = faults.unsupportedReason(marks)
    {
      verdict = ineffective
      reason = unsupportedReason
    }
    var result = ScenarioResult(
      scenario, profile, seed: seed, verdict, reason: reason,
      divergences: divergences.filter { $0.weight == .failure }
        + divergences.filter { $0.weight == .advice },
      trace: trace, stepsRun: stepsRun)
    result.faults = FaultCounts(marks)
    result.doubts = invariants.doubts
    return result
  }
}

extension Expectation {
  /// Whether something must have happened for it to hold.
  fileprivate var statesAnything: Bool {
    !listeners.isEmpty || !outcomes.isEmpty || server != nil || !frames.isEmpty || isConverged
      || alternatives.contains { $0.statesAnything }
  }
}
