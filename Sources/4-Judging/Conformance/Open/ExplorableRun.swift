internal import ClientInterface
internal import Faults
package import Scenario
internal import Simulator
internal import Trace
internal import Tree

/// A run that stops wherever the scenario leaves open what comes next.
///
/// It is a value: a copy can differ. Expectations are judged as in any other run.
package struct ExplorableRun {
  var run: ScenarioRun
  private let openChoices: OpenChoices
  private var position = Position.step
  private var seen = RunOutcome()
  /// How often something happened that concerns everyone. A search must not take moves from before
  /// and after it for exchangeable.
  package private(set) var turningPoints = 0

  /// What the run does next when nothing can be chosen.
  private enum Position {
    /// The next step begins.
    case step
    case together([OrderedSteps])
    case waiting(until: Interval)
    case settling(until: Interval, Purpose)
    case finished
  }

  private enum Purpose {
    case step
    case expectation
  }

  /// How long a run may take to settle.
  private static let deadline = Interval.seconds(600)

  init(_ run: ScenarioRun, _ openChoices: OpenChoices) {
    self.run = run
    self.openChoices = openChoices
    self.run.evaluation.observationLog.retention = .everything
    self.run.open()
    if openChoices != .calls { self.run.simulator.openOrder() }
  }

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
    case let .delivery(delivery): run.simulator.perform(delivery)
    case let .call(number): performStep(ofLane: number, reach: move.reach)
    case let .fault(faults): inject(faults, reach: move.reach)
    case .next: advanceUnlessOver()
    }
    var made = move
    made.reach = run.simulator.touched(move.reach)
    return made
  }

  /// What a move is, in words: the step as its file has it, or what arrives.
  package func words(of move: Transition) -> String {
    switch move.kind {
    case let .call(number):
      guard case let .together(lanes) = position else { return "" }
      return lanes[number].steps.first?.text ?? ""
    case let .delivery(delivery):
      guard let event = run.simulator.event(of: delivery) else { return "" }
      return event.route(names: run.scenario.clients) + "  " + event.text
    case let .fault(faults): return faults.map(\.text).joined(separator: ", ")
    case .next: return "nothing more for now"
    }
  }

  /// Does what is next when there is nothing to choose.
  ///
  /// - Returns: `false` when the run is over.
  @discardableResult
  package mutating func advanceUnlessOver() -> Bool {
    guard !isFinished else { return false }
    goOn()
    return true
  }

  /// Which of several moves is made, by the tape.
  mutating func chooseMove(_ ordinal: Int, of count: Int) -> Int {
    run.simulator.chooseMove(ordinal, entity: openChoices.entity, of: count)
  }

  /// The choices of the run so far, with the moves that it made where there were several.
  package func choices(inOrder moves: [Int]) -> [Scenario.Choice] {
    let others = run.result.choices.filter { !$0.isSameChoice(as: .order(.calls, [])) }
    return others + [.order(openChoices.scope, moves)]
  }

  package var isFinished: Bool {
    if case .finished = position { true } else { false }
  }
}

extension ExplorableRun {
  /// What can be chosen now; empty when something else comes first, and at the end.
  package var currentMoves: [Transition] {
    switch position {
    case .step, .finished: return []
    case let .together(lanes):
      let calls = self.calls(of: lanes)
      if calls.isEmpty || openChoices != .everything { return calls }
      return calls + deliveries()
    case let .waiting(end): return deliveries(until: end)
    case .settling: return deliveries()
    }
  }

  private func deliveries(until end: Interval? = nil) -> [Transition] {
    run.simulator.deliveries(until: end).map {
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
        isTurningPoint: openChoices == .calls || isLast || lanes[number].reach.touchesEveryone)
    }
  }

  /// Whether nothing but deliveries happens until the run has settled.
  private var settleFollows: Bool {
    guard openChoices != .calls else { return false }
    switch position {
    case .waiting, .settling: return true
    case .step, .finished: return false
    case .together:
      guard let expectation = step.expectation else { return nextStepSettles }
      return expectation.timing == .settled
    }
  }

  private var nextStepSettles: Bool {
    guard run.evaluation.stepsRun + 1 < run.scenario.steps.count else { return true }
    let next = run.scenario.steps[run.evaluation.stepsRun + 1]
    if case .expect = next.action { return next.expectation?.timing == .settled }
    return if case .settle = next.action { true } else { false }
  }

  private var step: Step { run.scenario.steps[run.evaluation.stepsRun] }

  private mutating func performStep(ofLane number: Int, reach: Footprint) {
    guard case var .together(lanes) = position, let next = lanes[number].steps.popFirst() else {
      return
    }
    position = .together(lanes)
    run.simulator.enter(reach)
    run.perform(next, number: stepNumber)
  }

  private var stepNumber: Int { run.evaluation.stepsRun + 1 }
}

extension ExplorableRun {
  /// Does what is next when there is nothing to choose.
  private mutating func goOn() {
    switch position {
    case .step: beginStep()
    case .together: finishStep()
    case let .waiting(end):
      turningPoints += 1
      if !run.simulator.advanceFurther(to: end) { finishStep() }
    case let .settling(end, purpose): settle(until: end, purpose)
    case .finished: break
    }
    if run.isFinished { end() }
  }

  private mutating func beginStep() {
    guard run.evaluation.stepsRun < run.scenario.steps.count else { return end() }
    let step = step
    run.simulator.beginStep(stepNumber, step.text)
    if case .settle = step.action, openChoices != .calls { return beginSettling(.step) }
    if case .expect = step.action { return finishStep() }
    advanceStep()
    if let members = step.action.members {
      position = .together(OrderedSteps.lanes(of: members, run.evaluation.observationLog.registry))
    } else if case let .wait(interval) = step.action, openChoices != .calls {
      position = .waiting(until: run.simulator.now + interval)
    } else {
      // Nothing can be chosen in it.
      run.perform(step, number: stepNumber)
      if !run.isFinished { finishStep() }
    }
  }

  /// What the step does has been done; what it expects is still to be seen.
  private mutating func finishStep() {
    guard let expectation = step.expectation else { return leaveStep() }
    if expectation.timing == .settled { return beginSettling(.expectation) }
    advanceStep()
    judge(expectation)
  }

  private mutating func beginSettling(_ purpose: Purpose) {
    position = .settling(until: run.simulator.now + Self.deadline, purpose)
  }

  private mutating func settle(until end: Interval, _ purpose: Purpose) {
    turningPoints += 1
    if openChoices == .calls {
      run.settle(at: step.expectation?.position ?? step.position, in: step.file)
      if !run.isFinished { finish(purpose) }
      return
    }
    switch run.simulator.settleFurther(quiet: run.scenario.quiet, until: end) {
    case nil: break
    case .settled:
      run.judgeSettled()
      finish(purpose)
    case let .unsettled(reason): run.giveUp(reason, at: step.position, in: step.file)
    }
  }

  private mutating func finish(_ purpose: Purpose) {
    switch purpose {
    case .step: finishStep()
    case .expectation: if let expectation = step.expectation { judge(expectation) }
    }
  }

  private mutating func judge(_ expectation: Expectation) {
    run.read()
    seen.add(run.evaluation.observationLog.period, run.evaluation.observationLog.registry)
    run.judge(expectation, of: step)
    leaveStep()
  }

  private mutating func leaveStep() {
    run.read()
    run.evaluation.stepsRun += 1
    position = .step
  }

  private mutating func end() {
    if case .finished = position { return }
    position = .finished
    if run.scenario.judging == .invariants {
      run.judgeInvariants()
      seen.add(run.evaluation.observationLog.period, run.evaluation.observationLog.registry)
    }
    seen.server = run.simulator.serverTree
  }

  /// Something that concerns everyone is about to happen.
  mutating func advanceStep() {
    turningPoints += 1
    run.simulator.meet()
  }
}

extension ExplorableRun {
  /// What the run came to; complete when it is over.
  package var runOutcome: RunOutcome { seen }

  /// How the run was judged, when it is over.
  package var result: ScenarioResult { run.result }

  package var hasFailed: Bool { run.evaluation.hasFailed || run.hasBrokenDown }

  /// Whether a copy of the run has clients of its own. Not so for a client that is a class; one
  /// that is a value but holds on to an object cannot be recognised.
  package var canBeCopied: Bool { run.simulator.clientsAreValues }

  /// The alternatives of expectations that held.
  package var heldAlternatives: Set<Alternative> { run.evaluation.heldAlternatives }
}
