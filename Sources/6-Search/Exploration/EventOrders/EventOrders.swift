public import ClientInterface
public import Scenario
internal import Trace
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
