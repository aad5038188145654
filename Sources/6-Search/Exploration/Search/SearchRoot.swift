internal import ClientInterface
internal import Conformance
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
    while true {
      let moves = run.moves()
      if moves.isEmpty { return (run, words, counts) }
      counts.append(moves.count)
      let choice = moves.count > 1 ? left.popFirst() ?? 0 : 0
      let move = moves[min(choice, moves.count - 1)]
      words.append(run.words(of: move))
      run.perform(move)
    }
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
