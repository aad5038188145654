internal import ClientInterface
public import Faults
public import Tree
public import Wire

extension ReferenceServer {
  /// A change that a client asks for.
  public enum Write: Hashable, Sendable {
    /// Overwrites a location; with the empty node it removes. A path that ends in `.priority`
    /// writes the priority of the node above.
    case put(Path, Node)
    /// Overwrites several locations at or below one, as one change (EVT-14).
    case merge(Path, [Assignment])

    /// The location at which the write is made.
    public var path: Path {
      switch self {
      case let .put(path, _), let .merge(path, _): path
      }
    }

    /// The locations that are overwritten.
    public var paths: [Path] {
      switch self {
      case let .put(path, _): [path]
      case let .merge(path, assignments): assignments.map { path.appending($0.path) }
      }
    }
  }
}

extension ReferenceServer.Write {
  /// A write that comes from no client.
  public init(_ write: ServerWrite) {
    self =
      switch write {
      case let .set(path, node): .put(path, node)
      case let .update(path, assignments): .merge(path, assignments)
      case let .remove(path): .put(path, .empty)
      }
  }

  /// Whether it is an update.
  var isMerge: Bool { if case .merge = self { true } else { false } }

  /// The write with what the server fills in (SRV-1, SRV-8); `tree` is what is stored before it.
  func resolved(time: Double, in tree: Node) -> Self {
    switch self {
    case let .put(path, node):
      return node.hasServerValues ? .put(path, node.resolved(time: time, over: tree[path])) : self
    case let .merge(path, assignments):
      guard assignments.contains(where: \.node.hasServerValues) else { return self }
      let stored = tree[path]
      return .merge(
        path,
        assignments.map {
          Assignment($0.path, $0.node.resolved(time: time, over: stored[$0.path]))
        })
    }
  }

  package func applied(to tree: Node) -> Node {
    switch self {
    case let .put(path, node): tree.setting(node, at: path)
    case let .merge(path, assignments) where assignments.allSatisfy { $0.path.count == 1 }:
      tree.setting(
        tree[path].setting(assignments.sets(below: .root).map { ($0.path.keys[0], $0.node) }),
        at: path)
    case let .merge(path, assignments):
      assignments.sets(below: path).reduce(tree) { $0.setting($1.node, at: $1.path) }
    }
  }
}

extension ReferenceServer {
  /// Does the write, if it is allowed and the data there have the hash that it was computed from.
  ///
  /// A refused write changes nothing; of a merge with one forbidden location not a part is done.
  /// Who is refused as stale has been sent the newer data already.
  mutating func accept(
    _ write: Write, if hash: String?, from index: Int, at now: Instant,
    into out: inout [Outgoing]
  ) -> Answer {
    if let status = refusal(of: write, by: connections[index], at: now) {
      if defect != nil {
        applyRefused(write, for: connections[index].user(at: now), at: now, into: &out)
      }
      return .refused(status)
    }
    if hash != nil, takeStaleRefusal(at: write.path, for: index, into: &out) { return .stale }
    if let hash, !hashed(tree[write.path]).hasHash(hash), defect != .ignoresHashes {
      return .stale
    }
    if defect == .refusesBarePriorities, case let .put(path, _) = write, path.key == .priority,
      let parent = path.parent, tree[parent].isEmpty
    {
      return .refused("no_node")
    }
    if defect == .answersBeforeWriting {
      held.append((connections[index].id, write))
      return .ok
    }
    return apply(write, at: now, into: &out) ? .ok : .refused(Self.unavailable)
  }

  /// Does the write and sends it to everyone who listens, unless it is to be kept and cannot be.
  ///
  /// Server values are filled in once, so that everyone sees the same (SRV-2).
  ///
  /// - Returns: Whether it is done.
  @discardableResult
  mutating func apply(_ write: Write, at now: Instant, into out: inout [Outgoing]) -> Bool {
    let write = defect == nil ? write : corrupted(write)
    let time = defect == .coarseTime ? now.milliseconds.minute : now.milliseconds
    let resolved = write.resolved(time: time, in: tree)
    let new: Node
    let change: TreeChange
    if defect == nil, !hasForms, let known = prepared?.change(by: resolved, to: tree) {
      new = known.tree
      change = known
    } else {
      new = resolved.applied(to: tree)
      change = TreeChange(
        resolved, from: hasForms ? tree : nil, to: defect == .sendsOldData ? tree : new)
    }
    if let keeps, !keeps(resolved, new) { return false }
    tree = new
    for index in connections(concernedBy: change) {
      connections[index].announce(change, defect, into: &out)
    }
    return true
  }
}

// A write as it is kept.

extension ReferenceServer.Write {
  /// What ``init(kept:)`` reads.
  package var keptJSON: JSON {
    switch self {
    case let .put(path, node): ["p": .string("\(path)"), "d": node.json]
    case let .merge(path, assignments): ["p": .string("\(path)"), "m": assignments.json]
    }
  }

  /// The write that was kept; `nil` for what is none.
  package init?(kept json: JSON) {
    guard let path = json["p"]?.string.map({ Path($0) }) else { return nil }
    if let data = json["d"] {
      self = .put(path, Node(json: data))
    } else if let assignments = json["m"].flatMap({ [Assignment](json: $0) }) {
      self = .merge(path, assignments)
    } else {
      return nil
    }
  }
}

// Who has to learn of a change, where there are many connections.

extension ReferenceServer {
  /// From how many connections on it is known where they listen.
  private static let manyConnections = 24

  /// The positions of the connections that a change may reach, in order.
  private mutating func connections(concernedBy change: TreeChange) -> [Int] {
    if connections.count < Self.manyConnections { return Array(connections.indices) }
    let listenIndex = self.listenIndex ?? makeListenIndex()
    self.listenIndex = listenIndex
    var last: Int?
    return listenIndex.serials(.related, change.path).compactMap { number in
      defer { last = number }
      return number == last ? nil : index(of: ConnectionID(number))
    }
  }

  private func makeListenIndex() -> PathIndex {
    var listenIndex = PathIndex()
    for connection in connections {
      for path in Set(connection.listens.elements.map(\.request.path)) {
        listenIndex.insert(connection.id.number, at: path)
      }
    }
    return listenIndex
  }

  /// Adds that the connection at a position is about to listen at `path`.
  mutating func addToListenIndex(_ index: Int, _ path: Path) {
    guard listenIndex != nil, !connections[index].listens.has(.at, path) else { return }
    listenIndex?.insert(connections[index].id.number, at: path)
  }

  /// Removes a listen at `path` that the connection at a position has ended.
  mutating func removeFromListenIndex(_ index: Int, _ path: Path) {
    guard listenIndex != nil, !connections[index].listens.has(.at, path) else { return }
    listenIndex?.remove(connections[index].id.number, at: path)
  }

  /// Removes all listens of a connection that has ended.
  mutating func removeFromListenIndex(_ ended: ServerSession) {
    if listenIndex == nil { return }
    for listen in ended.listens.elements {
      listenIndex?.remove(ended.id.number, at: listen.request.path)
    }
  }
}

extension Node {
  /// How long the base64 of a SHA-1 is.
  private static let hashLength = 28

  /// Whether this is the hash of this node. What can be no hash of data is compared without hashing.
  func hasHash(_ text: String) -> Bool {
    switch text.utf8.count {
    case 0: isEmpty
    case Self.hashLength: hash == text
    default: false
    }
  }
}

// What the database cannot store although the protocol has words for it.

extension ReferenceServer.Write {
  /// Whether it is still to be found out that paths and data can be stored.
  package enum Check {
    case due, passed
  }

  /// What a request writes at once; `nil` if it writes nothing.
  package init?(_ request: Request) {
    switch request {
    case let .put(path, node, _): self = .put(path, node)
    case let .merge(path, assignments, _): self = .merge(path, assignments)
    default: return nil
    }
  }

  /// About how many bytes of JSON it writes.
  package var byteCount: Int {
    switch self {
    case let .put(_, node): node.byteCount()
    case let .merge(_, assignments): assignments.byteCount()
    }
  }

  /// Why it cannot be done; `nil` when it can.
  package func problem(_ check: Check = .due) -> String? {
    switch self {
    case let .put(path, node): check == .passed ? nil : Self.problem(of: node, at: path)
    case let .merge(path, assignments): Self.problem(of: assignments, check, at: path)
    }
  }

  private static func problem(of node: Node, at path: Path) -> String? {
    if let problem = path.storageProblem { return problem }
    if path.key == .priority {
      guard node.isEmpty || node.scalar?.isPriority == true else {
        return "the priority at \(path) is no number and no string"
      }
    }
    return NodeProblem.first(in: node, at: path)?.description
  }

  private static func problem(
    of assignments: [Assignment], _ check: Check, at path: Path
  ) -> String? {
    for assignment in assignments where check == .due {
      let location = path.appending(assignment.path)
      if let problem = problem(of: assignment.node, at: location) { return problem }
    }
    let paths = assignments.map(\.path).sorted()
    for (first, second) in zip(paths, paths.dropFirst()) where second.starts(with: first) {
      return "\(first) and \(second) are written in one update, and one is inside the other"
    }
    return nil
  }
}

extension Path {
  /// What is wrong with it as a location; the last key may be that of a priority.
  package var storageProblem: String? {
    let location = key == .priority ? parent ?? self : self
    if location.keys.first == .info { return "\(self) is of the client and never sent" }
    return location.problem?.description
  }
}
