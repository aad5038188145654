import ClientInterface
import Conformance
import ReferenceClient
import Scenario
import Testing

@testable import Hunting

/// That faults of every kind are drawn, matter, and are over before anything is judged.
@Suite struct FaultDrawingTests {
  private static let drawn = (UInt64(1)...500).map {
    Generator(profile: .wilddog2, size: 120).scenario(seed: $0).scenario
  }

  /// What is drawn, one word for each kind.
  private static let words = Set(drawn.flatMap(\.steps).flatMap(\.words))

  @Test(arguments: [
    "cut", "drop", "heal", "refuse", "latency", "latency for all", "stall to-server",
    "stall to-client", "stall both", "resume to-server", "resume to-client", "resume both",
    "half-open nobody", "half-open client", "half-open server", "close-after to-server",
    "close-after to-client", "close-after both", "lost-acknowledgement", "late-close", "kill",
    "start kept", "start lost", "start rolled-back", "skew", "jump", "jump back", "drift",
    "write-error", "torn-record", "storage-full", "storage-works", "reject", "revoke",
    "revoke-credential", "restart done", "restart lost", "redirect", "redirect of all",
    "shutdown", "shutdown of all", "server-skew", "stale sent", "stale withheld",
  ])
  func `a fault is drawn in 500 seeds`(word: String) {
    #expect(Self.words.contains(word))
  }

  @Test func `faults wait for a time, for a number of messages and for each kind of message`() {
    #expect(Self.words.contains("after a time"))
    #expect(Self.words.contains("after messages"))
    let edges = Step.Trigger.Edge.allCases.map(\.rawValue)
    for kind in Draft.awaited {
      #expect(edges.contains { Self.words.contains("\(kind) \($0)") }, "\(kind)")
    }
    for edge in edges { #expect(Self.words.contains("put \(edge)")) }
  }

  @Test func `every kind of fault changes something`() {
    var faults = FaultCounts()
    var seed: UInt64 = 1
    while seed <= 1000, FaultCounts.names.contains(where: { faults[$0].mattered == 0 }) {
      let profile = HuntSettings().profile(of: seed)
      let drawn = Generator(profile: profile, size: 120).scenario(seed: seed)
      var runner = ScenarioRunner(seed: seed) { ReferenceClient(profile: $1) }
      runner.invariants = .ignored
      faults += runner.run(drawn.scenario, in: profile).faults
      seed += 1
    }

    #expect(FaultCounts.names.filter { faults[$0].mattered == 0 } == [])
  }

  @Test func `all is well again before it is judged`() {
    for scenario in Self.drawn {
      var illness = Illness(clients: scenario.clients.filter { $0 != Plan.witness })
      for step in scenario.steps { illness.note(step) }
      for part in ["network", "process", "away"] {
        illness.ill.remove("\(part) \(Self.isolated(scenario) ?? "")")
      }

      #expect(illness.ill == [], "\(scenario.id)")
    }
  }

  private static func isolated(_ scenario: Scenario) -> String? {
    let seed = scenario.id.split(separator: "-").last.flatMap { UInt64($0) } ?? 0
    let plan = Plan(seed: seed, profile: .wilddog2, size: 120)
    return plan.isolated.map { plan.clients[$0] }
  }
}

/// What is wrong at a place of a scenario.
private struct Illness {
  let clients: [String]
  var ill: Set<String> = []

  init(clients: [String]) {
    self.clients = clients
  }

  mutating func note(_ step: Step) {
    if step.trigger != nil { ill.insert("waiting") }
    switch step.action {
    case .disarm: ill.remove("waiting")
    case let .network(action): note(action)
    case let .process(action): note(action)
    case let .server(.clock(skew)): set("server clock", skew != .zero)
    case let .server(.stale(writes, _)): set("stale", writes > 0)
    case let .server(.shutdown(client)):
      for name in client.map({ [$0] }) ?? clients { ill.insert("away \(name)") }
    case let .call(call):
      if call.operation == .goOffline { ill.insert("away \(call.client)") }
      if call.operation == .goOnline { ill.remove("away \(call.client)") }
    default: break
    }
  }

  private mutating func note(_ action: NetworkAction) {
    let client = action.client ?? ""
    switch action {
    case .cut, .refuse, .stall: ill.insert("network \(client)")
    case .heal: ill.remove("network \(client)")
    case .closeAfter, .loseAcknowledgement: ill.insert("waiting")
    default: break
    }
  }

  private mutating func note(_ action: ProcessAction) {
    switch action {
    case let .kill(client): ill.insert("process \(client)")
    case let .start(client, _):
      ill.subtract(["process \(client)", "away \(client)"])
    case let .clock(client, .skew(skew)): set("clock \(client)", skew != .zero)
    case let .clock(client, .jump): ill.insert("clock \(client)")
    case let .clock(client, .drift(drift)): set("drift \(client)", drift != .zero)
    case let .storage(client, fault): set("storage \(client)", fault != .sound)
    }
  }

  private mutating func set(_ name: String, _ isIll: Bool) {
    if isIll { ill.insert(name) } else { ill.remove(name) }
  }
}

extension Step {
  fileprivate var words: [String] {
    var words: [String] = []
    switch trigger {
    case .after: words.append("after a time")
    case .messages: words.append("after messages")
    case let .frame(frame): words.append("\(frame.kind) \(frame.edge.rawValue)")
    case nil: break
    }
    switch action {
    case let .network(action): words.append(action.word)
    case let .process(action): words.append(action.word)
    case let .server(action): words.append(action.word)
    default: break
    }
    return words
  }
}

extension NetworkAction {
  fileprivate var word: String {
    switch self {
    case .cut: "cut"
    case .drop: "drop"
    case .heal: "heal"
    case .refuse: "refuse"
    case let .latency(_, client): client == nil ? "latency for all" : "latency"
    case let .stall(_, direction): "stall \(direction.rawValue)"
    case let .resume(_, direction): "resume \(direction.rawValue)"
    case let .halfOpen(_, notices): "half-open \(notices.rawValue)"
    case let .closeAfter(_, _, direction): "close-after \(direction.rawValue)"
    case .loseAcknowledgement: "lost-acknowledgement"
    case .lateClose: "late-close"
    }
  }
}

extension ProcessAction {
  fileprivate var word: String {
    switch self {
    case .kill: "kill"
    case let .start(_, storage): "start \(storage.rawValue)"
    case .clock(_, .skew): "skew"
    case let .clock(_, .jump(shift)): shift < .zero ? "jump back" : "jump"
    case .clock(_, .drift): "drift"
    case .storage(_, .writes): "write-error"
    case .storage(_, .torn): "torn-record"
    case .storage(_, .full): "storage-full"
    case .storage(_, .sound): "storage-works"
    }
  }
}

extension ServerAction {
  fileprivate var word: String {
    switch self {
    case .set, .update, .remove: "write"
    case .reject: "reject"
    case .revoke: "revoke"
    case .revokeCredential: "revoke-credential"
    case let .restart(_, left): "restart \(left.rawValue)"
    case let .redirect(client, _): client == nil ? "redirect of all" : "redirect"
    case let .shutdown(client): client == nil ? "shutdown of all" : "shutdown"
    case .clock: "server-skew"
    case let .stale(_, data): "stale \(data.rawValue)"
    }
  }
}
