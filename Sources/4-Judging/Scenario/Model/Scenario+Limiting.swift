internal import ClientInterface
internal import Faults
internal import Tree
internal import Wire

// What is left of a scenario for a client that cannot do everything.

extension Scenario {
  /// The scenario without what needs other capabilities than these: calls that need them, or what
  /// of a listener or a value needs them. What is left can be judged by invariants, but not by the
  /// expectations that the scenario had.
  ///
  /// - Complexity: O(*n*) in the size of the steps and their data.
  public func limited(to capabilities: Set<String>) -> Scenario {
    let limit = CapabilityLimit(capabilities)
    var limited = self
    limited.data = limit.node(data)
    if limit.excludes("persistence") { limited.persistence = [:] }
    var dropped: Set<ListenerID> = []
    var singles: Set<ListenerID> = []
    var counts: [String: Int] = [:]
    limited.steps = steps.compactMap { step -> Step? in
      guard var call = step.action.call else { return step.mapActions(fault: limit.fault) }
      if limit.excludes(Feature.unlistenOnce.rawValue) {
        if case var .on(reaction) = call.operation {
          reaction.calls.removeAll { $0.operation.removes(oneOf: &singles) }
          call.operation = .on(reaction)
        } else if call.operation.removes(oneOf: &singles) {
          return nil
        }
      }
      guard let operation = limit.operation(call.operation, &dropped) else { return nil }
      call.operation = operation.renumbered(&counts[call.client, default: 0])
      if !call.isNamed {
        counts[call.client, default: 0] += 1
        call.id = CallID("#\(counts[call.client, default: 1])")
      }
      var step = step
      step.action = .call(call)
      return step
    }
    return limited
  }
}

extension ClientInterface.Operation {
  /// With new numbers for the calls of a reaction that have no name.
  fileprivate func renumbered(_ count: inout Int) -> ClientInterface.Operation {
    guard case var .on(reaction) = self else { return self }
    for index in reaction.calls.indices where !reaction.calls[index].isNamed {
      count += 1
      reaction.calls[index].id = CallID("#\(count)")
    }
    return .on(reaction)
  }
}

/// What a client can do.
private struct CapabilityLimit {
  private let capabilities: Set<String>

  init(_ capabilities: Set<String>) { self.capabilities = capabilities }

  func excludes(_ capability: String) -> Bool { !capabilities.contains(capability) }

  /// What is left of an operation; `nil` for nothing.
  func operation(
    _ operation: ClientInterface.Operation, _ dropped: inout Set<ListenerID>
  ) -> ClientInterface.Operation? {
    if case let .on(reaction) = operation {
      return self.reaction(reaction, &dropped).map { .on($0) }
    }
    let limited = reduced(operation)
    if case let .removes(id, _) = limited.listenerChange, dropped.contains(id) { return nil }
    if limited.capabilities.isSubset(of: capabilities), limited.arguments.events?.isEmpty != true {
      return limited
    }
    if let registration = limited.registration { dropped.insert(registration.listener) }
    return nil
  }

  /// What is left of a reaction, unless that is no call.
  private func reaction(_ reaction: Reaction, _ dropped: inout Set<ListenerID>) -> Reaction? {
    var limited = reaction
    limited.calls = []
    for var call in reaction.calls {
      guard let operation = self.operation(call.operation, &dropped) else { continue }
      call.operation = operation
      limited.calls.append(call)
    }
    let isLost =
      excludes("callbacks") || limited.calls.isEmpty
      || dropped.contains(ListenerID(reaction.callback.name))
    if isLost { dropped.formUnion(limited.calls.compactMap(\.operation.registration?.listener)) }
    return isLost ? nil : limited
  }

  private func reduced(_ operation: ClientInterface.Operation) -> ClientInterface.Operation {
    operation.mapArguments { given in
      if given.query != nil, excludes("listen.query") { given.query = .all }
      given.events = given.events?.filter(receives)
      given.value = given.value.map(node)
      given.changes = given.changes.map(assignments)
      if operation.kind == .onDisconnectUpdate, excludes(Feature.orderOfUpdate.rawValue) {
        given.changes = given.changes?.inOrder
      }
    }
  }

  private func receives(_ type: EventType) -> Bool {
    !excludes(type == .value ? "listen.value" : "listen.child")
  }

  /// What is left of what the server writes.
  func fault(_ fault: NamedFault) -> NamedFault {
    fault.mapping(path: { $0 }) { write in
      switch write {
      case let .set(path, node): .set(path, self.node(node))
      case let .update(path, parts): .update(path, assignments(parts))
      case .remove: write
      }
    }
  }

  private func assignments(_ parts: [Assignment]) -> [Assignment] {
    parts.map { Assignment($0.path, node($0.node)) }
  }

  /// A value without priorities, and with a number in place of what the server would fill in.
  func node(_ node: Node) -> Node {
    let priority = excludes("priority") ? nil : plain(node.priority)
    if let scalar = node.scalar { return Node(plain(scalar) ?? 0, priority: priority) }
    return Node(Children(node.children.map { ($0.key, self.node($0.node)) }), priority: priority)
  }

  private func plain(_ scalar: Scalar?) -> Scalar? {
    guard case let .serverValue(value) = scalar else { return scalar }
    if case .increment = value, excludes(Feature.increment.rawValue) { return 0 }
    return excludes("server-values") ? 0 : scalar
  }
}
