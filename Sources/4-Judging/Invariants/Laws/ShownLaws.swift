internal import ClientInterface
internal import RunModel
internal import Scenario
internal import Trace
internal import Tree
internal import Wire

// What a client shows of its own writes at the end of a turn without transactions.

extension TurnLaws {
  static let shown: [Law<TurnOccasion>] = [
    Law(.wholeUpdate, unknown: [.inheritedWrites]) { $0.judgeParts() },
    Law(.seenAtOnce, unknown: pending) { $0.judgeOwn() },
    Law(.staysShown, unknown: pending) { $0.judgeNews() },
  ]

  private static let pending: [Doubt] = [
    .inheritedWrites, .serverValues, .otherWrites, .outsideWindow, .looseOrder,
  ]
}

extension TurnOccasion {
  /// EVT-14: a message that writes several locations is shown whole or not at all.
  fileprivate func judgeParts() -> Judgement {
    guard let sets = parts else { return .holds }
    if calls.hasInherited { return .unknown(.inheritedWrites) }
    for done in step.outputs {
      guard case let .event(event) = done.output, event.type == .value,
        let index = positions[event.listener], isJudged(index)
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
    case .call(_, .update):
      guard let own = ownWrite, !own.hasServerValues else { return nil }
      return own.sets
    case let .frame(.merge(path, assignments, tag: tag)):
      guard tag == nil, calls.pending.isEmpty else { return nil }
      return assignments.sets(below: path)
    default: return nil
    }
  }

  /// The pending write that the turn began with.
  private var ownWrite: PlainWrite? {
    guard case let .call(call, _) = step.input, let last = calls.pending.last, last.call == call
    else { return nil }
    return last
  }

  // A pending write, and every other one after it, changes nothing in what is shown: it is in it.
  // Listeners that the write concerns with which the turn began are judged by one law, others by
  // another.

  fileprivate func judgeOwn() -> Judgement {
    guard let own = ownWrite else { return .holds }
    let concerned =
      own.sets.count == 1
      ? listeners.allPositions(.related, own.sets[0].path)
      : Set(own.sets.flatMap { listeners.allPositions(.related, $0.path) }).sorted()
    return judge(concerned, own, isOwn: true)
  }

  fileprivate func judgeNews() -> Judgement {
    if calls.pending.isEmpty || touched.isEmpty { return .holds }
    let own = ownWrite
    let concerned = touched.filter { index in
      listeners[index].valueStep == step.sequence && listeners[index].batch.isEmpty
        && !(own?.reaches(listeners[index].target.path) ?? false)
    }
    return judge(concerned, own, isOwn: false)
  }

  private func judge(_ concerned: [Int], _ own: PlainWrite?, isOwn: Bool) -> Judgement {
    if concerned.isEmpty { return .holds }
    if calls.hasInherited { return .unknown(.inheritedWrites) }
    var found: [Judgement.Violation] = []
    var doubt: Doubt?
    for index in concerned where isJudged(index) {
      switch judge(index, own, isOwn: isOwn) {
      case .holds: break
      case let .violated(violations): found += violations
      case let .unknown(new): doubt = doubt ?? new
      }
    }
    return found.isEmpty ? doubt.map { .unknown($0) } ?? .holds : .violated(found)
  }

  private func isJudged(_ index: Int) -> Bool {
    listeners[index].state == .live && !listeners[index].isOnce && !listeners[index].isLocal
      && listeners[index].receivesValue && listeners[index].isShown
      && !listeners[index].isInconsistent
  }

  private func judge(_ index: Int, _ own: PlainWrite?, isOwn: Bool) -> Judgement {
    guard let shown = listeners[index].value else { return .holds }
    let path = listeners[index].target.path
    if let laid, judged.pointee.laid.holdsAll(calls.pending),
      !listeners[index].target.query.filters, laid[path].fingerprint == shown.fingerprint
    {
      return .holds
    }
    var sets: [(path: Path, node: Node)] = []
    var count = 0
    for index in calls.pending.indices where calls.pending[index].reaches(path) {
      if calls.pending[index].hasServerValues { return .unknown(.serverValues) }
      sets.add(calls.pending[index].sets)
      count += 1
    }
    // PRI-8: a priority on nothing is lost, also where a later write puts something.
    if count > 1, sets.contains(where: { $0.path.key == .priority }) {
      return .unknown(.otherWrites)
    }
    if sets.areInterleaved {
      guard let own else { return .unknown(.otherWrites) }
      sets = own.sets
    }
    let target = listeners[index].target
    if isPushedOut(of: shown, at: target, besides: own) { return .unknown(.outsideWindow) }
    switch target.window(of: shown, under: sets, profile) {
    case let .failure(doubt): return .unknown(doubt)
    case let .success(expected):
      if expected == shown { return .holds }
      let listener = listeners[index].id
      let last = step.outputs.last { done in
        if case let .event(event) = done.output { event.listener == listener } else { false }
      }
      return .violated(
        .listener(client, listener, target), at: last?.sequence ?? step.sequence,
        isOwn
          ? "after the call the listener shows \(shown), but with the write it is \(expected)"
          : "the listener shows \(shown), but with the pending writes it is \(expected)")
    }
  }
}

extension TurnOccasion {
  /// Whether an earlier pending write lies outside a window that the server has not sent: whether a
  /// client knows that it comes next when there is room again is left open, as both original SDKs do not.
  private func isPushedOut(
    of shown: Node, at target: Operation.Target, besides own: PlainWrite?
  ) -> Bool {
    guard target.query.filters, !listens.hasWindow(of: target) else { return false }
    return calls.pending.contains { write in
      write.number != own?.number
        && write.sets.contains { set in
          set.path.relative(to: target.path)?.keys.first.map { shown[$0].isEmpty } ?? false
        }
    }
  }
}

extension Operation.Target {
  /// What writes make of the window, unless they may concern what the window does not hold.
  fileprivate func window(
    of shown: Node, under sets: [(path: Path, node: Node)], _ profile: Profile
  ) -> Result<Node, Doubt> {
    let node = sets.applied(to: shown, at: path)
    guard query.filters else { return .success(node) }
    for set in sets {
      guard let below = set.path.relative(to: path), below.count > 1,
        let key = below.keys.first
      else { continue }
      if shown[key].isEmpty { return .failure(.outsideWindow) }
    }
    guard query.isSettled(for: node.children, in: profile) else {
      return .failure(.looseOrder)
    }
    return .success(query.asked(in: profile).window(of: node).node)
  }
}

extension [(path: Path, node: Node)] {
  /// Whether something is removed on which a later write builds: laid over their own result, they
  /// would take a priority that is to stay.
  fileprivate var areInterleaved: Bool {
    indices.contains { index in
      self[index].node.isEmpty
        && self[(index + 1)...].contains { $0.path.isRelated(to: self[index].path) }
    }
  }
}
