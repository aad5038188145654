internal import ClientInterface
internal import Scenario
internal import Tree
internal import Wire

// What clients are told to do. One line for each ingredient.

extension Draft {
  /// Adds one thing that happens.
  mutating func act(_ ingredient: Ingredient, _ draws: inout Draws) {
    let client = draws.number(below: clients.count)
    let words = plan.vocabulary
    mark(ingredient)
    switch ingredient {
    case .listen, .query, .once, .unlisten, .unlistenAll, .info, .keepSynced:
      hear(ingredient, client, &draws)
    case .set: call(client, .set(words.place(&draws), words.written(&draws)))
    case .remove: call(client, .remove(words.place(&draws)))
    case .setPriority: call(client, .setPriority(words.place(&draws), words.priority(&draws)))
    case .update, .deepUpdate:
      let isDeep = ingredient == .deepUpdate
      call(
        client,
        .update(
          words.place(&draws), words.assignments(&draws, isDeep: isDeep, isStored: false)))
    case .push: call(client, .push("list", draws.chance(80) ? words.written(&draws) : nil))
    case .transaction: transact(client, &draws)
    case .onDisconnect: will(client, &draws)
    case .onDisconnectCancel: call(client, .onDisconnectCancel(words.place(&draws)))
    case .mistake: call(client, mistake(&draws))
    case .goOffline:
      clients[client].isOnline.toggle()
      clients[client].mayStayAway = true
      call(client, clients[client].isOnline ? .goOnline : .goOffline)
    case .auth:
      let token = draws.one(of: ["good", "good", "short", "other", "unknown"])
      call(client, draws.chance(70) ? .authenticate(token: token) : .unauthenticate)
    case .serverWrite: write(&draws)
    case let .fault(kind): afflict(kind, client, &draws)
    case .storageFails: failStorage(client, &draws)
    case .serverValue, .refusal, .storageLost, .storageRolledBack, .trigger: break
    }
  }

  private mutating func hear(_ ingredient: Ingredient, _ client: Int, _ draws: inout Draws) {
    let words = plan.vocabulary
    let place = words.place(&draws)
    switch ingredient {
    case .listen: listen(client) { .listen($0, .init(place), words.types(&draws)) }
    case .query:
      listen(client) { .listen($0, .init(place, words.query(&draws)), words.types(&draws)) }
    case .once:
      let query = draws.chance(30) ? words.query(&draws) : .all
      let type = draws.chance(60) ? .value : draws.one(of: EventType.allCases)
      listen(client) { .once($0, .init(place, query), type) }
    case .info: listen(client) { .listen($0, .init(".info/connected"), [.value]) }
    case .unlistenAll: call(client, .unlistenAll(.init(place)))
    case .keepSynced:
      let query = draws.chance(30) ? words.query(&draws) : .all
      call(client, .keepSynced(.init(place, query), draws.chance(60) ? .on : .off))
    default:
      guard let last = clients[client].listeners.last else { return }
      call(
        client,
        .unlisten(draws.chance(30) ? last : draws.one(of: clients[client].listeners)))
    }
  }

  private mutating func transact(_ client: Int, _ draws: inout Draws) {
    let words = plan.vocabulary
    let function = words.function(&draws)
    var place = words.place(&draws)
    if case .increment = function, draws.chance(70) { place = draws.one(of: words.counters) }
    call(
      client, .transaction(place, function, localEvents: draws.chance(70) ? .shown : .hidden))
  }

  private mutating func will(_ client: Int, _ draws: inout Draws) {
    let words = plan.vocabulary
    let place = words.place(&draws)
    switch draws.number(below: 4) {
    case 0: call(client, .onDisconnectRemove(place))
    case 1:
      let parts = words.assignments(&draws, isDeep: draws.chance(40), isStored: false)
      call(client, .onDisconnectUpdate(place, parts))
    default: call(client, .onDisconnectSet(place, words.written(&draws)))
    }
  }

  /// A call that the client must refuse.
  private func mistake(_ draws: inout Draws) -> ClientInterface.Operation {
    draws.one(of: [
      .set("room/a.b", Node(1)), .set(".info/connected", Node(false)),
      .update("room", [Assignment("a", Node(1)), Assignment("a/b", Node(2))]),
      .remove("a#b"), .setPriority("room", true), .push("$list", Node(1)),
      .transaction("[room]", .increment(1), localEvents: .shown),
      .onDisconnectSet("room/a.b", Node(1)),
    ])
  }
}
