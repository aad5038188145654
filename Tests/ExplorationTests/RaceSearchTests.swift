import ClientInterface
import Conformance
import Mutants
import Search
import TestKit
import Testing

/// Small scenarios, drawn from a seed: what two clients and the server do at related and unrelated
/// locations, with and without listeners, priorities, removals and faults.
private struct DrawnRace {
  private var numbers: RandomNumbers

  init(seed: UInt64) { numbers = RandomNumbers(seed: seed) }

  private mutating func pick(_ words: [String]) -> String {
    words[Int(numbers.next() % UInt64(words.count))]
  }

  private mutating func call(_ number: Int) -> String {
    let client = pick(["alice", "bob"])
    let path = pick(["r", "r/a", "r/b", "s"])
    return switch pick(["set", "set", "update", "remove", "priority", "add", "server", "listen"]) {
    case "update": "\(client).update: {path: \(path), value: {x: \(number), y: \(number)}}"
    case "remove": "\(client).remove: \(path)"
    case "priority": "\(client).set-priority: {path: r, priority: \(number)}"
    case "add":
      "\(client).transaction: {path: \(path), update: {increment: \(number)}}"
    case "server": "server.set: {path: \(path), value: \(number)}"
    case "listen": "\(client).listen: {path: \(path), event: value, as: l\(number)}"
    default: "\(client).set: {path: \(path), value: \(number)}"
    }
  }

  mutating func text() -> String {
    var lines = ["clients: [alice, bob]", "data: {r: {a: 1, .priority: 5}}", "steps:"]
    if pick(["yes", "no"]) == "yes" {
      lines += ["  - alice.listen: {path: r, event: value, as: feed}", "  - expect: {}"]
    } else {
      lines.append("  - settle")
    }
    let count = pick(["2", "2", "3"]) == "2" ? 2 : 3
    let calls = (1...count).map { call($0) }
    if pick(["together", "apart"]) == "together" {
      lines.append("  - together:")
      lines += calls.map { "      - \($0)" }
    } else {
      lines += calls.map { "  - \($0)" }
    }
    return (lines + ["  - settle"]).joined(separator: "\n")
  }
}

@Suite struct RaceSearchTests {
  /// How many orders the search without reduction may try before a scenario counts as too large.
  private static let limit = 1500

  private func explorer(_ faults: Explorer.Faults = .none) -> Explorer {
    var explorer = Kit.explorer()
    explorer.strategy = .exhaustive
    explorer.limit = Self.limit
    explorer.faults = faults
    return explorer
  }

  private func plain(_ explorer: Explorer) -> Explorer {
    var plain = explorer
    plain.reduction = .none
    return plain
  }

  @Test func `drawn scenarios come to the same with and without reduction`() throws {
    var compared = 0
    var orders = (reduced: 0, full: 0)
    for seed in 0..<60 {
      var race = DrawnRace(seed: UInt64(seed))
      let text = race.text()
      let scenario = try Kit.scenario(text)
      let full = plain(explorer()).explore(scenario, in: .firebase)
      guard full.isComplete else { continue }
      let reduced = explorer().explore(scenario, in: .firebase)

      #expect(reduced.isComplete)
      #expect(judged(reduced) == judged(full), "seed \(seed)\n\(text)")
      compared += 1
      orders.reduced += reduced.orders
      orders.full += full.orders
    }
    #expect(compared >= 30)
    #expect(orders.reduced * 3 < orders.full, "\(orders)")
  }

  private static let small = [
    "clients: [alice]\nsteps: [alice.set: {path: a, value: 1}]",
    """
    clients: [alice, bob]
    steps:
      - bob.listen: {path: a, event: value, as: feed}
      - expect: {bob.feed: [{value: null}]}
      - alice.set: {path: a, value: 1}
      - expect: {bob.feed: [{value: 1}]}
    """,
  ]

  @Test(arguments: small)
  func `with a fault at any moment the reduced search comes to all that the full one does`(
    body: String
  ) throws {
    let scenario = try Kit.scenario(body)
    var reducing = explorer(.one)
    reducing.limit = 100_000
    let reduced = Kit.surveys(of: scenario, by: reducing).reduced

    #expect(reduced.verdict == .pass)
  }

  @Test func `a defect that needs a fault among the messages is found, with its order`() throws {
    let scenario = try Kit.scenario(Self.small[0])
    var explorer = Kit.explorer { Mutant.droppedWrite.makeClient($1) }
    #expect(explorer.explore(scenario, in: .firebase).verdict == .pass)
    explorer.faults = .one
    let survey = explorer.explore(scenario, in: .firebase)
    let failure = try #require(survey.failure)
    let order = try #require(Order(text: failure.witness.description))

    #expect(survey.verdict == .fail)
    #expect(order.fault == failure.witness.fault)
    #expect(failure.words.contains { $0 == order.fault })
    let again = explorer.run(scenario, in: .firebase, order: order)
    #expect(again?.result.hash == failure.result.hash)
    #expect(again?.words == failure.words)
    #expect(explorer.run(scenario, in: .firebase, order: Order([], fault: "flood:x")) == nil)
  }

  /// Scenarios of which one at least comes to less for each dependency that a search overlooks.
  private static let revealing = [
    """
    clients: [alice, bob]
    steps:
      - together:
          - alice.set: {path: a, value: 1}
          - bob.set: {path: a, value: 2}
      - alice.remove: a
      - expect-now: {server: {a: 2}}
    """,
    """
    clients: [alice]
    steps:
      - settle
      - together:
          - alice.set: {path: a, value: 1}
          - alice.kill
      - expect: {}
    """,
    """
    clients: [alice, bob]
    steps:
      - alice.on-disconnect-set: {path: here, value: false}
      - settle
      - together:
          - alice.set: {path: here, value: true}
          - alice.go-offline: {}
          - bob.set: {path: here, value: 2}
      - expect: {}
    """,
  ]

  @Test(arguments: Oversight.allCases)
  func `a dependency that a search overlooks shows in what it comes to`(
    oversight: Oversight
  ) throws {
    let reducing = explorer()
    let hasShown = try Self.revealing.contains { body in
      let scenario = try Kit.scenario(body)
      let right = reducing.explore(scenario, in: .firebase)
      var defective = reducing
      defective.oversight = oversight
      return judged(defective.explore(scenario, in: .firebase)) != judged(right)
    }

    #expect(hasShown)
  }

  @Test func `writes at unrelated locations are exchanged unless a client receives both`() throws {
    func orders(_ listener: String) throws -> Int {
      let scenario = try Kit.scenario(
        """
        clients: [alice, bob, carol]
        steps:
          - \(listener)
          - settle
          - alice.set: {path: a, value: 1}
          - bob.set: {path: b, value: 2}
        """)
      let survey = Kit.explorer().explore(scenario, in: .firebase)
      #expect(survey.isComplete)
      return survey.orders
    }

    #expect(try orders("carol.listen: {path: c, event: value, as: feed}") == 1)
    #expect(try orders("carol.listen: {path: b, event: value, as: feed}") == 1)
    #expect(try orders("carol.listen: {path: \"\", event: value, as: feed}") == 2)
  }

  private static let race = """
    clients: [c1, c2, c3]
    steps:
      - c1.set: {path: a, value: 1}
      - c2.set: {path: a, value: 2}
      - c3.set: {path: a, value: 3}
    """

  @Test func `the estimate of all orders is near their number`() throws {
    let scenario = try Kit.scenario(Self.race)
    let reduced = Kit.explorer().explore(scenario, in: .firebase)
    let full = plain(Kit.explorer()).explore(scenario, in: .firebase)
    let ratio = try #require(reduced.unreduced) / Double(full.orders)

    #expect(ratio > 0.3 && ratio < 3, "\(ratio)")
    #expect(reduced.reductionFactor == reduced.unreduced.map { $0 / 6 })
    #expect(full.unreduced == nil && full.reductionFactor == nil)
  }

  @Test func `what is stopped has tried every order with few delays`() throws {
    let scenario = try Kit.scenario(Self.race)
    var explorer = Kit.explorer()
    explorer.limit = 4
    let first = try #require(explorer.explore(scenario, in: .firebase).nearby)
    #expect(first.orders == 1 && first.delays == 0)
    explorer.reduction = .none
    explorer.limit = 100_000
    let all = try #require(explorer.eventOrders(of: scenario, in: .firebase)).ways.map {
      $0.witness.choices.reduce(0, +)
    }
    explorer.limit = 80
    let nearby = try #require(explorer.explore(scenario, in: .firebase).nearby)
    let delays = try #require(nearby.delays)

    #expect(all.count == 90)
    #expect(nearby.orders == 8)
    #expect(delays >= 1)
    #expect(all.count { $0 <= delays } <= 8 && all.count { $0 <= delays + 1 } > 8)
  }

  private func judged(_ survey: ExplorationResult) -> Set<Judged> { Judged.all(of: survey) }
}
