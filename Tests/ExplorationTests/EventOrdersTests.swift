import ClientInterface
import Conformance
import Search
import TestKit
import Testing
import Trace
import Tree

@Suite struct EventOrdersTests {
  private static let cases = [
    """
    clients: [alice, bob]
    steps:
      - alice.listen: {path: a, event: value, as: feed}
      - bob.listen: {path: a, event: value, as: feed}
      - expect: {alice.feed: [{value: null}], bob.feed: [{value: null}]}
      - together:
          - alice.set: {path: a, value: 1, as: w}
          - bob.set: {path: a, value: 2}
      - expect: {alice.w: {ok: true}}
    """,
    """
    clients: [alice, bob]
    steps:
      - alice.listen: {path: a, event: value, as: feed}
      - bob.listen: {path: a, event: value, as: feed}
      - bob.set: {path: a, value: 2, as: w}
      - expect: {bob.w: {ok: true}}
    """,
    """
    clients: [alice, bob, carol]
    steps:
      - alice.listen: {path: a, event: value, as: feed}
      - expect: {}
      - together:
          - bob.set: {path: a, value: 1}
          - carol.set: {path: a, value: 2}
      - network.drop: alice
      - expect: {}
    """,
  ]

  /// The sequences of all ways, one by one.
  private func sequences(_ ways: [EventOrders.EventOrder]) -> Set<[EventOrders.ApplicationEvent]> {
    var all: Set<[EventOrders.ApplicationEvent]> = []
    func extend(_ way: EventOrders.EventOrder, _ chosen: [Int]) {
      if chosen.count == way.appEvents.count { all.insert(chosen.map { way.appEvents[$0] }) }
      for index in way.appEvents.indices
      where !chosen.contains(index) && way.before[index].isSubset(of: chosen) {
        extend(way, chosen + [index])
      }
    }
    for way in ways { extend(way, []) }
    return all
  }

  @Test(arguments: cases)
  func `the order that ways share is that of a search that leaves nothing out`(
    body: String
  ) throws {
    let scenario = try Kit.scenario(body)
    var explorer = Kit.explorer()
    let reduced = try #require(explorer.eventOrders(of: scenario, in: .firebase))
    explorer.reduction = .none
    let all = try #require(explorer.eventOrders(of: scenario, in: .firebase))
    var sequences = all.ways
    for index in sequences.indices {
      sequences[index].before = sequences[index].appEvents.indices.map { Set(0..<$0) }
    }
    let (shared, expected) = (SharedOrder(reduced.ways), SharedOrder(sequences))

    #expect(reduced.isComplete)
    #expect(all.isComplete)
    #expect(all.orders > reduced.orders)
    #expect(Set(shared.appEvents) == Set(expected.appEvents))
    let indices = shared.appEvents.map { expected.appEvents.firstIndex(of: $0) ?? 0 }
    for a in indices.indices {
      #expect(shared.isCertain(a) == expected.isCertain(indices[a]))
      for b in indices.indices where a != b {
        #expect(
          shared.relation(a, b) == expected.relation(indices[a], indices[b]),
          "\(shared.appEvents[a]) and \(shared.appEvents[b])")
      }
    }
  }

  @Test func `the number of sequences is that of all that can be told apart`() throws {
    for body in Self.cases {
      let scenario = try Kit.scenario(body)
      let orders = try #require(Kit.explorer().eventOrders(of: scenario, in: .firebase))
      for way in orders.ways {
        #expect(way.sequences == sequences([way]).count)
      }
    }
  }

  @Test func `a way is told again by its witness`() throws {
    let scenario = try Kit.scenario(Self.cases[0])
    let explorer = Kit.explorer()
    let orders = try #require(explorer.eventOrders(of: scenario, in: .firebase))

    #expect(orders.ways.count == 4)
    #expect(orders.ways.reduce(0) { $0 + $1.count } == orders.orders)
    for way in orders.ways {
      let run = try #require(explorer.run(scenario, in: .firebase, order: way.witness))
      #expect(
        run.result.trace.events.compactMap { EventOrders.ApplicationEvent($0)?.kind } == way.kinds)
    }
  }

  @Test func `a search that is stopped says so`() throws {
    var explorer = Kit.explorer()
    explorer.limit = 2
    let scenario = try Kit.scenario(Self.cases[0])
    let orders = try #require(explorer.eventOrders(of: scenario, in: .firebase))

    #expect(!orders.isComplete)
    #expect(orders.orders == 2)
  }

  @Test func `a client that cannot be judged has no orders`() throws {
    let scenario = try Kit.scenario("profiles: [firebase]\n" + Self.cases[1])

    #expect(Kit.explorer().eventOrders(of: scenario, in: .wilddog1) == nil)
  }
}

@Suite struct SharedOrderTests {
  private func appEvent(_ label: String, _ number: Double) -> EventOrders.ApplicationEvent {
    .init(
      client: ClientIndex(0), label: label,
      .event(Event(.value, to: ListenerID(label), key: nil, value: Node(.number(number)))))
  }

  private func way(
    _ appEvents: [EventOrders.ApplicationEvent], before: [Set<Int>], count: Int = 1
  ) -> EventOrders.EventOrder {
    var way = EventOrders.EventOrder(appEvents: appEvents, before: before, witness: Order())
    way.count = count
    return way
  }

  @Test func `what comes first in every way comes first`() {
    let (a, b, c) = (appEvent("x", 1), appEvent("x", 2), appEvent("y", 3))
    let shared = SharedOrder([
      way([a, b, c], before: [[], [0], [0, 1]]), way([a, c, b], before: [[], [0], [0]], count: 3),
    ])

    #expect(shared.appEvents == [a, b, c])
    #expect(shared.total == 4)
    #expect(shared.relation(0, 1) == .before)
    #expect(shared.relation(2, 0) == .after)
    #expect(shared.relation(1, 2) == .either)
    #expect(shared.covers(among: shared.certain).map { [$0.0, $0.1] } == [[0, 1], [0, 2]])
    #expect(shared.drawable == [0, 1, 2])
  }

  @Test func `what comes in some ways only is possible`() {
    let (a, b, c) = (appEvent("x", 1), appEvent("x", 2), appEvent("x", 3))
    let shared = SharedOrder([
      way([a, b], before: [[], [0]]), way([a, c], before: [[], [0]]),
    ])

    #expect(shared.certain == [0])
    #expect(shared.possible == [1, 2])
    #expect(shared.relation(1, 2) == .never)
    #expect(shared.counts == [2, 1, 1])
    #expect(shared.drawable == [0, 1, 2])
  }

  @Test func `an order that does not carry over is not drawn`() {
    let (a, b, c) = (appEvent("x", 1), appEvent("x", 2), appEvent("x", 3))
    let shared = SharedOrder([
      way([a, b], before: [[], [0]]), way([b, c], before: [[], [0]]),
      way([c, a], before: [[], [0]]),
    ])

    #expect(shared.drawable == shared.certain)
    #expect(shared.drawable == [])
  }
}

extension EventOrders.EventOrder {
  fileprivate var kinds: [EventOrders.ApplicationEvent.Kind] { appEvents.map(\.kind) }
}
