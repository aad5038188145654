import ClientInterface
import Conformance
import ReferenceClient
import Search
import TestKit
import Testing
import Tree

/// Something that was come to, and whether that was right.
struct Judged: Hashable {
  var runOutcome: RunOutcome
  var hasFailed: Bool

  static func all(of survey: ExplorationResult) -> Set<Judged> {
    Set(survey.findings.map { Judged(runOutcome: $0.runOutcome, hasFailed: $0.hasFailed) })
  }
}

@Suite struct ReductionTests {
  /// Small enough for every order to be tried.
  static let cases = [
    (
      "two writers of one location",
      """
      clients: [alice, bob]
      steps:
        - together:
            - alice.set: {path: a, value: 1}
            - bob.set: {path: a, value: 2}
        - expect: {server: {a: 2}}
      """
    ),
    (
      "a writer with a listener and one without",
      """
      clients: [alice, bob]
      steps:
        - alice.listen: {path: a, event: value, as: feed}
        - expect: {alice.feed: [{value: null}]}
        - together:
            - alice.set: {path: a, value: 1}
            - bob.set: {path: a, value: 2}
        - expect: {alice.feed: [{value: 1}, {value: 2}]}
      """
    ),
    (
      "a listen that crosses two writes",
      """
      clients: [alice, bob]
      data: {a: 0}
      steps:
        - together:
            - alice.listen: {path: a, event: value, as: feed}
            - bob.set: {path: a, value: 1}
            - bob.set: {path: a, value: 2}
        - expect: {alice.feed: [{value: 2}]}
      """
    ),
    (
      "a transaction against a write at the server",
      """
      clients: [alice]
      data: {n: 1}
      steps:
        - together:
            - alice.transaction: {path: n, update: {increment: 1}, as: t}
            - server.set: {path: n, value: 10}
            - alice.set: {path: m, value: 1}
        - expect: {alice.t: {committed: true, value: 11}}
      """
    ),
    (
      "clients that connect",
      """
      clients: [alice, bob]
      start: opening
      steps:
        - alice.set: {path: a, value: 1}
        - settle
        - bob.listen: {path: a, event: value, as: feed}
        - expect: {bob.feed: [{value: 1}]}
      """
    ),
    (
      "a step right after concurrent ones",
      """
      clients: [alice, bob]
      steps:
        - together:
            - alice.set: {path: a, value: 1}
            - bob.set: {path: a, value: 2}
        - alice.remove: a
        - expect-now: {server: {a: 2}}
        - expect: {server: null}
      """
    ),
    (
      "a connection that is cut while writes are on their way",
      """
      clients: [alice, bob]
      steps:
        - alice.on-disconnect-set: {path: here, value: false}
        - settle
        - together:
            - alice.set: {path: here, value: true}
            - bob.set: {path: here, value: 2}
        - wait: 15ms
        - network.cut: alice
        - wait: 5ms
        - network.heal: alice
        - expect: {server: {here: true}}
      """
    ),
    (
      "a window that two writers change",
      """
      clients: [alice, bob, carol]
      data: {room: {b: 2, c: 3}}
      steps:
        - alice.listen: {path: room, query: {limitToFirst: 2}, as: feed}
        - expect:
            alice.feed:
              - {child_added: b, value: 2}
              - {child_added: c, value: 3}
              - {value: {b: 2, c: 3}}
        - together:
            - bob.set: {path: room/a, value: 1}
            - carol.remove: room/c
        - expect: {alice.feed: [{child_removed: c, value: 3}, {child_added: a}, {value: $any}]}
      """
    ),
    (
      "going offline with a write under way",
      """
      clients: [alice, bob]
      steps:
        - alice.on-disconnect-set: {path: here, value: false}
        - settle
        - together:
            - alice.set: {path: here, value: true}
            - bob.set: {path: here, value: 2}
            - alice.go-offline: {}
        - expect: {server: {here: false}}
      """
    ),
  ]

  /// The same, where what affects clients is among the concurrent steps.
  static let faults = [
    (
      "a cut among the calls of its client", 1...4,
      """
      clients: [alice, bob]
      steps:
        - alice.on-disconnect-set: {path: here, value: false}
        - settle
        - alice.set: {path: here, value: true}
        - alice.set: {path: a, value: 1}
        - network.cut: alice
        - bob.set: {path: a, value: 2}
        - network.heal: alice
        - expect: {server: {here: true, a: 2}}
      """
    ),
    (
      "a new process in place of one that writes", 1...4,
      """
      clients: [alice, bob]
      persistence: {alice: true}
      steps:
        - settle
        - alice.set: {path: a, value: 1}
        - alice.kill
        - alice.start
        - bob.set: {path: a, value: 2}
        - expect: {server: {a: 2}}
      """
    ),
    (
      "a latency that changes for everyone", 1...3,
      """
      clients: [alice, bob]
      steps:
        - settle
        - alice.set: {path: a, value: 1}
        - network.latency: 5ms
        - bob.set: {path: a, value: 2}
        - expect: {server: {a: 2}}
      """
    ),
  ]

  @Test(arguments: faults)
  func `faults among concurrent steps are taken as what they concern`(
    name: String, range: ClosedRange<Int>, body: String
  ) throws {
    _ = Kit.surveys(of: try Kit.scenario(body).gathering(range), name)
  }

  @Test func `where a fault strikes is open`() throws {
    let scenario = try Kit.scenario(
      """
      clients: [alice]
      steps:
        - settle
        - alice.set: {path: a, value: 1}
        - alice.kill
        - expect: {one-of: [{server: {a: 1}}, {server: null}, {server: {a: 2}}]}
      """
    ).gathering(1...2)
    let survey = Kit.explorer().explore(scenario, in: .firebase)

    #expect(
      Set(survey.findings.map(\.runOutcome.server.description)) == ["null", #"{"a":1}"#])
    #expect(survey.verdict == .vacuous)
    #expect(survey.unreached.count == 1)
  }

  @Test(arguments: cases)
  func `the reduced search comes to all that the full one does`(
    name: String, body: String
  ) throws {
    let (reduced, full) = Kit.surveys(of: try Kit.scenario(body), name)
    #expect(reduced.reason == full.reason)
  }

  @Test(arguments: [(2, 2, 6), (2, 3, 20), (3, 1, 6), (3, 2, 90)])
  func `writes on their way have as many orders as they can arrive in`(
    clients: Int, writes: Int, orders: Int
  ) throws {
    let names = (1...clients).map { "c\($0)" }
    let steps = names.flatMap { name in
      (1...writes).map { "  - \(name).set: {path: a, value: \($0)}" }
    }
    let survey = Kit.explorer().explore(
      try Kit.scenario(
        "clients: [\(names.joined(separator: ", "))]\nsteps:\n" + steps.joined(separator: "\n")),
      in: .wilddog2)

    #expect(survey.orders == orders)
    #expect(survey.isComplete)
    #expect(survey.verdict == .pass)
  }

  @Test func `an object as a client makes no difference but in time`() throws {
    let scenario = try Kit.scenario(Self.cases[1].1)
    let values = Kit.explorer().explore(scenario, in: .firebase)
    let objects = Kit.explorer { Shared(ReferenceClient(profile: $1)) }
      .explore(scenario, in: .firebase)

    #expect(Judged.all(of: objects) == Judged.all(of: values))
    #expect(objects.orders == values.orders)
    #expect(objects.findings.map(\.words) == values.findings.map(\.words))
  }
}
