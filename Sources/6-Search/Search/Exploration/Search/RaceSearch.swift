internal import Conformance

/// Tries one order of all that are alike, from the order of time away.
///
/// Each order that was run shows which of its moves race. For each race the search goes back to
/// before the earlier move, and sees to it that an order is tried in which the later one comes
/// first: one of the moves with which such an order can begin is added to those to be tried there,
/// unless one of them is among these already (source sets). A move that was tried sleeps in the
/// branches of its later siblings until something conflicts with it (sleep sets). So no two orders
/// that are alike are run to their end.
///
/// What moves touch is measured, since what the server sends shows only when it has. Where a move
/// makes another impossible, the two are taken to race.
struct RaceSearch {
  private let root: SearchRoot
  private let limits: SearchLimits
  private var points: [Point] = []
  private var causes: CausalOrder

  /// A point of the present order at which there are several moves.
  private struct Point {
    /// `nil` when it must be made again.
    var run: SearchRun?
    let moves: [Transition]
    /// How many moves came before.
    let count: Int
    let order: Order
    /// How often everyone was concerned before.
    let turningPoints: Int
    /// The positions of the moves to be tried, in the order in which that was found out.
    var wanted: [Int]
    var tried: Set<Int> = []
    /// What comes after these has been tried, with what they touch.
    var asleep: [Transition]

    /// The next move to be tried.
    var next: Int? {
      wanted.first { number in
        !tried.contains(number) && !asleep.contains { $0.identity == moves[number].identity }
      }
    }

    mutating func want(_ number: Int) { if !wanted.contains(number) { wanted.append(number) } }

    /// Sees to it that one of some moves is tried, or all moves where none of these is possible.
    mutating func want(oneOf initials: [Transition.Identity]) {
      if asleep.contains(where: { initials.contains($0.identity) }) { return }
      if wanted.contains(where: { initials.contains(moves[$0].identity) }) { return }
      if let number = moves.firstIndex(where: { initials.contains($0.identity) }) {
        want(number)
      } else {
        for number in moves.indices { want(number) }
      }
    }
  }

  init(_ root: SearchRoot, _ limits: SearchLimits) {
    self.root = root
    self.limits = limits
    causes = CausalOrder(limits.oversight)
  }

  /// Tries all orders, or so many as the limits allow.
  ///
  /// - Returns: Whether these were all.
  mutating func run(into log: inout ExplorationLog) -> Bool {
    guard limits.allow(log) else { return false }
    let start = root.begin()
    follow(start, Order(fault: root.fault), asleep: [], since: start.turningPoints, into: &log)
    while let point = points.last {
      guard let next = point.next else {
        points.removeLast()
        continue
      }
      guard limits.allow(log) else { return false }
      causes.removeMoves(after: point.count)
      var run = point.run ?? root.run(to: point.order)
      if !root.canCopy { root.passSingleMoves(&run) }
      var order = point.order
      order.append(next)
      let asleep = make(next, in: &run)
      follow(run, order, asleep: asleep, since: point.turningPoints, into: &log)
    }
    return true
  }

  /// Makes a move of the last point.
  ///
  /// - Returns: What sleeps after it.
  private mutating func make(_ number: Int, in run: inout SearchRun) -> [Transition] {
    let last = points.count - 1
    let asleep = points[last].asleep
    points[last].tried.insert(number)
    let made = make(points[last].moves[number], in: &run)
    points[last].asleep.append(made)
    return asleep.filter { !causes.conflict($0, made) }
  }

  private mutating func make(_ move: Transition, in run: inout SearchRun) -> Transition {
    let first = run.eventCount
    let made = run.perform(move)
    for earlier in causes.append(made, first..<run.eventCount) {
      // At a point without a choice nothing else can be tried.
      guard let index = points.lastIndex(where: { $0.count <= earlier }),
        points[index].count == earlier
      else { continue }
      points[index].want(oneOf: causes.initials(before: earlier))
    }
    return made
  }

  /// Goes on to the end, or to where all that is possible sleeps.
  private mutating func follow(
    _ start: SearchRun, _ prefix: Order, asleep: [Transition], since turningPoints: Int,
    into log: inout ExplorationLog
  ) {
    var (run, order, asleep, turningPoints) = (start, prefix, asleep, turningPoints)
    while true {
      let moves = run.moves()
      let hasMet = run.turningPoints != turningPoints
      turningPoints = run.turningPoints
      wantDisabled(besides: hasMet ? [] : moves)
      if hasMet { causes.meet() }
      asleep.removeAll { move in hasMet || !moves.contains { $0.identity == move.identity } }
      if moves.isEmpty { return log.add(run, order) }
      for move in moves where move.isTurningPoint {
        // It has become the last of its step, so that more depends on it than when it was tried.
        asleep = asleep.map { $0.identity == move.identity ? move : $0 }
      }
      let awake = moves.firstIndex { move in !asleep.contains { $0.identity == move.identity } }
      guard let awake else { return log.addBlocked() }
      if moves.count == 1 {
        let made = make(moves[0], in: &run)
        asleep.removeAll { causes.conflict($0, made) }
        continue
      }
      points.append(
        Point(
          run: root.canCopy ? run : nil, moves: moves, count: causes.moves.count, order: order,
          turningPoints: turningPoints, wanted: [awake], asleep: asleep))
      order.append(awake)
      asleep = make(awake, in: &run)
    }
  }

  /// Wants the moves of the last point tried that the move made there has made impossible.
  private mutating func wantDisabled(besides moves: [Transition]) {
    guard limits.oversight != .prevention, let last = points.indices.last,
      points[last].count == causes.moves.count - 1
    else {
      return
    }
    for number in points[last].moves.indices {
      let identity = points[last].moves[number].identity
      if !moves.contains(where: { $0.identity == identity }) { points[last].want(number) }
    }
  }
}
