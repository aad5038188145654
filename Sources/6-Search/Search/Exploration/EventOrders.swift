public import ClientInterface
internal import Conformance
public import Scenario
public import Trace
public import Tree

/// In which orders applications can see what they see in a scenario.
///
/// A way is what many runs have in common that differ only in what cannot matter: which events
/// come, and which of them come before which. Two events of one way that are in no order can come
/// either way round.
public struct EventOrders: Sendable {
  /// The scenario whose orders were tried, as it was given, with its expectations.
  public var scenario: Scenario
  /// The profile in which every order was run.
  public var profile: Profile
  /// How many orders were run. Of those that differ only in exchanges that cannot matter, one is.
  public internal(set) var orders = 0
  /// Whether there is no order that could come to anything else.
  public internal(set) var isComplete = false
  /// How many of the orders diverged.
  public internal(set) var failures = 0
  /// What the orders came to, each once, as first found.
  public internal(set) var ways: [EventOrder] = []

  /// Something that an application sees.
  public struct ApplicationEvent: Hashable, Sendable {
    /// The client whose application sees it, by its position among the clients of the run.
    public var client: ClientIndex
    /// The name of the listener or call.
    public var label: String
    /// What the application sees: an event, a cancel, the end of a call or the error of one that
    /// threw.
    public var kind: Kind
    /// The how manieth of its like it is, from 1: a listener can receive the same twice.
    public var occurrence: Int

    /// The four things that a listener or a call can show to an application.
    public enum Kind: Hashable, Sendable {
      case event(Event)
      case cancelled(ErrorCode)
      case ended(Completion)
      case threw(ErrorCode)
    }

    /// Takes the parts as they are; `occurrence` counts from 1 and is not checked.
    public init(client: ClientIndex, label: String, _ kind: Kind, occurrence: Int = 1) {
      self.client = client
      self.label = label
      self.kind = kind
      self.occurrence = occurrence
    }
  }

  /// Events and the order between them.
  public struct EventOrder: Sendable {
    /// In the order in which they came in the witness.
    public var appEvents: [ApplicationEvent]
    /// For each sight the positions of those that must have come before it.
    public var before: [Set<Int>]
    /// What the server has at the end.
    public var server: Node
    /// How many of the orders come to it.
    public var count = 1
    /// The first order that was found to come to this; running it shows `appEvents` in their
    /// sequence.
    public var witness: Order

    /// Takes events and their relations for one order, so that `count` is 1; `before` must have a
    /// set of positions for each event.
    public init(
      appEvents: [ApplicationEvent], before: [Set<Int>], server: Node = .empty, witness: Order
    ) {
      self.appEvents = appEvents
      self.before = before
      self.server = server
      self.witness = witness
    }
  }
}

extension EventOrders.EventOrder {
  /// In how many sequences the events can come; `nil` when there are more than a million.
  ///
  /// - Complexity: One step for each set of events that can have come so far.
  public var sequences: Int? {
    let limit = 1_000_000
    var counts: [[Bool]: Int] = [Array(repeating: false, count: appEvents.count): 1]
    for _ in appEvents.indices {
      var next: [[Bool]: Int] = [:]
      // The order of the dictionary does not show: sums are the same in any.
      for (done, count) in counts {
        for index in appEvents.indices where !done[index] && before[index].allSatisfy({ done[$0] })
        {
          var more = done
          more[index] = true
          next[more, default: 0] += count
          if next[more, default: 0] > limit { return nil }
        }
      }
      counts = next
      if counts.count > 20_000 { return nil }
    }
    return counts.reduce(0) { $0 + $1.value }
  }

  /// What makes two ways the same one: each event with all that comes before it.
  var pattern: Pattern {
    Pattern(
      before: Dictionary(
        appEvents.indices.map { index in
          (appEvents[index], Set(before[index].map { appEvents[$0] }))
        },
        uniquingKeysWith: { first, _ in first }), server: server)
  }

  struct Pattern: Hashable {
    var before: [EventOrders.ApplicationEvent: Set<EventOrders.ApplicationEvent>]
    var server: Node
  }
}

extension Explorer {
  /// Tries all orders of a scenario, and reports in which the applications can see what they see.
  ///
  /// Where nothing is left out, each order is a way of its own.
  ///
  /// - Returns: `nil` when the clients cannot be judged by the scenario.
  public func eventOrders(of scenario: Scenario, in profile: Profile) -> EventOrders? {
    guard let root = root(judged(scenario), profile) else { return nil }
    var log = ExplorationLog()
    log.keepsOrders = true
    var found = EventOrders(scenario: scenario, profile: profile)
    found.isComplete = root.search(reduction, SearchLimits(orders: limit), into: &log)
    found.orders = log.orders
    found.failures = log.failures
    var indices: [EventOrders.EventOrder.Pattern: Int] = [:]
    for order in log.kept {
      let way = PartialOrderTrace(order, from: root).way
      let pattern = way.pattern
      if reduction == .reduced, let index = indices[pattern] {
        found.ways[index].count += 1
      } else {
        indices[pattern] = found.ways.count
        found.ways.append(way)
      }
    }
    return found
  }
}

/// One order, move by move, with what had to happen before what.
///
/// Two moves keep their order when one of them can read or change what the other does, or when one
/// is the delivery of what the other sent. Whatever happens without anybody choosing, such as the
/// next step, comes after everything before it.
struct PartialOrderTrace {
  private let order: Order
  private let result: ScenarioResult
  private let runOutcome: RunOutcome
  private var causes = CausalOrder()

  init(_ order: Order, from root: SearchRoot) {
    self.order = order
    var run = root.begin()
    var left = order.choices[...]
    var turningPoints = run.turningPoints
    while true {
      let start = run.eventCount
      let moves = run.moves()
      if run.turningPoints != turningPoints {
        // What concerns everyone is a move as well, with which all others conflict.
        causes.append(run.run.nextMove, start..<run.eventCount)
      }
      turningPoints = run.turningPoints
      if moves.isEmpty { break }
      let choice = moves.count > 1 ? left.popFirst() ?? 0 : 0
      let move = moves[min(choice, moves.count - 1)]
      let first = run.eventCount
      let made = run.perform(move)
      causes.append(made, first..<run.eventCount)
    }
    result = run.run.result
    runOutcome = run.run.runOutcome
  }

  /// What applications see of it.
  var way: EventOrders.EventOrder {
    var appEvents: [EventOrders.ApplicationEvent] = []
    var owners: [Int] = []
    var seen: [EventOrders.ApplicationEvent: Int] = [:]
    for (number, move) in causes.moves.enumerated() {
      for index in move.events {
        guard var appEvent = EventOrders.ApplicationEvent(result.trace.events[index]) else {
          continue
        }
        seen[appEvent, default: 0] += 1
        appEvent.occurrence = seen[appEvent, default: 1]
        appEvents.append(appEvent)
        owners.append(number)
      }
    }
    let before = appEvents.indices.map { later in
      Set(
        (0..<later).filter { earlier in
          owners[earlier] == owners[later]
            || causes.moves[owners[later]].before.contains(owners[earlier])
        })
    }
    return EventOrders.EventOrder(
      appEvents: appEvents, before: before, server: runOutcome.server, witness: order)
  }
}

extension EventOrders.ApplicationEvent {
  /// What an application sees of an event; `nil` when that is nothing. Calls that the scenario does
  /// not name are left out, as their success goes without saying.
  public init?(_ event: TraceEvent) {
    guard event.step >= 1, case let .output(client, output) = event.kind else { return nil }
    switch output.topic {
    case let .listener(listener, .event(raised)):
      self.init(client: client, label: listener.name, .event(raised))
    case let .listener(listener, .cancelled(error)):
      self.init(client: client, label: listener.name, .cancelled(error))
    case let .call(call, .completed(completion)):
      if call.name.hasPrefix("#"), completion.error == nil, completion.committed != false {
        return nil
      }
      self.init(client: client, label: call.name, .ended(completion))
    case let .call(call, .threw(error)): self.init(client: client, label: call.name, .threw(error))
    case .connect, .send, .disconnect, .timer, .storage, .call, .nesting, .uncaught, .remark:
      return nil
    }
  }
}

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
