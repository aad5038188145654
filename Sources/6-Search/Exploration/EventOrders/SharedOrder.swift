/// The order that all ways have in common.
///
/// One event comes before another when it does so in every way that has both.
public struct SharedOrder: Sendable {
  /// Everything that any way has, as first found.
  public private(set) var appEvents: [EventOrders.ApplicationEvent] = []
  /// In how many of the orders each of them comes.
  public private(set) var counts: [Int] = []
  /// How many orders there are.
  public private(set) var total = 0
  private var relations: [[Relation]] = []

  /// What the ways that have two events say of them.
  public enum Relation: Hashable, Sendable {
    /// No way has both.
    case never
    case before
    case after
    /// Either way round, within a way or from way to way.
    case either
  }

  /// Compares each pair of events in each way, which takes quadratic time in the events of a way;
  /// each way weighs as many orders as its `count`.
  public init(_ ways: [EventOrders.EventOrder]) {
    var indices: [EventOrders.ApplicationEvent: Int] = [:]
    for way in ways {
      total += way.count
      for appEvent in way.appEvents {
        if let index = indices[appEvent] {
          counts[index] += way.count
        } else {
          indices[appEvent] = appEvents.count
          appEvents.append(appEvent)
          counts.append(way.count)
        }
      }
    }
    relations = Array(
      repeating: Array(repeating: .never, count: appEvents.count), count: appEvents.count)
    for way in ways { relate(way, indices) }
  }

  private mutating func relate(
    _ way: EventOrders.EventOrder, _ indices: [EventOrders.ApplicationEvent: Int]
  ) {
    let numbers = way.appEvents.map { indices[$0] ?? 0 }
    for later in numbers.indices {
      for earlier in 0..<later {
        let isFixed = way.before[later].contains(earlier)
        add(isFixed ? .before : .either, numbers[earlier], numbers[later])
        add(isFixed ? .after : .either, numbers[later], numbers[earlier])
      }
    }
  }

  private mutating func add(_ relation: Relation, _ a: Int, _ b: Int) {
    let known = relations[a][b]
    relations[a][b] = known == .never || known == relation ? relation : .either
  }

  /// How two of `appEvents` are related, by their positions.
  public func relation(_ a: Int, _ b: Int) -> Relation { relations[a][b] }

  /// Whether it comes in every order.
  public func isCertain(_ index: Int) -> Bool { counts[index] == total }

  /// The positions of what comes in every order.
  public var certain: [Int] { appEvents.indices.filter(isCertain) }

  /// The positions of what comes in some orders only.
  public var possible: [Int] { appEvents.indices.filter { !isCertain($0) } }

  /// The pairs of `members` of which the first comes before the second with nothing of `members`
  /// between: the lines of a Hasse diagram.
  public func covers(among members: [Int]) -> [(Int, Int)] {
    var pairs: [(Int, Int)] = []
    for a in members {
      for b in members where relation(a, b) == .before {
        let isDirect = !members.contains {
          relation(a, $0) == .before && relation($0, b) == .before
        }
        if isDirect { pairs.append((a, b)) }
      }
    }
    return pairs
  }

  /// What a diagram can show: what is certain and, if an order remains where it is added, what is
  /// possible.
  ///
  /// Between events that do not always come, "before" need not carry over: then a line from one to
  /// the next and on could be read as an order that does not hold.
  public var drawable: [Int] {
    var reach = appEvents.indices.map { a in appEvents.indices.map { relation(a, $0) == .before } }
    for through in appEvents.indices {
      for a in appEvents.indices where reach[a][through] {
        for b in appEvents.indices where reach[through][b] { reach[a][b] = true }
      }
    }
    let isSound = appEvents.indices.allSatisfy { a in
      appEvents.indices.allSatisfy { b in
        !reach[a][b] || a != b && [.before, .never].contains(relation(a, b))
      }
    }
    return isSound ? Array(appEvents.indices) : certain
  }
}
