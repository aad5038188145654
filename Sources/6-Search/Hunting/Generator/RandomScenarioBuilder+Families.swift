internal import ClientInterface
internal import Faults
internal import Scenario
internal import Tree
internal import Wire

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
