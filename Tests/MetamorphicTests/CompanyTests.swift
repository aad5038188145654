import ClientInterface
import Metamorphic
import Scenario
import TestKit
import Testing

@Suite struct CompanyTests {
  private let plain = """
    clients: [alice, bob]
    steps:
      - alice.listen: {path: a, event: value, as: feed}
      - expect: {alice.feed: [{value: null}]}
      - network.cut: alice
      - bob.set: {path: a, value: 1}
      - expect: {server: {a: 1}}
      - network.heal: alice
      - alice.unlisten: feed
      - expect: {server: {a: 1}}
    """

  @Test func `another client listens at a location of its own`() throws {
    let changed = try ScenarioChange.otherClient.applied(to: Kit.scenario(plain))

    #expect(changed.clients == ["alice", "bob", "bystander"])
    #expect(changed.steps.count == 9)
    #expect(
      changed.steps[0].text == "bystander listens at /bystander-place"
        && changed.steps[0].expectation?.listeners.map(\.client) == ["bystander"])
  }

  @Test func `another client has a name of its own, and may have nothing to listen to`() throws {
    let changed = try ScenarioChange.otherClient.applied(
      to: Kit.scenario(
        "clients: [bystander]\nstart: opening\nsteps: [bystander.set: {path: a, value: 1}]"))

    #expect(changed.clients == ["bystander", "bystander-2"])
    #expect(changed.steps.count == 2)
  }

  @Test func `a twin is registered, notified and removed with its listener`() throws {
    let changed = try ScenarioChange.twinListeners.applied(to: Kit.scenario(plain))

    let lines = changed.substance.filter { $0.contains("feed") }.map { $0.prefix { $0 != "(" } }

    #expect(
      lines == [
        "alice feed listen ListenerID", "alice feed' listen ListenerID", "alice.feed",
        "alice.feed'", "alice #1 unlisten", "alice #1' unlisten",
      ])
  }

  @Test func `a twin of a concurrent listen is concurrent as well`() throws {
    let changed = try ScenarioChange.twinListeners.applied(
      to: Kit.scenario(
        """
        clients: [alice, bob]
        steps:
          - together:
              - alice.listen: {path: a, event: value, as: feed}
              - bob.set: {path: a, value: 1}
          - expect: {one-of: [{alice.feed: [{value: 1}]}, {alice.feed: [{value: null}, {value: 1}]}]}
        """))

    guard case let .together(steps) = changed.steps[0].action else {
      Issue.record("the steps are not concurrent")
      return
    }
    #expect(steps.count == 3)
    #expect(
      changed.steps[1].expectation?.alternatives.map { $0.listeners.map(\.listener.name) }
        == [["feed", "feed'"], ["feed", "feed'"]])
  }

  @Test func `each client has another listener`() throws {
    let changed = try ScenarioChange.otherListener.applied(to: Kit.scenario(plain))

    #expect(changed.steps.count == 10)
    #expect(changed.steps[1].expectation?.listeners.map(\.client) == ["alice", "bob"])
  }

  @Test func `those are reconnected who are connected when nothing is under way`() throws {
    let changed = try ScenarioChange.reconnection.applied(to: Kit.scenario(plain))
    let texts = changed.steps.map(\.text).filter { $0.hasPrefix("network.cut") }

    #expect(
      texts == [
        "network.cut: alice", "network.cut: bob", "network.cut: alice", "network.cut: bob",
        "network.cut: alice", "network.cut: bob",
      ])
    #expect(changed.steps.count == 8 + 5 + 3 + 5)
  }

  @Test func `who is offline or killed is not reconnected`() throws {
    let changed = try ScenarioChange.reconnection.applied(
      to: Kit.scenario(
        """
        clients: [alice, bob, carol]
        steps:
          - alice.go-offline
          - bob.kill
          - expect: {}
          - together: [alice.go-online: {}, carol.go-offline: {}]
          - bob.start
          - expect: {}
        """))
    let texts = changed.steps.map(\.text).filter { $0.hasPrefix("network.heal") }

    #expect(texts == ["network.heal: carol", "network.heal: alice", "network.heal: bob"])
  }

  @Test(arguments: [
    (
      ScenarioChange.otherListener, "start: opening\nsteps: [settle]",
      "its steps begin before any connection is up"
    ),
    (
      .otherListener, "tokens: {t: {uid: ann, expires: 1s}}\nsteps: [settle]",
      "a token is worth something only for a time"
    ),
    (
      .otherListener, "security: [{path: /, deny: [read]}]\nsteps: [settle]",
      "the server refuses to let the root be read"
    ),
    (.otherListener, "steps: [server.revoke: /]", "the server refuses to let the root be read"),
    (
      .otherListener, "steps: [{network.cut: alice, expect: {frames: {alice: {listen: 0}}}}]",
      "it counts the listens that are sent after a reconnection"
    ),
    (.twinListeners, "steps: [settle]", "nothing is listened to"),
    (
      .reconnection, "tokens: {t: {uid: ann, expires: 1s}}\nsteps: [settle]",
      "a token is worth something only for a time"
    ),
    (
      .reconnection, "steps: [alice.on-disconnect-remove: a]",
      "on-disconnect operations would be done"
    ),
    (
      .reconnection,
      "steps: [alice.once: {path: .info/connected, as: o}, expect: {alice.o: [{value: true}]}]",
      "it listens to .info/connected"
    ),
    (
      .reconnection, "steps: [server.reject: {path: a, deny: [read]}]",
      "what may be read changes, which a new connection notices"
    ),
    (
      .reconnection, "steps: [server.revoke-auth: alice]",
      "a token is taken back, which a new connection notices"
    ),
    (
      .reconnection, "steps: [network.cut: alice]",
      "no client is connected when nothing is under way"
    ),
  ])
  func `a change that could matter is not made`(
    change: ScenarioChange, body: String, reason: String
  ) throws {
    #expect(try Kit.unsupportedReason(to: change, "clients: [alice]\n" + body) == reason)
  }
}
