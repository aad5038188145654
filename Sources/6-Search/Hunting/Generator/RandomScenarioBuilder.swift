internal import ClientInterface
internal import Document
internal import Faults
internal import Scenario
internal import Tree
internal import Wire

/// A scenario while it is being drawn.
struct RandomScenarioBuilder {
  let plan: Plan
  private(set) var steps: [Step] = []
  /// What has happened so far.
  private(set) var marks = StepKindSet()
  var clients: [State]
  /// Whether something may still wait for what it waits for.
  private(set) var isArmed = false
  /// Whether the server's clock may be wrong, and whether it may still refuse writes as stale.
  var server = (hasWrongClock: false, refusesAsStale: false)

  /// What is known of a client at this place of the story.
  struct State {
    var isRunning = true
    var isOnline = true
    var network = Network.up
    /// Whether something may be wrong with its network, perhaps when what waits happens.
    var needsHealing = false
    /// Whether it may stay away although it runs: for every sender and every process of it.
    var mayStayAway = false
    /// Whether its end waits for something.
    var isEnding = false
    var hasBadStorage = false
    var hasWrongClock = false
    /// The listeners of its process, removed or not.
    var listeners: [ListenerID] = []
    /// What any of its listeners listened to.
    var targets: [ClientInterface.Operation.Target] = []
    /// Where something is to happen when its connection ends.
    var left: [Path] = []
    var listens = 0
    var calls = 0
    /// The calls with names of their own: the others are counted without them.
    var namedCalls = 0
    /// The listeners in whose callbacks something is done: one thing each.
    var reacting: Set<ListenerID> = []

    enum Network { case up, down, waiting, stalled }
  }

  init(_ plan: Plan) {
    self.plan = plan
    clients = Array(repeating: State(), count: plan.clients.count)
    steps.reserveCapacity(2 * plan.acts + 24)
  }

  /// What is drawn from.
  var words: KeyPool { plan.vocabulary }

  mutating func mark(_ stepKind: StepKind) { marks.insert(StepKindSet(stepKind)) }

  /// Adds a step. Its text is left out: it is written when it is to be read.
  mutating func add(_ action: consuming Action, when trigger: consuming Step.Trigger? = nil) {
    if trigger != nil {
      mark(.trigger)
      isArmed = true
    } else if case let .fault(fault) = action, fault.kind.traits.contains(.waits) {
      isArmed = true
    }
    steps.append(
      Step(
        file: Generator.file, position: Position(line: steps.count + 1, column: 1), text: "",
        action: action, trigger: trigger))
  }

  /// Has a client called, if it can be.
  mutating func call(_ client: Int, _ operation: ClientInterface.Operation) {
    guard clients[client].isRunning else { return }
    clients[client].calls += 1
    add(call: CallID("#" + String(clients[client].calls)), of: client, operation, isNamed: false)
  }

  private mutating func add(
    call id: CallID, of client: Int, _ operation: ClientInterface.Operation, isNamed: Bool = true
  ) {
    add(
      .call(
        .init(client: plan.clients[client], id: id, isNamed: isNamed, operation: operation)))
  }

  /// A name that no listener of the client has.
  mutating func nextListener(_ client: Int) -> ListenerID {
    clients[client].listens += 1
    return ListenerID("l" + String(clients[client].listens))
  }

  /// Has a client listen, under a name that none of its listeners had.
  mutating func listen(
    _ client: Int, as name: ListenerID? = nil,
    _ operation: (ListenerID) -> ClientInterface.Operation
  ) {
    guard clients[client].isRunning else { return }
    let id = name ?? nextListener(client)
    let call = operation(id)
    clients[client].listeners.append(id)
    // No client writes below .info, and the server must not.
    if let target = call.registration?.target, target.path.keys.first != .info {
      clients[client].targets.append(target)
    }
    add(call: CallID(id.name), of: client, call)
  }
}

// What clients are asked to do. One line for each ingredient.

extension RandomScenarioBuilder {
  /// Adds one thing that happens.
  mutating func act(_ stepKind: StepKind, _ random: inout RandomSource) {
    let client = random.number(below: clients.count)
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
    let count = random.chance(30) ? random.number(in: 2...4) : 1
    for index in 0..<count {
      let value = random.chance(80) ? words.written(&random) : .empty
      call(client, .push("list", value.isEmpty ? nil : value))
      if index == 0, count > 1, plan.allows(.fault(.skew)) { setClock(client, &random) }
    }
  }

  private mutating func transact(_ client: Int, _ random: inout RandomSource) {
    let function = words.function(&random)
    var path = path(&random)
    if case .increment = function, random.chance(60) { path = random.one(of: words.counters) }
    call(
      client, .transaction(path, function, localEvents: random.chance(70) ? .shown : .hidden))
  }

  /// Signs in or out; perhaps again while that is under way.
  private mutating func introduce(_ client: Int, _ random: inout RandomSource) {
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
        call(client, .set(path, words.written(&random)))
      }
      add(.fault(.drop(plan.clients[client])))
      add(.wait(.milliseconds(random.one(of: [0, 100, 3000]))))
    }
    call(client, .set(path, words.written(&random)))
  }
}

// What clients listen to and look at.

extension RandomScenarioBuilder {
  mutating func receiveOutput(
    _ stepKind: StepKind, _ client: Int, _ random: inout RandomSource
  ) {
    let words = plan.vocabulary
    let target = target(of: client, hasQuery: stepKind == .query, &random)
    switch stepKind {
    case .listen, .query: listen(client) { .listen($0, target, words.types(&random)) }
    case .once:
      let query = random.chance(30) ? words.query(&random) : target.query
      if plan.profile == .firebase, random.chance(25) {
        listen(client) { .get($0, .init(target.path, query)) }
        // No application can remove it.
        if clients[client].isRunning { clients[client].listeners.removeLast() }
        return
      }
      let type = random.chance(60) ? .value : random.one(of: EventType.allCases)
      listen(client) { .once($0, .init(target.path, query), type) }
    case .info:
      let path: Path = random.chance(70) ? ".info/connected" : ".info/serverTimeOffset"
      listen(client) { .listen($0, .init(path), [.value]) }
    case .unlistenAll:
      let isOfQuery = random.chance(30)
      call(client, .unlistenAll(.init(target.path, isOfQuery ? target.query : .all)))
    case .keepSynced:
      let query = random.chance(30) ? words.query(&random) : .all
      call(client, .keepSynced(.init(target.path, query), random.chance(60) ? .on : .off))
    case .inspect: inspect(client, &random)
    default:
      guard let last = clients[client].listeners.last else { return }
      let listener = random.chance(30) ? last : random.one(of: clients[client].listeners)
      call(client, .unlisten(listener, at: random.chance(15) ? target.path : nil))
    }
  }

  /// Something new, or where the client listens already: the same, in the same order, or otherwise.
  private func target(
    of client: Int, hasQuery: Bool, _ random: inout RandomSource
  ) -> ClientInterface.Operation.Target {
    let query = hasQuery ? words.query(&random) : .all
    guard random.chance(50), let earlier = clients[client].targets.last else {
      return .init(words.path(&random), query)
    }
    switch random.number(below: 6) {
    case 0: return earlier
    case 1: return .init(earlier.path, Query(ordering: earlier.query.ordering))
    case 2: return .init(earlier.path.appending(random.one(of: words.keys)), query)
    case 3: return .init(earlier.path.parent ?? .root, query)
    default: return .init(earlier.path, query)
    }
  }

  private mutating func inspect(_ client: Int, _ random: inout RandomSource) {
    guard random.chance(75), !clients[client].listeners.isEmpty else {
      let data = words.stored(&random)
      guard !data.isEmpty else { return }
      let question = random.one(of: ["value", "childrenCount", "children", "hasChildren"])
      return ask(client, .init(.mutableData(data.json, changes: []), question))
    }
    let listener = random.one(of: clients[client].listeners)
    let part = random.chance(80) ? .root : Path([random.one(of: words.keys)])
    let question = random.one(of: [
      "value", "value", "export", "childrenCount", "children", "hasChildren", "priority", "exists",
    ])
    ask(client, .init(.snapshot(listener), of: part, question))
  }

  /// Inspections have names, since their answers are all there is to them.
  private mutating func ask(_ client: Int, _ inspection: Inspection) {
    guard clients[client].isRunning else { return }
    clients[client].namedCalls += 1
    add(call: CallID("q\(clients[client].namedCalls)"), of: client, .inspect(inspection))
  }
}

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
      let types = words.types(&random)
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
    add(call: id, of: client, .set(words.path(&random), words.written(&random)))
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

// Several calls that together make a situation that single draws hardly ever come to.

extension RandomScenarioBuilder {
  /// Adds the calls of a family.
  mutating func combine(_ family: StepKind, _ client: Int, _ random: inout RandomSource) {
    switch family {
    case .windows: openWindows(client, &random)
    case .overtaking: overtake(client, &random)
    default: contend(client, &random)
    }
  }

  /// Ordered windows at one path, most often beside a listener of everything there, and messages
  /// that change the order of several children at once, or a part of one that no window holds.
  private mutating func openWindows(_ client: Int, _ random: inout RandomSource) {
    let words = plan.vocabulary
    let path = words.paths[0]
    add(.fault(.write(.set(path, numbered(words.keys, &random)))))
    if random.chance(60) { listenToAll(client, path, &random) }
    for _ in 0..<random.number(in: 1...2) {
      let count = random.number(in: 1...2)
      let limit: Query.Limit = random.chance(50) ? .first(count) : .last(count)
      var query = Query(ordering: .child(Path([KeyPool.field])))
      query.limit = limit
      listen(client) { .listen($0, .init(path, query), words.types(&random)) }
    }
    rest(&random)
    for _ in 0..<random.number(in: 1...2) {
      let parts = renumbered(words.keys, &random)
      switch random.number(below: 3) {
      case 0: add(.fault(.write(.update(path, parts))))
      case 1: call(random.number(below: clients.count), .update(path, parts))
      default: call(client, .update(path, parts))
      }
      if random.chance(40) { rest(&random) }
    }
  }

  /// Two listens of one path, of which the second is sent before the first is answered, and writes
  /// that the server sends to the one or to the other.
  private mutating func overtake(_ client: Int, _ random: inout RandomSource) {
    let words = plan.vocabulary
    let path = path(&random)
    if random.chance(70) { add(.fault(.write(.remove(path)))) }
    let isQueryFirst = random.chance(70)
    var query = words.query(&random)
    if random.chance(50) { query = Query(ordering: query.ordering, limit: .last(2)) }
    let first = clients[client].listeners.count
    for isQuery in [isQueryFirst, !isQueryFirst] {
      let above = random.chance(20) ? path.parent ?? path : path
      let target = Operation.Target(isQuery ? path : above, isQuery ? query : .all)
      listen(client) { .listen($0, target, words.types(&random)) }
      // The first write comes before the second listen.
      if isQuery == isQueryFirst { pass(upTo: 120, &random) }
    }
    if random.chance(30), clients[client].listeners.indices.contains(first) {
      call(client, .unlisten(clients[client].listeners[first], at: nil))
    }
    for _ in 0..<random.number(in: 1...3) {
      let below = path.appending(random.one(of: words.keys))
      add(.fault(.write(.set(below, words.stored(&random)))))
      pass(upTo: 100, &random)
    }
  }

  /// Transactions of one client at a path and above it, of which one waits for the other, while
  /// others write there; perhaps one elsewhere follows when these are over.
  private mutating func contend(_ client: Int, _ random: inout RandomSource) {
    let path = words.paths[0]
    let below = path.appending(random.one(of: words.keys))
    if random.chance(60) { add(.fault(.write(.set(path, words.children(&random))))) }
    if random.chance(70) { listenToAll(client, path, &random) }
    // What is known already is not sent again: only then is the first result accepted.
    if random.chance(60) { rest(&random) }
    for target in [below, path] {
      // One that is not shown covers nothing that others write.
      let isShown = random.chance(target == path ? 40 : 70)
      call(
        client,
        .transaction(
          target, contending(isAbove: target == path, &random),
          localEvents: isShown ? .shown : .hidden))
    }
    let other = random.number(below: clients.count)
    for _ in 0..<random.number(in: 1...2) {
      let beside = path.appending(random.one(of: words.keys))
      let priority = random.chance(20) ? words.number(&random) : nil
      let node = Node(words.number(&random), priority: priority)
      if random.chance(60) {
        add(.fault(.write(.set(beside, node))))
      } else {
        call(other, .set(beside, node))
      }
      pass(upTo: 60, &random)
    }
    guard random.chance(40) else { return }
    add(.wait(.seconds(1)))
    call(client, .transaction(words.counters[0], .increment(1), localEvents: .shown))
  }
}

extension RandomScenarioBuilder {
  private mutating func listenToAll(
    _ client: Int, _ path: Path, _ random: inout RandomSource
  ) {
    let types: Set<EventType> =
      random.chance(50) ? [.value] : words.types(&random)
    listen(client) { .listen($0, .init(path), types) }
  }

  /// Above others, a function that keeps what is there is the one that can lose it.
  private func contending(isAbove: Bool, _ random: inout RandomSource) -> TransactionFunction {
    let merge = TransactionFunction.merge(.object([.init("m", .number(1))]))
    return switch random.number(below: 6) {
    case 0, 1: isAbove ? merge : .increment(1)
    case 2, 3: merge
    case 4: .setIfNullOrFail(.number(1))
    default: words.function(&random)
    }
  }

  /// Children with a number in the field that queries order by, in an order of their own.
  private func numbered(_ keys: [Key], _ random: inout RandomSource) -> Node {
    keys.reduce(into: Node.empty) { node, key in
      var child = Node.empty.setting(
        Node(.number(Double(random.number(below: 20)))), at: KeyPool.field)
      if random.chance(30) { child = child.setting(Node("x"), at: Key("t")) }
      if random.chance(85) { node = node.setting(child, at: key) }
    }
  }

  /// New numbers for several of them, and sometimes a part of one of which the order says nothing.
  private func renumbered(_ keys: [Key], _ random: inout RandomSource) -> [Assignment] {
    let chosen = keys.filter { _ in random.chance(60) }
    return (chosen.isEmpty ? [random.one(of: keys)] : chosen).map { key in
      let number = Node(.number(Double(random.number(below: 20))))
      return switch random.number(below: 5) {
      case 0: Assignment(Path([key, Key("t")]), Node("y"))
      case 1: Assignment(Path([key, KeyPool.field]), number)
      default: Assignment(Path([key]), Node.empty.setting(number, at: KeyPool.field))
      }
    }
  }

  /// Long enough for everything to arrive, as far as nothing holds it up.
  private mutating func rest(_ random: inout RandomSource) {
    add(random.chance(50) ? .settle : .wait(plan.latency.upperBound + plan.latency.upperBound))
  }

  /// At most so many hundredths of the time that a message takes; most often some.
  private mutating func pass(upTo percent: Int, _ random: inout RandomSource) {
    guard random.chance(70) else { return }
    let longest = max(1, Int(plan.latency.upperBound.milliseconds) * percent / 100)
    add(.wait(.milliseconds(random.number(in: 1...longest))))
  }
}
