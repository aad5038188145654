import Conformance
import Faults
import TestKit
import Testing

/// Scenarios that would pass without their faults.
@Suite struct VacuousFaultTests {
  private func result(_ steps: String) throws -> ScenarioResult {
    let head = "clients: [alice, bob]\npersistence: {alice: true}\ndata: {a: 1}\nsteps:\n"
    return Kit.run(try Kit.scenario(head + steps))
  }

  @Test(arguments: [
    (
      "network.cut: {client: alice, when: {frame: merge}}",
      "never happened: there was no merge from alice after it"
    ),
    (
      "network.cut: {client: alice, when: {frame: data, nth: 2}}",
      "never happened: there was fewer than 2 data to alice after it"
    ),
    (
      "server.restart: {when: {frame: merge}}",
      "never happened: there was no merge from anybody after it"
    ),
    (
      "network.cut: {client: alice, when: {messages: 99}}",
      "never happened: alice had fewer than 99 messages"
    ),
    ("network.resume: {client: alice, when: {messages: 99}}", "never happened: alice had"),
    ("alice.storage: {fail: write, times: 3, when: {frame: merge}}", "never happened"),
    ("network.stall: bob", "changed nothing"),
    ("network.lose-acknowledgement: bob", "changed nothing"),
    ("network.close-after: {client: bob, messages: 99}", "changed nothing"),
    ("server.stale", "changed nothing"), ("bob.storage: {fail: full}", "changed nothing"),
    ("server.clock: {skew: 1h}", "changed nothing"),
  ])
  func `a fault that comes to nothing is told with its line`(
    step: String, reason: String
  ) throws {
    let result = try result(
      "  - \(step)\n  - alice.set: {path: a, value: 2, as: w}\n  - expect: {alice.w: {ok: true}}")

    #expect(result.verdict == .vacuous)
    #expect(
      result.reason?.hasPrefix("\(step) (Scenarios/test/example.yaml:8) \(reason)") == true,
      "\(result.reason ?? "no reason")")
  }

  @Test(arguments: [
    "network.heal: alice", "network.refuse: bob", "network.latency: 5ms", "network.resume: alice",
    "alice.clock: {skew: 0ms}", "alice.storage: {fail: nothing}",
    "server.reject: {path: b, deny: [read]}", "server.revoke: b",
    "network.drop: {client: alice, when: {frame: put}}",
    "network.cut: {client: bob, when: {after: 1s}}",
    "server.restart", "server.redirect: {host: two.kennel.test}", "server.shutdown: bob",
  ])
  func `what repairs may change nothing, and what changes something passes`(
    step: String
  ) throws {
    let result = try result(
      "  - \(step)\n  - alice.set: {path: a, value: 2, as: w}\n  - expect: {alice.w: {ok: true}}")

    #expect(result.verdict == .pass, "\(result.reason ?? "")")
  }

  @Test func `what waits never happens when it is taken back`() throws {
    let result = try result(
      """
        - network.cut: {client: alice, when: {frame: put}}
        - network.lose-acknowledgement: alice
        - disarm
        - alice.set: {path: a, value: 2, as: w}
        - expect: {alice.w: {ok: true}}
      """)

    #expect(result.divergences.isEmpty)
    #expect(result.faults["cut"] == .init(asked: 1))
    #expect(result.faults["lost-acknowledgement"] == .init(asked: 1, happened: 1))
  }

  @Test func `faults are counted by what became of them`() throws {
    let result = try result(
      """
        - network.cut: alice
        - network.cut: bob
        - network.heal: alice
        - settle
        - network.heal: alice
        - server.stale: {writes: 0}
        - alice.set: {path: a, value: 2, as: w}
        - expect: {alice.w: {ok: true}}
      """)

    #expect(result.faults["cut"] == .init(asked: 2, happened: 2, mattered: 2))
    #expect(result.faults["heal"] == .init(asked: 2, happened: 2, mattered: 1))
    #expect(result.verdict == .pass)
  }
}
