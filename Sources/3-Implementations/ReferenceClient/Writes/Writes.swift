internal import ClientInterface
package import Tree
internal import Wire

/// A write that the server has not answered yet.
package struct PendingWrite: Sendable {
  /// Counts up in order of issue.
  package let id: Int
  /// Where it was made.
  package let path: Path
  /// What it sets, by absolute path. Server values are replaced by estimates.
  package let sets: [(path: Path, node: Node)]
  /// Whether listeners see it. A transaction without local events is hidden (TXN-5).
  package let isVisible: Bool

  /// What the write sets at `viewPath` or below it, by paths relative to it.
  package func sets(seenFrom viewPath: Path) -> [(path: Path, node: Node)] {
    var seen: [(path: Path, node: Node)] = []
    for set in sets {
      if let path = set.path.relative(to: viewPath) {
        seen.append((path, set.node))
      } else if let path = viewPath.relative(to: set.path) {
        seen.append((.root, set.node[path]))
      }
    }
    return seen
  }
}

// MARK: - Calls

extension ReferenceClient {
  /// Shows the write at once, sends it, and gives up the transactions that it overtakes (WRT-8).
  ///
  /// A transaction there that can go on runs again before the write's own events are raised.
  mutating func set(_ node: Node, at path: Path, as call: CallID) {
    write(.put(path, node, hash: nil), as: call)
    rerunTransactions(at: abortTransactions(relatedTo: path))
    raise()
  }

  /// One change, however many locations it names (EVT-14).
  mutating func update(_ assignments: [Assignment], at path: Path, as call: CallID) {
    write(.merge(path, assignments, hash: nil), as: call)
    switch profile.updateAborts {
    case .wholeLocation: rerunTransactions(at: abortTransactions(relatedTo: path))
    case .namedChildren:
      // All of them first: a transaction that one child overtakes must not run again, and be sent
      // after the update, because of another child.
      let changed = assignments.map { assignment in
        let changed = abortTransactions(relatedTo: path.appending(assignment.path))
        if !policy.updatesOvertakeAtOnce { rerunTransactions(at: changed) }
        return changed
      }
      for path in changed { rerunTransactions(at: path) }
    }
    raise()
  }

  mutating func push(_ node: Node?, at path: Path, as call: CallID) {
    let time = now.milliseconds + (policy.pushIDsFollowTheServer ? serverTimeOffset : 0)
    let key = policy.pushKey?(&pushIDs, time, &random) ?? pushIDs.next(at: time, random: &random)
    outputs.append(.answered(call, .string(key.string)))
    callPaths[call] = path.appending(key)
    if let node { set(node, at: path.appending(key), as: call) }
  }

  private mutating func write(_ request: Request, as call: CallID) {
    let write = show(request)
    queue.add(write.events)
    send(request, for: .write(id: write.id, call: call))
  }

  /// Makes what a request writes a pending write, with estimates of the server values.
  mutating func show(_ request: Request) -> (id: Int, events: [PendingEvent]) {
    var sets = ordered(request.sets)
    for index in sets.indices {
      sets[index].node = estimated(sets[index].node, at: sets[index].path)
    }
    return tree.write(at: request.path ?? .root, sets, isVisible: policy.writesAreShown)
  }

  /// The parts of an update in the order in which they are done (PRI-16).
  func ordered(_ sets: [(path: Path, node: Node)]) -> [(path: Path, node: Node)] {
    if policy.updatesAreWhole { return sets }
    let removals = sets.filter { $0.node.isEmpty && $0.path.key?.isPriority != true }
    return removals + sets.filter { !$0.node.isEmpty || $0.path.key?.isPriority == true }
  }

  /// The server answered a write.
  mutating func finishWrite(_ id: Int, _ request: Request, call: CallID?, status: String) {
    let events = tree.settle(id, as: status == "ok" ? .acknowledged : .reverted)
    queue.add(events)
    if case let .merge(path, _, _) = request, !events.isEmpty { rerunTransactions(at: path) }
    raise()
    if let call { complete(call, status: status) }
  }

  /// `node` with the placeholders for server values replaced by what the server will probably put
  /// there (SRV-3).
  func estimated(_ node: Node, at path: Path) -> Node {
    guard node.hasServerValues else { return node }
    let time = now.milliseconds + serverTimeOffset
    let estimate = node.resolved(time: time, over: tree.visible(at: path))
    return policy.estimate?(node, time, estimate) ?? estimate
  }
}

extension Request {
  /// What a write sets, by absolute path.
  fileprivate var sets: [(path: Path, node: Node)] {
    switch self {
    case let .put(path, node, _): [(path, node)]
    case let .merge(path, assignments, _): assignments.sets(below: path)
    default: []
    }
  }
}

// MARK: - Giving up

extension ReferenceClient {
  /// Gives up what the server has not answered, as one change (WRT-30). What was sent may take effect
  /// there all the same: it comes back as the write of another client does.
  mutating func purgeWrites() {
    let (given, ended) = (requests.takeGivenUp(), transactions)
    transactions = []
    for request in given { memory.forget(request) }
    queue.add(tree.withdrawAll())
    for transaction in ended { stopListening(transaction.watch) }
    raise()
    for request in given {
      if case let .write(_, call?) = request.purpose { complete(call, status: Self.purged) }
    }
    for transaction in ended {
      complete(transaction.call, Completion(error: ErrorCode(Self.purged), committed: false))
    }
    for request in given {
      if case let .onDisconnect(call) = request.purpose { complete(call, status: Self.purged) }
    }
  }

  private static let purged = "write_canceled"
}
