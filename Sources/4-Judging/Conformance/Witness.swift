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
  private let scenario: Scenario
  private let profile: Profile
  private var journal: Journal
  private var invariants: InvariantWatch
  private var bindings = Bindings()
  private var faults = FaultWatch()
  private(set) package var divergences: [Divergence] = []
  package var stepsRun = 0
  private var hasJudged = false
  private var reached: Set<Alternative> = []

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
    self.scenario = scenario
    self.profile = profile
    journal = Journal(clients: scenario.clients, profile: profile)
    journal.watchesProtocol = false
    invariants = InvariantWatch(
      clients: scenario.clients.count, profile: profile, data: scenario.data)
  }

  /// The position of a client among those of the scenario.
  package func index(of client: String) -> ClientIndex? { journal.registry.index(of: client) }

  /// Takes note of a call that is about to be made; `sequence` is the event of the trace that it
  /// will be.
  package mutating func note(
    _ call: Action.Call, of client: ClientIndex, step: Int, sequence: Int
  ) {
    journal.registry.add(call, of: client, step: step, sequence: sequence)
    hasJudged = true
  }

  /// Takes note of a step that has asked for faults, which have these marks.
  package mutating func note(_ step: Step, marks: Range<Int>) { faults.add(step, marks: marks) }

  /// Takes what was added to the trace.
  package mutating func read(_ trace: Trace) {
    journal.read(trace)
    invariants.readLoosely(trace)
  }

  /// Sets what times are measured from.
  package mutating func restartClock(at time: Interval) { journal.restartClock(at: time) }
}

extension Witness {
  /// What would differ if an expectation were judged now.
  package func differences(_ expectation: Expectation, _ world: World) -> [Divergence] {
    var bindings = bindings
    bindings.serverTimes = world.times
    var judge = Judge(
      expectation, journal.period, journal.registry, world.judged, bindings)
    return judge.divergences()
  }

  /// Compares what was observed since the last expectation, and begins anew.
  package mutating func judge(
    _ expectation: Expectation, of step: Step, _ world: World, at time: Interval
  ) {
    bindings.serverTimes = world.times
    var judge = Judge(
      expectation, journal.period, journal.registry, world.judged, bindings)
    add(judge.divergences(), of: step)
    bindings = judge.bindings
    reached.formUnion(judge.reached.map { Alternative(step: stepsRun + 1, index: $0) })
    hasJudged = hasJudged || expectation.statesAnything
    addBroken(at: expectation.position, of: step)
    if expectation.timing == .settled { addOpenCalls(world, at: expectation.position, of: step) }
    journal.turn(at: time)
  }

  /// Adds the calls that should have ended, now that nothing is under way (INV-39).
  private mutating func addOpenCalls(_ world: World, at position: Position, of step: Step) {
    guard divergences.isEmpty, !scenario.without.contains(where: { $0.invariant == .allEnded })
    else { return }
    for client in world.unhindered.sorted() {
      for name in openCalls(of: client) {
        let sentence =
          "the call has not ended although the client is connected and nothing is under way"
        var divergence = Divergence(
          .broken(.allEnded, sentence), of: journal.registry.callSubject(of: name), at: position)
        divergence.origin = journal.registry.calls[name]?.sequence
        add([divergence], of: step)
      }
    }
  }

  /// Whether a call of a client whose messages nothing holds up has not ended.
  package func hasOpenCalls(of clients: Set<ClientIndex>) -> Bool {
    clients.contains { !openCalls(of: $0).isEmpty }
  }

  /// The calls of a client that have not ended, though calls like them do.
  private func openCalls(of client: ClientIndex) -> [Registry.Name] {
    if scenario.persistence[journal.registry.name(of: client)] != nil { return [] }
    return journal.registry.calls
      .filter { $0.key.client == client && $0.value.isOpen }
      .sorted { $0.value.sequence < $1.value.sequence }
      .map(\.key)
  }

  /// Adds the invariants that were broken since the last time, as far as they are judged here.
  private mutating func addBroken(at position: Position, of step: Step) {
    let exempt = Set(scenario.without.map(\.invariant))
    let found = (journal.takeFindings() + invariants.takeFindings()).filter {
      Invariant.judgedOnRealClock.contains($0.invariant) && !exempt.contains($0.invariant)
    }
    guard divergences.isEmpty else { return }
    add(found.map { journal.registry.divergence($0, at: position) }, of: step)
  }

  /// The run has not come to rest.
  package mutating func giveUp(_ reason: String, in step: Step, at position: Position) {
    let last = journal.period.arrivals.last?.sequence
    add([Divergence(.unsettled(reason), of: .server, at: position, evidence: last)], of: step)
  }

  private mutating func add(_ found: [Divergence], of step: Step) {
    divergences += found.map {
      var divergence = $0
      divergence.step = stepsRun + 1
      divergence.file = step.file
      divergence.rules = divergence.kind.sorted(scenario.rules.map(\.id))
      return divergence
    }
  }

  /// What came of the run.
  package func result(
    _ trace: Trace, seed: UInt64, epoch: Instant, marks: [FaultMark], duration: Interval
  ) -> ScenarioResult {
    let objection = hasJudged ? nil : "no client is called and nothing is expected"
    let verdict: Verdict =
      divergences.isEmpty ? (objection == nil ? .pass : .vacuous) : .fail
    var result = ScenarioResult(
      scenario, profile, seed: seed, verdict, reason: verdict == .vacuous ? objection : nil,
      divergences: divergences, trace: trace, stepsRun: stepsRun)
    if verdict == .pass, let nothing = faults.objection(marks) {
      result.verdict = .inconclusive
      result.reason = nothing
    }
    result.faults = FaultCounts(marks)
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
