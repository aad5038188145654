import ClientInterface
import Conformance
import Faults
import ReferenceClient
import Scenario
import Testing

@testable import Hunting

/// That faults of every kind are drawn, matter, and are over before anything is judged.
@Suite struct FaultDrawingTests {
  private static let drawn = (UInt64(1)...500).map {
    Generator(profile: .firebase, size: 120).scenario(seed: $0).scenario
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
    for kind in RandomScenarioBuilder.awaited {
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
      for step in scenario.steps { illness.follow(step) }
      for part in ["network", "process", "away"] {
        illness.ill.remove("\(part) \(Self.isolated(scenario) ?? "")")
      }

      #expect(illness.ill == [], "\(scenario.id)")
    }
  }

  private static func isolated(_ scenario: Scenario) -> String? {
    let seed = scenario.id.split(separator: "-").last.flatMap { UInt64($0) } ?? 0
    let plan = Plan(seed: seed, profile: .firebase, size: 120)
    return plan.isolated.map { plan.clients[$0] }
  }
}

/// What is wrong at a location of a scenario.
private struct Illness {
  let clients: [String]
  var ill: Set<String> = []

  init(clients: [String]) {
    self.clients = clients
  }

  mutating func follow(_ step: Step) {
    if step.trigger != nil { ill.insert("waiting") }
    switch step.action {
    case .disarm: ill.remove("waiting")
    case let .fault(fault): follow(fault)
    case let .call(call):
      if call.operation == .goOffline { ill.insert("away \(call.client)") }
      if call.operation == .goOnline { ill.remove("away \(call.client)") }
    default: break
    }
  }

  private mutating func follow(_ fault: NamedFault) {
    switch fault {
    case let .cut(client), let .refuse(client), let .stall(client, _):
      ill.insert("network \(client)")
    case let .heal(client): ill.remove("network \(client)")
    case .closeAfter, .loseAcknowledgement: ill.insert("waiting")
    case let .kill(client): ill.insert("process \(client)")
    case let .start(client, _):
      ill.subtract(["process \(client)", "away \(client)"])
    case let .skew(client, skew): set("clock \(client)", skew != .zero)
    case let .jump(client, _): ill.insert("clock \(client)")
    case let .drift(client, drift): set("drift \(client)", !drift.isNone)
    case let .writeError(client, _), let .storageFull(client, _), let .tornRecord(client):
      ill.insert("storage \(client)")
    case let .storageWorks(client): ill.remove("storage \(client)")
    case let .serverClock(skew): set("server clock", skew != .zero)
    case let .stale(writes, _): set("stale", writes > 0)
    case let .shutdown(client, _):
      for name in client.map({ [$0] }) ?? clients { ill.insert("away \(name)") }
    default: break
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
    if let fault = action.fault { words.append(fault.word) }
    return words
  }
}

extension NamedFault {
  fileprivate var word: String {
    switch self {
    case let .latency(_, client): client == nil ? "latency for all" : "latency"
    case let .stall(_, direction): "stall \(direction.rawValue)"
    case let .resume(_, direction): "resume \(direction.rawValue)"
    case let .halfOpen(_, notices): "half-open \(notices.rawValue)"
    case let .closeAfter(_, _, direction): "close-after \(direction.rawValue)"
    case let .start(_, storage): "start \(storage.rawValue)"
    case let .jump(_, shift): shift < .zero ? "jump back" : "jump"
    case .reject: "reject"
    case let .restart(_, fate): "restart \(fate.rawValue)"
    case let .redirect(client, _): client == nil ? "redirect of all" : "redirect"
    case let .shutdown(client, _): client == nil ? "shutdown of all" : "shutdown"
    case let .stale(_, data): "stale \(data.rawValue)"
    default: kind.name
    }
  }
}
