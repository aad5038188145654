internal import ClientInterface
internal import Conformance

/// Tries every order, one after the other, from the order of time away.
///
/// It leaves out nothing: what a reduced search comes to is compared with what this one does.
struct PlainSearch {
  private let root: SearchRoot
  private let limits: SearchLimits
  /// What is still to be tried, the next last: runs up to a choice, `nil` when they must be made
  /// again, and the order up to and with the choice.
  private var branches: [(run: SearchRun?, order: Order)] = []

  init(_ root: SearchRoot, _ limits: SearchLimits) {
    self.root = root
    self.limits = limits
  }

  /// Tries all orders, or so many as the limits allow.
  ///
  /// - Returns: Whether these were all.
  mutating func run(into log: inout ExplorationLog) -> Bool {
    guard limits.allow(log) else { return false }
    follow(root.begin(), Order(fault: root.fault), into: &log)
    while let (run, order) = branches.popLast() {
      guard limits.allow(log) else { return false }
      guard var run, let choice = order.choices.last else {
        follow(root.run(to: order), order, into: &log)
        continue
      }
      let moves = run.moves()
      run.perform(moves[choice])
      follow(run, order, into: &log)
    }
    return true
  }

  /// Goes on to the end, and leaves the other branches for later.
  private mutating func follow(
    _ start: SearchRun, _ prefix: Order, into log: inout ExplorationLog
  ) {
    var (run, order) = (start, prefix)
    while true {
      let moves = root.passSingleMoves(&run)
      if moves.isEmpty { return log.add(run, order) }
      for choice in moves.indices.dropFirst().reversed() {
        branches.append((root.canCopy ? run : nil, order.appending(choice)))
      }
      order.append(0)
      run.perform(moves[0])
    }
  }
}

/// Tries the orders next to that of time: first all with one delay, then all with two, and so on.
///
/// To make the second of several possible moves in place of the first is one delay, to make the
/// third is two. An order with a given number of delays is tried once; orders that are alike are
/// not recognised, so that the bound is one on all orders.
struct DelaySearch {
  private let root: SearchRoot
  /// Up to how many delays all orders have been tried; `nil` when not even that of time was.
  private(set) var bound: Int?
  /// Orders by their number of delays, to be tried, each ending with its last delay.
  private var levels: [[Order]]

  init(_ root: SearchRoot) {
    self.root = root
    levels = [[Order(fault: root.fault)]]
  }

  /// Tries orders until the limits are reached.
  ///
  /// - Returns: Whether there are no others.
  mutating func run(_ limits: SearchLimits, into log: inout ExplorationLog) -> Bool {
    var delays = 0
    while delays < levels.count {
      for order in levels[delays] {
        guard limits.allow(log) else { return false }
        follow(order, delays: delays, into: &log)
      }
      levels[delays] = []
      bound = delays
      delays += 1
    }
    return true
  }

  private mutating func follow(_ order: Order, delays: Int, into log: inout ExplorationLog) {
    let (run, _, counts) = root.finish(order)
    log.add(run, order)
    var next = order
    // What is delayed earlier belongs to orders that were found before.
    for count in counts.filter({ $0 > 1 }).dropFirst(order.choices.count) {
      for choice in 1..<count { add(next.appending(choice), delays: delays + choice) }
      next.append(0)
    }
  }

  private mutating func add(_ order: Order, delays: Int) {
    while levels.count <= delays { levels.append([]) }
    levels[delays].append(order)
  }
}

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
    run.finish { _, moves in
      guard moves.count > 1 else { return 0 }
      let choice = draw.choose(among: moves)
      order.append(choice)
      return choice
    }
    log.add(run, order)
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
