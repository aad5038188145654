package import ClientInterface
internal import Document
package import Faults
internal import Invariants
internal import ReferenceServer
package import Scenario
internal import Simulator
internal import Trace
internal import Tree

/// One run of one scenario.
///
/// It is a value: a copy can differ. Where its order is open, it stops wherever the scenario leaves
/// open what comes next; otherwise everything happens as time has it.
package struct ScenarioRun {
  private let seed: UInt64
  private let clientFactory: ClientFactory
  /// What the interface of each client lacks.
  private let lacks: [Set<Feature>]
  private let epoch: Instant
  private var simulator: Simulator
  private var evaluation: RunEvaluation
  /// Writes down what is observed as what is expected; `nil` where it is judged.
  private var recorder: Recorder?
  /// What of the order is left to the caller; `nil` for nothing.
  private let scope: Scenario.OrderScope?
  /// The shadows of the clients; `nil` when nothing is compared with them.
  private var shadows: ShadowMonitor?
  /// What differed at the last rest, to be reported after what was expected there.
  private var differences: [ShadowDifference] = []
  private var serverTimes = ServerTimes()
  private var stage = Stage.step
  /// Whether the run came to a point from which the steps that follow say nothing.
  private var isCutShort = false
  /// What the run came to; complete when it is over.
  package private(set) var runOutcome = RunOutcome()
  /// How often something happened that concerns everyone. A search must not take moves from before
  /// and after it for exchangeable.
  package private(set) var turningPoints = 0

  /// What the run does next when nothing can be chosen.
  private enum Stage {
    /// The next step begins.
    case step
    case together([OrderedSteps])
    case waiting(until: Interval)
    case settling(until: Interval)
    case finished
  }

  /// How long a run may take to settle.
  private static let deadline = Interval.seconds(600)

  private var scenario: Scenario { _read { yield evaluation.scenario } }
}

extension ScenarioRun {
  /// A run that has not begun.
  init(
    _ scenario: Scenario, _ profile: Profile, _ seed: UInt64, _ clients: [any SyncClient],
    _ clientFactory: ClientFactory, open scope: Scenario.OrderScope? = nil,
    recorder: Recorder? = nil
  ) {
    let configuration = Self.configuration(scenario, profile, seed, clients, clientFactory)
    self.init(
      seed: seed, clientFactory: clientFactory, lacks: clients.map { $0.lacks },
      epoch: configuration.epoch, simulator: Simulator(configuration),
      evaluation: RunEvaluation(scenario, in: profile, epoch: configuration.epoch),
      recorder: recorder, scope: scope)
  }

  private static func configuration(
    _ scenario: Scenario, _ profile: Profile, _ seed: UInt64, _ clients: [any SyncClient],
    _ clientFactory: ClientFactory
  ) -> Configuration {
    let setups = zip(scenario.clients, clients).map { name, client in
      ClientSetup(
        name: name, client: client, latency: Latency(scenario.latency.range(of: name)),
        persistence: scenario.persistence[name], renew: { clientFactory.makeClient(name) })
    }
    var configuration = Configuration(profile: profile, clients: setups)
    configuration.data = scenario.data
    configuration.security = scenario.security
    configuration.databaseRules = scenario.databaseRules
    let epoch = configuration.epoch
    configuration.tokens = scenario.tokens.mapValues { token in
      TokenClaims(user: token.user, expiry: token.lifetime.map { epoch + $0 })
    }
    configuration.seed = seed
    configuration.form = scenario.form
    configuration.tape = ChoiceTape(for: scenario, seed: seed)
    return configuration
  }

  /// Goes to the first step as the runner asks, and leaves the order open from there on if it is to
  /// be.
  mutating func begin(_ runner: ScenarioRunner) {
    simulator.serverDefect = runner.serverDefect
    evaluation.invariants.judgesLaws = runner.invariants == .judged
    if scenario.judging == .invariants, scope == nil, recorder == nil {
      evaluation.observationLog.keepsObservations = false
    }
    shadows = runner.shadows(evaluation.profile).map {
      ShadowMonitor(clients: lacks.count, evaluation.profile, epoch: epoch, $0)
    }
    simulator.open()
    if scenario.start == .connected {
      let origin = scenario.steps.first?.position ?? Position(line: 1, column: 1)
      settle(at: origin, in: scenario.file)
    }
    read()
    evaluation.observationLog.restartClock(at: simulator.now)
    if !isInTime { simulator.openOrder() }
  }
}

// MARK: - What it came to

extension ScenarioRun {
  /// How the run was judged, when it is over.
  package var result: ScenarioResult {
    var result = evaluation.result(
      simulator.trace, seed: seed, epoch: epoch, marks: simulator.faultMarks,
      duration: simulator.now)
    result.queueSteps = simulator.queueSteps
    result.serverTree = simulator.serverTree
    result.wrongTimes = simulator.wrongTimes
    result.tape = simulator.tape
    if let outage = clientFactory.outage() { result.take(outage) }
    return result
  }

  /// The scenario with exactly what was observed as its expectations; `nil` when the run did not
  /// settle.
  var recorded: Scenario? { isCutShort ? nil : recorder?.recorded }

  package var isFinished: Bool {
    if case .finished = stage { true } else { false }
  }

  package var hasFailed: Bool { evaluation.hasFailed || clientFactory.outage() != nil }

  /// Whether a copy of the run has clients of its own. Not so for a client that is a class; one
  /// that is a value but holds on to an object cannot be recognised.
  package var canBeCopied: Bool { simulator.clientsAreValues }

  /// The alternatives of expectations that held.
  package var heldAlternatives: Set<Alternative> { evaluation.heldAlternatives }

  /// The choices of the run so far, with the moves that it made where there were several.
  package func choices(inOrder moves: [Int]) -> [Scenario.Choice] {
    let others = result.choices.filter { !$0.isSameChoice(as: .order(.calls, [])) }
    return others + (scope.map { [.order($0, moves)] } ?? [])
  }

  /// What has become of the faults that were thrown in.
  package var faultMarks: [FaultMark] { simulator.faultMarks }

  /// How many steps are over.
  package var stepsRun: Int { evaluation.stepsRun }

  package var now: Interval { simulator.now }

  /// How much has happened so far.
  package var eventCount: Int { simulator.trace.count }

  /// What happened last, in words; empty at the beginning.
  package var lastWords: String { words(of: simulator.trace.events.last) }

  private func words(of event: TraceEvent?) -> String {
    event.map { $0.route(names: scenario.clients) + "  " + $0.text } ?? ""
  }
}

// MARK: - Moves

extension ScenarioRun {
  /// Goes on to where something can be chosen.
  ///
  /// - Returns: What can happen next, in front what would happen without anybody choosing. Empty
  ///   when the run is over.
  package mutating func moves() -> [Transition] {
    while true {
      let moves = currentMoves
      if !moves.isEmpty || isFinished { return moves }
      goOn()
    }
  }

  /// Makes one of `moves`.
  ///
  /// - Returns: The move with what it has touched.
  @discardableResult
  package mutating func perform(_ move: Transition) -> Transition {
    switch move.kind {
    case let .delivery(delivery): simulator.perform(delivery)
    case let .call(number):
      guard case var .together(lanes) = stage, let next = lanes[number].steps.popFirst() else {
        return move
      }
      stage = .together(lanes)
      simulator.enter(move.reach)
      perform(next, number: stepsRun + 1)
    case let .fault(faults):
      simulator.enter(move.reach)
      for fault in faults { simulator.inject(fault) }
    case .next: goOn()
    }
    var made = move
    made.reach = simulator.touched(move.reach)
    return made
  }

  /// What a move is, in words: the step as its file has it, or what arrives.
  package func words(of move: Transition) -> String {
    switch move.kind {
    case let .call(number):
      guard case let .together(lanes) = stage else { return "" }
      return lanes[number].steps.first?.text ?? ""
    case let .delivery(delivery):
      return words(of: simulator.event(of: delivery))
    case let .fault(faults): return faults.map(\.text).joined(separator: ", ")
    case .next: return "nothing more for now"
    }
  }

  /// Lets the next thing happen that would happen without anybody choosing.
  ///
  /// - Returns: `false` when the run is over.
  package mutating func advance() -> Bool {
    if isFinished { return false }
    perform(currentMoves.first ?? nextMove)
    return true
  }

  /// Lets a fault happen now.
  package mutating func inject(_ fault: IndexedFault) {
    meet()
    simulator.inject(fault)
  }

  /// Goes on to the end, by the order that the tape states and else as time would choose.
  mutating func followTape() {
    guard let scope else {
      while !isFinished { goOn() }
      return
    }
    var ordinal = 0
    while case let moves = moves(), !moves.isEmpty {
      var chosen = 0
      if moves.count > 1 {
        chosen = simulator.chooseMove(ordinal, entity: scope.entity, of: moves.count)
        ordinal += 1
      }
      perform(moves[chosen])
    }
  }

  /// What can be chosen now; empty when something else comes first, and at the end.
  package var currentMoves: [Transition] {
    switch stage {
    case .step, .finished: return []
    case let .together(lanes):
      let calls = self.calls(of: lanes)
      return calls.isEmpty || scope != .everything ? calls : calls + deliveries()
    case let .waiting(end): return deliveries(until: end)
    case .settling: return deliveries()
    }
  }

  private func deliveries(until end: Interval? = nil) -> [Transition] {
    simulator.deliveries(until: end).map {
      Transition(kind: .delivery($0), reach: $0.reach, isTurningPoint: false)
    }
  }

  private func calls(of lanes: [OrderedSteps]) -> [Transition] {
    let left = lanes.reduce(0) { $0 + $1.steps.count }
    return lanes.indices.filter { !lanes[$0].steps.isEmpty }.map { number in
      // With time in command, what is called first also arrives first.
      let isLast = left == 1 && !settleFollows
      return Transition(
        kind: .call(lane: number), reach: lanes[number].reach,
        isTurningPoint: isInTime || isLast || lanes[number].reach.touchesEveryone)
    }
  }

  /// Whether nothing but deliveries happens until the run has settled.
  private var settleFollows: Bool {
    if let expectation = step.expectation { return expectation.timing == .settled }
    guard stepsRun + 1 < scenario.steps.count else { return true }
    let next = scenario.steps[stepsRun + 1]
    if case .expect = next.action { return next.expectation?.timing == .settled }
    return if case .settle = next.action { true } else { false }
  }
}

// MARK: - Going on

extension ScenarioRun {
  /// Whether messages arrive when time has it, whatever else is open.
  private var isInTime: Bool { scope == nil || scope == .calls }

  private var step: Step { scenario.steps[stepsRun] }

  /// Does what is next when there is nothing to choose.
  private mutating func goOn() {
    if isCutShort { return end() }
    switch stage {
    case .step: beginStep()
    case .together: finishStep()
    case let .waiting(end):
      turningPoints += 1
      if !simulator.advanceFurther(to: end) { finishStep() }
    case let .settling(end): settle(until: end)
    case .finished: break
    }
    if isCutShort { end() }
  }

  private mutating func beginStep() {
    guard stepsRun < scenario.steps.count else { return end() }
    let step = step
    let hasReadAll = hasReadAll
    simulator.beginStep(stepsRun + 1, step.text)
    if hasReadAll { evaluation.observationLog.skipEvent() }
    if step.action.category != .observation { meet() }
    if scope != nil, let members = step.action.members {
      stage = .together(OrderedSteps.lanes(of: members, evaluation.observationLog))
    } else {
      perform(step, number: stepsRun + 1)
      if case .step = stage, !isCutShort { finishStep() }
    }
  }

  /// What the step does has been done; what it expects is still to be seen.
  private mutating func finishStep() {
    guard let expectation = step.expectation else { return leaveStep() }
    if expectation.timing == .settled { return beginSettling() }
    meet()
    judge(expectation)
  }

  private mutating func beginSettling() {
    stage = .settling(until: simulator.now + Self.deadline)
  }

  private mutating func settle(until end: Interval) {
    turningPoints += 1
    if isInTime {
      settle(at: step.expectation?.position ?? step.position, in: step.file)
      if isCutShort { return }
    } else {
      switch simulator.settleFurther(quiet: scenario.quiet, until: end) {
      case nil: return
      case .settled: judgeSettled()
      case let .unsettled(reason): return giveUp(reason, at: step.position, in: step.file)
      }
    }
    // What has settled need not settle again for what is expected.
    guard let expectation = step.expectation, expectation.timing == .settled else {
      return finishStep()
    }
    judge(expectation)
  }

  private mutating func leaveStep() {
    read()
    evaluation.stepsRun += 1
    stage = .step
  }

  private mutating func end() {
    if isFinished { return }
    stage = .finished
    if scenario.judging == .invariants, recorder == nil {
      judgeInvariants()
      if scope != nil { runOutcome.add(evaluation.observationLog) }
    }
    runOutcome.server = simulator.serverTree
  }

  /// Something that concerns everyone is about to happen.
  private mutating func meet() {
    turningPoints += 1
    simulator.meet()
  }

  /// Lets time pass until nothing is left to do; a run that does not settle is over.
  private mutating func settle(at position: Position, in file: String) {
    switch simulator.settle(quiet: scenario.quiet) {
    case .settled: judgeSettled()
    case let .unsettled(reason): giveUp(reason, at: position, in: file)
    }
  }

  private mutating func giveUp(
    _ reason: UnsettledReason, at position: Position, in file: String
  ) {
    read()
    evaluation.giveUp(reason, at: position, in: file)
    isCutShort = true
  }
}

extension ScenarioRun: StepPerformer {
  package mutating func make(_ call: Action.Call, of step: Step, number: Int) {
    read()
    let sequence = simulator.trace.count
    guard let made = evaluation.register(call, step: number, sequence: sequence) else { return }
    simulator.call(made.client, call.id, made.operation)
  }

  package mutating func inject(_ step: Step) {
    let first = simulator.faultMarks.count
    let asked = StepFaults(step, of: scenario.clients)
    for fault in asked.faults {
      if let trigger = asked.trigger {
        simulator.arm(fault, when: trigger)
      } else {
        simulator.inject(fault)
      }
    }
    serverTimes.follow(step, at: simulator.now)
    evaluation.addFaults(of: step, marks: first..<simulator.faultMarks.count)
  }

  package mutating func wait(for interval: Interval, in step: Step) {
    if !isInTime { return stage = .waiting(until: simulator.now + interval) }
    simulator.advance(by: interval)
    if let reason = simulator.runaway { giveUp(reason, at: step.position, in: step.file) }
  }

  package mutating func settle(in step: Step) {
    guard isInTime else { return beginSettling() }
    turningPoints += 1
    settle(at: step.position, in: step.file)
  }

  package mutating func disarm() { simulator.disarm() }
}

// MARK: - Judging

extension ScenarioRun {
  private var hasReadAll: Bool { evaluation.observationLog.position == simulator.trace.count }

  /// Takes what was added to the trace.
  private mutating func read() {
    if hasReadAll { return }
    evaluation.read(simulator.trace, wrongTimes: simulator.wrongTimes, &shadows)
  }

  /// Compares what was observed since the last expectation, or writes it down, and begins again.
  private mutating func judge(_ expectation: Expectation) {
    read()
    if scope != nil { runOutcome.add(evaluation.observationLog) }
    if var recorder {
      recorder.serverTimes = shownTimes
      recorder.fill(
        stepsRun, evaluation.observationLog, simulator.trace, server: simulator.serverTree)
      self.recorder = recorder
    } else {
      let online = Array(among: scenario.clients.count) { simulator.isConnected($0) }
      evaluation.compare(
        with: expectation, of: step,
        .init(
          simulator.trace, server: simulator.serverTree, online: online, times: shownTimes))
      if evaluation.divergences.isEmpty { addAtTheirSteps(takeDifferences()) }
    }
    evaluation.observationLog.beginWindow(at: simulator.now)
    leaveStep()
  }

  /// What the server's clock has shown so far, in milliseconds since 1970.
  private var shownTimes: [ClosedRange<Double>] {
    serverTimes.ranges(from: epoch, until: simulator.now)
  }

  /// Records what is wrong now that the run has settled.
  private mutating func judgeSettled() {
    read()
    if evaluation.invariants.judgesLaws {
      evaluation.invariants.judgeSettled(
        server: simulator.serverTree,
        online: Array(among: scenario.clients.count) { simulator.isConnected($0) },
        stranded: Array(among: scenario.clients.count) { simulator.isStranded($0) })
    }
    compareWithShadows(.all)
    if scenario.judging == .invariants { judgeInvariants() }
  }

  private mutating func compareWithShadows(_ extent: ShadowObservations.Extent) {
    let found = shadows?.judge(extent, simulator.trace, wrongTimes: simulator.wrongTimes)
    if let found { differences += found }
  }

  /// In a scenario without expectations: adds what went wrong since the last call. The run is over
  /// then, because nothing that follows says more.
  private mutating func judgeInvariants() {
    read()
    compareWithShadows(.soFar)
    var found = evaluation.observationLog.takeBreaches()
    if evaluation.invariants.judgesLaws {
      found.add(evaluation.takeFindings().map { evaluation.observationLog.divergence($0) })
    }
    found.add(takeDifferences())
    if found.isEmpty { return }
    addAtTheirSteps(found)
    isCutShort = true
  }

  /// Adds divergences that are no expectation's at the steps in which they became apparent.
  private mutating func addAtTheirSteps(_ found: [Divergence]) {
    for var divergence in found {
      let evidence = divergence.evidence
      let number = evidence.map { simulator.trace.events[$0].step } ?? stepsRun + 1
      let step = scenario.steps[max(1, min(number, scenario.steps.count)) - 1]
      divergence.position = step.position
      evaluation.add([divergence], step: max(1, number), file: step.file)
    }
  }

  /// What clients did otherwise than their shadows.
  private mutating func takeDifferences() -> [Divergence] {
    if differences.isEmpty { return [] }
    defer { differences = [] }
    let log = evaluation.observationLog
    return differences.filter { !isUntold($0, log) }.map { log.divergence($0) }
  }

  /// Whether a client does not learn how a call like this ended, although its shadow does; or
  /// whether the two may differ because one asks the server and the other one need not (GET-6).
  private func isUntold(_ difference: ShadowDifference, _ log: ObservationLog) -> Bool {
    if log.listeners[difference.name]?.registration.isRemovable == false { return true }
    return lacks[difference.name.client.number].contains(.authEnds)
      && log.calls[difference.name]?.operation.kind.family == .credential
  }
}

extension [ClientIndex] {
  /// Those of so many clients of which something holds, in their order.
  fileprivate init(among count: Int, where holds: (ClientIndex) -> Bool) {
    self.init()
    for number in 0..<count where holds(ClientIndex(number)) {
      if isEmpty { reserveCapacity(count) }
      append(ClientIndex(number))
    }
  }
}
