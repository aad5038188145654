internal import ClientInterface
internal import Scenario
internal import Tree

// What happens at the server.

extension Draft {
  mutating func disturb(_ ingredient: Ingredient, _ client: Int, _ draws: inout Draws) {
    let words = plan.vocabulary
    let name = plan.clients[client]
    switch ingredient {
    case .serverWrite: write(&draws)
    case .reject:
      let denied: Set<Scenario.Access> = draws.one(of: [[.write], [.read], [.read, .write]])
      add(.server(.reject(.init(path: draws.one(of: words.denied), deny: denied))))
    case .revoke:
      let place = words.place(&draws)
      add(.server(.revoke(place)), when: trigger(client, &draws, befallsClient: false))
    case .revokeAuth:
      signIn(client, &draws)
      add(.server(.revokeCredential(client: name)), when: trigger(client, &draws))
    case .redirect, .shutdown: sendAway(ingredient, client, &draws)
    default: upset(ingredient, client, &draws)
    }
  }

  /// Has a client sign in that perhaps did not so far: a token that nobody uses cannot be revoked.
  private mutating func signIn(_ client: Int, _ draws: inout Draws) {
    guard plan.allows(.auth), draws.chance(60) else { return }
    call(client, .authenticate(token: "good"))
    if draws.chance(70) { add(.wait(plan.latency.upperBound + plan.latency.upperBound)) }
  }

  /// Tells one client, or all of them, to go.
  private mutating func sendAway(_ ingredient: Ingredient, _ client: Int, _ draws: inout Draws) {
    let addressee = draws.chance(80) ? plan.clients[client] : nil
    let trigger = trigger(client, &draws, befallsClient: addressee != nil)
    if ingredient == .redirect {
      let host = draws.one(of: ["west.kennel.test", "east.kennel.test"])
      add(.server(.redirect(client: addressee, host: host)), when: trigger)
      return
    }
    for index in clients.indices where addressee == nil || index == client {
      clients[index].mayStayAway = true
    }
    add(.server(.shutdown(client: addressee)), when: trigger)
  }

  /// Something that is wrong with the server itself.
  private mutating func upset(_ ingredient: Ingredient, _ client: Int, _ draws: inout Draws) {
    switch ingredient {
    case .restart:
      let down = Interval.milliseconds(draws.one(of: [0, 20, 1000, 10_000]))
      let left: ServerAction.OnDisconnects = draws.chance(70) ? .done : .lost
      let trigger = trigger(client, &draws, befallsClient: false)
      add(.server(.restart(down: down, onDisconnects: left)), when: trigger)
    case .staleHash:
      server.isStale = true
      let data: ServerAction.StaleData = draws.chance(50) ? .sent : .withheld
      add(.server(.stale(writes: draws.number(in: 1...3), data: data)))
      // Only conditional writes can be stale.
      if plan.allows(.transaction), draws.chance(60) { act(.transaction, &draws) }
    default:
      server.hasWrongClock = true
      add(.server(.clock(skew: .milliseconds(draws.one(of: [0, 700, -5000, 3_600_000])))))
    }
  }

  /// Somebody else writes.
  private mutating func write(_ draws: inout Draws) {
    let words = plan.vocabulary
    let place = words.place(&draws)
    let action: ServerAction
    switch draws.number(below: 6) {
    case 0: action = .remove(place)
    case 1:
      let parts = words.assignments(&draws, isDeep: draws.chance(50), isStored: true)
      action = .update(place, parts)
    default: action = .set(place, words.stored(&draws))
    }
    let client = draws.number(below: clients.count)
    let trigger = draws.chance(25) ? trigger(client, &draws, befallsClient: false) : nil
    add(.server(action), when: trigger)
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
