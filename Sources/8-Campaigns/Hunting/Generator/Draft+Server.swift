internal import ClientInterface
internal import Faults
internal import Scenario
internal import Tree

// What happens at the server.

extension Draft {
  mutating func disturb(_ kind: FaultKind, _ client: Int, _ draws: inout Draws) {
    let words = plan.vocabulary
    let name = plan.clients[client]
    switch kind {
    case .reject:
      let denied: Set<SecurityRule.Access> = draws.one(of: [[.write], [.read], [.read, .write]])
      add(.fault(.reject(SecurityRule(draws.one(of: words.denied), deny: denied))))
    case .revoke:
      let place = words.place(&draws)
      add(.fault(.revoke(place)), when: trigger(client, &draws, befallsClient: false))
    case .revokeAuth:
      signIn(client, &draws)
      add(.fault(.revokeAuth(name)), when: trigger(client, &draws))
    case .redirect, .shutdown: sendAway(kind, client, &draws)
    default: upset(kind, client, &draws)
    }
  }

  /// Has a client sign in that perhaps did not so far: a token that nobody uses cannot be revoked.
  private mutating func signIn(_ client: Int, _ draws: inout Draws) {
    guard plan.allows(.auth), draws.chance(60) else { return }
    call(client, .authenticate(token: "good"))
    if draws.chance(70) { add(.wait(plan.latency.upperBound + plan.latency.upperBound)) }
  }

  /// Tells one client, or all of them, to go.
  private mutating func sendAway(_ kind: FaultKind, _ client: Int, _ draws: inout Draws) {
    let addressee = draws.chance(80) ? plan.clients[client] : nil
    let trigger = trigger(client, &draws, befallsClient: addressee != nil)
    if kind == .redirect {
      let host = draws.one(of: ["west.kennel.test", "east.kennel.test"])
      add(.fault(.redirect(addressee, host: host)), when: trigger)
      return
    }
    for index in clients.indices where addressee == nil || index == client {
      clients[index].mayStayAway = true
    }
    add(.fault(.shutdown(addressee)), when: trigger)
  }

  /// Something that is wrong with the server itself.
  private mutating func upset(_ kind: FaultKind, _ client: Int, _ draws: inout Draws) {
    switch kind {
    case .restart:
      let down = Interval.milliseconds(draws.one(of: [0, 20, 1000, 10_000]))
      let left: OnDisconnectFate = draws.chance(70) ? .done : .lost
      let trigger = trigger(client, &draws, befallsClient: false)
      add(.fault(.restart(down: down, left)), when: trigger)
    case .stale:
      server.isStale = true
      let data: StaleData = draws.chance(50) ? .sent : .withheld
      add(.fault(.stale(writes: draws.number(in: 1...3), data)))
      // Only conditional writes can be stale.
      if plan.allows(.transaction), draws.chance(60) { act(.transaction, &draws) }
    default:
      server.hasWrongClock = true
      add(.fault(.serverClock(skew: .milliseconds(draws.one(of: [0, 700, -5000, 3_600_000])))))
    }
  }

  /// Somebody else writes.
  mutating func write(_ draws: inout Draws) {
    let words = plan.vocabulary
    let place = words.place(&draws)
    let change: ServerWrite
    switch draws.number(below: 6) {
    case 0: change = .remove(place)
    case 1:
      let parts = words.assignments(&draws, isDeep: draws.chance(50), isStored: true)
      change = .update(place, parts)
    default: change = .set(place, words.stored(&draws))
    }
    let client = draws.number(below: clients.count)
    let trigger = draws.chance(25) ? trigger(client, &draws, befallsClient: false) : nil
    add(.fault(.write(change)), when: trigger)
  }

  /// Adds something that a client listens to.
  mutating func act(_ ingredient: Ingredient, of client: Int, _ draws: inout Draws) {
    let words = plan.vocabulary
    let place = words.place(&draws)
    let query = ingredient == .query ? words.query(&draws) : .all
    mark(ingredient)
    listen(client) { .listen($0, .init(place, query), words.types(&draws)) }
  }
}
