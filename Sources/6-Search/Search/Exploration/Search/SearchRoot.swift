internal import ClientInterface
internal import Conformance
internal import Faults
internal import Scenario

/// Where all runs of a search begin.
struct SearchRoot {
  private let start: SearchRun
  /// Makes the start again, where copies of it would share clients.
  private let renew: (() -> SearchRun?)?
  /// The name of what goes wrong in all runs, at some moment; `nil` when nothing does.
  let fault: String?

  init?(
    _ scenario: Scenario, in profile: Profile, _ scope: Scenario.OrderScope,
    _ runner: ScenarioRunner,
    _ fault: FaultCandidate? = nil
  ) {
    guard let start = runner.openRun(scenario, in: profile, scope) else { return nil }
    self.start = SearchRun(start, fault)
    self.fault = fault?.name
    renew =
      start.canBeCopied
      ? nil : { runner.openRun(scenario, in: profile, scope).map { SearchRun($0, fault) } }
  }

  /// Whether a copy of a run goes its own way. Otherwise a run must be made again from its order.
  var canCopy: Bool { renew == nil }

  /// A run at the beginning.
  func begin() -> SearchRun { renew?() ?? start }

  /// A run that has made all choices of an order.
  func run(to order: Order) -> SearchRun {
    var run = begin()
    for choice in order.choices {
      let moves = passSingleMoves(&run)
      if moves.isEmpty { break }
      run.perform(moves[min(choice, moves.count - 1)])
    }
    return run
  }

  /// A run to the end: the choices of an order, then what time would choose.
  ///
  /// - Returns: The run, all its moves in words, and for each of them how many there were.
  func finish(_ order: Order) -> (run: SearchRun, words: [String], counts: [Int]) {
    var run = begin()
    var words: [String] = []
    var left = order.choices[...]
    var counts: [Int] = []
    run.finish { run, moves in
      counts.append(moves.count)
      let choice = moves.count > 1 ? left.popFirst() ?? 0 : 0
      let position = min(choice, moves.count - 1)
      words.append(run.words(of: moves[position]))
      return position
    }
    return (run, words, counts)
  }

  /// Tries all orders, or so many as the limits allow.
  ///
  /// - Returns: Whether these were all.
  func search(
    _ reduction: Reduction, _ limits: SearchLimits, into log: inout ExplorationLog
  ) -> Bool {
    switch reduction {
    case .reduced:
      var search = RaceSearch(self, limits)
      return search.run(into: &log)
    case .none:
      var search = PlainSearch(self, limits)
      return search.run(into: &log)
    }
  }

  /// Goes on to where there is a choice.
  ///
  /// - Returns: What can be chosen there; empty when the run is over.
  @discardableResult
  func passSingleMoves(_ run: inout SearchRun) -> [Transition] {
    while true {
      let moves = run.moves()
      guard moves.count == 1 else { return moves }
      run.perform(moves[0])
    }
  }
}

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

  /// Goes on to the end.
  ///
  /// - Parameter choose: Gives the position of the move that is made next of those that can be.
  mutating func finish(choosing choose: (SearchRun, [Transition]) -> Int) {
    while true {
      let moves = moves()
      if moves.isEmpty { return }
      perform(moves[choose(self, moves)])
    }
  }

  func words(of move: Transition) -> String {
    if case .fault = move.kind, let fault { return fault.name }
    return run.words(of: move)
  }

  var turningPoints: Int { run.turningPoints }
  var eventCount: Int { run.eventCount }
  var hasFailed: Bool { run.hasFailed }
}

extension SearchRoot {
  /// About how many orders there are, those that are alike included.
  ///
  /// Each draw makes every move as likely as the others that are possible with it. The product of
  /// how many these were is on average the number of orders (Knuth's estimate of the size of a
  /// tree); it is exact where every draw has the same.
  func estimatedOrders(draws: Int, seed: UInt64) -> Double {
    var sum = 0.0
    for number in 0..<draws {
      var numbers = RandomNumbers(seed: seed &+ UInt64(number) &* 0x9E37_79B9)
      var run = begin()
      var product = 1.0
      run.finish { _, moves in
        product *= Double(moves.count)
        return numbers.position(in: moves)
      }
      sum += product
    }
    return sum / Double(max(1, draws))
  }
}

extension RandomNumbers {
  /// The position of one of several moves; nothing is drawn where there is one.
  mutating func position(in moves: [Transition]) -> Int {
    moves.count == 1 ? 0 : Int(next() % UInt64(moves.count))
  }
}
