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
