internal import ClientInterface
internal import Tree
internal import Wire

/// What the server of a scenario must have stored, and which requests of the client must not have
/// reached it yet, so that it sends what the server of a case sends.
///
/// The client's requests are held up on their way. The case decides when they arrive: a listen when
/// its data come, a write when it is answered.
struct CaseServer {
  /// What is stored.
  private(set) var tree = Node.empty
  private var listens: [Listen] = []
  /// What the client has sent and the server has not received, in its order.
  private var held: [Request] = []
  /// Whether new requests are held up.
  private var isHolding = false
  private var refusals: [Path] = []

  /// One registration of the client.
  private struct Listen {
    let target: Operation.Target
    let tag: Int?
    /// What the client was sent of it; `nil` before it has all.
    var data: Node?
    /// Whether the data were sent for the query alone.
    var isSelected = false
    var isRequested = false
    var isActive = true

    var path: Path { target.path }

    /// Whether its data include those of the other.
    func covers(_ other: Operation.Target) -> Bool {
      isActive
        && (target == other || !target.query.filters && other.path.starts(with: target.path))
    }

    func shown(of node: Node) -> Node { target.query.window(of: node).node }
  }

  private struct Request {
    /// What the frame is called.
    let kind: String
    /// The listen that it is for.
    var listen: Int?
    /// The write that it is, until it is answered.
    var write: CaseWrite?
  }

  /// Some requests arrive, up to the first that stays held up.
  struct Passage {
    /// What the frame of that request is called, and its number among those of its kind from here
    /// on; `nil` when all arrive.
    var end: (kind: String, number: Int)?
  }

  /// Holds up what the client sends from now on; false when that is so already.
  mutating func hold() -> Bool {
    defer { isHolding = true }
    return !isHolding
  }
}

// MARK: - Requests of the client

extension CaseServer {
  /// Registers a listener, and answers whether the client asks the server for its data.
  mutating func listen(_ target: Operation.Target, tag: Int?) -> Bool {
    var listen = Listen(target: target, tag: tag)
    let cover = listens.first { $0.covers(target) }
    if let cover, let rest = target.path.relative(to: cover.path) {
      listen.data = cover.data?[rest]
    }
    listen.isRequested = cover == nil
    listens.append(listen)
    if listen.isRequested { held.append(Request(kind: "listen", listen: listens.count - 1)) }
    return listen.isRequested
  }

  /// Removes a registration. The client asks for what it covered.
  mutating func unlisten(_ target: Operation.Target) {
    guard let index = listens.lastIndex(where: { $0.isActive && $0.target == target }) else {
      return
    }
    listens[index].isActive = false
    for (index, listen) in listens.enumerated() where listen.isActive && !listen.isRequested {
      if listens.contains(where: { $0.isRequested && $0.covers(listen.target) }) { continue }
      listens[index].isRequested = true
      if isHolding { held.append(Request(kind: "listen", listen: index)) }
    }
  }

  /// - Throws: `unfilteredData` where the write may bring to light what a scenario's client lacks.
  mutating func write(_ write: CaseWrite) throws(Obstacle) {
    for listen in listens where listen.isActive && listen.path.isRelated(to: write.path) {
      let isSent = listens.contains { !$0.target.query.filters && $0.covers(listen.target) }
      if !isSent, let data = listen.data, listen.shown(of: data) != data { throw .unfilteredData }
    }
    held.append(Request(kind: write.kind, write: write))
  }
}

// MARK: - What the server sends

extension CaseServer {
  /// Sends data.
  ///
  /// - Parameters:
  ///   - parts: What is overwritten, by full paths.
  ///   - isWhole: Whether the one part is all that there is at its path.
  ///   - tag: The query that the data are for; `nil` for all listens that they concern.
  /// - Returns: Which requests must have arrived for that; `nil` for no further ones.
  /// - Throws: Why no server would send that.
  mutating func send(
    _ parts: [(path: Path, node: Node)], isWhole: Bool, tag: Int?
  ) throws(Obstacle) -> Passage? {
    let open = held.indices.filter { isWaiting(held[$0]) }
    if let tag {
      try send(parts, isWhole: isWhole, toListen: tag)
    } else {
      for (path, node) in parts { try sendToAll(node, at: path) }
    }
    guard isConsistent else { throw .otherData }
    let answered = open.filter { !isWaiting(held[$0]) }
    let paths = answered.compactMap { held[$0].listen.map { listens[$0].path } }
    // The first would show a part of its data to a later one at or above its location.
    for (number, path) in paths.enumerated()
    where paths[..<number].contains(where: { $0.starts(with: path) }) {
      throw .answersInOneStep
    }
    return try answered.last.map { index throws(Obstacle) in try pass(through: index) }
  }

  private mutating func send(
    _ parts: [(path: Path, node: Node)], isWhole: Bool, toListen tag: Int
  ) throws(Obstacle) {
    guard let index = listens.lastIndex(where: { $0.isActive && $0.tag == tag }) else {
      throw .unrequestedData
    }
    let listen = listens[index]
    var data = listen.data
    for (path, node) in parts {
      guard let rest = path.relative(to: listen.path) else { throw .unrequestedData }
      if rest.isRoot, isWhole {
        tree = tree.setting(replacing(data ?? .empty, by: node, in: tree[path]), at: path)
        data = node
      } else {
        guard let known = data else { throw .partBeforeWhole }
        tree = tree.setting(node, at: path)
        data = known.setting(node, at: rest)
      }
    }
    listens[index].data = data.map(listen.shown)
    listens[index].isSelected = true
  }

  /// What is stored when a query selects `new` where it has selected `old`: the rest stays.
  private func replacing(_ old: Node, by new: Node, in stored: Node) -> Node {
    if new.isScalar { return new }
    let kept = old.children.keys.reduce(stored) { $0.setting(.empty, at: $1) }
    return new.children.reduce(kept) { $0.setting($1.node, at: $1.key) }
  }

  private mutating func sendToAll(_ node: Node, at path: Path) throws(Obstacle) {
    var isReceived = false
    var isPartial = false
    for index in listens.indices where listens[index].isActive {
      let listen = listens[index]
      if let rest = listen.path.relative(to: path) {
        listens[index].data = node[rest]
        listens[index].isSelected = false
        isReceived = true
      } else if let rest = path.relative(to: listen.path) {
        isPartial = isPartial || listen.data == nil
        guard let data = listen.data, !listen.isSelected else { continue }
        listens[index].data = data.setting(node, at: rest)
        isReceived = true
      }
    }
    guard isReceived else { throw isPartial ? .partBeforeWhole : .unrequestedData }
    tree = tree.setting(node, at: path)
  }

  /// Answers a write that is held up, and lets it arrive.
  ///
  /// - Throws: Why no server would answer that, or now.
  mutating func answer(
    _ number: Int, isAccepted: Bool
  ) throws(Obstacle) -> (write: CaseWrite, passage: Passage) {
    guard let index = held.firstIndex(where: { $0.write?.number == number }),
      let write = held[index].write
    else { throw .answerOutOfOrder }
    if isAccepted {
      if refusals.contains(where: { write.path.isRelated(to: $0) }) { throw .acceptedAfterRefusal }
      for (path, node) in write.parts { tree = tree.setting(node, at: path) }
      guard isConsistent else { throw .answerWithoutData }
    } else {
      refusals.append(write.path)
    }
    held[index].write = nil
    return (write, try pass(through: index))
  }

  /// Whether every listen selects from what is stored what the client was sent of it.
  private var isConsistent: Bool {
    listens.allSatisfy { listen in
      guard listen.isActive, let data = listen.data else { return true }
      return listen.shown(of: data) == listen.shown(of: tree[listen.path])
    }
  }

  /// Whether the request must not arrive yet.
  private func isWaiting(_ request: Request) -> Bool {
    request.write != nil
      || request.listen.map { listens[$0].isActive && listens[$0].data == nil } == true
  }

  private mutating func pass(through index: Int) throws(Obstacle) -> Passage {
    if held[...index].contains(where: isWaiting) { throw .answerOutOfOrder }
    guard let end = held.firstIndex(where: isWaiting) else {
      held = []
      isHolding = false
      return Passage()
    }
    let kind = held[end].kind
    let number = held[..<end].count { $0.kind == kind } + 1
    held.removeFirst(end)
    return Passage(end: (kind, number))
  }
}
