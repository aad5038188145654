import ClientInterface
import Conformance
import ReferenceClient
import Reports
import Scenario
import Search
import TestKit
import Testing
import Wire

/// What `kennel why` says of clients that are right except that they never do one thing.
@Suite struct OmittedActionTests {
  struct Omission: CustomTestStringConvertible {
    var testDescription: String
    var steps: String
    /// What `kennel why` says is missing, with its moment.
    var missing: String
    var omits: @Sendable (ClientInput, ClientOutput) -> Bool

    init(
      _ name: String, _ missing: String, _ steps: String,
      _ omits: @escaping @Sendable (ClientInput, ClientOutput) -> Bool
    ) {
      (testDescription, self.steps, self.missing, self.omits) = (name, steps, missing, omits)
    }
  }

  static let omissions = calls + events + connections

  private static let calls = [
    Omission(
      "a push never ends", #"after "answer ok", a conforming client ends p with ok"#,
      """
      steps:
        - alice.push: {path: list, value: 1, as: p}
        - expect: {alice.p: {ok: true}}
      """
    ) { if case .completed("p", _) = $1 { true } else { false } },
    Omission(
      "a refused write never ends", "a conforming client ends w with the error permission_denied",
      """
      security: [{path: doc, deny: [write]}]
      steps:
        - alice.set: {path: doc, value: 1, as: w}
        - expect: {alice.w: {error: permission_denied}}
      """
    ) { if case .completed("w", _) = $1 { true } else { false } },
    Omission(
      "a transaction that was out of date is not sent again",
      "a conforming client sends put /count 6",
      """
      data: {count: 5}
      steps:
        - alice.transaction: {path: count, update: {increment: 1}, as: t}
        - expect: {alice.t: {committed: true, value: 6}, server: {count: 6}}
      """
    ) {
      guard case .frame = $0, case let .send(.request(_, .put(_, _, hash))) = $1 else {
        return false
      }
      return hash != nil
    },
    Omission(
      "an on-disconnect operation is not cancelled",
      "a conforming client sends on-disconnect-cancel /doc",
      """
      steps:
        - alice.on-disconnect-set: {path: doc, value: 1, as: will}
        - expect: {alice.will: {ok: true}}
        - alice.on-disconnect-cancel: {path: doc}
        - expect: {frames: {alice: {on-disconnect-cancel: 1}}}
      """
    ) { if case .send(.request(_, .onDisconnectCancel)) = $1 { true } else { false } },
  ]

  private static let events = [
    Omission(
      "a single read never ends", "a conforming client raises value = 1 on read",
      """
      data: {doc: 1}
      steps:
        - alice.once: {path: doc, as: read}
        - expect: {alice.read: [{value: 1}]}
      """
    ) { if case .event(let event) = $1 { event.listener == "read" } else { false } },
    Omission(
      "a move is not raised", "a conforming client raises child_moved",
      """
      data: {room: {a: 1, b: 2}}
      steps:
        - alice.listen: {path: room, events: [child_moved], as: feed}
        - settle
        - alice.set-priority: {path: room/a, priority: 9}
        - expect: {alice.feed: [{child_moved: a, value: {.value: 1, .priority: 9}, prev: b}]}
      """
    ) { if case .event(let event) = $1 { event.type == .childMoved } else { false } },
    Omission(
      "a write is not shown before it is answered", "a conforming client raises value = 2 on feed",
      """
      data: {doc: 1}
      steps:
        - alice.listen: {path: doc, event: value, as: feed}
        - expect: {alice.feed: [{value: 1}]}
        - alice.set: {path: doc, value: 2}
        - expect-now: {alice.feed: [{value: 2}]}
      """
    ) { if case (.call, .event) = ($0, $1) { true } else { false } },
    Omission(
      "a refused write is not taken back", "a conforming client raises value = 1 on feed",
      """
      data: {doc: 1}
      security: [{path: doc, deny: [write]}]
      steps:
        - alice.listen: {path: doc, event: value, as: feed}
        - expect: {alice.feed: [{value: 1}]}
        - alice.set: {path: doc, value: 2, as: w}
        - expect: {alice.feed: [{value: 2}, {value: 1}], alice.w: {error: permission_denied}}
      """
    ) { if case (.frame(.response), .event) = ($0, $1) { true } else { false } },
    Omission(
      "a removal while away is not raised",
      "a conforming client raises child_removed a = 1 on feed",
      """
      data: {room: {a: 1, b: 2}}
      steps:
        - alice.listen: {path: room, events: [child_removed], as: feed}
        - settle
        - network.cut: alice
        - server.remove: room/a
        - network.heal: alice
        - expect: {alice.feed: [{child_removed: a, value: 1}]}
      """
    ) { if case .event(let event) = $1 { event.type == .childRemoved } else { false } },
    Omission(
      "a lower listener is not cancelled", "a conforming client cancels low: permission_denied",
      """
      data: {room: {a: 1}}
      steps:
        - alice.listen: {path: room/a, event: value, as: low}
        - alice.listen: {path: room, event: value, as: high}
        - expect: {alice.low: [{value: 1}], alice.high: [{value: {a: 1}}]}
        - server.revoke: room
        - expect: {alice.low: [{cancelled: permission_denied}], alice.high: [{cancelled: permission_denied}]}
      """
    ) { if case .cancelled("low", _) = $1 { true } else { false } },
  ]

  private static let connections = [
    Omission(
      "a lost connection is not told", "a conforming client raises value = false on link",
      """
      steps:
        - alice.listen: {path: .info/connected, event: value, as: link}
        - expect: {alice.link: [{value: true}]}
        - network.cut: alice
        - expect: {alice.link: [{value: false}]}
      """
    ) { if case (.closed, .event) = ($0, $1) { true } else { false } },
    Omission(
      "going offline keeps the connection", "a conforming client closes its connection",
      """
      steps:
        - alice.on-disconnect-set: {path: doc, value: gone, as: will}
        - expect: {alice.will: {ok: true}}
        - alice.go-offline
        - expect: {server: {doc: gone}}
      """
    ) { if case .disconnect = $1 { true } else { false } },
    Omission(
      "going online asks for no connection", "a conforming client asks for a connection again",
      """
      steps:
        - alice.go-offline
        - alice.set: {path: doc, value: 1, as: w}
        - alice.go-online
        - expect: {alice.w: {ok: true}}
      """
    ) { if case (.call(_, .goOnline), .connect) = ($0, $1) { true } else { false } },
    Omission(
      "a query is not taken back", "a conforming client sends unlisten /room limitToFirst(1)",
      """
      data: {room: {a: 1, b: 2}}
      steps:
        - alice.listen: {path: room, event: value, query: {limitToFirst: 1}, as: feed}
        - expect: {alice.feed: [{value: {a: 1}}]}
        - alice.unlisten: feed
        - expect: {frames: {alice: {unlisten: 1}}}
      """
    ) { if case .send(.request(_, .unlisten)) = $1 { true } else { false } },
    Omission(
      "what is kept in sync is not listened to", "a conforming client sends listen /room",
      """
      data: {room: {a: 1}}
      steps:
        - alice.keep-synced: room
        - expect: {frames: {alice: {listen: 1}}}
      """
    ) { if case .send(.request(_, .listen)) = $1 { true } else { false } },
  ]

  @Test(arguments: omissions)
  func `why names the action that is left out, and its moment`(omission: Omission) throws {
    let make: @Sendable (Profile) -> any SyncClient = {
      ChangedClient($0, output: { omission.omits($0, $1) ? nil : $1 })
    }
    let scenario = try Kit.found("rules: [WRT-10]\nclients: [alice]\n" + omission.steps)
    let failingSetup = FailingSetup(
      ScenarioRunner { make($1) }, reference: Kit.runner(), profile: .wilddog2)
    let explanation = try #require(
      failingSetup.explain(scenario, with: Explorer { make($1) }), "the scenario passes")

    #expect(Kit.runner().run(scenario, in: .wilddog2).verdict == .pass)
    let text = WhyReport(Kit.report).text(of: explanation)
    let sentence = text.split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: " ")
    #expect(sentence.contains("missing: at "), "\(text)")
    #expect(sentence.contains(omission.missing), "\(text)")
  }
}
