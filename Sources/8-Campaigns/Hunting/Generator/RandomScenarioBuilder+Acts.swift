internal import ClientInterface
internal import Faults
internal import Scenario
internal import Tree
internal import Wire

// What clients are asked to do. One line for each ingredient.

extension RandomScenarioBuilder {
  /// Adds one thing that happens.
  mutating func act(_ stepKind: StepKind, _ random: inout RandomSource) {
    let client = random.number(below: clients.count)
    let words = plan.vocabulary
    mark(stepKind)
    switch stepKind {
    case .listen, .query, .once, .unlisten, .unlistenAll, .info, .keepSynced, .inspect:
      receiveOutput(stepKind, client, &random)
    case .set: call(client, .set(path(&random), words.written(&random)))
    case .remove: call(client, .remove(path(&random)))
    case .setPriority:
      call(client, .setPriority(path(&random), words.priority(&random)?.json ?? .null))
    case .update, .deepUpdate:
      let isDeep = stepKind == .deepUpdate
      let parts = words.assignments(&random, isDeep: isDeep, isStored: false)
      call(client, .update(path(&random), parts))
    case .push: push(client, &random)
    case .transaction: transact(client, &random)
    case .onDisconnect: leave(client, &random)
    case .onDisconnectCancel: takeBack(client, &random)
    case .series: series(client, &random)
    case .mistake: call(client, words.mistake(&random))
    case .goOffline:
      clients[client].isOnline.toggle()
      clients[client].mayStayAway = true
      call(client, clients[client].isOnline ? .goOnline : .goOffline)
    case .auth: introduce(client, &random)
    case .reaction: react(client, &random)
    case .twoLosses: loseTwice(client, &random)
    case .windows, .overtaking, .contention: combine(stepKind, client, &random)
    case .serverWrite: write(&random)
    case let .fault(kind): afflict(kind, client, &random)
    case .storageFails: failStorage(client, &random)
    case .serverValue, .refusal, .storageLost, .storageRolledBack, .trigger: break
    }
  }

  /// A location of the vocabulary, or one at or below what a client listens to.
  func path(_ random: inout RandomSource) -> Path {
    let words = plan.vocabulary
    guard random.chance(40), let target = random.one(of: clients).targets.last else {
      return words.path(&random)
    }
    let child = target.path.appending(random.one(of: words.keys))
    return switch random.number(below: 5) {
    case 0: target.path
    case 1: child.appending(KeyPool.field)
    default: child
    }
  }

  private func leftPath(_ client: Int, _ random: inout RandomSource) -> Path {
    guard random.chance(60), !clients[client].left.isEmpty else { return path(&random) }
    let path = random.one(of: clients[client].left)
    return random.chance(70) ? path : path.parent ?? path
  }

  private mutating func push(_ client: Int, _ random: inout RandomSource) {
    let words = plan.vocabulary
    let count = random.chance(30) ? random.number(in: 2...4) : 1
    for index in 0..<count {
      let value = random.chance(80) ? words.written(&random) : .empty
      call(client, .push("list", value.isEmpty ? nil : value))
      if index == 0, count > 1, plan.allows(.fault(.skew)) { setClock(client, &random) }
    }
  }

  private mutating func transact(_ client: Int, _ random: inout RandomSource) {
    let words = plan.vocabulary
    let function = words.function(&random)
    var path = path(&random)
    if case .increment = function, random.chance(60) { path = random.one(of: words.counters) }
    call(
      client, .transaction(path, function, localEvents: random.chance(70) ? .shown : .hidden))
  }

  /// Signs in or out; perhaps again while that is under way.
  private mutating func introduce(_ client: Int, _ random: inout RandomSource) {
    let words = plan.vocabulary
    for _ in 0..<random.one(of: [1, 1, 2]) {
      let token = random.one(of: ["good", "good", "short", "other", "unknown"])
      call(client, random.chance(70) ? .authenticate(token: token) : .unauthenticate)
    }
    // Who is signed in matters to what is refused, and to the next connection.
    guard !words.restrictions.isEmpty, random.chance(40) else { return }
    if mayLoseConnection(client), random.chance(40) {
      add(.wait(plan.latency.upperBound + plan.latency.upperBound))
      add(.fault(.drop(plan.clients[client])))
    }
    call(client, .set(random.one(of: words.restrictions).path, words.written(&random)))
  }

  /// One operation for the end of the connection, or two, so that one can be cancelled without the
  /// other.
  private mutating func leave(_ client: Int, _ random: inout RandomSource) {
    for _ in 0..<random.one(of: [1, 1, 2]) { will(client, &random) }
  }

  private mutating func will(_ client: Int, _ random: inout RandomSource) {
    let words = plan.vocabulary
    let path = leftPath(client, &random)
    clients[client].left.append(path)
    switch random.number(below: 4) {
    case 0: call(client, .onDisconnectRemove(path))
    case 1:
      let parts = words.assignments(&random, isDeep: random.chance(40), isStored: false)
      call(client, .onDisconnectUpdate(path, parts))
    default: call(client, .onDisconnectSet(path, words.written(&random)))
    }
  }
}

// Several things in a row.

extension RandomScenarioBuilder {
  /// Cancels what is left to be done, and perhaps loses the connection before all of it is done.
  private mutating func takeBack(_ client: Int, _ random: inout RandomSource) {
    if random.chance(40) { will(client, &random) }
    call(client, .onDisconnectCancel(leftPath(client, &random)))
    guard mayLoseConnection(client), random.chance(40) else { return }
    add(.wait(plan.latency.upperBound + plan.latency.upperBound))
    add(.fault(.drop(plan.clients[client])))
  }

  /// Whether a client is connected as far as is known: a connection that is not there cannot be
  /// lost.
  private func mayLoseConnection(_ client: Int) -> Bool {
    let state = clients[client]
    return state.network == .up && state.isOnline && state.isRunning && !state.isEnding
  }
}

extension RandomScenarioBuilder {
  /// Calls that follow each other and reach the same location, of one client or of several.
  private mutating func series(_ client: Int, _ random: inout RandomSource) {
    let words = plan.vocabulary
    let path = path(&random)
    let field = path.appending(KeyPool.field)
    let isOneField = random.chance(35)
    for _ in 0..<random.number(in: 2...4) {
      let actor = random.chance(75) ? client : random.number(below: clients.count)
      if isOneField {
        call(actor, .set(field, Node(words.number(&random))))
      } else {
        call(actor, oneOfSeries(at: path, &random))
      }
      if random.chance(35) { add(.wait(plan.latency.upperBound)) }
    }
  }

  private func oneOfSeries(
    at path: Path, _ random: inout RandomSource
  ) -> ClientInterface.Operation {
    let words = plan.vocabulary
    let below = path.appending(random.one(of: words.keys))
    return switch random.number(below: 9) {
    case 0, 1: .set(path, words.written(&random))
    case 2: .set(below, words.written(&random))
    case 3: .remove(random.chance(50) ? path : below)
    case 4: .update(path, words.assignments(&random, isDeep: random.chance(50), isStored: false))
    case 5: .setPriority(random.chance(50) ? path : below, words.priority(&random)?.json ?? .null)
    case 6: .transaction(below, words.function(&random), localEvents: .shown)
    default: .transaction(path, words.function(&random), localEvents: .shown)
    }
  }

  private mutating func loseTwice(_ client: Int, _ random: inout RandomSource) {
    guard mayLoseConnection(client) else { return }
    let path = path(&random)
    for _ in 0..<2 {
      for _ in 0..<random.number(in: 1...2) {
        call(client, .set(path, plan.vocabulary.written(&random)))
      }
      add(.fault(.drop(plan.clients[client])))
      add(.wait(.milliseconds(random.one(of: [0, 100, 3000]))))
    }
    call(client, .set(path, plan.vocabulary.written(&random)))
  }
}
