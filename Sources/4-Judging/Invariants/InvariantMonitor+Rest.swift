internal import ClientInterface
internal import Scenario
package import Trace
package import Tree

// What is judged when a run has settled.

extension InvariantMonitor {
  /// Judges a settled run: nothing is under way, and whoever can be connected is.
  ///
  /// - Parameters:
  ///   - tree: What the server stores.
  ///   - online: The clients that are connected; the others are left out.
  package mutating func judgeSettled(server tree: Node, online: Set<ClientIndex>) {
    for number in clients.indices where online.contains(ClientIndex(number)) {
      for finding in clients[number].settled(ClientIndex(number), server: tree) { find(finding) }
    }
    guard server.isCertain else { return }
    if server.tree != tree {
      find(
        InvariantViolation(
          .serverOrder, .server, at: nil,
          "the server has \(tree), but what it accepted comes to \(server.tree)"))
    }
    let state = Judged(revision: history.revision, wills: server.willed.count, tree: tree)
    if state == judged { return }
    judged = state
    judgeHistory(tree)
  }

  /// What the history was judged by. The same again would only show the same.
  struct Judged: Equatable {
    var revision: Int
    var wills: Int
    var tree: Node
  }

  private mutating func judgeHistory(_ tree: Node) {
    for (path, entries) in history.accountable(apartFrom: server.willed) {
      let (before, after) = (data[path], tree[path])
      let deltas = entries.compactMap { history.increment(of: $0) }
      if deltas.count == entries.count, entries.allSatisfy({ $0.end != nil }) {
        judgeSum(of: deltas, at: path, from: before, to: after)
      }
      guard entries.count <= Linearization.maxEntries else { continue }
      var search = Linearization(entries, endingWith: after)
      if !search.exists(from: before) {
        find(
          InvariantViolation(
            .linearizable, .server, at: nil,
            "no order of the \(entries.count) sets and transactions at \(path) leads from "
              + "\(before) to \(after)"))
      }
    }
  }

  private mutating func judgeSum(
    of deltas: [Double], at path: Path, from before: Node, to after: Node
  ) {
    let start = before.number ?? 0
    let sum = deltas.reduce(start, +)
    guard deltas.allSatisfy({ $0 == $0.rounded() }), after.number != sum else { return }
    find(
      InvariantViolation(
        .addsUp, .server, at: nil,
        "\(deltas.count) increments make \(canonicalText(of: sum)) of \(before) at \(path), but the "
          + "server has \(after)"))
  }
}

extension Node {
  fileprivate var number: Double? {
    if case let .number(number)? = scalar { number } else { nil }
  }
}

extension ClientMonitor {
  /// What is wrong at a client that is connected in a settled run.
  func settled(_ client: ClientIndex, server: Node) -> [InvariantViolation] {
    guard isRunning else { return [] }
    if mayPause { return judgeListens(client) }
    let open = judgeOpen(client)
    var findings = judgeListens(client)
    findings.add(open)
    guard open.isEmpty else { return findings }
    for index in listeners.live where !listeners.listeners[index].isLocal {
      findings.add(judge(listeners.listeners[index], client, server))
    }
    return findings
  }

  private func judgeOpen(_ client: ClientIndex) -> [InvariantViolation] {
    if calls.pending.isEmpty, calls.transactions.isEmpty { return [] }
    let calls = calls.pending.map(\.call) + calls.transactions.keys.sorted()
    return calls.compactMap { call in
      self.calls.operation(of: call).map {
        InvariantViolation(
          .allEnded, .call(client, call, $0), at: nil,
          "the call has not ended although the client is connected and nothing is under way")
      }
    }
  }

  private func judgeListens(_ client: ClientIndex) -> [InvariantViolation] {
    var findings: [InvariantViolation] = []
    let about = InvariantViolation.About.client(client)
    if let (entry, cover) = listens.superfluous {
      findings.append(
        InvariantViolation(
          .noneBelow, about, at: nil,
          "the client listens to \(entry.path), which its listen to \(cover.path) covers"))
    }
    let received = listeners.live.compactMap { index in
      listeners.listeners[index].isLocal ? nil : listeners.listeners[index].target
    }
    // Transactions that wait keep their listens.
    let wanted =
      received + synchronized + calls.transactions.values.map { Operation.Target($0.path) }
    if let target = received.first(where: { !listens.serves($0) }) {
      findings.append(
        InvariantViolation(
          .covered, about, at: nil, "no listen serves the listeners at \(target.path)"))
    }
    let left = listens.entries.first { entry in
      !wanted.contains { target in
        target.path == entry.path && target.query.onWire == entry.query
      }
    }
    if let left {
      findings.append(
        InvariantViolation(
          .nothingLeft, about, at: nil,
          "the client listens to \(left.path), where nobody does"))
    } else if !link.tries.isEmpty {
      findings.append(
        InvariantViolation(
          .nothingLeft, about, at: nil,
          "the client is connected and has a timer to connect again"))
    }
    return findings
  }

  /// EVT-23: what a listener shows is what the server has.
  private func judge(
    _ listener: ListenerModel, _ client: ClientIndex, _ server: Node
  ) -> [InvariantViolation] {
    let about = InvariantViolation.About.listener(client, listener.id, listener.target)
    if listener.isOnce {
      guard listener.types == [.value], listener.received == 0 else { return [] }
      return [InvariantViolation(.onceIsOnce, about, at: nil, "the single read was not answered")]
    }
    let query = listener.target.query.asked(in: profile)
    let node = server[listener.target.path]
    guard !query.filters || query.ordering.isSettled(for: node.children, in: profile) else {
      return []
    }
    var expected = query.window(of: node).node
    let shown: Node
    if listener.receivesValue {
      guard let value = listener.value else {
        return [
          InvariantViolation(
            .converged, about, at: nil, "the listener has not received a value event")
        ]
      }
      shown = value
    } else {
      guard listener.reportsContent else { return [] }
      shown = Node(listener.children)
      expected = Node(expected.children)
    }
    guard shown != expected else { return [] }
    if listener.isInconsistent || query.filters && mayDiffer(listener.target) { return [] }
    return [
      refusedTrace(shown, expected, listener, about)
        ?? InvariantViolation(
          .converged, about, at: nil, "the listener shows \(shown), but the server has \(expected)")
    ]
  }

  /// Whether the window of a listener may rest on what the client took for granted, and the server
  /// says nothing about that because it lies outside.
  private func mayDiffer(_ target: Operation.Target) -> Bool {
    listens.isUnreported(target) || calls.estimated.contains { $0.isRelated(to: target.path) }
  }

  /// A refused write that explains why a listener shows something else than the server has.
  private func refusedTrace(
    _ shown: Node, _ expected: Node, _ listener: ListenerModel, _ about: InvariantViolation.About
  ) -> InvariantViolation? {
    let path = listener.target.path
    let write = calls.refused.first { write in
      !write.hasServerValues && write.reaches(path)
        && write.sets.applied(to: shown, at: path) == shown
        && write.sets.applied(to: expected, at: path) != expected
    }
    return write.map {
      InvariantViolation(
        .leavesNoTrace, about, at: nil,
        "the listener shows \(shown) with the refused write of \($0.path), but the server has "
          + "\(expected)")
    }
  }
}
