import Scenario
import ScenarioFiles

/// A small scenario that looks at one side of the protocol. It needs nothing but `set`, which every
/// implementation has.
struct ProtocolCheck {
  var name: String
  private var steps: String

  var scenario: Scenario? {
    let text = "kennel: 1\ntitle: \(name)\nrules: [WRT-1]\n" + steps
    return ScenarioReader.read(file: "doctor.yaml", bytes: Array(text.utf8), load: { _ in nil })
      .scenarios.first
  }

  static let all = [
    ProtocolCheck(
      name: "a write is sent and completes",
      steps: """
        clients: [alice]
        steps:
          - alice.set: {path: a, value: 1, as: w}
          - expect: {alice.w: {ok: true}, server: {a: 1}}
        """),
    ProtocolCheck(
      name: "several clients share a process",
      steps: """
        clients: [alice, bob]
        steps:
          - alice.set: {path: a, value: 1, as: w}
          - bob.set: {path: b, value: 2, as: w}
          - expect: {alice.w: {ok: true}, bob.w: {ok: true}, server: {a: 1, b: 2}}
        """),
    ProtocolCheck(
      name: "a write waits for a connection that broke",
      steps: """
        clients: [alice]
        steps:
          - network.cut: alice
          - alice.set: {path: a, value: 1, as: w}
          - wait: 5s
          - network.heal: alice
          - expect: {alice.w: {ok: true}, server: {a: 1}}
        """),
    ProtocolCheck(
      name: "a client that was killed starts again",
      steps: """
        clients: [alice]
        steps:
          - alice.kill
          - wait: 1s
          - alice.start: {}
          - settle
          - alice.set: {path: a, value: 1, as: w}
          - expect: {alice.w: {ok: true}, server: {a: 1}}
        """),
    ProtocolCheck(
      name: "text of every alphabet comes through",
      steps: """
        clients: [alice]
        steps:
          - alice.set: {path: "k\\u00e9\\u4e2d", value: "\\u00e9 \\u4e2d \\U0001F415 \\" \\\\ \\n \\u2028", as: w}
          - expect:
              alice.w: {ok: true}
              server: {"k\\u00e9\\u4e2d": "\\u00e9 \\u4e2d \\U0001F415 \\" \\\\ \\n \\u2028"}
        """),
    ProtocolCheck(
      name: "a line of a million bytes comes through",
      steps: """
        clients: [alice]
        steps:
          - alice.set: {path: a, value: "\(String(repeating: "0123456789", count: 100_000))", as: w}
          - expect: {alice.w: {ok: true}}
        """),
  ]
}
