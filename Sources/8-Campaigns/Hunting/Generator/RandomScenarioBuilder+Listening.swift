internal import ClientInterface
internal import Document
internal import Scenario
internal import Tree

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
    let words = plan.vocabulary
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
    let words = plan.vocabulary
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
    let call = CallID("q\(clients[client].namedCalls)")
    add(
      .call(
        .init(
          client: plan.clients[client], id: call, isNamed: true, operation: .inspect(inspection))))
  }
}
