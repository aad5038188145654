package import ClientInterface
package import Document
package import Faults
internal import Invariants
package import RunModel
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
  private let judged: Set<Invariant>?
  private var bindings = Bindings()
  private var faults = FaultTracker()
  private(set) package var divergences: [Divergence] = []
  /// How many steps are over.
  package var stepsRun = 0
  /// Whether there was anything that could have failed: a call, or something that was expected.
  private var isJudged = false
  /// The alternatives of expectations that held, which nothing else reports.
  private(set) var heldAlternatives: Set<Alternative> = []

  /// Nothing of a run so far, in which some invariants are judged; `nil` for all of them. `epoch` is what
  /// clocks that are right show at its start, where that is known.
  init(
    _ scenario: Scenario, in profile: Profile, epoch: Instant? = nil,
    judging judged: Set<Invariant>? = nil
  ) {
    self.scenario = scenario
    self.profile = profile
    self.judged = judged
    observationLog = ObservationLog(clients: scenario.clients)
    invariants = InvariantMonitor(
      clients: scenario.clients.count, profile: profile, data: scenario.data, epoch: epoch,
      hasRules: !scenario.security.isEmpty || scenario.databaseRules != nil)
  }

  /// Takes what was added to the trace since the last call: each event once, for all that follows
  /// the run. All turns in it are complete.
  ///
  /// `wrongTimes` has the times that clients were given where they were wrong, by the event.
  mutating func read(
    _ trace: Trace, wrongTimes: [Int: Instant], _ shadows: inout ShadowMonitor?
  ) {
    trace.events.forEach(from: observationLog.position) { event in
      observationLog.take(event)
      if invariants.endTurn(before: event, of: trace) { shadows?.take(invariants.turn) }
      invariants.take(event, wrongTimes: wrongTimes)
    }
    if invariants.endTurn() { shadows?.take(invariants.turn) }
    for breach in invariants.takeBreaches() {
      observationLog.addBreach(
        .protocolBreach(breach.finding), of: breach.client, at: breach.sequence)
    }
  }

  /// The position of a client among those of the scenario.
  package func index(of client: String) -> ClientIndex? {
    observationLog.index(of: client)
  }

  /// Registers a call that is about to be made; `sequence` is the event of the trace that it will
  /// be.
  ///
  /// - Returns: Who makes it, and what is asked, with the keys that expectations have named so far;
  ///   `nil` where the scenario has no such client.
  package mutating func register(
    _ call: Action.Call, step: Int, sequence: Int
  ) -> (client: ClientIndex, operation: ClientInterface.Operation)? {
    guard let client = index(of: call.client) else { return nil }
    let operation =
      bindings.values.isEmpty ? call.operation : call.resolved(by: bindings).operation
    observationLog.add(
      call.id, isNamed: call.isNamed, operation, of: client, step: step, sequence: sequence)
    isJudged = true
    return (client, operation)
  }

  /// Adds the faults for which a step has asked, which have these marks. Where invariants alone are
  /// judged, the steps were drawn, and not every fault among them need have mattered.
  package mutating func addFaults(of step: Step, marks: Range<Int>) {
    if scenario.judging == .expectations { faults.add(step, marks: marks) }
  }

  /// What has happened, what the server has, who is connected and what clocks showed at the moment
  /// of an expectation.
  package struct SystemState {
    var trace: Trace
    var server: Node
    var online: [ClientIndex]
    /// What clocks may have shown so far, in milliseconds since 1970.
    var times: [ClosedRange<Double>]

    package init(
      _ trace: Trace, server: Node, online: [ClientIndex], times: [ClosedRange<Double>]
    ) {
      self.trace = trace
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

  /// Compares what was observed since the last expectation, and adds the invariants that were
  /// broken since then.
  mutating func compare(with expectation: Expectation, of step: Step, _ state: SystemState) {
    var judge = judge(of: expectation, state)
    add(judge.divergences(), file: step.file, citing: expectation.rules)
    bindings = judge.bindings
    heldAlternatives.formUnion(judge.held.map { Alternative(step: stepsRun + 1, index: $0) })
    isJudged = isJudged || expectation.statesAnything
    guard invariants.judgesLaws else { return }
    let broken = takeFindings()
    // Once an expectation has failed, not merely for what clients should do, they are passed over:
    // they would report the same defect again, and with less.
    guard divergences.allSatisfy({ $0.isBrokenInvariant || $0.weight == .advice }) else { return }
    let position = expectation.position
    add(broken.map { observationLog.divergence($0, at: position) }, file: step.file)
  }

  private func judge(of expectation: Expectation, _ state: SystemState) -> Judge {
    var bindings = bindings
    bindings.serverTimes = state.times
    return Judge(
      expectation: expectation, log: observationLog, state: state, bindings: bindings)
  }

  /// Hands out the invariants that were broken since the last call and about which the scenario
  /// makes no exception.
  mutating func takeFindings() -> [InvariantViolation] {
    invariants.takeFindings().filter {
      judged?.contains($0.invariant) ?? true && !isExempt($0.invariant)
    }
  }

  private func isExempt(_ invariant: Invariant) -> Bool {
    scenario.without.contains { $0.invariant == invariant }
  }

  /// The run has not settled; where it was to, for an expectation, that is not met.
  package mutating func giveUp(_ reason: UnsettledReason, at position: Position, in file: String) {
    let divergence = Divergence(
      .unsettled(reason), of: .server, at: position, evidence: observationLog.period.lastInput)
    let step = scenario.steps.first { $0.file == file && $0.expectation?.position == position }
    add([divergence], file: file, citing: step?.expectation?.rules ?? [])
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
    let isAdvice =
      !rules.isEmpty && rules.allSatisfy { $0.binds == .server || !$0.isRequired(in: profile) }
    divergences += found.map {
      var divergence = $0
      divergence.step = step ?? stepsRun + 1
      divergence.file = file
      let traits = divergence.kind.traits
      divergence.rules = traits.sorted(ids)
      // What comes after a difference that is allowed may follow from it.
      let isExcused = isAdvice || divergences.contains { $0.weight == .advice }
      divergence.weight = traits.weight ?? (isExcused ? .advice : .failure)
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
  ///   - epoch: What the server's clock showed at the start.
  ///   - marks: What became of its faults.
  ///   - duration: How long it lasted.
  ///   - ineffective: The verdict on a run without a divergence in which a fault changed nothing.
  /// - Returns: The result, without what is known only to the maker of the run.
  package func result(
    _ trace: Trace, seed: UInt64, epoch: Instant, marks: [FaultMark], duration: Interval,
    ineffective: Verdict = .vacuous
  ) -> ScenarioResult {
    var verdict = divergences.isEmpty ? Verdict.pass : hasFailed ? .fail : .advice
    var reason: String?
    if verdict == .pass, !isJudged {
      verdict = .vacuous
      reason = "no client is called and nothing is expected"
    } else if verdict == .pass, let unsupportedReason = faults.unsupportedReason(marks) {
      verdict = ineffective
      reason = unsupportedReason
    }
    return ScenarioResult(
      scenario: scenario, profile: profile, seed: seed, verdict: verdict, reason: reason,
      divergences: divergences.filter { $0.weight == .failure }
        + divergences.filter { $0.weight == .advice },
      trace: trace, faultMarks: marks, stepsRun: stepsRun, duration: duration, epoch: epoch,
      doubts: invariants.doubts)
  }
}

// Runs that the simulator does not make: those with clients that have a clock of their own. The
// code that makes the run reports which calls were made, and hands over the trace as it grows.

extension RunEvaluation {
  /// Nothing of a run on a real clock so far. Expectations are compared as in any other run; see
  /// ``Invariant/judgedOnRealClock`` for what else is judged.
  package init(onRealClock scenario: Scenario, in profile: Profile) {
    // Views are compared with the server in place of expectations.
    let others: Set<Invariant> = scenario.judging == .invariants ? [.converged] : []
    self.init(scenario, in: profile, judging: Invariant.judgedOnRealClock.union(others))
  }

  /// Judges a settled run without expectations, in which this was found at a server.
  package mutating func judgeSettled(
    _ found: [WireFinding], server: Node, online: Set<ClientIndex>, at position: Position,
    in file: String
  ) {
    invariants.judgeSettled(server: server, online: online.sorted())
    let breaches = found.map { Divergence(.protocolBreach($0), of: .server, at: position) }
    add(breaches + takeFindings().map { observationLog.divergence($0, at: position) }, file: file)
  }

  /// Takes what was added to the trace.
  package mutating func read(_ trace: Trace) {
    trace.events.forEach(from: observationLog.position) { observationLog.take($0) }
    invariants.readLoosely(trace)
    // It is unknown what a client that has its own sockets had seen when it sent something.
    _ = invariants.takeBreaches()
  }

  /// Sets what times are measured from.
  package mutating func restartClock(at time: Interval) { observationLog.restartClock(at: time) }

  /// Compares what was observed since the last expectation, and begins again. The messages of
  /// `reachable` clients nothing holds up: their calls must have ended when the run has settled
  /// (INV-39).
  package mutating func judge(
    _ expectation: Expectation, of step: Step, _ state: SystemState,
    reachable: Set<ClientIndex>, at time: Interval
  ) {
    compare(with: expectation, of: step, state)
    if expectation.timing == .settled, divergences.isEmpty, !isExempt(.allEnded) {
      let sentence =
        "the call has not ended although the client is connected and nothing is under way"
      let found = openCalls(of: reachable).map {
        observationLog.divergence(
          .broken(.allEnded, sentence), ofCall: $0, at: expectation.position)
      }
      add(found, file: step.file)
    }
    observationLog.beginWindow(at: time)
  }

  /// Whether a call of a client whose messages nothing holds up has not ended.
  package func hasOpenCalls(of clients: Set<ClientIndex>) -> Bool {
    !openCalls(of: clients).isEmpty
  }

  /// The calls of clients that have not ended, though calls like them do, client by client.
  private func openCalls(of clients: Set<ClientIndex>) -> [ObservationLog.Name] {
    let judged = clients.filter { scenario.persistence[observationLog.name(of: $0)] == nil }
    return observationLog.calls
      .filter { judged.contains($0.key.client) && $0.value.isOpen }
      .sorted { ($0.key.client, $0.value.sequence) < ($1.key.client, $1.value.sequence) }
      .map(\.key)
  }
}

extension Expectation {
  /// Whether something must have happened for it to hold.
  fileprivate var statesAnything: Bool {
    !listeners.isEmpty || !outcomes.isEmpty || server != nil || !frames.isEmpty || isConverged
      || alternatives.contains { $0.statesAnything }
  }
}
