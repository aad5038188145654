package import ClientInterface
internal import Scenario
internal import Trace
package import Tree

// What is judged when a run has settled.

extension InvariantMonitor {
  /// Judges a settled run: nothing is under way, and every client that can be connected is.
  ///
  /// - Parameters:
  ///   - tree: What the server stores.
  ///   - online: The clients that are connected; the others are left out.
  ///   - stranded: Those that are not although nothing keeps them from it.
  package mutating func judgeSettled(
    server tree: Node, online: Set<ClientIndex>, stranded: Set<ClientIndex> = []
  ) {
    for client in stranded.sorted() where clients[client.number].shouldComeBack {
      record(
        InvariantViolation(
          .comesBack, .client(client), at: nil,
          "the client is not connected, although its network is up, and does not try"))
    }
    for number in clients.indices where online.contains(ClientIndex(number)) {
      for finding in clients[number].settled(ClientIndex(number), server: tree) { record(finding) }
    }
    server.adopt(tree)
    guard server.isCertain else { return }
    // Equal data that share nothing take long to compare.
    if server.tree.fingerprint != tree.fingerprint {
      record(
        InvariantViolation(
          .serverOrder, .server, at: nil,
          "the server has \(tree), but what it accepted results in \(server.tree)"))
    }
  }
}

extension ClientMonitor {
  /// What is wrong at a client that is connected in a settled run. It changes nothing: what is
  /// called as a change is done in place, and a client is large.
  mutating func settled(_ client: ClientIndex, server: Node) -> [InvariantViolation] {
    guard isRunning else { return [] }
    if let will = pendingWrites.unsentWill {
      return [
        InvariantViolation(
          .requestedAtAll, .client(client), at: nil,
          "the on-disconnect request for \(will.path ?? .root) has not gone out")
      ]
    }
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
    let unserved = listeners.live.first {
      !listeners.listeners[$0].isLocal && !listens.serves(listeners.listeners[$0].target)
    }
    if let index = unserved {
      findings.append(
        InvariantViolation(
          .covered, about, at: nil,
          "no listen serves the listeners at \(listeners.listeners[index].target.path)"))
    }
    let left = listens.entries.indices.first { index in
      let entry = listens.entries[index]
      // Transactions that wait keep their listens.
      return !listeners.listeners.positions(.at, entry.path).contains {
        listeners.isLive($0) && entry.isFor(listeners.listeners[$0].target)
      }
        && !synchronized.contains(where: entry.isFor)
        && !(entry.query == nil && calls.transactions.values.contains { $0.path == entry.path })
    }
    if let left {
      findings.append(
        InvariantViolation(
          .nothingLeft, about, at: nil,
          "the client listens to \(listens.entries[left].path), where no client does"))
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
    guard shown.fingerprint != expected.fingerprint else { return [] }
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
    listens.isUnreported(target) || calls.estimates(target.path)
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
