internal import ClientInterface
internal import Tree
internal import Wire

extension Scenario {
  /// The capabilities without which a client cannot be judged: those that the file names, and those
  /// that its steps use; in the order of the documentation.
  ///
  /// - Complexity: O(*n*) in the size of the steps and their data.
  public var capabilities: [String] {
    var used = Set(needs)
    if data.hasPriority { used.insert("priority") }
    if !persistence.isEmpty { used.insert("persistence") }
    for call in calls { used.formUnion(call.operation.capabilities) }
    return Capability.inOrder.filter { used.contains($0) }
  }
}

extension ClientInterface.Operation {
  /// What a client must be able to do for this.
  var capabilities: Set<String> {
    switch self {
    case let .listen(_, target, types): target.capabilities(hearing: types)
    case let .once(_, target, _): target.capabilities(hearing: []).union(["once"])
    case .unlisten, .unlistenAll: []
    case let .set(_, node): node.capabilities.union(["set"])
    case .remove: ["set"]
    case .setPriority: ["priority"]
    case let .update(_, parts):
      parts.reduce(into: ["update"]) { $0.formUnion($1.node.capabilities) }
    case let .push(_, node): (node?.capabilities ?? []).union(["push"])
    case .transaction: ["transaction"]
    case .onDisconnectSet, .onDisconnectRemove, .onDisconnectUpdate, .onDisconnectCancel:
      ["on-disconnect"]
    case .goOffline, .goOnline: ["offline"]
    case .keepSynced: ["keep-synced"]
    case .authenticate, .unauthenticate: ["auth"]
    case .inspect: ["inspect"]
    }
  }
}

extension ClientInterface.Operation.Target {
  fileprivate func capabilities(hearing types: Set<EventType>) -> Set<String> {
    if path.keys.first == .info { return ["info"] }
    var used: Set<String> = []
    if types.contains(.value) { used.insert("listen.value") }
    if types.contains(where: { $0 != .value }) { used.insert("listen.child") }
    if query != .all { used.insert("listen.query") }
    return used
  }
}

extension Node {
  fileprivate var hasPriority: Bool {
    priority != nil || children.contains { $0.node.hasPriority }
  }

  fileprivate var capabilities: Set<String> {
    var used: Set<String> = []
    if hasPriority { used.insert("priority") }
    if hasServerValues { used.insert("server-values") }
    return used
  }
}
