internal import ClientInterface
internal import Conformance
internal import Faults
internal import Scenario

/// A run in which something can go wrong once, at a moment that is chosen like the order.
struct SearchRun {
  private(set) var run: ScenarioRun
  /// What is still to go wrong.
  private var fault: FaultCandidate?
  /// What repairs it, and when.
  private var repair: (faults: [IndexedFault], due: Interval)?
  /// After how many steps it goes wrong at the latest.
  private let lastStep: Int

  init(_ run: ScenarioRun, _ fault: FaultCandidate? = nil) {
    self.run = run
    self.fault = fault
    lastStep = run.result.scenario.steps.count - Scenario.recoverySteps
  }

  /// Goes on to where something can be chosen.
  ///
  /// While something is still to go wrong that can be everywhere, also where otherwise the next
  /// thing would just happen.
  ///
  /// - Returns: What can happen next, in front what would happen without anybody choosing. Empty
  ///   when the run is over.
  mutating func moves() -> [Transition] {
    if let fault {
      let moves = run.currentMoves
      let strike = run.move(of: fault.faults)
      if !moves.isEmpty { return moves + [strike] }
      return run.stepsRun < lastStep ? [run.nextMove, strike] : [strike]
    }
    while let due = repair?.due {
      let moves = run.currentMoves
      if !moves.isEmpty { return moves }
      if run.isFinished { return [] }
      run.perform(run.nextMove)
      if run.now >= due { repairFault() }
    }
    return run.moves()
  }

  private mutating func repairFault() {
    for fault in repair?.faults ?? [] { run.inject(fault) }
    repair = nil
  }

  /// Makes one of `moves`.
  ///
  /// - Returns: The move with what it has touched.
  @discardableResult
  mutating func perform(_ move: Transition) -> Transition {
    guard case .fault = move.kind, let fault else { return run.perform(move) }
    self.fault = nil
    let made = run.perform(move)
    repair = fault.repair.isEmpty ? nil : (fault.repair, run.now + FaultCandidate.duration)
    return made
  }

  func words(of move: Transition) -> String {
    if case .fault = move.kind, let fault { return fault.name }
    return run.words(of: move)
  }

  var turningPoints: Int { run.turningPoints }
  var eventCount: Int { run.eventCount }
  var hasFailed: Bool { run.hasFailed }
}
