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
    var singles: Set<ListenerID> = []
    for call in calls {
      used.formUnion(call.operation.capabilities)
      if call.operation.removes(oneOf: &singles) { used.insert(Feature.unlistenOnce.rawValue) }
    }
    if expectsEndOfCredential { used.insert(Feature.authEnds.rawValue) }
    return Capability.inDetail.filter { used.contains($0) }
  }

  /// Whether an expectation lists how signing in or out ended.
  private var expectsEndOfCredential: Bool {
    let credentials = calls.filter { $0.operation.kind.family == .credential }
    if credentials.isEmpty { return false }
    let ends = steps.compactMap(\.expectation).flatMap { [$0] + $0.alternatives }
      .flatMap(\.outcomes)
    return ends.contains { end in
      credentials.contains { $0.client == end.client && $0.id == end.call }
    }
  }
}

extension ClientInterface.Operation {
  /// Whether it, or a call in it, removes a listener for a single event, of which `singles` has all that were registered
  /// so far.
  func removes(oneOf singles: inout Set<ListenerID>) -> Bool {
    if case let .once(listener, _, _) = self { singles.insert(listener) }
    for call in nestedCalls where call.operation.removes(oneOf: &singles) { return true }
    guard case let .unlisten(listener, _) = self else { return false }
    return singles.contains(listener)
  }

  /// What a client must be able to do for this.
  var capabilities: Set<String> {
    var used = Set(features.map(\.rawValue))
    if let capability = kind.capability { used.insert(capability) }
    if let registration {
      let types = registration.isOnce ? [] : registration.events
      used.formUnion(registration.target.capabilities(receiving: types))
    }
    for value in arguments.values { used.formUnion(value.capabilities) }
    if case .mutableData? = arguments.inspection?.subject { used.insert("mutable-data") }
    for call in nestedCalls { used.formUnion(call.operation.capabilities) }
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
