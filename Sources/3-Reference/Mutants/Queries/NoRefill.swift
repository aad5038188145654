internal import ClientInterface
internal import Interception
internal import Tree

/// Does not notice the child that enters a limited window because another one has left it.
struct NoRefill: WrappingClient {
  var client: any SyncClient
  var queries: [ListenerID: Query] = [:]
  /// The child that left a window last and was not replaced.
  var gaps: [ListenerID: Child] = [:]
  /// The children that listeners should know and do not.
  var hidden: [ListenerID: [Key]] = [:]

  struct Child {
    var key: Key
    var node: Node
  }

  mutating func handle(_ input: ClientInput, at now: Instant, into outputs: inout [ClientOutput]) {
    var caused: [ClientOutput] = []
    client.handle(input, at: now, into: &caused)
    outputs += corrupted(caused, of: input)
  }

  private mutating func corrupted(
    _ outputs: [ClientOutput], of input: ClientInput
  ) -> [ClientOutput] {
    if case let .call(_, .listen(listener, target, _)) = input {
      queries[listener] = target.query
    }
    return outputs.compactMap { output in
      guard let event = output.event, let query = queries[event.listener], query.limit != nil
      else { return output }
      return corrupted(event, of: query).map { .event($0) }
    }
  }

  private mutating func corrupted(_ event: Event, of query: Query) -> Event? {
    let listener = event.listener
    guard event.type != .value, let key = event.key else {
      var poorer = event
      for key in hidden[listener] ?? [] { poorer.value = poorer.value.setting(.empty, at: key) }
      return poorer
    }
    let child = Child(key: key, node: event.value)
    if event.type == .childAdded, let gap = gaps[listener], refills(gap, with: child, query) {
      gaps[listener] = nil
      hidden[listener, default: []].append(key)
      return nil
    }
    if hidden[listener]?.contains(key) == true {
      if event.type == .childRemoved { hidden[listener]?.removeAll { $0 == key } }
      return nil
    }
    if event.type == .childRemoved { gaps[listener] = child }
    return event
  }

  /// Whether a child comes from beyond the limit. One that pushed the other out lies inside it.
  private func refills(_ gap: Child, with child: Child, _ query: Query) -> Bool {
    let both = Children([(gap.key, gap.node), (child.key, child.node)])
    let keys = query.ordering.keys(of: both)
    switch query.limit {
    case .first?: return keys.last == child.key
    case .last?: return keys.first == child.key
    case nil: return false
    }
  }
}
