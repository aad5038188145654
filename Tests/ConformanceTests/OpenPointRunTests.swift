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
