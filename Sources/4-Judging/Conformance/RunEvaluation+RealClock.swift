package import ClientInterface
internal import Document
package import Faults
import Invariants
package import Scenario
package import Trace

// Runs that the simulator does not make: those with clients that have a clock of their own. The
// code that makes the run reports which calls were made, and hands over the trace as it grows.

extension RunEvaluation {
  /// Nothing of a run on a real clock so far. Expectations are compared as in any other run; see
  /// ``Invariant/judgedOnRealClock`` for what else is judged.
  package init(onRealClock scenario: Scenario, in profile: Profile) {
    self.init(scenario, in: profile, judging: Invariant.judgedOnRealClock)
  }

  /// Takes what was added to the trace.
  package mutating func read(_ trace: Trace) {
    trace.events.forEach(from: position) { observationLog.take($0) }
    position = trace.events.count
    invariants.readLoosely(trace)
    // It is unknown what a client that has its own sockets had seen when it sent something.
    _ = invariants.takeBreaches()
  }

  /// Sets what times are measured from.
  package mutating func restartClock(at time: Interval) { observationLog.restartClock(at: time) }

  /// Compares what was observed since the last expectation, and begins again. The messages of
  /// `reachable` clients nothing holds up: their calls must have ended when the run has settled.
  package mutating func judge(
    _ expectation: Expectation, of step: Step, _ state: SystemState,
    reachable: Set<ClientIndex>, at time: Interval
  ) {
    compare(with: expectation, of: step, state)
    addBroken(at: expectation.position, file: step.file)
    if expectation.timing == .settled {
      addOpenCalls(of: reachable, at: expectation.position, of: step)
    }
    observationLog.beginWindow(at: time)
  }

  /// Adds the calls that should have ended, now that nothing is under way (INV-39).
  private mutating func addOpenCalls(
    of reachable: Set<ClientIndex>, at position: Position, of step: Step
  ) {
    guard divergences.isEmpty,
      !scenario.without.contains(where: { $0.invariant == .allEnded })
    else { return }
    for client in reachable.sorted() {
      for name in openCalls(of: client) {
        let sentence =
          "the call has not ended although the client is connected and nothing is under way"
        var divergence = Divergence(
          .broken(.allEnded, sentence), of: observationLog.registry.callSubject(of: name),
          at: position)
        divergence.origin = observationLog.registry.calls[name]?.sequence
        add([divergence], file: step.file)
      }
    }
  }

  /// Whether a call of a client whose messages nothing holds up has not ended.
  package func hasOpenCalls(of clients: Set<ClientIndex>) -> Bool {
    clients.contains { !openCalls(of: $0).isEmpty }
  }

  /// The calls of a client that have not ended, though calls like them do.
  private func openCalls(of client: ClientIndex) -> [Registry.Name] {
    let registry = observationLog.registry
    if scenario.persistence[registry.name(of: client)] != nil { return [] }
    return registry.calls
      .filter { $0.key.client == client && $0.value.isOpen }
      .sorted { $0.value.sequence < $1.value.sequence }
      .map(\.key)
  }

  /// What came of the run.
  package func result(
    _ trace: Trace, seed: UInt64, epoch: Instant, marks: [FaultMark], duration: Interval
  ) -> ScenarioResult {
    var result = result(trace, seed: seed, marks: marks, ineffective: .inconclusive)
    result.duration = duration
    result.epoch = epoch
    return result
  }
}

extension Registry.Call {
  /// Whether an end of it is still to come.
  fileprivate var isOpen: Bool {
    outcome.end == nil && !isFinished && operation.isWrite
  }
}
