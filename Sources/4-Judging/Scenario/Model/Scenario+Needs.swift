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
    var used: Set<String> = []
    if let capability = kind.capability { used.insert(capability) }
    if let registration {
      let types = registration.isOnce ? [] : registration.events
      used.formUnion(registration.target.capabilities(receiving: types))
    }
    if kind.family == .writing {
      let given = arguments
      if let value = given.value { used.formUnion(value.capabilities) }
      for part in given.changes ?? [] { used.formUnion(part.node.capabilities) }
    }
    return used
  }
}

extension ClientInterface.Operation.Target {
  fileprivate func capabilities(receiving types: Set<EventType>) -> Set<String> {
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
