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
