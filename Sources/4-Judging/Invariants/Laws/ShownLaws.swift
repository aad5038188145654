internal import ClientInterface
internal import RunModel
internal import Scenario
internal import Trace
internal import Tree
internal import Wire

// What a client shows of its own writes at the end of a turn without transactions.

extension TurnLaws {
  static let shown: [Law<TurnOccasion>] = [
    Law(.wholeUpdate) { $0.judgeParts() },
    Law(.seenAtOnce) { $0.judgePending(isOwn: true) },
    Law(.staysShown) { $0.judgePending(isOwn: false) },
  ]
}

extension TurnOccasion {
  /// EVT-14: a message that writes several locations is shown whole or not at all.
  fileprivate func judgeParts() -> Judgement {
    guard let sets = parts else { return .holds }
    if calls.hasInherited { return .unknown(.inheritedWrites) }
    for done in step.outputs {
      guard case let .event(event) = done.output, event.type == .value,
        let index = position(of: event.listener), isJudged(index)
      else { continue }
      let target = listeners[index].target
      guard !target.query.filters, sets.contains(where: { $0.path.isRelated(to: target.path) })
      else { continue }
      let whole = sets.applied(to: event.value, at: target.path)
      guard whole != event.value else { continue }
      return .violated(
        .listener(client, event.listener, target), at: done.sequence,
        "\(event.name) shows \(event.value), but with the whole update it is \(whole)")
    }
    return .holds
  }

  /// What an update of the application or of the server sets, if nothing lies over it.
  private var parts: [(path: Path, node: Node)]? {
    switch step.input {
    case let .call(call, .update):
      let write = calls.pending.last
      guard let write, write.call == call, !write.hasServerValues else { return nil }
      return write.sets
    case let .frame(.merge(path, assignments, tag: tag)):
      guard tag == nil, !calls.hasPending else { return nil }
      return assignments.sets(below: path)
    default: return nil
    }
  }

  /// A pending write, and every other one after it, changes nothing in what is shown: it is in it.
  /// The write that the turn began with is judged by one law, the others by another.
  fileprivate func judgePending(isOwn: Bool) -> Judgement {
    guard calls.hasPending else { return .holds }
    if case .call = step.input {
      // The call may be a write.
    } else if isOwn || touched.isEmpty {
      return .holds
    }
    if calls.hasInherited { return .unknown(.inheritedWrites) }
    let pending = calls.pending
    var own: PlainWrite?
    if case let .call(call, _) = step.input, pending.last?.call == call { own = pending.last }
    var found: [Judgement.Violation] = []
    var doubt: Doubt?
    for index in concerned(by: own) {
      let path = listeners[index].target.path
      let showsOwn = own?.reaches(path) ?? false
      guard showsOwn == isOwn, showsOwn || hasNews(index), isJudged(index) else { continue }
      switch judge(index, own, pending.filter { $0.reaches(path) }, isOwn: isOwn) {
      case .holds: break
      case let .violated(violations): found += violations
      case let .unknown(new): doubt = doubt ?? new
      }
    }
    return found.isEmpty ? doubt.map { .unknown($0) } ?? .holds : .violated(found)
  }

  /// The positions of the listeners that received something in this turn, or may show a write.
  private func concerned(by write: PlainWrite?) -> [Int] {
    var concerned = touched
    for set in write?.sets ?? [] {
      concerned += listeners.positions(.related, set.path)
    }
    if concerned.count < 2 { return concerned }
    return Set(concerned).sorted()
  }

  private func hasNews(_ index: Int) -> Bool {
    listeners[index].valueStep == step.sequence
      && listeners[index].batch.isEmpty
  }

  private func isJudged(_ index: Int) -> Bool {
    listeners[index].state == .live && !listeners[index].isOnce && !listeners[index].isLocal
      && listeners[index].receivesValue && listeners[index].isShown
      && !listeners[index].isInconsistent
  }

  private func judge(
    _ index: Int, _ own: PlainWrite?, _ pending: [PlainWrite], isOwn: Bool
  ) -> Judgement {
    guard let shown = listeners[index].value else { return .holds }
    // PRI-8: a priority on nothing is lost, also where a later write puts something.
    if pending.contains(where: \.hasServerValues) { return .unknown(.serverValues) }
    if pending.count > 1, pending.contains(where: \.setsPriority) { return .unknown(.otherWrites) }
    guard let laid = pending.areInterleaved ? own.map({ [$0] }) : pending else {
      return .unknown(.otherWrites)
    }
    switch listeners[index].target.window(of: shown, under: laid.flatMap(\.sets), profile) {
    case let .failure(doubt): return .unknown(doubt.reason)
    case let .success(expected):
      if expected == shown { return .holds }
      let listener = listeners[index].id
      let last = step.outputs.last { done in
        if case let .event(event) = done.output { event.listener == listener } else { false }
      }
      return .violated(
        .listener(client, listener, listeners[index].target), at: last?.sequence ?? step.sequence,
        isOwn
          ? "after the call the listener shows \(shown), but with the write it is \(expected)"
          : "the listener shows \(shown), but with the pending writes it is \(expected)")
    }
  }
}

private struct WindowDoubt: Error {
  let reason: Doubt
}

extension Operation.Target {
  /// What writes make of the window, unless they may concern what the window does not hold.
  fileprivate func window(
    of shown: Node, under sets: [(path: Path, node: Node)], _ profile: Profile
  ) -> Result<Node, WindowDoubt> {
    let node = sets.applied(to: shown, at: path)
    guard query.filters else { return .success(node) }
    for set in sets {
      guard let below = set.path.relative(to: path), below.count > 1,
        let key = below.keys.first
      else { continue }
      if shown[key].isEmpty { return .failure(WindowDoubt(reason: .outsideWindow)) }
    }
    guard query.ordering.isSettled(for: node.children, in: profile) else {
      return .failure(WindowDoubt(reason: .looseOrder))
    }
    return .success(query.asked(in: profile).window(of: node).node)
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
