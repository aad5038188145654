internal import ClientInterface
internal import Faults
internal import Scenario
internal import Tree

// What affects clients, and how it is made good.

extension RandomScenarioBuilder {
  /// Adds a fault of a kind that hunts draw.
  mutating func afflict(_ kind: FaultKind, _ client: Int, _ random: inout RandomSource) {
    let state = clients[client]
    if kind.group == .server { return disturb(kind, client, &random) }
    switch kind {
    case .kill:
      if state.isRunning, !state.isEnding { kill(client, &random) } else { start(client, &random) }
    case .cut, .stall, .refuse:
      if state.network == .up {
        disable(kind, client, &random)
      } else {
        repairConditions(client, &random)
      }
    default: shake(kind, client, &random)
    }
  }

  /// Something that lasts until it is made good, which is the next thing that comes of it.
  private mutating func disable(_ kind: FaultKind, _ client: Int, _ random: inout RandomSource) {
    let name = plan.clients[client]
    let trigger = trigger(client, &random)
    clients[client].network = trigger == nil ? .down : .waiting
    clients[client].needsHealing = true
    switch kind {
    case .cut: add(.fault(.cut(name)), when: trigger)
    case .stall:
      clients[client].network = .stalled
      add(.fault(.stall(name, direction(&random))), when: trigger)
      if random.chance(40) { resumeLater(client, &random) }
    default: add(.fault(.refuse(name)), when: trigger)
    }
  }

  /// The storage of a client fails, or works again.
  mutating func failStorage(_ client: Int, _ random: inout RandomSource) {
    let name = plan.clients[client]
    // A machine that keeps nothing has no storage that could fail.
    guard plan.persistence[name] != nil else { return }
    clients[client].hasBadStorage.toggle()
    let isBad = clients[client].hasBadStorage
    add(.fault(isBad ? badStorage(name, &random) : .storageWorks(name)))
  }

  private func badStorage(_ name: String, _ random: inout RandomSource) -> NamedFault {
    random.one(of: [
      .writeError(name, count: 1), .writeError(name, count: 3), .tornRecord(name),
      .storageFull(name, bytes: 50), .storageFull(name, bytes: 300),
    ])
  }

  private func direction(_ random: inout RandomSource) -> FaultDirection {
    random.one(of: FaultDirection.allCases)
  }

  /// Something that passes by itself.
  private mutating func shake(_ kind: FaultKind, _ client: Int, _ random: inout RandomSource) {
    let name = plan.clients[client]
    switch kind {
    case .drop: add(.fault(.drop(name)), when: trigger(client, &random))
    case .halfOpen:
      let notices = random.one(of: FaultSide.allCases)
      add(.fault(.halfOpen(name, notices: notices)), when: trigger(client, &random))
    case .closeAfter:
      let count = random.number(in: 1...5)
      add(.fault(.closeAfter(name, messages: count, direction(&random))))
    case .loseAcknowledgement: add(.fault(.loseAcknowledgement(name)))
    case .lateClose:
      let delay = Interval.milliseconds(random.one(of: [5, 50, 500, 5000]))
      add(.fault(.lateClose(name, after: delay)), when: trigger(client, &random))
    case .skew: setClock(client, &random)
    default:
      let lowest = random.one(of: [0, 1, 20])
      let highest = lowest + random.one(of: [0, 5, 90])
      let latency = Latency(.milliseconds(lowest), through: .milliseconds(highest))
      add(.fault(.latency(latency, random.chance(70) ? name : nil)))
    }
  }

  mutating func setClock(_ client: Int, _ random: inout RandomSource) {
    clients[client].hasWrongClock = true
    add(.fault(clockFault(plan.clients[client], &random)))
  }

  private func clockFault(_ name: String, _ random: inout RandomSource) -> NamedFault {
    switch random.number(below: 3) {
    case 0: .skew(name, .milliseconds(random.one(of: [0, 500, -900_000, 3_600_000])))
    case 1: .jump(name, .milliseconds(random.one(of: [40, -40, -60_000, 86_400_000])))
    default: .drift(name, ClockDrift(perSecond: .milliseconds(random.one(of: [0, 5, -5, 200]))))
    }
  }

  private mutating func kill(_ client: Int, _ random: inout RandomSource) {
    if plan.allows(.storageFails), plan.persistence[plan.clients[client]] != nil,
      random.chance(30)
    {
      mark(.storageFails)
      clients[client].hasBadStorage = true
      add(.fault(.tornRecord(plan.clients[client])))
    }
    if random.chance(40) { leaveBehind(client, &random) }
    let trigger = trigger(client, &random)
    if trigger != nil {
      clients[client].isEnding = true
      // If it is never killed, it is still as it was when it is started in vain.
      clients[client].mayStayAway = true
    } else {
      clients[client].end()
    }
    add(.fault(.kill(plan.clients[client])), when: trigger)
    // What was stored matters only to the next process.
    let mattersNow = clients[client].hasBadStorage || plan.persistence[plan.clients[client]] != nil
    if random.chance(mattersNow ? 80 : 30) {
      if plan.allows(.serverWrite), random.chance(40) { write(&random) }
      add(.wait(.milliseconds(random.one(of: [1, 30, 1000]))))
      start(client, &random)
    }
  }

  /// Writes that no server sees before the process ends.
  private mutating func leaveBehind(_ client: Int, _ random: inout RandomSource) {
    guard clients[client].isRunning, clients[client].isOnline,
      plan.persistence[plan.clients[client]] != nil
    else { return }
    if random.chance(60) {
      call(client, .goOffline)
      clients[client].isOnline = false
      clients[client].mayStayAway = true
    }
    let path = path(&random)
    for _ in 0..<random.number(in: 1...3) {
      call(client, .set(path, words.written(&random)))
    }
  }

  /// Starts a process, which listens again as applications do: sometimes before it can be connected,
  /// so that nothing is known but what was kept.
  private mutating func start(_ client: Int, _ random: inout RandomSource) {
    var storage = StorageCondition.kept
    if plan.allows(.storageLost), random.chance(30) {
      storage = .lost
      mark(.storageLost)
    } else if plan.allows(.storageRolledBack), random.chance(30) {
      storage = .rolledBack
      mark(.storageRolledBack)
    }
    let name = plan.clients[client]
    let isAlone =
      plan.persistence[name] != nil && clients[client].network == .up && random.chance(30)
    if isAlone {
      mark(.fault(.cut))
      add(.fault(.cut(name)))
    }
    begin(client, storage)
    if random.chance(60) { act(.listen, of: client, &random) }
    if let target = clients[client].targets.last, random.chance(60) {
      listen(client) { .listen($0, target, Set(EventType.allCases)) }
    }
    if isAlone {
      add(.wait(.milliseconds(random.one(of: [30, 1000]))))
      heal(client)
    }
  }

  mutating func begin(_ client: Int, _ storage: StorageCondition) {
    if clients[client].isEnding { clients[client].end() }
    clients[client].isRunning = true
    add(.fault(.start(plan.clients[client], storage)))
  }

  private mutating func repairConditions(_ client: Int, _ random: inout RandomSource) {
    if client == plan.isolated { return }
    guard clients[client].network == .stalled, random.chance(70) else { return heal(client) }
    let direction = random.chance(70) ? .both : direction(&random)
    if direction == .both { clients[client].network = .up }
    add(.fault(.resume(plan.clients[client], direction)))
  }

  /// What is stalled goes on after a while, whatever happens meanwhile.
  private mutating func resumeLater(_ client: Int, _ random: inout RandomSource) {
    let pause = Interval.milliseconds(random.one(of: [10, 100, 1000, 50_000]))
    add(.fault(.resume(plan.clients[client], direction(&random))), when: .after(pause))
  }

  /// Leaves one client out for ever, where the plan has one.
  mutating func isolate() {
    guard let client = plan.isolated, clients[client].network != .down else { return }
    clients[client].network = .down
    add(.fault(.cut(plan.clients[client])))
    mark(.fault(.cut))
  }

  mutating func heal(_ client: Int) {
    clients[client].network = .up
    add(.fault(.heal(plan.clients[client])))
  }

  /// What a fault that affects a client waits for; `nil` for nothing, as most do. One that affects
  /// no particular client can wait for messages of anybody.
  func trigger(
    _ client: Int, _ random: inout RandomSource, affectsClient: Bool = true
  ) -> Step.Trigger? {
    guard plan.allows(.trigger), random.chance(60) else { return nil }
    let name = plan.clients[client]
    switch random.number(below: 4) {
    case 0:
      let longest = 2 * Int(plan.latency.upperBound.milliseconds)
      return .after(.milliseconds(random.number(in: 1...longest)))
    case 1:
      return .messages(random.number(in: 1...6), direction(&random), client: name)
    default:
      return .frame(
        .init(
          kind: random.one(of: Self.awaited),
          client: affectsClient || random.chance(50) ? name : nil, count: random.number(in: 1...2),
          edge: random.chance(60) ? .before : .after))
    }
  }

  /// The messages for which faults wait; the more frequent ones more often.
  static let awaited = [
    "put", "put", "put", "merge", "listen", "listen", "unlisten", "hello", "hello", "data", "data",
    "data", "acknowledgement", "acknowledgement", "answer", "answer", "auth", "revoke",
    "redirect",
  ]
}

// The end of all faults.

extension RandomScenarioBuilder {
  /// Makes everything good: nothing waits any more, machines and the server work, and every client
  /// that is not isolated runs, may connect and is online.
  mutating func healAll() {
    if isArmed { add(.disarm) }
    if server.hasWrongClock { add(.fault(.serverClock(skew: .zero))) }
    if server.refusesAsStale { add(.fault(.stale(writes: 0, .withheld))) }
    for client in clients.indices { repair(client) }
    for client in clients.indices where client != plan.isolated { bringBack(client) }
  }

  /// Sets right what is wrong with the machine of a client.
  private mutating func repair(_ client: Int) {
    let name = plan.clients[client]
    if clients[client].hasWrongClock {
      add(.fault(.drift(name, ClockDrift(perSecond: .zero))))
      add(.fault(.skew(name, .zero)))
    }
    if clients[client].hasBadStorage { add(.fault(.storageWorks(name))) }
  }

  private mutating func bringBack(_ client: Int) {
    if clients[client].needsHealing { heal(client) }
    if !clients[client].isRunning || clients[client].isEnding { begin(client, .kept) }
    if clients[client].mayStayAway {
      clients[client].isOnline = true
      call(client, .goOnline)
    }
  }
}

extension RandomScenarioBuilder.State {
  /// The process is gone.
  mutating func end() {
    isRunning = false
    isEnding = false
    isOnline = true
    listeners = []
  }
}

// What happens at the server.

extension RandomScenarioBuilder {
  mutating func disturb(_ kind: FaultKind, _ client: Int, _ random: inout RandomSource) {
    let name = plan.clients[client]
    switch kind {
    case .reject:
      let denied: Set<SecurityRule.Access> = random.one(of: [[.write], [.read], [.read, .write]])
      add(.fault(.reject(SecurityRule(random.one(of: words.denied), deny: denied))))
    case .revoke:
      let path = words.path(&random)
      add(.fault(.revoke(path)), when: trigger(client, &random, affectsClient: false))
    case .revokeAuth:
      signIn(client, &random)
      add(.fault(.revokeAuth(name)), when: trigger(client, &random))
    case .redirect, .shutdown: sendAway(kind, client, &random)
    default: disturbStorage(kind, client, &random)
    }
  }

  /// Has a client sign in that perhaps did not so far: a token that is not used cannot be revoked.
  private mutating func signIn(_ client: Int, _ random: inout RandomSource) {
    guard plan.allows(.auth), random.chance(60) else { return }
    call(client, .authenticate(token: "good"))
    if random.chance(70) { add(.wait(plan.latency.upperBound + plan.latency.upperBound)) }
  }

  /// Sends one client, or all of them, to another host, or away.
  private mutating func sendAway(_ kind: FaultKind, _ client: Int, _ random: inout RandomSource) {
    let addressee = random.chance(80) ? plan.clients[client] : nil
    let trigger = trigger(client, &random, affectsClient: addressee != nil)
    if kind == .redirect {
      let host = random.one(of: ["west.kennel.test", "east.kennel.test"])
      add(.fault(.redirect(addressee, host: host)), when: trigger)
      return
    }
    for index in clients.indices where addressee == nil || index == client {
      clients[index].mayStayAway = true
    }
    add(.fault(.shutdown(addressee)), when: trigger)
  }

  /// Something that is wrong with the server itself.
  private mutating func disturbStorage(
    _ kind: FaultKind, _ client: Int, _ random: inout RandomSource
  ) {
    switch kind {
    case .restart:
      let down = Interval.milliseconds(random.one(of: [0, 20, 1000, 10_000]))
      let left: OnDisconnectFate = random.chance(70) ? .done : .lost
      let trigger = trigger(client, &random, affectsClient: false)
      add(.fault(.restart(down: down, left)), when: trigger)
    case .stale:
      server.refusesAsStale = true
      let data: StaleData = random.chance(50) ? .sent : .withheld
      add(.fault(.stale(writes: random.number(in: 1...3), data)))
      // Only conditional writes can be stale.
      if plan.allows(.transaction), random.chance(60) { act(.transaction, &random) }
    default:
      server.hasWrongClock = true
      add(.fault(.serverClock(skew: .milliseconds(random.one(of: [0, 700, -5000, 3_600_000])))))
    }
  }

  /// Another client writes.
  mutating func write(_ random: inout RandomSource) {
    let path = path(&random)
    let change: ServerWrite
    switch random.number(below: 6) {
    case 0: change = .remove(path)
    case 1:
      let parts = words.assignments(&random, isDeep: random.chance(50), isStored: true)
      change = .update(path, parts)
    default: change = .set(path, words.stored(&random))
    }
    let client = random.number(below: clients.count)
    let trigger = random.chance(25) ? trigger(client, &random, affectsClient: false) : nil
    add(.fault(.write(change)), when: trigger)
  }

  /// Adds something that a client listens to.
  mutating func act(_ stepKind: StepKind, of client: Int, _ random: inout RandomSource) {
    let words = plan.vocabulary
    let path = words.path(&random)
    let query = stepKind == .query ? words.query(&random) : .all
    mark(stepKind)
    listen(client) { .listen($0, .init(path, query), words.types(&random)) }
  }
}
