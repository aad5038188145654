internal import ClientInterface
internal import Faults
internal import Tree
internal import Wire

// What a server with a defect does. Without one nothing here is reached.

extension ReferenceServer {
  /// Does what a defect has put off.
  mutating func doHeldWrites(at now: Instant, into out: inout [Outgoing]) {
    let writes = held
    held = []
    for (connection, write) in writes {
      if let connection, index(of: connection) == nil { continue }
      apply(write, at: now, into: &out)
    }
  }

  /// What is done at the end of a connection.
  mutating func onDisconnects(of connection: ServerSession) -> [Write] {
    let writes = connection.onDisconnects
    switch defect {
    case .forgetsOnDisconnects: return []
    case .reversesOnDisconnects: return writes.reversed()
    case .repeatsOnDisconnects:
      held += writes.map { (connection: nil, write: $0) }
      return writes
    default: return writes
    }
  }

  /// What is done in place of a write.
  func corrupted(_ write: Write) -> Write {
    switch (defect, write) {
    case let (.mergesAreSets, .merge(path, assignments)):
      .put(path, assignments.reduce(.empty) { $0.setting($1.node, at: $1.path) })
    case let (.incrementsTwice, .put(path, node)):
      if case let .serverValue(.increment(count))? = node.scalar {
        .put(path, Node(.serverValue(.increment(2 * count)), priority: node.priority))
      } else {
        write
      }
    default: write
    }
  }

  /// What is done of a write that is refused.
  mutating func applyRefused(
    _ write: Write, for user: String?, at now: Instant, into out: inout [Outgoing]
  ) {
    if defect == .refusesAndWrites { return apply(write, at: now, into: &out) }
    guard defect == .refusesInPart, case let .merge(path, assignments) = write else { return }
    let allowed = assignments.filter {
      refusal(of: .write, at: path.appending($0.path), for: user) == nil
    }
    if !allowed.isEmpty { apply(.merge(path, allowed), at: now, into: &out) }
  }

  /// What is hashed in place of a node.
  func hashed(_ node: Node) -> Node {
    defect == .hashesWithoutPriorities ? node.withoutPriorities : node
  }

  /// Spoils what a request has put into `out` from `first` on.
  func corrupt(_ out: inout [Outgoing], from first: Int, after request: Request) {
    switch (defect, request) {
    case (.answersBeforeSending, .put), (.answersBeforeSending, .merge),
      (.answersBeforeListenData, .listen):
      out.insert(out.removeLast(), at: first)
    case (.sendsMergesInParts, _):
      out = out[..<first] + out[first...].flatMap(\.inParts)
    default: break
    }
  }
}

extension ReferenceServer.Outgoing {
  /// A merge as one message for each of its locations.
  fileprivate var inParts: [ReferenceServer.Outgoing] {
    guard case let .merge(path, assignments, tag) = message else { return [self] }
    return assignments.map {
      ReferenceServer.Outgoing(connection, .put(path.appending($0.path), $0.node, tag: tag))
    }
  }
}

extension ServerSession {
  /// Whether a server with a defect sends this listen changes.
  func isReported(_ index: Int, _ defect: ServerDefect?) -> Bool {
    guard defect == .sendsToOneListenOfAPath else { return true }
    return !listens.positions(.at, listens[index].request.path).contains { $0 < index }
  }
}

extension Node {
  fileprivate var withoutPriorities: Node {
    if let scalar { return Node(scalar) }
    return Node(Children(children.map { ($0.key, $0.node.withoutPriorities) }))
  }
}

extension Double {
  /// The beginning of the minute that these milliseconds lie in.
  var minute: Double { (self / 60_000).rounded(.down) * 60_000 }
}
