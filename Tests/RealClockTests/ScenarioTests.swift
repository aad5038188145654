import ClientInterface
import RealClock
import Scenario
import TestKit
import Testing

/// What scenarios mean on a real clock.
@Suite struct ScenarioTests {
  private func unsupportedReason(_ body: String, canEndProcesses: Bool = false) throws -> String? {
    try Kit.scenario(body, rules: "WRT-1").realClockUnsupportedReason(
      RealClockSettings(), canEndProcesses: canEndProcesses)
  }

  private static let alice = "clients: [alice]\nsteps:\n  - "

  @Test(arguments: [
    ("judge: invariants\n" + alice + "settle\n", "it is judged by invariants alone"),
    (
      "choices: [{seed: 3}]\n" + alice + "settle\n",
      "it states choices, which cannot be imposed on real clients"
    ),
    (
      "fixed-order: it counts\n" + alice + "settle\n",
      "it holds only in the order that virtual time gives (it counts)"
    ),
    (
      "start: opening\n" + alice + "settle\n",
      "it begins while clients connect, which a real clock cannot time"
    ),
    (
      alice + "alice.listen: {path: .info/serverTimeOffset, as: o}\n",
      "what a real client measures of the server's clock is another number each time"
    ),
    (
      alice + "alice.kill\n",
      "the adapter cannot end the process of a client (it does not declare \"kill\")"
    ),
    (
      alice + "alice.inspect: {path: a, ask: url, as: q}\n    expect: {alice.q: {answer: x}}\n",
      "it knows the address of the server, which is another one each time"
    ),
    (
      "network: {latency: 0ms}\n" + alice + "alice.set: {path: a, value: {.sv: timestamp}}\n",
      "what a real client estimates of the server's time is never exact"
    ),
    (
      alice + "alice.listen: {path: a, event: value, as: l}\n"
        + "  - expect: {alice.l: [{value: {$gte: 1480000000000, $lte: 1480000001000}}]}\n",
      "it states a time of the virtual clock"
    ),
    (alice + "alice.clock: {skew: 5s}\n", "a real client reads the clock of its machine"),
    (
      alice + "network.half-open: {client: alice, notices: server}\n",
      "a real client notices a half-open connection when it likes"
    ),
    (
      alice + "server.clock: {skew: 5s}\n",
      "what real clients measure of the server's clock is another number each time"
    ),
    (
      alice + "wait: 6s\n  - wait: 5s\n",
      "it waits for 11 s in all, and at most 10 s are allowed (--longest)"
    ),
    (
      alice + "server.restart: {down: 11s}\n",
      "it waits for 11 s in all, and at most 10 s are allowed (--longest)"
    ),
  ])
  func `some cannot be run, and say why`(body: String, reason: String) throws {
    #expect(try unsupportedReason(body) == reason)
  }

  @Test func `what a real client can go through is run`() throws {
    #expect(
      try unsupportedReason(
        Self.alice + "network.cut: alice\n  - wait: 10s\n  - alice.set: {path: a, value: 1}\n")
        == nil)
    #expect(try unsupportedReason(Self.alice + "alice.kill\n", canEndProcesses: true) == nil)
  }

  @Test(arguments: [
    ("", nil), (": {storage: lost}", "a real client has storage of its own"),
    (": {storage: rolled-back}", "a real client has storage of its own"),
  ])
  func `a process finds the storage that it has left`(how: String, reason: String?) throws {
    let body =
      "persistence: true\n" + Self.alice + "alice.kill\n  - alice.start" + how + "\n"
    #expect(try unsupportedReason(body, canEndProcesses: true) == reason)
  }

  @Test func `bounds on times widen, and delays need not grow`() throws {
    let scenario = try Kit.scenario(
      """
      clients: [alice]
      steps:
        - alice.listen: {path: a, event: value, as: feed}
        - alice.set: {path: a, value: 1, as: w}
        - expect:
            alice.feed: [{value: 1, at: 20ms}, {each-gap: {min: 1s, max: 2s, growth: 1.2}}]
            alice.w: {ok: true, within: [1s, 2s]}
      """, rules: "WRT-1")
    let expectation = try #require(scenario.steps.last?.expectation)

    let loose = expectation.widened(by: .milliseconds(250), paused: .milliseconds(100))

    #expect(loose.outcomes[0].time == .within(.milliseconds(650)...(.milliseconds(2250))))
    #expect(loose.listeners[0].gap?.minimum == .milliseconds(650))
    #expect(loose.listeners[0].gap?.maximum == .milliseconds(2250))
    #expect(loose.listeners[0].gap?.growth == nil)
    guard case let .event(event) = loose.listeners[0].items[0] else {
      Issue.record("it is no event")
      return
    }
    #expect(event.time == .within(.zero...(.milliseconds(270))))
  }

  @Test func `who of two clients receives something first is not compared`() throws {
    let scenario = try Kit.scenario(
      """
      clients: [alice, bob]
      steps:
        - alice.listen: {path: a, event: value, as: one}
        - alice.listen: {path: b, event: value, as: two}
        - bob.listen: {path: a, event: value, as: one}
        - expect:
            alice.one: [{value: null}]
            alice.two: [{value: null}]
            bob.one: [{value: null}]
            order: [alice.one < alice.two, alice.one < bob.one]
      """, rules: "WRT-1")
    let expectation = try #require(scenario.steps.last?.expectation)
    #expect(expectation.order.count == 2)

    let loose = expectation.widened(by: .zero)

    #expect(loose.order.map(\.second.label) == ["two"])
  }
}
