package import ClientInterface
package import Scenario
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

/// For each capability that an adapter declares, and each call that it covers, the simplest scenario
/// that it can be shown by; `Doctor` judges what came of it.
struct CapabilityCheck {
  struct Stop {
    var capability: String
    /// The call; nil where the capability is about parts of calls.
    var operation: ClientInterface.Operation.Kind?
    /// Nil when every scenario with it needs something else that is not declared.
    var scenario: Scenario?

    /// The capability, and the call where it has others.
    var name: String {
      guard let operation, operation.rawValue != capability else { return capability }
      return "\(capability): \(operation.rawValue)"
    }
  }

  /// The easiest capability first.
  private(set) var stops: [Stop] = []
  /// What could be declared and is not, the easiest first.
  private(set) var undeclared: [String]
  /// How many scenarios the implementation can be judged by, and how many there are.
  private(set) var runnable: (count: Int, all: Int)
  /// What to declare next, the easiest first: by how many scenarios more the implementation could
  /// then be judged; nothing that adds none by itself.
  private(set) var gains: [(capability: String, count: Int)] = []
  /// The scenario that needs most of what is declared.
  private(set) var richest: Scenario?

  private typealias Candidate = (scenario: Scenario, needs: [String])

  init(_ scenarios: [Scenario], _ declared: Set<String>, _ profile: Profile) {
    let needs = scenarios.filter { $0.profiles.contains(profile) }.map {
      (scenario: $0, needs: $0.capabilities)
    }
    let possible = needs.filter { declared.isSuperset(of: $0.needs) }
    runnable = (possible.count, needs.count)
    undeclared = Capability.easiestFirst.map(\.name).filter { !declared.contains($0) }
    for capability in Capability.easiestFirst where declared.contains(capability.name) {
      let candidates = possible.filter { $0.needs.contains(capability.name) }
      let operations = capability.operations
      for operation in operations {
        stops.append(Self.stop(capability.name, operation, candidates))
      }
      if operations.isEmpty { stops.append(Self.stop(capability.name, nil, candidates)) }
    }
    let lacking = needs.map { Set($0.needs).subtracting(declared) }.filter { $0.count == 1 }
    gains = undeclared.map { name in (capability: name, count: lacking.count { $0.contains(name) })
    }
    .filter { $0.count > 0 }
    richest = possible.max { $0.needs.count < $1.needs.count }?.scenario
  }

  private static func stop(
    _ capability: String, _ operation: ClientInterface.Operation.Kind?, _ candidates: [Candidate]
  ) -> Stop {
    let simplest = candidates.filter { operation.map($0.scenario.makes) ?? true }.min {
      ($0.needs.count, $0.scenario.peculiarities, $0.scenario.steps.count)
        < ($1.needs.count, $1.scenario.peculiarities, $1.scenario.steps.count)
    }
    return Stop(capability: capability, operation: operation, scenario: simplest?.scenario)
  }
}

extension Scenario {
  /// Whether a call of this kind is made in it.
  fileprivate func makes(_ operation: ClientInterface.Operation.Kind) -> Bool {
    steps.flatMap(\.parts).compactMap(\.action.call).contains { call in
      call.operation.kind == operation
        || call.operation.nestedCalls.contains { $0.operation.kind == operation }
    }
  }
}

/// A dozen scenarios to begin with.
package enum SmokeScenarios {
  /// From what every client has to what few get right at once.
  package static let all = [
    "values/four-kinds", "writes/local-echo", "events/initial-children-then-value",
    "events/previous-key-names-the-neighbour", "queries/bounds-are-inclusive",
    "limits/refill-after-foreign-removal", "transactions/increment-under-a-listener",
    "access/refused-write-is-rolled-back", "offline/writes-go-out-once-in-order",
    "connection/write-cut-on-its-way", "server-values/estimate-then-correction",
    "on-disconnect/presence-recipe",
  ]

  /// Of these the scenarios for a client that can do so much, and in place of the others the simplest
  /// ones for what it can do, the easiest first.
  package static func chosen(
    from scenarios: [Scenario], for abilities: Set<String>, in profile: Profile
  ) -> [Scenario] {
    let usual = all.compactMap { id in scenarios.first { $0.id == id } }
    let possible = scenarios.filter {
      $0.profiles.contains(profile) && abilities.isSuperset(of: $0.capabilities)
    }
    let stops = CapabilityCheck(scenarios, abilities, profile).stops.compactMap(\.scenario)
    let simplest = possible.map {
      (order: ($0.peculiarities, $0.effort, $0.steps.count), scenario: $0)
    }
    .sorted { $0.order < $1.order }.map(\.scenario)
    var chosen: [Scenario] = []
    for scenario in usual.filter({ one in possible.contains { $0.id == one.id } }) + stops
      + simplest
    where chosen.count < all.count && !chosen.contains(where: { $0.id == scenario.id }) {
      chosen.append(scenario)
    }
    if chosen.isEmpty { return usual }
    return chosen.map { (order: ($0.effort, $0.peculiarities, $0.steps.count), scenario: $0) }
      .sorted { $0.order < $1.order }.map(\.scenario)
  }
}

extension Scenario {
  /// How much work all that it needs is, the most first.
  fileprivate var effort: Int {
    let needs = Set(capabilities)
    return Capability.table.filter { needs.contains($0.name) }.map(\.effort).reduce(0) {
      $0 + $1 * $1
    }
  }
}
