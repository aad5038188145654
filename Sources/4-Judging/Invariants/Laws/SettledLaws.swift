internal import ClientInterface
internal import RunModel
internal import Scenario
internal import Trace
internal import Tree
internal import WireMonitor

// What is true when a run has settled: nothing is under way, and every client that can be connected
// is.

/// A client that is connected in a settled run.
struct SettledOccasion {
  let judged: UnsafePointer<JudgedClient>
  let client: ClientIndex
  /// What the server stores.
  let server: Node

  private var calls: Calls { _read { yield judged.pointee.application.calls } }
  private var listeners: PathList<Listener> {
    _read { yield judged.pointee.application.listeners.all }
  }
  private var listens: Listens { _read { yield judged.pointee.monitor.wire.listens } }
  private var profile: Profile { judged.pointee.application.profile }

  func judge(into findings: inout Findings) {
    guard judged.pointee.application.isRunning else { return }
    if let call = calls.unsentOnDisconnect {
      findings.add(
        violated(
          .requestedAtAll, "the on-disconnect request for \(call.path ?? .root) has not gone out"))
      return
    }
    judgeListens(into: &findings)
    if judged.pointee.application.mayPause {
      findings.add(.unknown(.pausedWrites, of: .allEnded))
      return
    }
    if findings.add(judgeEnds()) { return }
    for index in listeners.indices where listeners[index].isLive && !listeners[index].isLocal {
      findings.add(judge(listenerAt: index))
    }
  }

  private func violated(_ invariant: Invariant, _ sentence: String) -> Judgement {
    .violated(invariant, .client(client), at: nil, sentence)
  }

  private func judgeEnds() -> Judgement {
    if calls.isIdle { return .holds }
    let open = calls.pending.map(\.call) + calls.openTransactions.map(\.call).sorted()
    return .violated(
      open.compactMap { call in
        calls.operation(of: call).map {
          InvariantViolation(
            invariant: .allEnded, about: .call(client, call, $0), evidence: nil,
            sentence:
              "the call has not ended although the client is connected and nothing is under way")
        }
      })
  }
}

// MARK: - Listens

extension SettledOccasion {
  private func judgeListens(into findings: inout Findings) {
    let (listens, listeners) = (self.listens.entries, listeners)
    if listens.count > 1, let (entry, cover) = self.listens.superfluous {
      findings.add(
        violated(
          .noneBelow,
          "the client listens to \(entry.path), which its listen to \(cover.path) covers"))
    }
    let unserved = listeners.indices.first {
      listeners[$0].isLive && !listeners[$0].isLocal && !serves(listeners[$0].target)
    }
    if let unserved {
      findings.add(
        violated(
          .covered, "no listen serves the listeners at \(listeners[unserved].target.path)"))
    }
    if let left = listens.positions(.atOrBelow, .root).first(where: { !isNeeded(listens[$0]) }) {
      findings.add(
        violated(
          .nothingLeft, "the client listens to \(listens[left].path), where no client does"))
    } else if !judged.pointee.application.link.tries.isEmpty {
      findings.add(
        violated(.nothingLeft, "the client is connected and has a timer to connect again"))
    }
  }

  /// Whether a listen serves a listener; nearly always it is one to everything.
  private func serves(_ target: Operation.Target) -> Bool {
    listens.answered.contains { target.path.starts(with: $0) } || listens.serves(target)
  }

  /// Whether a listen serves a listener, what is kept synchronised, or a transaction that waits.
  private func isNeeded(_ entry: Listens.Entry) -> Bool {
    listeners.positions(.at, entry.path).contains {
      listeners[$0].isLive && entry.isFor(listeners[$0].target)
    }
      || judged.pointee.application.synchronized.contains(where: entry.isFor)
      || entry.filter == nil
        && calls.openTransactions.contains { $0.path == entry.path }
  }
}

// MARK: - Listeners

extension SettledOccasion {
  private func violated(
    _ invariant: Invariant, at index: Int, _ sentence: String
  ) -> Judgement {
    .violated(
      invariant, .listener(client, listeners[index].id, listeners[index].target), at: nil, sentence)
  }

  private func judge(listenerAt index: Int) -> Judgement {
    if listeners[index].isOnce {
      let isAnswered = listeners[index].types != [.value] || listeners[index].received > 0
      return isAnswered
        ? .holds : violated(.onceIsOnce, at: index, "the single read was not answered")
    }
    let target = listeners[index].target
    var expected = server[target.path]
    if target.query.filters {
      let query = target.query.asked(in: profile)
      guard query.ordering.isSettled(for: expected.children, in: profile) else {
        return .unknown(.looseOrder, of: .converged)
      }
      expected = query.window(of: expected).node
    }
    if listeners[index].receivesValue {
      guard let shown = listeners[index].value else {
        return violated(.converged, at: index, "the listener has not received a value event")
      }
      return compare(shown, expected, at: index)
    }
    guard listeners[index].reportsContent else { return .holds }
    return compare(Node(listeners[index].children), Node(expected.children), at: index)
  }

  /// EVT-23: what a listener shows is what the server has.
  private func compare(_ shown: Node, _ expected: Node, at index: Int) -> Judgement {
    if shown.fingerprint == expected.fingerprint { return .holds }
    if listeners[index].isInconsistent { return .unknown(.reruns, of: .converged) }
    let target = listeners[index].target
    // The window may rest on what the client took for granted, and the server says nothing about that
    // because it lies outside.
    if target.query.filters,
      listens.isUnreported(target) || calls.estimated.has(.related, target.path)
    {
      return .unknown(.unansweredListen, of: .converged)
    }
    // A refused write that is still shown is the better explanation.
    let refused = calls.refused.first { write in
      !write.hasServerValues && write.reaches(target.path)
        && write.sets.applied(to: shown, at: target.path) == shown
        && write.sets.applied(to: expected, at: target.path) != expected
    }
    guard let refused else {
      return violated(
        .converged, at: index, "the listener shows \(shown), but the server has \(expected)")
    }
    return violated(
      .leavesNoTrace, at: index,
      "the listener shows \(shown) with the refused write of \(refused.path), but the server has "
        + "\(expected)")
  }
}
