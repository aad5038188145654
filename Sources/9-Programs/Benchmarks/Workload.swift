import ClientInterface
import Conformance
import Document
import Hunting
import ReferenceClient
import Scenario
import Search
import Simulator
import System
import Trace
import Tree
import Wire

/// Three clients, each with a listener on all five events of one list, each writing ten children of
/// it, all at once; then everything settles.
struct Workload {
  /// Runs it once.
  ///
  /// - Returns: The simulator afterwards, which has counted.
  static func run(retention: Trace.Retention = .hashOnly) -> Simulator {
    let names = ["alice", "bob", "carol"]
    var configuration = Configuration(
      profile: .firebase,
      clients: names.map { ClientSetup(name: $0, client: ReferenceClient(profile: .firebase)) })
    configuration.retention = retention
    var simulator = Simulator(configuration)
    simulator.open()
    _ = simulator.settle()
    let list: Path = "list"
    for number in names.indices {
      simulator.call(
        ClientIndex(number), "l", .listen("feed", .init(list), Set(EventType.allCases)))
    }
    _ = simulator.settle()
    for write in 0..<10 {
      for number in names.indices {
        let path = list.appending(Key("\(names[number])\(write)"))
        simulator.call(ClientIndex(number), "w", .set(path, Node(.number(Double(write)))))
      }
      simulator.advance(by: .milliseconds(3))
    }
    _ = simulator.settle()
    return simulator
  }

  /// Runs hollow clients: what is left is the kernel.
  ///
  /// - Returns: The simulator afterwards, which has counted.
  static func runNoOp(pings: Int) -> Simulator {
    let clients = (0..<3).map { number in
      ClientSetup(name: "c\(number)", client: NoOpClient(remaining: pings / 3))
    }
    var configuration = Configuration(profile: .firebase, clients: clients)
    configuration.retention = .hashOnly
    configuration.eventLimit = .max
    var simulator = Simulator(configuration)
    simulator.open()
    while simulator.runNext() {}
    return simulator
  }
}

/// One listener over 100,000 children, and a change of one of them.
struct LargeList {
  private var client = ReferenceClient(profile: .firebase)
  private var outputs: [ClientOutput] = []
  private let epoch = Instant(milliseconds: 1_480_000_000_000)
  private var changes = 0

  init() {
    let children = (0..<100_000).map { (Key("k\($0)"), Node(.number(Double($0)))) }
    handle(.open(.init()))
    handle(.opened)
    handle(.frame(.hello(.init(timestamp: 0, version: "5", host: "h", session: "s"))))
    handle(.call("l", .listen("feed", .init("list"), Set(EventType.allCases))))
    handle(.frame(.put("list", Node(Children(children)), tag: nil)))
    outputs = []
  }

  private mutating func handle(_ input: ClientInput) {
    client.handle(input, at: epoch, into: &outputs)
  }

  /// The server changes one child.
  ///
  /// - Returns: How many events that raised: a child_changed and a value.
  mutating func change() -> Int {
    changes += 1
    let key = Key("k\(changes * 7919 % 100_000)")
    handle(.frame(.put(Path([Key("list"), key]), Node(.number(Double(-changes))), tag: nil)))
    defer { outputs.removeAll(keepingCapacity: true) }
    return outputs.count
  }
}

/// A client that writes many children of a list that it listens to before any of them is answered:
/// of a list whose data it has, or of one of which it knows nothing but what it writes.
enum Backlog {
  enum List {
    case known
    case unknown
  }

  /// Runs it once; each answer comes behind the data of its write.
  static func run(_ count: Int, over list: List) {
    var client = ReferenceClient(profile: .firebase)
    var outputs: [ClientOutput] = []
    func handle(_ input: ClientInput) {
      client.handle(input, at: Instant(milliseconds: 1_480_000_000_000), into: &outputs)
    }
    handle(.open(.init()))
    handle(.opened)
    handle(.frame(.hello(.init(timestamp: 0, version: "5", host: "h", session: "s"))))
    handle(.call("l", .listen("feed", .init("list"), Set(EventType.allCases))))
    if list == .known {
      handle(.frame(.put("list", Node(Children([(Key("k0"), Node(true))])), tag: nil)))
    }
    for number in 1...count {
      let node = Node(.number(Double(number)))
      handle(.call("w", .set(Path([Key("list"), Key("k\(number)")]), node)))
    }
    let sent = outputs.compactMap { output in
      if case let .send(.request(number, request)) = output { (number, request) } else { nil }
    }
    for case let (number, .put(path, node, _)) in sent {
      handle(.frame(.put(path, node, tag: nil)))
      handle(.frame(.response(.init(to: number))))
    }
    precondition(client.writes.isEmpty, "\(client.writes.count) writes are pending")
  }
}

/// A client that does nothing but keep a ping under way: what is left to measure is the simulator
/// itself, its queue, network, tape and trace.
struct NoOpClient: SyncClient {
  /// How many pings it still has to send.
  var remaining: Int

  mutating func handle(
    _ input: ClientInput, at now: Instant, into outputs: inout [ClientOutput]
  ) {
    switch input {
    case .open: outputs.append(.connect)
    case .frame:
      guard remaining > 0 else { return }
      remaining -= 1
      outputs.append(.send(.ping))
    case .call, .opened, .refused, .closed, .timer, .close: break
    }
  }
}

/// Clients that write the same locations, and what exploring all orders of that takes.
struct Race {
  var clients: Int
  var writes: Int
  /// Whether messages arrive between the calls as well.
  var calls: Calls

  enum Calls {
    case first
    case interleaved
  }

  /// Explores it once.
  ///
  /// - Returns: How many orders there are.
  func explore() -> Int {
    var explorer = Explorer { ReferenceClient(profile: $1) }
    explorer.scope = .deliveries
    return explorer.explore(scenario, in: .firebase).orders
  }

  private var scenario: Scenario {
    let names = (0..<clients).map { "client\($0)" }
    var scenario = Scenario(id: "race", file: "race.yaml", title: "A race", clients: names)
    let writes = names.flatMap { name in self.writes(of: name) }
    scenario.steps = calls == .interleaved ? [step(.together(writes))] : writes
    var end = step(.expect)
    end.expectation = Expectation(position: end.position, timing: .settled)
    scenario.steps.append(end)
    return scenario
  }

  private func writes(of name: String) -> [Step] {
    (0..<writes).map { number in
      let call = Action.Call(
        client: name, id: CallID("#\(number)"), isNamed: false,
        operation: .set(Path.root.appending(Key("\(number)")), Node(json: .string(name))))
      return step(.call(call))
    }
  }

  private func step(_ action: Action) -> Step {
    Step(file: "race.yaml", position: Position(line: 1, column: 1), text: "", action: action)
  }
}

/// Scenarios as a hunt draws them, each judged by all invariants.
struct HuntedRuns {
  /// What some runs came to.
  private(set) var scenarios = 0
  /// The events of their traces.
  private(set) var events = 0
  /// What was taken out of their queues.
  private(set) var queueSteps = 0
  private(set) var virtualNanoseconds: Int64 = 0

  /// Draws the scenarios with the given seeds and runs them.
  init(_ seeds: Range<UInt64>) {
    let runner = ScenarioRunner { ReferenceClient(profile: $1) }
    let generator = Generator(profile: .firebase)
    for seed in seeds {
      let result = runner.run(generator.scenario(seed: seed).scenario, in: .firebase)
      scenarios += 1
      events += result.trace.count
      queueSteps += result.queueSteps
      virtualNanoseconds += result.duration.nanoseconds
    }
  }
}

/// What it costs to guide a hunt.
enum HuntCost {
  /// How many times the processor time of an event of a blind hunt one of a guided hunt takes, each
  /// of a chunk of 256 seeds; the least of each, in turns, since others only ever add.
  static func ratio(_ rounds: Int) -> Double {
    var least = (blind: Double.infinity, guided: Double.infinity)
    for _ in 0..<max(1, rounds / 8) {
      least = (min(least.blind, time(isGuided: false)), min(least.guided, time(isGuided: true)))
    }
    return least.guided / least.blind
  }

  private static func time(isGuided: Bool) -> Double {
    var settings = HuntSettings()
    settings.isGuided = isGuided
    let hunter = Hunter(settings) { seed in
      var runner = ScenarioRunner(seed: seed) { ReferenceClient(profile: $1) }
      runner.shadows = ReferenceClient.shadows(in:)
      return runner
    }
    var events = 0
    let seconds = Growth.seconds { events = hunter.run(4096...4351).events }
    return seconds / Double(max(1, events))
  }
}

/// What a second process on a second core is worth.
enum TwoCores {
  /// How many times as much two processes do as one, in the same time; `nil` when they cannot be
  /// started.
  static func gain() -> Double? {
    var least = (one: Int64.max, two: Int64.max)
    for _ in 0..<3 {
      guard let one = time(of: 1), let two = time(of: 2) else { return nil }
      least = (min(least.one, one), min(least.two, two))
    }
    return 2 * Double(least.one) / Double(least.two)
  }

  /// How long so many processes take that each measure the same.
  private static func time(of count: Int) -> Int64? {
    let start = Measurement.now
    var children: [ChildProcess] = []
    for _ in 0..<count {
      guard
        let child = try? ChildProcess(ChildProcess.thisProgram, ["bench", "campaign", "--quick"])
      else { return nil }
      children.append(child)
    }
    let endings = children.map { $0.wait() }
    return endings.allSatisfy { $0 == .exited(0) } ? Measurement.now - start : nil
  }
}
