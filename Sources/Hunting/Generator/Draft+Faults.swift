internal import ClientInterface
internal import Scenario
internal import Tree

// What befalls clients and server, and how it is made good.

extension Draft {
  mutating func disturb(_ ingredient: Ingredient, _ client: Int, _ draws: inout Draws) {
    let words = plan.vocabulary
    let place = words.place(&draws)
    switch ingredient {
    case .serverWrite:
      switch draws.number(below: 6) {
      case 0: add(.server(.remove(place)))
      case 1:
        let parts = words.assignments(&draws, isDeep: draws.chance(50), isStored: true)
        add(.server(.update(place, parts)))
      default: add(.server(.set(place, words.stored(&draws))))
      }
    case .reject:
      let denied: Set<Scenario.Access> = draws.one(of: [[.write], [.read], [.read, .write]])
      add(.server(.reject(.init(path: draws.one(of: words.denied), deny: denied))))
    case .revoke: add(.server(.revoke(place)))
    default: add(.server(.revokeCredential(client: plan.clients[client])))
    }
  }

  mutating func disconnect(_ ingredient: Ingredient, _ client: Int, _ draws: inout Draws) {
    let name = plan.clients[client]
    let state = clients[client]
    switch ingredient {
    case .cut, .refuse:
      if state.network == .up {
        clients[client].network = ingredient == .cut ? .cut : .refusing
        add(.network(ingredient == .cut ? .cut(client: name) : .refuse(client: name)))
      } else if client != plan.isolated {
        heal(client)
      }
    case .kill: if state.isRunning { kill(client) } else { start(client, &draws) }
    default:
      let lowest = draws.one(of: [0, 1, 20])
      let highest = lowest + draws.one(of: [0, 5, 90])
      let range = Interval.milliseconds(lowest)...(.milliseconds(highest))
      add(.network(.latency(range, client: draws.chance(70) ? name : nil)))
    }
  }

  mutating func heal(_ client: Int) {
    clients[client].network = .up
    add(.network(.heal(client: plan.clients[client])))
  }

  private mutating func kill(_ client: Int) {
    clients[client].isRunning = false
    clients[client].isOnline = true
    clients[client].listeners = []
    add(.process(.kill(client: plan.clients[client])))
  }

  /// Starts a process, which listens again as applications do.
  private mutating func start(_ client: Int, _ draws: inout Draws) {
    var storage = ProcessAction.Storage.kept
    if plan.allows(.storageLost), draws.chance(30) {
      storage = .lost
      mark(.storageLost)
    } else if plan.allows(.storageRolledBack), draws.chance(30) {
      storage = .rolledBack
      mark(.storageRolledBack)
    }
    clients[client].isRunning = true
    add(.process(.start(client: plan.clients[client], storage: storage)))
    if draws.chance(60) { act(.listen, of: client, &draws) }
  }

  /// Adds something that one client does.
  mutating func act(_ ingredient: Ingredient, of client: Int, _ draws: inout Draws) {
    let words = plan.vocabulary
    let place = words.place(&draws)
    let query = ingredient == .query ? words.query(&draws) : .all
    mark(ingredient)
    listen(client) { .listen($0, .init(place, query), words.types(&draws)) }
  }

  /// Ends all faults: whoever is not isolated runs, may connect and is online.
  mutating func healAll() {
    for client in clients.indices where client != plan.isolated {
      if clients[client].network != .up { heal(client) }
      if !clients[client].isRunning {
        clients[client].isRunning = true
        add(.process(.start(client: plan.clients[client], storage: .kept)))
      }
      if !clients[client].isOnline {
        clients[client].isOnline = true
        call(client, .goOnline)
      }
    }
  }
}
