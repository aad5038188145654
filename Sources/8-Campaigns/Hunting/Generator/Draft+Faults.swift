internal import ClientInterface
internal import Faults
internal import Scenario
internal import Tree

// What befalls clients, and how it is made good.

extension Draft {
  /// Adds a fault of a kind that hunts draw.
  mutating func afflict(_ kind: FaultKind, _ client: Int, _ draws: inout Draws) {
    let state = clients[client]
    switch kind {
    case .kill:
      if state.isRunning, !state.isDoomed { kill(client, &draws) } else { start(client, &draws) }
    case .cut, .stall, .refuse:
      if state.network == .up { disable(kind, client, &draws) } else { mend(client, &draws) }
    case .drop, .latency, .halfOpen, .closeAfter, .loseAcknowledgement, .lateClose, .skew:
      shake(kind, client, &draws)
    case .reject, .revoke, .revokeAuth, .redirect, .shutdown, .restart, .stale, .serverClock:
      disturb(kind, client, &draws)
    case .heal, .resume, .start, .drift, .jump, .writeError, .storageFull, .tornRecord,
      .storageWorks, .write:
      preconditionFailure("hunts do not draw \(kind.name) by itself")
    }
  }

  /// Something that lasts until it is made good, which is the next thing that comes of it.
  private mutating func disable(_ kind: FaultKind, _ client: Int, _ draws: inout Draws) {
    let name = plan.clients[client]
    let trigger = trigger(client, &draws)
    clients[client].network = trigger == nil ? .down : .waiting
    clients[client].needsHealing = true
    switch kind {
    case .cut: add(.fault(.cut(name)), when: trigger)
    case .stall:
      clients[client].network = .stalled
      add(.fault(.stall(name, direction(&draws))), when: trigger)
      if draws.chance(40) { resumeLater(client, &draws) }
    default: add(.fault(.refuse(name)), when: trigger)
    }
  }

  /// The storage of a client fails, or works again.
  mutating func failStorage(_ client: Int, _ draws: inout Draws) {
    let name = plan.clients[client]
    // A machine that keeps nothing has no storage that could fail.
    guard plan.persistence[name] != nil else { return }
    clients[client].hasBadStorage.toggle()
    let isBad = clients[client].hasBadStorage
    add(.fault(isBad ? badStorage(name, &draws) : .storageWorks(name)))
  }

  private func badStorage(_ name: String, _ draws: inout Draws) -> NamedFault {
    draws.one(of: [
      .writeError(name, count: 1), .writeError(name, count: 3), .tornRecord(name),
      .storageFull(name, bytes: 50), .storageFull(name, bytes: 300),
    ])
  }

  private func direction(_ draws: inout Draws) -> FaultDirection {
    draws.one(of: FaultDirection.allCases)
  }

  /// Something that passes by itself.
  private mutating func shake(_ kind: FaultKind, _ client: Int, _ draws: inout Draws) {
    let name = plan.clients[client]
    switch kind {
    case .drop: add(.fault(.drop(name)), when: trigger(client, &draws))
    case .halfOpen:
      let notices = draws.one(of: FaultSide.allCases)
      add(.fault(.halfOpen(name, notices: notices)), when: trigger(client, &draws))
    case .closeAfter:
      let count = draws.number(in: 1...5)
      add(.fault(.closeAfter(name, messages: count, direction(&draws))))
    case .loseAcknowledgement: add(.fault(.loseAcknowledgement(name)))
    case .lateClose:
      let delay = Interval.milliseconds(draws.one(of: [5, 50, 500, 5000]))
      add(.fault(.lateClose(name, after: delay)), when: trigger(client, &draws))
    case .skew:
      clients[client].hasWrongClock = true
      add(.fault(clockFault(name, &draws)))
    default:
      let lowest = draws.one(of: [0, 1, 20])
      let highest = lowest + draws.one(of: [0, 5, 90])
      let latency = Latency(.milliseconds(lowest), through: .milliseconds(highest))
      add(.fault(.latency(latency, draws.chance(70) ? name : nil)))
    }
  }

  private func clockFault(_ name: String, _ draws: inout Draws) -> NamedFault {
    switch draws.number(below: 3) {
    case 0: .skew(name, .milliseconds(draws.one(of: [0, 500, -900_000, 3_600_000])))
    case 1: .jump(name, .milliseconds(draws.one(of: [40, -40, -60_000, 86_400_000])))
    default: .drift(name, ClockDrift(perSecond: .milliseconds(draws.one(of: [0, 5, -5, 200]))))
    }
  }

  private mutating func kill(_ client: Int, _ draws: inout Draws) {
    if plan.allows(.storageFails), plan.persistence[plan.clients[client]] != nil,
      draws.chance(30)
    {
      mark(.storageFails)
      clients[client].hasBadStorage = true
      add(.fault(.tornRecord(plan.clients[client])))
    }
    let trigger = trigger(client, &draws)
    if trigger != nil {
      clients[client].isDoomed = true
      // If it is never killed, it is still as it was when it is started in vain.
      clients[client].mayStayAway = true
    } else {
      clients[client].end()
    }
    add(.fault(.kill(plan.clients[client])), when: trigger)
    // What was stored matters only to the next process.
    if draws.chance(clients[client].hasBadStorage ? 80 : 30) {
      add(.wait(.milliseconds(draws.one(of: [1, 30, 1000]))))
      start(client, &draws)
    }
  }

  /// Starts a process, which listens again as applications do.
  private mutating func start(_ client: Int, _ draws: inout Draws) {
    var storage = StorageCondition.kept
    if plan.allows(.storageLost), draws.chance(30) {
      storage = .lost
      mark(.storageLost)
    } else if plan.allows(.storageRolledBack), draws.chance(30) {
      storage = .rolledBack
      mark(.storageRolledBack)
    }
    begin(client, storage)
    if draws.chance(60) { act(.listen, of: client, &draws) }
  }

  private mutating func begin(_ client: Int, _ storage: StorageCondition) {
    if clients[client].isDoomed { clients[client].end() }
    clients[client].isRunning = true
    add(.fault(.start(plan.clients[client], storage)))
  }

  private mutating func mend(_ client: Int, _ draws: inout Draws) {
    if client == plan.isolated { return }
    guard clients[client].network == .stalled, draws.chance(70) else { return heal(client) }
    let direction = draws.chance(70) ? .both : direction(&draws)
    if direction == .both { clients[client].network = .up }
    add(.fault(.resume(plan.clients[client], direction)))
  }

  /// What is stalled goes on after a while, whatever happens meanwhile.
  private mutating func resumeLater(_ client: Int, _ draws: inout Draws) {
    let pause = Interval.milliseconds(draws.one(of: [10, 100, 1000, 50_000]))
    add(.fault(.resume(plan.clients[client], direction(&draws))), when: .after(pause))
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

  /// What a fault that befalls a client waits for; `nil` for nothing, as most do. One that befalls
  /// nobody in particular can wait for messages of anybody.
  func trigger(
    _ client: Int, _ draws: inout Draws, befallsClient: Bool = true
  ) -> Step.Trigger? {
    guard plan.allows(.trigger), draws.chance(60) else { return nil }
    let name = plan.clients[client]
    switch draws.number(below: 4) {
    case 0:
      let longest = 2 * Int(plan.latency.upperBound.milliseconds)
      return .after(.milliseconds(draws.number(in: 1...longest)))
    case 1:
      return .messages(draws.number(in: 1...6), direction(&draws), client: name)
    default:
      return .frame(
        .init(
          kind: draws.one(of: Self.awaited),
          client: befallsClient || draws.chance(50) ? name : nil, count: draws.number(in: 1...2),
          edge: draws.chance(60) ? .before : .after))
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

extension Draft {
  /// Makes everything good: nothing waits any more, machines and the server work, and whoever is not
  /// isolated runs, may connect and is online.
  mutating func healAll() {
    if isArmed { add(.disarm) }
    if server.hasWrongClock { add(.fault(.serverClock(skew: .zero))) }
    if server.isStale { add(.fault(.stale(writes: 0, .withheld))) }
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
    if !clients[client].isRunning || clients[client].isDoomed { begin(client, .kept) }
    if clients[client].mayStayAway {
      clients[client].isOnline = true
      call(client, .goOnline)
    }
  }
}

extension Draft.State {
  /// The process is gone.
  fileprivate mutating func end() {
    isRunning = false
    isDoomed = false
    isOnline = true
    listeners = []
  }
}
