internal import ClientInterface
internal import Tree
internal import Wire

extension ReferenceClient {
  /// Shows the write at once, sends it, and gives up the transactions that it overtakes (WRT-8).
  ///
  /// A transaction there that can go on runs again before the write's own events are raised.
  mutating func set(_ node: Node, at path: Path, as call: CallID) {
    let write = tree.write(at: path, [(path, estimated(node, at: path))])
    queue.add(write.events)
    send(.put(path, node, hash: nil), for: .write(id: write.id, call: call, isUpdate: false))
    let changed = abortTransactions(relatedTo: path)
    rerunTransactions(at: changed)
    raise()
  }

  /// One change, however many locations it names (EVT-14).
  mutating func update(_ assignments: [Assignment], at path: Path, as call: CallID) {
    let sets = estimated(assignments, at: path)
    let write = tree.write(at: path, sets)
    queue.add(write.events)
    let request = Request.merge(path, assignments, hash: nil)
    send(request, for: .write(id: write.id, call: call, isUpdate: true))
    switch profile.updateAborts {
    case .wholeLocation: rerunTransactions(at: abortTransactions(relatedTo: path))
    case .namedChildren:
      // All of them first: a transaction that one child overtakes must not run again, and be sent
      // after the update, because of another child.
      let changed = assignments.map { assignment in
        let changed = abortTransactions(relatedTo: path.appending(assignment.path))
        if mutationFlags.contains(.updatesGoChildByChild) { rerunTransactions(at: changed) }
        return changed
      }
      for path in changed { rerunTransactions(at: path) }
    }
    raise()
  }

  mutating func push(_ node: Node?, at path: Path, as call: CallID) {
    let time = now.milliseconds + serverTimeOffset
    if mutationFlags.contains(.pushIDsIgnoreTheLast) { pushIDs = PushIDGenerator() }
    let shownTime = mutationFlags.contains(.pushIDsLackTheTime) ? 0 : time
    let key = pushIDs.next(at: shownTime, random: &random)
    outputs.append(.answered(call, .string(key.string)))
    callPaths[call] = path.appending(key)
    if let node { set(node, at: path.appending(key), as: call) }
  }

  /// The server answered a write.
  mutating func finishWrite(
    _ id: Int, call: CallID?, isUpdate: Bool, at path: Path, status: String
  ) {
    let events = tree.settle(id, as: status == "ok" ? .acknowledged : .reverted)
    queue.add(events)
    if isUpdate, !events.isEmpty { rerunTransactions(at: path) }
    raise()
    if let call { complete(call, status: status) }
  }

  /// What an update sets, by absolute path, with the estimates of the server values.
  func estimated(_ assignments: [Assignment], at path: Path) -> [(path: Path, node: Node)] {
    assignments.sets(below: path).map { ($0.path, estimated($0.node, at: $0.path)) }
  }

  /// `node` with the placeholders for server values replaced by what the server will probably put
  /// there (SRV-3).
  func estimated(_ node: Node, at path: Path) -> Node {
    guard node.hasServerValues else { return node }
    let time = now.milliseconds + serverTimeOffset
    let once = node.resolvingServerValues(time: time) { tree.visible(at: path)[$0] }
    guard mutationFlags.contains(.incrementsCountTwice) else { return once }
    return node.resolvingServerValues(time: time) { once[$0] }
  }
}

extension Node {
  /// Replaces every `{".sv": …}` in values and priorities.
  ///
  /// An increment adds to what `current` finds at the path below this node.
  func resolvingServerValues(time: Double, current: (Path) -> Node, at path: Path = .root) -> Node {
    guard hasServerValues else { return self }
    var priority = priority
    if case let .serverValue(value)? = priority {
      priority = value.resolved(time: time, current: nil)
    }
    if case let .serverValue(value)? = scalar {
      let resolved = value.resolved(time: time, current: current(path).scalar)
      return Node(resolved, priority: priority)
    }
    if let scalar { return Node(scalar, priority: priority) }
    let resolved = children.map { entry in
      let below = path.appending(entry.key)
      return (entry.key, entry.node.resolvingServerValues(time: time, current: current, at: below))
    }
    return Node(Children(resolved), priority: priority)
  }
}
