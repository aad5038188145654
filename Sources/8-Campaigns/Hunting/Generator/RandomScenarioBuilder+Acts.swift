internal import ClientInterface
internal import Scenario
internal import Tree
internal import Wire

// What clients are told to do. One line for each ingredient.

extension RandomScenarioBuilder {
  /// Adds one thing that happens.
  mutating func act(_ stepKind: StepKind, _ random: inout RandomSource) {
    let client = random.number(below: clients.count)
    let words = plan.vocabulary
    mark(stepKind)
    switch stepKind {
    case .listen, .query, .once, .unlisten, .unlistenAll, .info, .keepSynced:
      receiveOutput(stepKind, client, &random)
    case .set: call(client, .set(words.path(&random), words.written(&random)))
    case .remove: call(client, .remove(words.path(&random)))
    case .setPriority: call(client, .setPriority(words.path(&random), words.priority(&random)))
    case .update, .deepUpdate:
      let isDeep = stepKind == .deepUpdate
      call(
        client,
        .update(
          words.path(&random), words.assignments(&random, isDeep: isDeep, isStored: false)))
    case .push:
      let value = random.chance(80) ? words.written(&random) : .empty
      call(client, .push("list", value.isEmpty ? nil : value))
    case .transaction: transact(client, &random)
    case .onDisconnect: will(client, &random)
    case .onDisconnectCancel: call(client, .onDisconnectCancel(words.path(&random)))
    case .mistake: call(client, mistake(&random))
    case .goOffline:
      clients[client].isOnline.toggle()
      clients[client].mayStayAway = true
      call(client, clients[client].isOnline ? .goOnline : .goOffline)
    case .auth:
      let token = random.one(of: ["good", "good", "short", "other", "unknown"])
      call(client, random.chance(70) ? .authenticate(token: token) : .unauthenticate)
    case .reaction: react(client, &random)
    case .serverWrite: write(&random)
    case let .fault(kind): afflict(kind, client, &random)
    case .storageFails: failStorage(client, &random)
    case .serverValue, .refusal, .storageLost, .storageRolledBack, .trigger: break
    }
  }

  private mutating func receiveOutput(
    _ stepKind: StepKind, _ client: Int, _ random: inout RandomSource
  ) {
    let words = plan.vocabulary
    let path = words.path(&random)
    switch stepKind {
    case .listen: listen(client) { .listen($0, .init(path), words.types(&random)) }
    case .query:
      listen(client) { .listen($0, .init(path, words.query(&random)), words.types(&random)) }
    case .once:
      let query = random.chance(30) ? words.query(&random) : .all
      if plan.profile == .firebase, random.chance(25) {
        listen(client) { .get($0, .init(path, query)) }
        // No application can remove it.
        if clients[client].isRunning { clients[client].listeners.removeLast() }
        return
      }
      let type = random.chance(60) ? .value : random.one(of: EventType.allCases)
      listen(client) { .once($0, .init(path, query), type) }
    case .info: listen(client) { .listen($0, .init(".info/connected"), [.value]) }
    case .unlistenAll: call(client, .unlistenAll(.init(path)))
    case .keepSynced:
      let query = random.chance(30) ? words.query(&random) : .all
      call(client, .keepSynced(.init(path, query), random.chance(60) ? .on : .off))
    default:
      guard let last = clients[client].listeners.last else { return }
      call(
        client,
        .unlisten(random.chance(30) ? last : random.one(of: clients[client].listeners)))
    }
  }

  private mutating func transact(_ client: Int, _ random: inout RandomSource) {
    let words = plan.vocabulary
    let function = words.function(&random)
    var path = words.path(&random)
    if case .increment = function, random.chance(70) { path = random.one(of: words.counters) }
    call(
      client, .transaction(path, function, localEvents: random.chance(70) ? .shown : .hidden))
  }

  private mutating func will(_ client: Int, _ random: inout RandomSource) {
    let words = plan.vocabulary
    let path = words.path(&random)
    switch random.number(below: 4) {
    case 0: call(client, .onDisconnectRemove(path))
    case 1:
      let parts = words.assignments(&random, isDeep: random.chance(40), isStored: false)
      call(client, .onDisconnectUpdate(path, parts))
    default: call(client, .onDisconnectSet(path, words.written(&random)))
    }
  }

  /// A call that the client must refuse.
  private func mistake(_ random: inout RandomSource) -> ClientInterface.Operation {
    random.one(of: [
      .set("room/a.b", Node(1)), .set(".info/connected", Node(false)),
      .update("room", [Assignment("a", Node(1)), Assignment("a/b", Node(2))]),
      .remove("a#b"), .setPriority("room", true), .push("$list", Node(1)),
      .transaction("[room]", .increment(1), localEvents: .shown),
      .onDisconnectSet("room/a.b", Node(1)),
    ])
  }
}
