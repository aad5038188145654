internal import ClientInterface
internal import Scenario
internal import Tree
internal import Wire

// What a client shows of its own writes, and when it says that they ended.

extension ClientMonitor {
  /// WRT-11: in a turn with the end of a plain write no event comes after that.
  func judgeEnds(_ step: ClientStep) -> [InvariantViolation] {
    var end: (call: CallID, operation: Operation)?
    for done in step.outputs {
      switch done.output {
      case let .completed(call, _):
        guard let operation = calls.operation(of: call), operation.kind.family == .writing else {
          continue
        }
        end = (call, operation)
      case let .event(event):
        guard let end else { continue }
        return [
          InvariantViolation(
            .endsAfterEvents, .call(step.client, end.call, end.operation), at: done.sequence,
            "the call ended before \(event.name) at \(event.listener.name), which belongs to its "
              + "answer")
        ]
      default: continue
      }
    }
    return []
  }

  /// Judges what listeners show at the end of a turn without transactions.
  func judgeShown(_ step: ClientStep) -> [InvariantViolation] {
    // What an earlier process left may lie over everything.
    if pendingWrites.hasInherited { return [] }
    var findings = judgeParts(step)
    findings.add(judgePending(step))
    return findings
  }

  /// A pending write, and every other one after it, changes nothing in what is shown: it is in it.
  private func judgePending(_ step: ClientStep) -> [InvariantViolation] {
    guard !calls.pending.isEmpty else { return [] }
    var own: PlainWrite?
    if case let .call(call, _) = step.input, calls.pending.last?.call == call {
      own = calls.pending.last
    }
    var findings: [InvariantViolation] = []
    for index in concerned(by: own) {
      let hasNews =
        listeners.listeners[index].valueStep == step.sequence
        && listeners.listeners[index].batch.isEmpty
      guard hasNews || own?.reaches(listeners.listeners[index].target.path) ?? false else {
        continue
      }
      findings.add(judgePending(at: listeners.listeners[index], own: own, step))
    }
    return findings
  }

  /// The positions of the listeners that received something in this turn, or may show a write.
  private func concerned(by write: PlainWrite?) -> [Int] {
    var concerned = listeners.touched
    for set in write?.sets ?? [] {
      concerned += listeners.listeners.positions(.related, set.path)
    }
    if concerned.count < 2 { return concerned }
    return Set(concerned).sorted()
  }

  private func judgePending(
    at listener: ListenerModel, own: PlainWrite?, _ step: ClientStep
  ) -> [InvariantViolation] {
    guard isJudged(listener), let shown = listener.value else { return [] }
    let path = listener.target.path
    let pending = calls.pending.filter { $0.reaches(path) }
    // PRI-8: a priority on nothing is lost, also where a later write puts something.
    guard !pending.contains(where: \.hasServerValues),
      pending.count == 1 || !pending.contains(where: \.setsPriority),
      let laid = pending.areInterleaved ? own.map({ [$0] }) : pending,
      let expected = listener.window(of: shown, under: laid.flatMap(\.sets), profile),
      expected != shown
    else { return [] }
    return [finding(listener, shown, expected, own: own, step)]
  }

  private func isJudged(_ listener: ListenerModel) -> Bool {
    listener.state == .live && !listener.isOnce && !listener.isLocal && listener.receivesValue
      && listener.isShown && !listener.isInconsistent
  }

  private func finding(
    _ listener: ListenerModel, _ shown: Node, _ expected: Node, own: PlainWrite?, _ step: ClientStep
  ) -> InvariantViolation {
    let about = InvariantViolation.About.listener(step.client, listener.id, listener.target)
    let last = step.outputs.last { done in
      if case let .event(event) = done.output { event.listener == listener.id } else { false }
    }
    let isNew = own.map { $0.reaches(listener.target.path) } ?? false
    return InvariantViolation(
      isNew ? .seenAtOnce : .staysShown, about, at: last?.sequence ?? step.sequence,
      isNew
        ? "after the call the listener shows \(shown), but with the write it is \(expected)"
        : "the listener shows \(shown), but with the pending writes it is \(expected)")
  }

  /// EVT-14: a message that writes several locations is shown whole or not at all.
  private func judgeParts(_ step: ClientStep) -> [InvariantViolation] {
    guard let sets = step.parts(calls.pending) else { return [] }
    for done in step.outputs {
      guard case let .event(event) = done.output, event.type == .value,
        let listener = listeners[event.listener], isJudged(listener),
        !listener.target.query.filters,
        sets.contains(where: { $0.path.isRelated(to: listener.target.path) })
      else { continue }
      let whole = sets.applied(to: event.value, at: listener.target.path)
      guard whole != event.value else { continue }
      return [
        InvariantViolation(
          .wholeUpdate, .listener(step.client, listener.id, listener.target), at: done.sequence,
          "\(event.name) shows \(event.value), but with the whole update it is \(whole)")
      ]
    }
    return []
  }
}

extension PlainWrite {
  fileprivate var setsPriority: Bool { sets.contains { $0.path.key == .priority } }
}

extension [PlainWrite] {
  /// Whether something is removed on which a later write builds: laid over their own result, they
  /// would take a priority that is to stay.
  fileprivate var areInterleaved: Bool {
    let sets = flatMap(\.sets)
    return sets.indices.contains { index in
      sets[index].node.isEmpty
        && sets[(index + 1)...].contains { $0.path.isRelated(to: sets[index].path) }
    }
  }
}

extension ClientStep {
  /// What an update of the application or of the server sets, if nothing lies over it.
  fileprivate func parts(_ pending: [PlainWrite]) -> [(path: Path, node: Node)]? {
    switch input {
    case let .call(call, .update):
      guard let write = pending.last, write.call == call, !write.hasServerValues else { return nil }
      return write.sets
    case let .frame(.merge(path, assignments, tag: tag)):
      guard tag == nil, pending.isEmpty else { return nil }
      return assignments.sets(below: path)
    default: return nil
    }
  }
}

extension ListenerModel {
  /// What writes make of the window; `nil` where they may concern what the window does not hold.
  func window(
    of shown: Node, under sets: [(path: Path, node: Node)], _ profile: Profile
  ) -> Node? {
    let query = target.query
    let node = sets.applied(to: shown, at: target.path)
    guard query.filters else { return node }
    for set in sets {
      guard let below = set.path.relative(to: target.path), below.count > 1,
        let key = below.keys.first
      else { continue }
      if shown[key].isEmpty { return nil }
    }
    guard query.ordering.isSettled(for: node.children, in: profile) else { return nil }
    return query.asked(in: profile).window(of: node).node
  }
}
