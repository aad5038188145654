internal import ClientInterface
internal import Faults
internal import Scenario
internal import Tree

// What applications do in callbacks.

extension RandomScenarioBuilder {
  /// States a call in a callback to come: of a listener, or of a write that follows.
  ///
  /// One call in each callback: what two of them come to depends on when the events of the first one
  /// are raised, which is left open (CBK-12).
  mutating func react(_ client: Int, _ random: inout RandomSource) {
    guard clients[client].isRunning else { return }
    if random.chance(25) { return reactToEnd(client, &random) }
    if random.chance(30) { return reactAhead(client, &random) }
    let free = clients[client].listeners.filter { !clients[client].reacting.contains($0) }
    guard let last = free.last else { return }
    let listener = random.chance(50) ? last : random.one(of: free)
    clients[client].reacting.insert(listener)
    if listener == last, random.chance(30), let target = clients[client].targets.last {
      // Another listener, which what is done in the callback must neither silence nor call twice.
      let types = plan.vocabulary.types(&random)
      listen(client) { .listen($0, target, types) }
    }
    let types: [EventType?] = [nil, .value, .value, .childAdded, .childChanged, .childRemoved]
    let callback: Reaction.Callback =
      random.chance(plan.allows(.refusal) ? 25 : 5)
      ? .cancel(listener) : .event(listener, random.one(of: types))
    let call = nestedCall(client, listener, &random)
    self.call(client, .on(Reaction(in: callback, nth: random.one(of: [1, 1, 2, 3]), [call])))
  }

  /// States a call in the first callback of a listener before it is registered: where the data are
  /// known, or reading is refused, the callback comes within the call or soon after.
  ///
  /// The listener is for one kind of event: SDKs register each kind by itself, so that the call
  /// would come before the registration of the other kinds.
  private mutating func reactAhead(_ client: Int, _ random: inout RandomSource) {
    let words = plan.vocabulary
    let id = nextListener(client)
    let refused = words.restrictions.map(\.path)
    let isRefused = !refused.isEmpty && random.chance(40)
    let known = clients[client].targets.last ?? .init(words.path(&random))
    let target = isRefused ? .init(random.one(of: refused)) : known
    let nested = nestedCall(client, id, &random)
    call(client, .on(Reaction(in: isRefused ? .cancel(id) : .event(id, nil), nth: 1, [nested])))
    clients[client].reacting.insert(id)
    listen(client, as: id) {
      random.chance(50) ? .once($0, target, .value) : .listen($0, target, [words.type(&random)])
    }
  }

  private mutating func reactToEnd(_ client: Int, _ random: inout RandomSource) {
    clients[client].namedCalls += 1
    let id = CallID("w\(clients[client].namedCalls)")
    let nested = nestedCall(client, nil, &random)
    call(client, .on(Reaction(in: .completion(id), [nested])))
    let words = plan.vocabulary
    let write = ClientInterface.Operation.set(words.path(&random), words.written(&random))
    let name = plan.clients[client]
    add(.call(.init(client: name, id: id, isNamed: true, operation: write)))
  }

  /// Where nothing but transactions in callbacks write.
  private static let tally: Path = "tally"

  /// A call in a callback. Beside transactions callbacks only listen: whether one that waits has
  /// been sent by the time of a callback is left open, and so is what a write does to it.
  private mutating func nestedCall(
    _ client: Int, _ own: ListenerID?, _ random: inout RandomSource
  ) -> Reaction.Call {
    let words = plan.vocabulary
    let path = path(&random)
    let kind = random.number(below: plan.allows(.transaction) ? 5 : 13)
    switch kind {
    case 0, 1:
      return nestedListen(client) { .listen($0, .init(path), words.types(&random)) }
    case 2: return nestedListen(client) { .once($0, .init(path), .value) }
    case 3:
      let listeners = clients[client].listeners
      guard let own, let last = listeners.last else { fallthrough }
      return unnamed(client, .unlisten(random.chance(60) ? own : last))
    case 4: return unnamed(client, .unlistenAll(.init(path)))
    case 5: return unnamed(client, .remove(path))
    case 6:
      let parts = words.assignments(&random, isDeep: random.chance(40), isStored: false)
      return unnamed(client, .update(path, parts))
    case 7: return unnamed(client, .push("list", words.written(&random)))
    case 8:
      clients[client].mayStayAway = true
      return unnamed(client, random.chance(70) ? .goOffline : .goOnline)
    case 9: return unnamed(client, .transaction(Self.tally, .increment(1), localEvents: .shown))
    default: return unnamed(client, .set(path, words.written(&random)))
    }
  }

  private mutating func unnamed(
    _ client: Int, _ operation: ClientInterface.Operation
  ) -> Reaction.Call {
    clients[client].calls += 1
    return Reaction.Call(CallID("#\(clients[client].calls)"), operation)
  }

  private mutating func nestedListen(
    _ client: Int, _ operation: (ListenerID) -> ClientInterface.Operation
  ) -> Reaction.Call {
    let id = nextListener(client)
    return Reaction.Call(CallID(id.name), operation(id))
  }
}
