import ClientInterface
import Faults
import ReferenceClient
import RunModel
import Scenario
import Simulator
import Trace
import Tree
import Wire

@testable import Invariants

/// A random run of two clients, determined by its seed.
struct Session {
  private var random: RandomNumbers
  private var draws: Set<Kind> = []
  private(set) var simulator: Simulator
  private(set) var watch: InvariantMonitor
  /// What was found on the wire that is no invariant.
  private(set) var breaches: [String] = []
  private var count = 0
  private var listeners: [[ListenerID]] = [[], []]
  private(set) var findings: [InvariantViolation] = []
  private var hasSettled = true

  enum Kind: CaseIterable {
    case listen, query, once, unlisten, unlistenAll, set, remove, priority, update, push
    case transaction, will, cancel, offline, cut, refuse, kill, server, deny, info, synchronize
  }

  typealias Factory = (Profile) -> any SyncClient

  init(
    seed: UInt64, profile: Profile, kinds: Set<Kind>? = nil,
    client: @escaping Factory = { ReferenceClient(profile: $0) }
  ) {
    random = RandomNumbers(seed: seed)
    let data = Node(json: [
      "room": ["a": ["n": 1], "b": 2, "c": ["n": 3]], "list": ["x": 1, "y": 2],
    ])
    let keeps = random.nextUnit() < 0.3
    let setups = ["alice", "bob"].map { name in
      ClientSetup(
        name: name, client: client(profile), persistence: keeps ? .init() : nil,
        renew: { client(profile) })
    }
    var configuration = Configuration(profile: profile, clients: setups)
    configuration.data = data
    configuration.seed = seed
    configuration.security = [.init("locked", deny: [.write]), .init("secret", deny: [.read])]
    configuration.latency = Latency(
      .milliseconds(5), through: .milliseconds(random.nextUnit() < 0.5 ? 5 : 60))
    simulator = Simulator(configuration)
    watch = InvariantMonitor(
      clients: 2, profile: profile, data: data, epoch: configuration.epoch)
    draws =
      kinds
      ?? Set(Kind.allCases.filter { [.listen, .set].contains($0) || random.nextUnit() < 0.5 })
  }

  /// Acts for a while, repairs everything, and lets it settle.
  mutating func run(steps: Int = 40) {
    simulator.open()
    for _ in 0..<steps {
      act()
      if random.nextUnit() < 0.4 { simulator.advance(by: .milliseconds(Int(number(60)))) }
      if random.nextUnit() < 0.05 { simulator.advance(by: .seconds(40)) }
      if random.nextUnit() < 0.1 { settle() }
    }
    for client in [ClientIndex(0), ClientIndex(1)] {
      simulator.inject(.heal(client))
      if !simulator.isRunning(client) { simulator.inject(.start(client, .kept)) }
      call(client, .goOnline)
    }
    settle()
  }

  private mutating func settle() {
    let settlement = simulator.settle()
    watch.read(simulator.trace)
    hasSettled = settlement == .settled
    if hasSettled {
      let clients = [ClientIndex(0), ClientIndex(1)]
      watch.judgeSettled(
        server: simulator.serverTree, online: clients.filter { simulator.isConnected($0) },
        stranded: clients.filter { simulator.isStranded($0) })
    }
    findings += watch.takeFindings()
    breaches += watch.takeBreaches().map {
      "\($0.finding.check.id) \($0.finding.sentence) at \($0.sequence)"
    }
  }

  /// What was found, a line each.
  var lines: [String] {
    (hasSettled ? [] : ["does not settle"])
      + breaches
      + findings.map { "\($0.invariant.id) \($0.sentence) [\($0.about)] at \($0.evidence ?? -1)" }
  }

  var broken: Set<String> { Set(findings.map(\.invariant.id)) }
}

// What is drawn.

extension Session {
  private mutating func number(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }

  private mutating func one<Element>(of elements: [Element]) -> Element {
    elements[number(elements.count)]
  }

  private mutating func call(_ client: ClientIndex, _ operation: Operation) {
    count += 1
    simulator.call(client, CallID("c\(count)"), operation)
  }

  private mutating func path() -> Path {
    one(of: [
      "room", "room", "room/a", "room/a", "room/b", "room/c", "room/d", "room/a/n", "room/c/n",
      "list", "list/x", "list/y", "list/z", "locked", "locked/a", "secret", "",
    ])
  }

  private mutating func scalar() -> Scalar {
    one(of: [1, 2, 3, 4, 5, "a", "b", true])
  }

  private mutating func node() -> Node {
    switch number(8) {
    case 0: return .empty
    case 1: return Node(json: ["n": .number(Double(number(5))), "t": "x"])
    case 2: return Node(json: ["a": .number(Double(number(5))), "c": ["n": 2]])
    case 3: return Node(scalar(), priority: .number(Double(number(3))))
    default: return Node(scalar())
    }
  }

  private mutating func query() -> Query {
    var query = Query(ordering: one(of: [.key, .value, .priority, .child("n")]))
    if random.nextUnit() < 0.4 {
      let value: Scalar =
        query.ordering == .key ? one(of: ["a", "b", "c"]) : .number(Double(number(4)))
      if random.nextUnit() < 0.6 { query.start = .init(value) }
      if random.nextUnit() < 0.4 {
        query.end = .init(query.ordering == .key ? "c" : .number(Double(number(6))))
      }
    }
    let count = 1 + number(3)
    if random.nextUnit() < 0.7 {
      query.limit = random.nextUnit() < 0.5 ? .first(count) : .last(count)
    }
    return query
  }

  private mutating func events() -> Set<EventType> {
    switch number(4) {
    case 0: [.value]
    case 1: [.childAdded, .childRemoved, .childChanged]
    case 2: Set(EventType.allCases.filter { _ in random.nextUnit() < 0.6 } + [.childAdded])
    default: Set(EventType.allCases)
    }
  }
}

// What is done.

extension Session {
  private mutating func act() {
    let client = ClientIndex(number(2))
    let kind = one(of: Kind.allCases.filter(draws.contains))
    switch kind {
    case .listen, .query, .once, .unlisten, .unlistenAll, .info, .synchronize:
      receiveOutput(kind, client)
    case .set, .remove, .priority, .update, .push, .transaction, .will, .cancel:
      write(kind, client)
    case .offline, .cut, .refuse, .kill, .server, .deny: disturb(kind, client)
    }
  }

  private mutating func receiveOutput(_ kind: Kind, _ client: ClientIndex) {
    let name = ListenerID("l\(count)")
    switch kind {
    case .listen: add(name, client, .listen(name, .init(path()), events()))
    case .query: add(name, client, .listen(name, .init(path(), query()), events()))
    case .once:
      let query = random.nextUnit() < 0.3 ? query() : .all
      call(client, .once(name, .init(path(), query), one(of: EventType.allCases)))
    case .info: add(name, client, .listen(name, .init(".info/connected"), [.value]))
    case .unlistenAll: call(client, .unlistenAll(.init(path())))
    case .synchronize:
      call(client, .keepSynced(.init(path()), random.nextUnit() < 0.5 ? .on : .off))
    default:
      if listeners[client.number].isEmpty { return }
      call(client, .unlisten(one(of: listeners[client.number])))
    }
  }

  private mutating func add(_ name: ListenerID, _ client: ClientIndex, _ operation: Operation) {
    listeners[client.number].append(name)
    call(client, operation)
  }

  private mutating func write(_ kind: Kind, _ client: ClientIndex) {
    switch kind {
    case .remove: call(client, .remove(path()))
    case .priority: call(client, .setPriority(path(), .number(Double(number(3)))))
    case .update:
      let keys = ["a", "b", "c", "d"].filter { _ in random.nextUnit() < 0.5 } + ["e"]
      call(client, .update(path(), keys.map { Assignment(Path($0), node()) }))
    case .push: call(client, .push("list", random.nextUnit() < 0.8 ? node() : nil))
    case .transaction:
      let function: TransactionFunction = one(of: [
        .increment(1), .increment(2), .set("t"), .setIfNull(1), .merge(["m": 1]), .abort,
      ])
      let local: Operation.LocalEvents = random.nextUnit() < 0.7 ? .shown : .hidden
      call(
        client,
        .transaction(random.nextUnit() < 0.5 ? path() : "list/x", function, localEvents: local))
    case .will:
      call(
        client, one(of: [.onDisconnectSet(path(), node()), .onDisconnectRemove(path())]))
    case .cancel: call(client, .onDisconnectCancel(path()))
    default: call(client, .set(path(), node()))
    }
  }

  private mutating func disturb(_ kind: Kind, _ client: ClientIndex) {
    let recovers = random.nextUnit() < 0.6
    switch kind {
    case .offline: call(client, recovers ? .goOnline : .goOffline)
    case .cut: recovers ? simulator.inject(.heal(client)) : simulator.inject(.cut(client))
    case .refuse: recovers ? simulator.inject(.heal(client)) : simulator.inject(.refuse(client))
    case .kill:
      if recovers {
        simulator.inject(.start(client, .kept))
      } else if random.nextUnit() < 0.3 {
        simulator.inject(.kill(client))
      }
    case .server:
      if recovers {
        simulator.inject(.write(.set(path(), node())))
      } else {
        simulator.inject(.write(.update(path(), [.init("a", node()), .init("d", node())])))
      }
    default:
      if random.nextUnit() < 0.1 {
        simulator.inject(.reject(.init(one(of: ["room/d", "list/z"]), deny: [.write])))
      }
    }
  }
}
