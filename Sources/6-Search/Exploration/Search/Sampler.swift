internal import ClientInterface
internal import Conformance

/// Draws orders by one of the strategies.
struct Sampler {
  private let root: SearchRoot
  private let strategy: Strategy
  private let depth: Int
  private let seed: UInt64
  /// About how many choices a run has.
  private let length: Int

  init(_ root: SearchRoot, _ strategy: Strategy, depth: Int, seed: UInt64) {
    self.root = root
    self.strategy = strategy
    self.depth = depth
    self.seed = seed
    length = max(1, root.finish(Order()).counts.count { $0 > 1 })
  }

  /// Draws one order and runs it; the same number gives the same order.
  func draw(_ number: Int, into log: inout ExplorationLog) {
    var run = root.begin()
    var draw = OrderDraw(
      strategy, depth: depth, length: length, seed: seed &+ UInt64(number) &* 0x9E37_79B9)
    var order = Order(fault: root.fault)
    while true {
      let moves = run.moves()
      if moves.isEmpty { return log.add(run, order) }
      guard moves.count > 1 else {
        run.perform(moves[0])
        continue
      }
      let choice = draw.choose(among: moves)
      order.append(choice)
      run.perform(moves[choice])
    }
  }
}

/// The choices of one order.
private struct OrderDraw {
  private let strategy: Strategy
  private var numbers: RandomNumbers
  private var priorities: [Transition.Identity: UInt64] = [:]
  /// At which choices something unusual happens, by their number.
  private var points: [Int]
  private var number = 0

  init(_ strategy: Strategy, depth: Int, length: Int, seed: UInt64) {
    self.strategy = strategy
    var numbers = RandomNumbers(seed: seed)
    points = (0..<depth).map { _ in Int(numbers.next() % UInt64(length)) }
    self.numbers = numbers
  }

  mutating func choose(among moves: [Transition]) -> Int {
    defer { number += 1 }
    let changes = points.count { $0 == number }
    switch strategy {
    case .exhaustive, .random: return Int(numbers.next() % UInt64(moves.count))
    case .delay: return min(changes, moves.count - 1)
    case .pct:
      let choice = highest(moves)
      guard changes > 0 else { return choice }
      // Below everything that is drawn, and below what was put down before.
      priorities[moves[choice].identity] = UInt64(max(0, points.count - number))
      return highest(moves)
    case .pos:
      let choice = highest(moves)
      for move in moves where move.conflicts(with: moves[choice]) {
        priorities[move.identity] = nil
      }
      return choice
    }
  }

  /// The move with the highest priority; of equals the first.
  private mutating func highest(_ moves: [Transition]) -> Int {
    var best: (choice: Int, priority: UInt64)?
    for (choice, move) in moves.enumerated() {
      let priority = priorities[move.identity] ?? numbers.next() | 1 << 32
      priorities[move.identity] = priority
      if priority > best?.priority ?? 0 { best = (choice, priority) }
    }
    return best?.choice ?? 0
  }
}
