internal import ClientInterface
internal import Conformance
internal import Scenario

/// Where all runs of a search begin.
struct SearchRoot {
  private let start: ExplorableRun
  /// Makes the start again, where copies of it would share clients.
  private let renew: (() -> ExplorableRun?)?

  init?(
    _ scenario: Scenario, in profile: Profile, _ openChoices: OpenChoices, _ runner: ScenarioRunner
  ) {
    guard let start = runner.openRun(scenario, in: profile, openChoices) else { return nil }
    self.start = start
    renew = start.canBeCopied ? nil : { runner.openRun(scenario, in: profile, openChoices) }
  }

  /// Whether a copy of a run goes its own way. Otherwise a run must be made again from its order.
  var canCopy: Bool { renew == nil }

  /// A run at the beginning.
  func begin() -> ExplorableRun { renew?() ?? start }

  /// A run that has made all choices of an order.
  func run(to order: Order) -> ExplorableRun {
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
  /// - Returns: The run, all its moves in words, and between how many of them it chose.
  func finish(_ order: Order) -> (run: ExplorableRun, words: [String], choices: Int) {
    var run = begin()
    var words: [String] = []
    var left = order.choices[...]
    var choices = 0
    while true {
      let moves = run.moves()
      if moves.isEmpty { return (run, words, choices) }
      if moves.count > 1 { choices += 1 }
      let choice = moves.count > 1 ? left.popFirst() ?? 0 : 0
      let move = moves[min(choice, moves.count - 1)]
      words.append(run.words(of: move))
      run.perform(move)
    }
  }

  /// Goes on to where there is a choice.
  @discardableResult
  func passSingleMoves(_ run: inout ExplorableRun) -> [Transition] {
    while true {
      let moves = run.moves()
      guard moves.count == 1 else { return moves }
      run.perform(moves[0])
    }
  }
}
