import ClientInterface
import Scenario
import ScenarioFiles

/// A small scenario that looks at one side of the protocol. It needs nothing but `set`, which every
/// implementation has.
struct ProtocolCheck {
  var name: String
  private var steps: String

  var scenario: Scenario? {
    Scenario(text: "kennel: 1\ntitle: \(name)\nrules: [WRT-1]\n" + steps, file: "doctor.yaml")
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

extension Scenario {
  /// How much in it is out of the ordinary: faults, and calls and listeners that fail.
  fileprivate var peculiarities: Int {
    let start = rules.count { $0.id.hasPrefix("ACC-") || $0.id.hasPrefix("ERR-") }
    return steps.reduce(start) { count, step in
      let isOdd = [.fault, .group].contains(step.action.category)
      return count + (isOdd ? 1 : 0) + (step.expectation?.peculiarities ?? 0)
    }
  }
}

extension Expectation {
  fileprivate var peculiarities: Int {
    let ends = outcomes.count {
      switch $0.outcome.end {
      case .error, .threw: true
      case .ok, .answered, .committed, .notCommitted, nil: false
      }
    }
    return ends + alternatives.count
  }
}

/// For each capability that an adapter declares the simplest scenario that it can be shown by; `Doctor`
/// judges what came of it.
struct CapabilityCheck {
  struct Stop {
    var capability: String
    /// Nil when every scenario with it needs something else that is not declared.
    var scenario: Scenario?
  }

  private(set) var stops: [Stop] = []
  /// What could be declared and is not.
  private(set) var undeclared: [String]
  /// How many scenarios the implementation can be judged by, and how many there are.
  private(set) var runnable: (count: Int, all: Int)
  /// What to declare next: by how many scenarios more the implementation could then be judged, the
  /// most first; nothing that adds none by itself.
  private(set) var gains: [(capability: String, count: Int)] = []
  /// The scenario that needs most of what is declared.
  private(set) var richest: Scenario?

  init(_ scenarios: [Scenario], _ declared: Set<String>, _ profile: Profile) {
    let needs = scenarios.filter { $0.profiles.contains(profile) }.map {
      (scenario: $0, needs: $0.capabilities)
    }
    let possible = needs.filter { declared.isSuperset(of: $0.needs) }
    runnable = (possible.count, needs.count)
    undeclared = Capability.inOrder.filter { !declared.contains($0) }
    for capability in Capability.inOrder where declared.contains(capability) {
      let simplest = possible.filter { $0.needs.contains(capability) }.min {
        ($0.needs.count, $0.scenario.peculiarities, $0.scenario.steps.count)
          < ($1.needs.count, $1.scenario.peculiarities, $1.scenario.steps.count)
      }
      stops.append(Stop(capability: capability, scenario: simplest?.scenario))
    }
    let lacking = needs.map { Set($0.needs).subtracting(declared) }.filter { $0.count == 1 }
    gains = undeclared.map { name in (capability: name, count: lacking.count { $0.contains(name) })
    }
    .enumerated().filter { $0.element.count > 0 }
    .sorted { ($1.element.count, $0.offset) < ($0.element.count, $1.offset) }.map(\.element)
    richest = possible.max { $0.needs.count < $1.needs.count }?.scenario
  }
}
