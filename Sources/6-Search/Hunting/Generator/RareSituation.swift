internal import ClientInterface
internal import Faults
internal import Scenario
internal import Tree
internal import Wire

/// A situation that no other draw comes to, in one scenario of five.
///
/// It is drawn from a stream of its own and put among the acts, of which there are fewer, so that all else
/// is drawn as if it were not there.
enum RareSituation: CaseIterable {
  /// Keys that are equal once they are normalised, or that languages give to their objects.
  case keys
  /// So many kept writes that the order of their numbers is not that of their texts.
  case manyWrites
  /// Processes of one client that end and begin, two or three times.
  case restarts
  /// Hours and days between keys that a client makes.
  case longTime
  /// A query that is kept up to date without a listener, and is not any more.
  case keptQuery
  /// Listeners of several orders of one location, of which one order is taken away.
  case removedOrder
  /// Single reads while connections are lost.
  case reads
  /// A window of a dozen children.
  case wideWindow

  /// The situation of a plan; `nil` for none.
  init?(seed: UInt64) {
    var random = RandomSource(seed: seed, .rare, entity: 1)
    guard random.chance(20) else { return nil }
    self = random.one(of: Self.allCases)
  }

  /// About how many events it adds to a scenario.
  var events: Int { self == .keys ? 0 : 80 }

  /// Whether it is about what processes keep.
  var needsPersistence: Bool { self == .manyWrites || self == .restarts }

  /// The keys of its scenario; `nil` where it is not about keys.
  func keys(seed: UInt64) -> [Key]? {
    guard self == .keys else { return nil }
    var random = RandomSource(seed: seed, .rare, entity: 2)
    return random.one(of: [
      ["\u{E9}", "e\u{301}", "a", "\u{FB01}", "fi"],
      ["\u{1E69}", "s\u{323}\u{307}", "s", "1", "b"],
      ["__proto__", "constructor", "a", "toString", "hasOwnProperty"],
      ["constructor", "__proto__", "length", "1", "valueOf"],
    ])
  }
}

extension RandomScenarioBuilder {
  /// Adds a rare situation.
  mutating func come(to situation: RareSituation, _ random: inout RandomSource) {
    let client = random.number(below: clients.count)
    switch situation {
    case .keys: break
    case .manyWrites: keepManyWrites(client, &random)
    case .restarts: restart(client, &random)
    case .longTime: pushForLong(client, &random)
    case .keptQuery: keepQuery(client, &random)
    case .removedOrder: removeOrder(client, &random)
    case .reads: readWhileLosing(client, &random)
    case .wideWindow: openWideWindow(client, &random)
    }
  }

  private mutating func keepManyWrites(_ client: Int, _ random: inout RandomSource) {
    guard clients[client].isRunning, !clients[client].isEnding else { return }
    clients[client].isOnline = false
    clients[client].mayStayAway = true
    call(client, .goOffline)
    let path = path(&random)
    for number in 0..<random.number(in: 10...13) {
      let isBeside = random.chance(50)
      let below = isBeside ? path.appending(random.one(of: words.keys)) : path
      call(client, .set(below, Node(.number(Double(number)))))
    }
    if random.chance(60) { endAndBegin(client, &random) }
  }

  private mutating func restart(_ client: Int, _ random: inout RandomSource) {
    for _ in 0..<random.number(in: 2...3) {
      guard clients[client].isRunning, !clients[client].isEnding else { return }
      if random.chance(50) {
        clients[client].isOnline = false
        clients[client].mayStayAway = true
        call(client, .goOffline)
      }
      for _ in 0..<random.number(in: 1...2) {
        call(client, .set(path(&random), words.written(&random)))
      }
      endAndBegin(client, &random)
    }
  }

  private mutating func endAndBegin(_ client: Int, _ random: inout RandomSource) {
    clients[client].end()
    add(.fault(.kill(plan.clients[client])))
    add(.wait(.milliseconds(random.one(of: [1, 100]))))
    begin(client, .kept)
    if let target = clients[client].targets.last {
      listen(client) { .listen($0, target, KeyPool.allTypes) }
    }
  }

  private mutating func pushForLong(_ client: Int, _ random: inout RandomSource) {
    let hour = 3_600_000
    for pause in [hour, random.one(of: [hour, 24 * hour, -hour]), 7 * 24 * hour] {
      for _ in 0..<2 {
        let value = words.written(&random)
        call(client, .push("list", value.isEmpty ? nil : value))
      }
      if random.chance(30) { add(.wait(.seconds(random.number(in: 60...120)))) }
      clients[client].hasWrongClock = true
      add(.fault(.jump(plan.clients[client], .milliseconds(pause))))
    }
    call(client, .push("list", Node(1)))
  }

  private mutating func keepQuery(_ client: Int, _ random: inout RandomSource) {
    // Elsewhere a client may keep no queries.
    let query = plan.profile == .firebase ? words.query(&random) : .all
    let target = Operation.Target(path(&random), query)
    for mode in [Operation.Synchronization.on, .off, .on, .off].prefix(random.number(in: 2...4)) {
      call(client, .keepSynced(target, mode))
      pause(&random)
      write(&random)
      let types = words.types(&random)
      if random.chance(40) { listen(client) { .listen($0, target, types) } }
    }
  }

  private mutating func removeOrder(_ client: Int, _ random: inout RandomSource) {
    let path = path(&random)
    let field = Query.Ordering.child(Path([KeyPool.field]))
    let orders = [Query(ordering: .key), Query(ordering: .value), Query(ordering: field), .all]
      .filter { _ in random.chance(60) }
    for order in orders {
      let types = words.types(&random)
      listen(client) { .listen($0, .init(path, order), types) }
    }
    pause(&random)
    call(client, .unlistenAll(.init(path, random.one(of: orders.isEmpty ? [.all] : orders))))
    for _ in 0..<2 {
      let below = path.appending(random.one(of: words.keys))
      add(.fault(.write(.set(below, words.stored(&random)))))
    }
  }

  private mutating func readWhileLosing(_ client: Int, _ random: inout RandomSource) {
    let path = path(&random)
    for _ in 0..<random.number(in: 2...3) {
      let target = Operation.Target(path, random.chance(50) ? words.query(&random) : .all)
      if random.chance(40) { call(client, .set(path, words.written(&random))) }
      if plan.profile == .firebase {
        listen(client) { .get($0, target) }
        // No application can remove it.
        if clients[client].isRunning { clients[client].listeners.removeLast() }
      } else {
        listen(client) { .once($0, target, .value) }
      }
      if random.chance(50) { pause(&random) }
      guard clients[client].network == .up, clients[client].isOnline, clients[client].isRunning
      else { return }
      add(.fault(.drop(plan.clients[client])))
    }
  }

  private mutating func openWideWindow(_ client: Int, _ random: inout RandomSource) {
    let path = words.paths[0]
    let keys = (0..<15).map { Key("k\($0)") }
    func child(_ random: inout RandomSource) -> Node {
      Node.empty.setting(Node(.number(Double(random.number(below: 40)))), at: KeyPool.field)
    }
    let all = keys.reduce(into: Node.empty) { $0 = $0.setting(child(&random), at: $1) }
    add(.fault(.write(.set(path, all))))
    var query = Query(
      ordering: random.one(of: [.key, .child(Path([KeyPool.field])), .priority]))
    query.limit = random.chance(50) ? .first(12) : .last(12)
    let types = words.types(&random)
    listen(client) { .listen($0, .init(path, query), types) }
    pause(&random)
    for _ in 0..<random.number(in: 2...4) {
      let chosen = keys.filter { _ in random.chance(25) }
      let parts = (chosen.isEmpty ? [keys[0]] : chosen).map { key in
        Assignment(Path([key]), random.chance(50) ? .empty : child(&random))
      }
      if random.chance(50) {
        add(.fault(.write(.update(path, parts))))
      } else {
        call(client, .update(path, parts))
      }
      if random.chance(40) { pause(&random) }
    }
  }

  /// About as long as a message takes, or until nothing happens.
  private mutating func pause(_ random: inout RandomSource) {
    let longest = max(1, Int(plan.latency.upperBound.milliseconds))
    add(random.chance(40) ? .settle : .wait(.milliseconds(random.number(in: 1...(2 * longest)))))
  }
}
