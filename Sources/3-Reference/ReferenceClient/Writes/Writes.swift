package import ClientInterface
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
    let time = now.milliseconds + serverTimeOffset
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
  mutating func show(
    _ request: Request, isVisible: Bool = true
  ) -> (id: Int, events: [PendingEvent]) {
    let path = request.path ?? .root
    return tree.write(
      at: path, request.sets.map { ($0.path, estimated($0.node, at: $0.path)) },
      isVisible: isVisible)
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

// MARK: - Hidden writes

extension ReferenceClient {
  /// Sets a location without showing it to listeners: the write of a transaction without local
  /// events (TXN-5), and nothing else of one.
  ///
  /// No application can ask for that alone, and no input does. It is here for tests that look at
  /// how writes lie over each other: a transaction would run its function again, and would listen.
  ///
  /// - Parameters:
  ///   - node: What to write; as applications hand it over.
  ///   - path: Where to write it.
  ///   - call: The call that the server's answer completes.
  ///   - now: The client's clock.
  ///   - outputs: Receives the request, and nothing else.
  package mutating func setHidden(
    _ node: Node, at path: Path, as call: CallID, at now: Instant,
    into outputs: inout [ClientOutput]
  ) {
    self.now = now
    swap(&self.outputs, &outputs)
    let request = Request.put(path, node, hash: nil)
    send(request, for: .write(id: show(request, isVisible: false).id, call: call))
    swap(&self.outputs, &outputs)
  }
}

// MARK: - Push ids

/// Makes keys whose order is the order of time (PSH-2): eight characters for the millisecond, twelve
/// that are random, and one more than the last ones when the millisecond is the same (PSH-3).
package struct PushIDGenerator: Sendable {
  /// In the order of their codes, so that text order is numeric order.
  private static let alphabet = Array(
    "-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz".utf8)

  private var lastTime: Int64 = -1
  private var tail = [Int](repeating: 0, count: 12)

  package init() {}

  /// The next key. `time` is in milliseconds since 1970, by the server's clock as far as it is known.
  package mutating func next(at time: Double, random: inout RandomNumbers) -> Key {
    // 48 bits are written; a server with a broken clock must not stop its clients. Nor may a clock
    // that goes back make a key that comes before an older one (PSH-9).
    let milliseconds = max(lastTime, Int64(max(0, min(time, 0x1p48 - 1))))
    if milliseconds == lastTime {
      incrementTail()
    } else {
      tail = tail.map { _ in Int(random.next() % 64) }
    }
    lastTime = milliseconds
    let head = (0..<8).reversed().map { Int(milliseconds >> (6 * Int64($0))) & 63 }
    return Key(String(decoding: (head + tail).map { Self.alphabet[$0] }, as: UTF8.self))
  }

  private mutating func incrementTail() {
    for index in tail.indices.reversed() {
      if tail[index] < 63 {
        tail[index] += 1
        return
      }
      tail[index] = 0
    }
  }
}
