import ClientInterface
import Conformance
import Mutants
import ReferenceClient
import Scenario
import TestKit
import Testing

/// What is left open is held against no client, and what is not open still is.
@Suite struct OpenPointRunTests {
  /// What is found where a variant is compared with the reference client.
  private func found(_ variant: String, _ body: String, in profile: Profile) throws -> [String] {
    let mutant = try #require(Mutant(named: variant))
    var runner = ScenarioRunner { _, profile in mutant.makeClient(profile) }
    runner.shadows = ReferenceClient.shadows(in:)
    let result = runner.run(try Kit.scenario("judge: invariants\n" + body), in: profile)
    return result.divergences.map { "\($0)" }
  }

  private static let crossed = """
    clients: [alice]
    tokens: {t1: {uid: ann}}
    security: [{path: room, deny: [read], unless: authenticated}]
    data: {room: {a: 1, b: 2}}
    steps:
      - alice.auth: {token: t1}
      - settle
      - alice.listen: {path: room, event: value, query: {limitToFirst: 1}, as: first}
      - settle
      - alice.unauth: {}
      - alice.unlisten: first
      - alice.auth: {token: t1}
      - alice.listen: {path: room, event: value, query: {limitToLast: 1}, as: last}
      - settle
    """

  private static let ended = """
    clients: [alice]
    data: {room: {a: 1, b: 2}}
    steps:
      - alice.listen: {path: room, event: value, query: {limitToFirst: 1}, as: first}
      - settle
      - alice.unlisten: first
      - settle
    """

  @Test(arguments: Profile.all)
  func `a revocation that crosses the end of its listen may end others`(profile: Profile) throws {
    #expect(try found("crossing-revocations-end-all", Self.crossed, in: profile) == [])
    #expect(try found("listens-not-taken-back", Self.ended, in: profile) != [])
  }

  @Test(arguments: Profile.all)
  func `a parent that an update empties is the same for all in the end`(profile: Profile) throws {
    let body = """
      clients: [alice, bob]
      data: {room: {.priority: 1, a: {.priority: 5, b: 1}}}
      steps:
        - alice.listen: {path: room, event: value}
        - bob.listen: {path: room, event: value, query: {limitToFirst: 1}}
        - settle
        - alice.update: {path: room/a, value: {b: null, d: 2}}
        - settle
        - server.update: {path: room, value: {a: null, c: 1}}
        - settle
      """

    #expect(try found("updates-in-two-parts", body, in: profile) == [])
  }

  private static let bounds = """
    clients: [alice]
    data: {room: {a: {n: 1}, b: 2}}
    steps:
      - alice.listen: {path: room, event: value, query: {orderBy: n, startAt: null}}
      - settle
      - alice.set: {path: room/c, value: {n: 3}}
      - settle
    """

  @Test(arguments: ["null-bounds-are-refused", "null-bounds-bound-nothing"])
  func `null as a bound is open in the profiles of Wilddog alone`(variant: String) throws {
    #expect(try found(variant, Self.bounds, in: .wilddog1) == [])
    #expect(try found(variant, Self.bounds, in: .wilddog2) == [])
  }

  @Test func `null as a bound is refused by no client of Firebase`() throws {
    #expect(try found("null-bounds-are-refused", Self.bounds, in: .firebase) != [])
  }

  @Test func `a listener that loads may show what a get has brought`() throws {
    let body = """
      clients: [alice]
      network: {latency: 10ms}
      data: {room: {a: 1}}
      steps:
        - alice.get: {path: room}
        - wait: 12ms
        - server.set: {path: room/a, value: 2}
        - alice.listen: {path: room, events: [child_added, child_changed], query: {limitToLast: 1}}
        - alice.listen: {path: room/a, event: value}
        - settle
      """

    #expect(try found("gets-inform-listeners", body, in: .firebase) == [])
  }

  private static let refusedParts = """
    clients: [alice]
    network: {latency: 10ms}
    security: [{path: hall/b, deny: [write]}]
    data: {room: {.priority: 1, a: {.priority: 5, b: 1}}}
    steps:
      - alice.listen: {path: room, event: value}
      - settle
      - alice.update: {path: room/a, value: {b: null, d: 2}}
      - alice.set: {path: hall/a, value: 1}
      - alice.update: {path: hall, value: {b: 2}}
      - alice.listen: {path: hall, events: [child_added, child_removed]}
      - settle
    """

  @Test(arguments: Profile.all)
  func `a refused update may take back what the server has not sent`(profile: Profile) throws {
    #expect(try found("refused-updates-take-all-back", Self.refusedParts, in: profile) == [])
  }

  @Test(arguments: Profile.all)
  func `several points may be decided otherwise at once`(profile: Profile) throws {
    var runner = ScenarioRunner { _, profile in
      ReferenceClient(profile: profile) { policy in
        policy.updatesAreWithdrawnAlone = false
        policy.updatesAreWhole = false
      }
    }
    runner.shadows = ReferenceClient.shadows(in:)
    let scenario = try Kit.scenario("judge: invariants\n" + Self.refusedParts)

    #expect(runner.run(scenario, in: profile).verdict == .pass)
  }

  private static let kinds = """
    clients: [alice]
    data: {room: {a: {n: 1}, b: {n: {x: 1}}, c: {n: text}, d: 4}}
    steps:
      - alice.listen: {path: room, query: {orderBy: n}}
      - settle
      - alice.set: {path: room/e, value: {n: {y: 2}}}
      - server.set: {path: room/a/n, value: {z: 1}}
      - settle
    """

  @Test(arguments: [Profile.wilddog1, .wilddog2])
  func `mappings may stand elsewhere in an order by values`(profile: Profile) throws {
    #expect(try found("mappings-come-first", Self.kinds, in: profile) == [])
  }

  /// A revocation that crosses the end of its listen makes the shadow look away until the restart.
  @Test func `a shadow that has looked away starts from no data of its own`() throws {
    let body = """
      judge: invariants
      clients: [alice]
      persistence: true
      steps:
        - alice.listen: {path: room, event: child_added}
        - settle
        - alice.listen: {path: /, event: child_added}
        - server.revoke: room
        - settle
        - alice.set: {path: room/a, value: 1}
        - alice.kill
        - alice.start
        - alice.listen: {path: room, query: {limitToLast: 1}}
        - settle
      """
    var runner = ScenarioRunner(client: Kit.reference)
    runner.shadows = ReferenceClient.shadows(in:)

    #expect(runner.run(try Kit.scenario(body), in: .firebase).verdict == .pass)
  }
}
