public import ClientInterface
internal import Conformance
public import Scenario

/// How a failing order came to fail: how likely that was after each of its choices, and which
/// orders next to it pass.
public struct FailureProbability: Sendable {
  /// The choices of the order, each the move that was made.
  public var moves: [Move] = []
  /// The share of orders that fail of those that begin like this one: without any choice, after the
  /// first, and so on.
  public var failing: [Double] = []
  /// Orders that pass though only one move comes earlier, the nearest to the moment first.
  public var neighbours: [Neighbour] = []

  /// A move of the failing order at a point where there were several.
  public struct Move: Hashable, Sendable {
    /// How it is reported.
    public var words: String
    /// Between how many moves it was chosen.
    public var count: Int
  }

  /// An order that differs from the failing one in a single move that comes earlier, and passes.
  public struct Neighbour: Hashable, Sendable {
    /// The move that comes earlier, and before which one.
    public var earlier: String
    /// The move of the failing order, in words, before which the other one comes.
    public var later: String
    /// The choice, from 0, at which the two orders part.
    public var choice: Int
  }

  /// The choice, from 0, that made the failure most likely by itself: the largest jump, the first
  /// of equals. `nil` when no choice made it more likely.
  public var moment: Int? {
    let jumps = zip(failing, failing.dropFirst()).map { $1 - $0 }
    guard let largest = jumps.max(), largest > 0 else { return nil }
    return jumps.firstIndex(of: largest)
  }
}

extension Explorer {
  /// Follows a failing order and looks at each choice how else it could have gone, by drawing so
  /// many orders that begin like it.
  ///
  /// - Returns: `nil` when the clients cannot be judged by the scenario.
  public func failureProbability(
    _ scenario: Scenario, in profile: Profile, along order: Order, draws: Int = 200
  ) -> FailureProbability? {
    guard let root = root(judged(scenario), profile) else { return nil }
    let path = ChoicePath(along: order, from: root)
    var failureProbability = FailureProbability()
    failureProbability.moves = path.choices.map { .init(words: $0.words, count: $0.moves.count) }
    failureProbability.failing = (0...path.choices.count).map { count in
      root.failing(after: path.order(count), draws: draws, seed: seed &+ UInt64(count) << 32)
    }
    let moment = failureProbability.moment ?? 0
    failureProbability.neighbours = path.neighbours(from: root).enumerated()
      .sorted { a, b in
        let distances = [a, b].map { abs($0.element.choice - moment) }
        return (distances[0], a.offset) < (distances[1], b.offset)
      }.map(\.element)
    return failureProbability
  }
}

extension SearchRoot {
  /// The share of orders that fail of those that begin with these choices.
  fileprivate func failing(after order: Order, draws: Int, seed: UInt64) -> Double {
    let start = run(to: order)
    var failures = 0
    for number in 0..<max(1, draws) {
      var run = canCopy ? start : self.run(to: order)
      var numbers = RandomNumbers(seed: seed &+ UInt64(number))
      var hasChosen = false
      run.finish { _, moves in
        if moves.count > 1 { hasChosen = true }
        return numbers.position(in: moves)
      }
      if run.hasFailed { failures += 1 }
      // Without a choice all others go the same way.
      if !hasChosen { return run.hasFailed ? 1 : 0 }
    }
    return Double(failures) / Double(max(1, draws))
  }
}

/// An order with everything that could have been chosen on its way.
private struct ChoicePath {
  struct Choice {
    var moves: [Transition]
    var words: String
    var number: Int
    /// The move that was made, with what it has touched.
    var made: Transition
    /// How many moves, chosen or not, came before.
    var position: Int
  }

  private(set) var choices: [Choice] = []
  /// All moves in their order, chosen or not.
  private var all: [Transition.Identity] = []

  init(along order: Order, from root: SearchRoot) {
    var run = root.begin()
    while true {
      let moves = run.moves()
      if moves.isEmpty { return }
      var number = 0
      if moves.count > 1 {
        let wanted = choices.count < order.choices.count ? order.choices[choices.count] : 0
        number = min(wanted, moves.count - 1)
        choices.append(
          Choice(
            moves: moves, words: run.words(of: moves[number]), number: number, made: moves[number],
            position: all.count))
      }
      all.append(moves[number].identity)
      let made = run.perform(moves[number])
      if moves.count > 1 { choices[choices.count - 1].made = made }
    }
  }

  func order(_ count: Int) -> Order { Order(choices.prefix(count).map(\.number)) }

  /// Orders that pass with one move earlier and all others as they were, as far as they can be.
  func neighbours(from root: SearchRoot) -> [FailureProbability.Neighbour] {
    var found: [FailureProbability.Neighbour] = []
    for (index, choice) in choices.enumerated() {
      for number in choice.moves.indices where number != choice.number {
        let move = choice.moves[number]
        var run = root.run(to: order(index))
        root.passSingleMoves(&run)
        let words = run.words(of: move)
        guard run.perform(move).conflicts(with: choice.made) else { continue }
        var rest = Array(all[choice.position...])
        if let position = rest.firstIndex(of: move.identity) { rest.remove(at: position) }
        follow(rest, &run)
        if !run.hasFailed {
          found.append(.init(earlier: words, later: choice.words, choice: index))
        }
      }
    }
    return found
  }

  /// Makes the moves that are still due in their order, as soon as they can be made.
  private func follow(_ rest: [Transition.Identity], _ run: inout SearchRun) {
    var rest = rest
    run.finish { _, moves in
      let due = rest.firstIndex { identity in moves.contains { $0.identity == identity } }
      guard let due, let move = moves.firstIndex(where: { $0.identity == rest[due] }) else {
        return 0
      }
      rest.remove(at: due)
      return move
    }
  }
}
