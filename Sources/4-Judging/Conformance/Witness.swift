package import ClientInterface
package import Document
internal import ReferenceServer
package import Scenario
package import Simulator
package import Trace
package import Tree

/// Judges a run that the simulator has not made: one with clients that have a clock of their own.
///
/// Whoever makes the run tells which calls were made, and hands over the trace as it grows. What was
/// observed is compared as in any other run; see ``Invariant/judgedOnRealClock`` for what else is.
package struct Witness {
  private var evaluation: RunEvaluation
  package var divergences: [Divergence] { evaluation.divergences }

  /// What is true at the moment of an expectation.
  package struct World {
    package var server: Node
    package var online: Set<ClientIndex>
    /// Those of them whose messages nothing holds up: their calls must have ended at rest.
    package var unhindered: Set<ClientIndex>
    /// What clocks may have shown so far, in milliseconds since 1970.
    package var times: [ClosedRange<Double>]

    package init(
      server: Node, online: Set<ClientIndex>, unhindered: Set<ClientIndex>,
      times: [ClosedRange<Double>]
    ) {
      self.server = server
      self.online = online
      self.unhindered = unhindered
      self.times = times
    }
  }

  package init(_ scenario: Scenario, in profile: Profile) {
    evaluation = RunEvaluation(scenario, in: profile, judging: Invariant.judgedOnRealClock)
    evaluation.journal.watchesProtocol = false
  }

  /// The position of a client among those of the scenario.
  package func index(of client: String) -> ClientIndex? {
    evaluation.journal.registry.index(of: client)
  }

  /// Takes note of a call that is about to be made; `sequence` is the event of the trace that it
  /// will be.
  package mutating func note(
    _ call: Action.Call, of client: ClientIndex, step: Int, sequence: Int
  ) {
    evaluation.note(call, of: client, step: step, sequence: sequence)
  }

  /// Takes note of a step that has asked for faults, which have these marks.
  package mutating func note(_ step: Step, marks: Range<Int>) {
    evaluation.note(step, marks: marks)
  }

  /// Notes that a step is over.
  package mutating func finishStep() { evaluation.stepsRun += 1 }

  /// Takes what was added to the trace.
  package mutating func read(_ trace: Trace) {
    evaluation.journal.read(trace)
    evaluation.invariants.readLoosely(trace)
  }

  /// Sets what times are measured from.
  package mutating func restartClock(at time: Interval) {
    evaluation.journal.restartClock(at: time)
  }
}

extension Witness {
  /// What would differ if an expectation were judged now.
  package func differences(_ expectation: Expectation, _ world: World) -> [Divergence] {
    evaluation.differences(from: expectation, world.judged, times: world.times)
  }

  /// Compares what was observed since the last expectation, and begins anew.
  package mutating func judge(
    _ expectation: Expectation, of step: Step, _ world: World, at time: Interval
  ) {
    evaluation.compare(with: expectation, of: step, world.judged, times: world.times)
    evaluation.addBroken(at: expectation.position, file: step.file)
    if expectation.timing == .settled { addOpenCalls(world, at: expectation.position, of: step) }
    evaluation.journal.turn(at: time)
  }

  /// Adds the calls that should have ended, now that nothing is under way (INV-39).
  private mutating func addOpenCalls(_ world: World, at position: Position, of step: Step) {
    guard divergences.isEmpty,
      !evaluation.scenario.without.contains(where: { $0.invariant == .allEnded })
    else { return }
    for client in world.unhindered.sorted() {
      for name in openCalls(of: client) {
        let sentence =
          "the call has not ended although the client is connected and nothing is under way"
        var divergence = Divergence(
          .broken(.allEnded, sentence), of: evaluation.journal.registry.callSubject(of: name),
          at: position)
        divergence.origin = evaluation.journal.registry.calls[name]?.sequence
        evaluation.add([divergence], file: step.file)
      }
    }
  }

  /// Whether a call of a client whose messages nothing holds up has not ended.
  package func hasOpenCalls(of clients: Set<ClientIndex>) -> Bool {
    clients.contains { !openCalls(of: $0).isEmpty }
  }

  /// The calls of a client that have not ended, though calls like them do.
  private func openCalls(of client: ClientIndex) -> [Registry.Name] {
    let registry = evaluation.journal.registry
    if evaluation.scenario.persistence[registry.name(of: client)] != nil { return [] }
    return registry.calls
      .filter { $0.key.client == client && $0.value.isOpen }
      .sorted { $0.value.sequence < $1.value.sequence }
      .map(\.key)
  }

  /// The run has not come to rest.
  package mutating func giveUp(_ reason: String, in step: Step, at position: Position) {
    evaluation.giveUp(reason, at: position, in: step.file)
  }

  /// What came of the run.
  package func result(
    _ trace: Trace, seed: UInt64, epoch: Instant, marks: [FaultMark], duration: Interval
  ) -> ScenarioResult {
    var result = evaluation.result(trace, seed: seed, marks: marks, ineffective: .inconclusive)
    result.duration = duration
    result.epoch = epoch
    return result
  }
}

extension Witness.World {
  fileprivate var judged: Judge.World { Judge.World(server: server, online: online) }
}

extension Registry.Call {
  /// Whether an end of it is still to come.
  fileprivate var isOpen: Bool {
    guard outcome.end == nil, !isOver else { return false }
    switch operation {
    case .set, .remove, .setPriority, .update, .transaction: return true
    case let .push(_, node): return node != nil
    case .listen, .once, .unlisten, .unlistenAll, .goOffline, .goOnline, .keepSynced, .inspect,
      .onDisconnectSet, .onDisconnectRemove, .onDisconnectUpdate, .onDisconnectCancel,
      .authenticate, .unauthenticate:
      return false
    }
  }
}
