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

  /// What the client listens to; all registrations of a target share it.
  private struct Listen {
    let target: Operation.Target
    let tag: Int?
    var registrations = 1
    /// What the client was sent of it; `nil` before it has all.
    var data: Node?
    /// Whether the data were sent for the query alone.
    var isSelected = false
    var isRequested = false

    var path: Path { target.path }
    var isActive: Bool { registrations > 0 }

    /// Whether the server has sent more than the query selects.
    var hasMore: Bool { data.map { target.query.window(of: $0).node != $0 } ?? false }
  }

  private enum Request {
    case listen(Int)
    case write(Write)
  }

  /// A write of the client.
  struct Write {
    /// From 0, over all writes of the case.
    var number: Int
    /// What its frame is called.
    var kind: String
    /// Where it was made.
    var path: Path
    /// What it overwrites, by full paths.
    var parts: [(path: Path, node: Node)]
    fileprivate var isAnswered = false

    init(_ number: Int, kind: String, at path: Path, _ parts: [(path: Path, node: Node)]) {
      (self.number, self.kind, self.path, self.parts) = (number, kind, path, parts)
    }
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
    if let index = listens.firstIndex(where: { $0.isActive && $0.target == target }) {
      listens[index].registrations += 1
      return false
    }
    var listen = Listen(target: target, tag: tag)
    let cover = listens.first { Self.covers($0, target.path) }
    listen.data = cover.flatMap { cover in
      target.path.relative(to: cover.path).flatMap { cover.data?[$0] }
    }
    listen.isRequested = cover == nil
    listens.append(listen)
    if listen.isRequested { held.append(.listen(listens.count - 1)) }
    return listen.isRequested
  }

  /// Removes a registration. The client asks for what it covered.
  mutating func unlisten(_ target: Operation.Target) {
    guard let index = listens.firstIndex(where: { $0.isActive && $0.target == target }) else {
      return
    }
    listens[index].registrations -= 1
    for (index, listen) in listens.enumerated() where listen.isActive && !listen.isRequested {
      let others = listens.enumerated().filter { $0.offset != index }.map(\.element)
      if others.contains(where: { Self.covers($0, listen.path) }) { continue }
      listens[index].isRequested = true
      if isHolding { held.append(.listen(index)) }
    }
  }

  /// - Throws: `unfilteredData` where the write may bring to light what a scenario's client lacks.
  mutating func write(_ write: Write) throws(Obstacle) {
    let isUncertain = listens.contains { listen in
      listen.isActive && listen.hasMore && listen.path.isRelated(to: write.path)
        && !listens.contains { Self.covers($0, listen.path) && $0.data != nil }
    }
    if isUncertain { throw .unfilteredData }
    held.append(.write(write))
  }

  /// Whether data for the listen are all data at the path.
  private static func covers(_ listen: Listen, _ path: Path) -> Bool {
    listen.isActive && !listen.target.query.filters && path.starts(with: listen.path)
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
    if showParts(answered) { throw .answersInOneStep }
    return try answered.last.map { index throws(Obstacle) in try pass(through: index) }
  }

  /// Whether the first of these listens that are answered would show a part to a later one.
  private func showParts(_ answered: [Int]) -> Bool {
    let paths = answered.compactMap { index -> Path? in
      if case let .listen(listen) = held[index] { listens[listen].path } else { nil }
    }
    return paths.indices.contains { later in
      paths[..<later].contains { $0.starts(with: paths[later]) }
    }
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
    listens[index].data = data.map { listen.target.query.window(of: $0).node }
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
    _ number: Int, _ answer: CaseStep.Answer
  ) throws(Obstacle) -> (write: Write, passage: Passage) {
    for (index, request) in held.enumerated() {
      guard case var .write(write) = request, write.number == number else { continue }
      switch answer {
      case .accepted:
        if refusals.contains(where: { write.path.isRelated(to: $0) }) {
          throw .acceptedAfterRefusal(write: number)
        }
        for (path, node) in write.parts { tree = tree.setting(node, at: path) }
        guard isConsistent else { throw .answerWithoutData(write: number) }
      case .rejected: refusals.append(write.path)
      }
      write.isAnswered = true
      held[index] = .write(write)
      return (write, try pass(through: index))
    }
    throw .answerOutOfOrder
  }

  /// Whether every listen selects from what is stored what the client was sent of it.
  private var isConsistent: Bool {
    listens.allSatisfy { listen in
      guard listen.isActive, let data = listen.data else { return true }
      let query = listen.target.query
      return query.window(of: data).node == query.window(of: tree[listen.path]).node
    }
  }

  /// Whether the request must not arrive yet.
  private func isWaiting(_ request: Request) -> Bool {
    switch request {
    case let .listen(index): listens[index].isActive && listens[index].data == nil
    case let .write(write): !write.isAnswered
    }
  }

  /// What the frame is called in triggers.
  private func kind(of request: Request) -> String {
    if case let .write(write) = request { write.kind } else { "listen" }
  }

  private mutating func pass(through index: Int) throws(Obstacle) -> Passage {
    if held[...index].contains(where: isWaiting) { throw .answerOutOfOrder }
    guard let end = held.firstIndex(where: isWaiting) else {
      held = []
      isHolding = false
      return Passage()
    }
    let kind = kind(of: held[end])
    let number = held[..<end].count { self.kind(of: $0) == kind } + 1
    held.removeFirst(end)
    return Passage(end: (kind, number))
  }
}
