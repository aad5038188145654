internal import ClientInterface
internal import Faults
internal import Tree
internal import Wire

/// What one connection listens to at one location.
struct Listen: Sendable {
  enum Extent: Sendable {
    /// Everything there. Another such listen of the connection may cover it from above.
    case whole(isCovered: Bool)
    /// The window of a query, as it was last sent.
    case window(Query, reported: Node)
  }

  let request: Request.Listen
  var extent: Extent

  init(_ request: Request.Listen, in tree: Node, ranges: Query.RangeReach) {
    self.request = request
    if var query = request.query {
      query.reach = ranges
      extent = .window(query, reported: query.window(of: tree[request.path]).node)
    } else {
      extent = .whole(isCovered: false)
    }
  }

  /// What there is to be reported at the beginning.
  func contents(in tree: Node) -> Node {
    switch extent {
    case .whole: tree[request.path]
    case let .window(_, reported): reported
    }
  }

  /// Whether everything that `other` would be sent is sent to this listen.
  func covers(_ other: Listen) -> Bool {
    guard request.query == nil, other.request.query == nil else { return false }
    return other.request.path.count > request.path.count
      && other.request.path.starts(with: request.path)
  }
}

extension Listen {
  /// The one message that reports the change, or `nil` when there is nothing to report.
  mutating func news(of change: TreeChange) -> ServerMessage? {
    switch extent {
    case .whole(isCovered: true): return nil
    case .whole(isCovered: false): return change.message(forListenAt: request.path)
    case let .window(query, reported):
      guard change.concerns(request.path) else { return nil }
      let window = query.window(of: change.tree[request.path]).node
      extent = .window(query, reported: window)
      return difference(from: reported, to: window)
    }
  }

  /// The children that changed, entered or left the window, in one message: whatever moves the edge
  /// of a window is one change (LIM-5).
  private func difference(from old: Node, to new: Node) -> ServerMessage? {
    if old == new { return nil }
    // PRI-16: a window of other children is sent whole if its location has a priority to lose.
    guard !old.isScalar, !new.isScalar, old.priority == new.priority,
      new.priority == nil || new.children.contains(where: { !old[$0.key].isEmpty })
    else {
      return .put(request.path, new, tag: request.tag)
    }
    let assignments = new.children.differences(from: old.children).map {
      Assignment(Path([$0.key]), $0.new)
    }
    return .merge(request.path, assignments, tag: request.tag)
  }
}

extension ReferenceServer {
  /// Begins a listen. The data are sent before the answer, unless the client has them (HSH-7).
  mutating func listen(
    _ request: Request.Listen, from index: Int, at now: Instant, into out: inout [Outgoing]
  ) -> Answer {
    if let status = refusal(of: request.path, request.query, for: index, at: now) {
      return .refused(status)
    }
    let listen = Listen(request, in: tree, ranges: ranges)
    addToListenIndex(index, request.path)
    connections[index].add(listen)
    let contents = listen.contents(in: tree)
    let isKnown =
      contents.hasHash(request.hash) || defect == .trustsEveryHash && !request.hash.isEmpty
    if hasForms || !isKnown {
      out.append(
        Outgoing(
          connections[index].id, .put(request.path, contents, tag: request.tag),
          hasForms ? .beginning(isKnown: isKnown) : nil))
    }
    return request.query.map { lacksIndex(request.path, $0) } ?? false ? .lacksIndex : .ok
  }

  /// Answers with the window of the query as it is now, without listening to it.
  func get(_ path: Path, _ query: Query, from index: Int, at now: Instant) -> Answer {
    if let status = refusal(of: path, query, for: index, at: now) { return .refused(status) }
    var query = query
    query.reach = ranges
    return .found(query.window(of: tree[path]).node)
  }
}
