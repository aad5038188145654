internal import Conformance

/// Tries one order after the other, from the order of time away.
///
/// Reduced, it leaves out what only exchanges neighbours that do not concern each other. Two rules
/// do that. A move that was tried sleeps in the branches of its later siblings until something
/// conflicts with it. And where all that can ever concern a client is at hand, everything else
/// waits for that. So of all orders that are alike one is tried.
struct OrderSearch {
  private let root: SearchRoot
  private let reduction: Reduction
  private let limit: Int
  private let hasGivenUp: () -> Bool
  private(set) var log = ExplorationLog()
  /// Whether every order is kept, for who wants to run them again.
  var keepsOrders = false
  private(set) var orders: [Order] = []
  /// What is still to be tried, the next last.
  private var branches: [Branch]

  /// A run, the move to make in it, and what need not be tried after that.
  private struct Branch {
    /// `nil` when it must be made again.
    var run: ExplorableRun?
    var move: Transition?
    /// The order up to and with the move.
    var order = Order()
    var sleep: [Transition.Identity] = []
  }

  init(
    _ root: SearchRoot, _ reduction: Reduction, limit: Int,
    hasGivenUp: @escaping () -> Bool = { false }
  ) {
    self.root = root
    self.reduction = reduction
    self.limit = limit
    self.hasGivenUp = hasGivenUp
    branches = [Branch(run: root.begin(), move: nil)]
  }

  /// Tries all orders, or so many as the limit allows.
  ///
  /// - Returns: Whether these were all.
  mutating func run() -> Bool {
    while log.orders < limit, !hasGivenUp(), let branch = branches.popLast() { follow(branch) }
    return branches.isEmpty
  }

  private mutating func follow(_ branch: Branch) {
    var run = branch.run ?? root.run(to: branch.order)
    if branch.run != nil, let move = branch.move { run.perform(move) }
    var order = branch.order
    var sleep = branch.sleep
    var turningPoints = run.turningPoints
    while true {
      let moves = run.moves()
      if moves.isEmpty {
        if keepsOrders { orders.append(order) }
        return log.add(run, order)
      }
      if run.turningPoints != turningPoints { sleep = [] }
      turningPoints = run.turningPoints
      let awake = candidates(moves, in: run).filter { !sleep.contains(moves[$0].identity) }
      // What comes after a sleeping move has been tried already.
      guard let only = awake.first else { return }
      let asleep = moves.filter { sleep.contains($0.identity) }
      if awake.count > 1 { return part(run, moves, awake, asleep, order) }
      sleep = Self.stillAsleep(asleep, after: moves[only])
      if moves.count > 1 { order.append(only) }
      run.perform(moves[only])
    }
  }

  private mutating func part(
    _ run: ExplorableRun, _ moves: [Transition], _ awake: [Int], _ asleep: [Transition],
    _ order: Order
  ) {
    var asleep = asleep
    var found: [Branch] = []
    for index in awake {
      var branch = Branch(run: root.canCopy ? run : nil, move: moves[index], order: order)
      branch.order.append(index)
      branch.sleep = Self.stillAsleep(asleep, after: moves[index])
      if reduction == .reduced { asleep.append(moves[index]) }
      found.append(branch)
    }
    branches += found.reversed()
  }

  private static func stillAsleep(
    _ moves: [Transition], after move: Transition
  ) -> [Transition.Identity] {
    moves.filter { !$0.conflicts(with: move) }.map(\.identity)
  }

  /// The positions of the moves to be tried.
  private func candidates(_ moves: [Transition], in run: ExplorableRun) -> [Int] {
    guard reduction == .reduced, run.settleFollows else { return Array(moves.indices) }
    // A client learns of the world by one link. What it receives next and what it is called with
    // are all that can concern it before the one or the other has happened.
    let arrival = moves.first {
      guard $0.isDelivery, $0.staysWithClient, let client = $0.client else { return false }
      return !run.awaitsFault(of: client)
    }
    guard let client = arrival?.client else { return Array(moves.indices) }
    return moves.indices.filter { moves[$0].client == client }
  }
}
