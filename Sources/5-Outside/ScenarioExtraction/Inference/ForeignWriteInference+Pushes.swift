internal import ClientInterface
internal import Faults
internal import ReferenceServer
internal import Scenario
internal import Tree
internal import Wire

// What clients received without having asked.

extension ForeignWriteInference {
  /// Explains what a client received before the answer to a request by what others did.
  mutating func explainPushes(before index: Int, _ request: Request, at time: Interval) {
    let sent = timeline.sent[index]
    guard let answer = sent.answer else { return }
    let id = ReferenceServer.ConnectionID(sent.connection)
    while let next = nextReceived(of: sent.connection), next < answer {
      let message = timeline.received[next].message
      if !isPush(message) || take(message, of: sent.connection) {
        advance(sent.connection)
        continue
      }
      var trial = server
      var out: [ReferenceServer.Outgoing] = []
      trial.receive(sent.message, from: id, at: epoch + time, into: &out)
      let own = out.filter { $0.connection == id }.map(\.message)
      if own.contains(where: { Self.isSame($0, message) }) { return }
      if case let .listen(listen) = request, learn(message, by: listen, sent, at: time) { return }
      explain(message, next, notAfter: time, before: sent.event)
      advance(sent.connection)
    }
  }

  /// What was received last on a connection, after its last answer.
  mutating func explainRest(of connection: Int, until end: Interval, _ event: Int) {
    while let next = nextReceived(of: connection) {
      let message = timeline.received[next].message
      if isPush(message), !take(message, of: connection) {
        explain(message, next, notAfter: end, before: event)
      }
      advance(connection)
    }
  }

  /// Goes past what the reference server has sent as well, up to an answer and with it.
  mutating func matchReceived(of connection: Int, through answer: Int?) {
    guard let answer else { return }
    while let next = nextReceived(of: connection), next <= answer {
      let message = timeline.received[next].message
      if isPush(message) { _ = take(message, of: connection) }
      advance(connection)
    }
    // What it would have sent and no client received is of no use any more.
    predicted[connection] = predicted[connection]?.filter { message in
      if case .response = message { return false }
      return true
    }
  }

  private func nextReceived(of connection: Int) -> Int? {
    let all = received[connection] ?? []
    let next = position[connection] ?? 0
    return next < all.count ? all[next] : nil
  }

  private mutating func advance(_ connection: Int) { position[connection, default: 0] += 1 }

  private func isPush(_ message: ServerMessage) -> Bool {
    switch message {
    case .put, .merge, .revoked, .credentialRevoked, .reset, .shutdown: true
    case .hello, .response, .pong, .notice, .other: false
    }
  }

  /// Takes a message out of those that are predicted; false when it is none of them.
  private mutating func take(_ message: ServerMessage, of connection: Int) -> Bool {
    guard let index = predicted[connection]?.firstIndex(where: { Self.isSame($0, message) })
    else { return false }
    predicted[connection]?.remove(at: index)
    return true
  }

  /// Whether two messages have the same content. Times of the server may differ by what the clocks
  /// do.
  static func isSame(_ a: ServerMessage, _ b: ServerMessage) -> Bool {
    switch (a, b) {
    case let (.put(path, node, tag), .put(otherPath, other, otherTag)):
      return path == otherPath && tag == otherTag && isSame(node, other)
    case let (.merge(path, parts, tag), .merge(otherPath, others, otherTag)):
      guard path == otherPath, tag == otherTag, parts.count == others.count else { return false }
      let sorted = parts.sorted { $0.path < $1.path }
      return zip(sorted, others.sorted { $0.path < $1.path }).allSatisfy {
        $0.path == $1.path && isSame($0.node, $1.node)
      }
    case let (.revoked(path, queries), .revoked(other, others)):
      return path == other && (queries?.count ?? 0) == (others?.count ?? 0)
    case (.credentialRevoked, .credentialRevoked): return true
    default: return a == b
    }
  }

  private static func isSame(_ a: Node, _ b: Node) -> Bool {
    if a == b { return true }
    if case let .number(first)? = a.scalar, case let .number(second)? = b.scalar {
      return first > 1e12 && abs(first - second) < 60_000
    }
    let (first, second) = (a.children, b.children)
    guard first.count == second.count, !first.isEmpty, a.priority == b.priority else {
      return false
    }
    return zip(first, second).allSatisfy { $0.key == $1.key && isSame($0.node, $1.node) }
  }
}

extension ForeignWriteInference {
  /// Takes unknown data as being there from the beginning.
  private mutating func learn(
    _ message: ServerMessage, by listen: Request.Listen, _ sent: Timeline.Sent, at time: Interval
  ) -> Bool {
    guard case let .put(path, node, tag) = message, path == listen.path, tag == listen.tag,
      !knowsData, !touched.contains(where: { $0.isRelated(to: path) })
    else { return false }
    var tree = data
    if listen.query == nil || node.isScalar {
      tree = tree.setting(node, at: path)
    } else {
      for child in node.children {
        tree = tree.setting(child.node, at: path.appending(child.key))
      }
      if let priority = node.priority {
        tree = tree.setting(Node(priority), at: path.appending(.priority))
      }
    }
    data = tree
    touched.append(path)
    // No client learns of it: it has always been there.
    var none: [ReferenceServer.Outgoing] = []
    server.write(.put(path, tree[path]), at: epoch + time, into: &none)
    if (listen.query ?? .all).window(of: server.tree[path]).node != node { contradictions += 1 }
    return true
  }

  /// Takes a message for the effect of what another client did.
  private mutating func explain(
    _ message: ServerMessage, _ index: Int, notAfter end: Interval, before event: Int
  ) {
    let received = timeline.received[index]
    let client = received.client
    let low = timeline.latencies[client].lowerBound
    let departure = received.departure ?? Interval(nanoseconds: (received.time - low).nanoseconds)
    let time = max(.zero, min(departure, end))
    let position = min(event, received.event)
    switch message {
    case let .put(path, node, tag):
      assumeWrite(node.children.map { Assignment(Path([$0.key]), $0.node) }, at: path)
      write(
        tag == nil ? .put(path, node) : replacement(path, node), message, received, time, position)
    case let .merge(path, parts, tag):
      let added = parts.filter { !$0.node.isEmpty }
      if tag != nil { assumeWrite(added, at: path) }
      let isEnough =
        tag != nil && !added.isEmpty && added.count < parts.count
        && predicts(.merge(path, added), message, received.connection)
      write(.merge(path, isEnough ? added : parts), message, received, time, position)
    case let .revoked(path, _):
      var out: [ReferenceServer.Outgoing] = []
      server.revoke(path, into: &out)
      take(out)
      _ = take(message, of: received.connection)
      record(.fault(.revoke(path)), at: time, before: position)
    case .credentialRevoked:
      var out: [ReferenceServer.Outgoing] = []
      server.revokeCredential(of: .init(received.connection), into: &out)
      take(out)
      _ = take(message, of: received.connection)
      record(.fault(.revokeAuth(name(client))), at: time, before: position)
    case let .reset(host):
      record(.fault(.redirect(name(client), host: host)), at: time, before: position)
    case .shutdown: record(.fault(.shutdown(name(client))), at: time, before: position)
    case .hello, .response, .pong, .notice, .other: break
    }
  }

  /// Records what was unknown: it may have been there from the beginning.
  private mutating func assumeWrite(_ parts: [Assignment], at path: Path) {
    if knowsData { return }
    for part in parts where server.tree[path.appending(part.path)].isEmpty {
      hidden = hidden.setting(part.node, at: path.appending(part.path))
    }
  }

  /// A window as a whole: what is in it, and not what else is there.
  private func replacement(_ path: Path, _ node: Node) -> ReferenceServer.Write {
    if node.isScalar || node.isEmpty { return .put(path, node) }
    return .merge(path, node.children.map { Assignment(Path([$0.key]), $0.node) })
  }

  private func predicts(
    _ write: ReferenceServer.Write, _ message: ServerMessage, _ connection: Int
  ) -> Bool {
    var trial = server
    var out: [ReferenceServer.Outgoing] = []
    trial.write(write, at: epoch, into: &out)
    return out.contains {
      $0.connection.number == connection && Self.isSame($0.message, message)
    }
  }

  private mutating func write(
    _ write: ReferenceServer.Write, _ message: ServerMessage, _ received: Timeline.Received,
    _ time: Interval, _ event: Int
  ) {
    remember(event, time)
    var out: [ReferenceServer.Outgoing] = []
    server.write(write, at: epoch + time, into: &out)
    take(out)
    if !take(message, of: received.connection) {
      // It was written in other words: what is written here instead is not waited for.
      let count = out.filter { $0.connection.number == received.connection }.count
      var rest = predicted[received.connection] ?? []
      rest.removeLast(min(count, rest.count))
      predicted[received.connection] = rest
    }
    touched += write.paths
    record(.fault(.write(action(of: write))), at: time, before: event)
  }

  /// A write that was done as a step. One of a priority alone is one of what has it.
  private func action(of write: ReferenceServer.Write) -> ServerWrite {
    switch write {
    case let .put(path, node):
      guard path.key == .priority, let owner = path.parent else {
        return node.isEmpty ? .remove(path) : .set(path, node)
      }
      return .set(owner, server.tree[owner])
    case let .merge(path, parts):
      let own = parts.filter { $0.path.key != .priority }
      guard own.count < parts.count else { return .update(path, parts) }
      if parts.contains(where: { $0.path.count == 1 && $0.path.key == .priority }) {
        return .set(path, server.tree[path])
      }
      let owners = parts.compactMap { $0.path.key == .priority ? $0.path.parent : nil }
      return .update(
        path,
        own.filter { !owners.contains($0.path) }
          + owners.map { Assignment($0, server.tree[path.appending($0)]) })
    }
  }

  private func name(_ client: Int) -> String { names[client] }
}
