internal import ClientInterface
internal import Faults
internal import Scenario
internal import Tree

// What happens at the server.

extension RandomScenarioBuilder {
  mutating func disturb(_ kind: FaultKind, _ client: Int, _ random: inout RandomSource) {
    let words = plan.vocabulary
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
    let words = plan.vocabulary
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
