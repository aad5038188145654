import ClientInterface
import ReferenceClient
import Simulator
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
