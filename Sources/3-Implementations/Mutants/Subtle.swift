internal import ClientInterface
internal import ReferenceClient
internal import RunModel
internal import Tree
internal import Wire

// Defects that show only where several things come together: what hunts are measured with.

extension Mutant {
  /// Defects that drawn scenarios rarely show, and that no scenario of the suite is there for. They
  /// are no part of `all`.
  public static let subtle =
    subtleInViews + subtleInTransactions + subtleInListens + subtleElsewhere

  private static let subtleInViews: [Mutant] = [
    Mutant(
      "windows-hide-covers", "A window counts more than an unfiltered listener above it.",
      violating: "EVT-19"
    ).deciding { $0.views.coversPrecedeWindows = false },
    Mutant(
      "ranges-hold-everything", "A range whose limit is not reached counts as all there is.",
      violating: "WRT-16"
    ).deciding { $0.views.boundsHide = false },
    Mutant(
      "emptied-children-are-unknown",
      "A child whose last leaf a pending write took is unknown to the next write below it.",
      violating: "WRT-13"
    ).deciding { $0.views.emptiedChildrenAreKnown = false },
    Mutant(
      "unseen-counts-as-empty",
      "A query shows what is written below a child that it does not know.", violating: "WRT-21"
    ).deciding { $0.views.unknownChildrenStayHidden = false },
    Mutant(
      "writes-outside-stay", "What a write put outside a window stays known.", violating: "LIM-10"
    ).deciding { $0.writesOutsideAreForgotten = false },
    Mutant(
      "covers-reach-nothing",
      "Data of an unfiltered listener change no window below it that was sent by itself.",
      violating: "EVT-14"
    ).deciding { $0.coversReachWindows = false },
    Mutant(
      "third-listeners-miss-moves", "The third listener of a query receives no child_moved.",
      violating: "EVT-11"
    ).withoutEvents { step, event in
      guard event.type == .childMoved, let target = step.after[event.listener]?.target else {
        return false
      }
      let others = step.after.listeners.filter { $0.target == target }
      return others.dropFirst(2).first?.id == event.listener
    },
  ]

  private static let subtleInTransactions: [Mutant] = [
    Mutant(
      "updates-go-child-by-child",
      "An update ends transactions child by child, and others run again in between.",
      violating: "TXN-9", in: [.firebase]
    ).deciding { $0.updatesOvertakeAtOnce = false },
    Mutant(
      "sent-as-they-were",
      "A transaction that waited for another is sent without a look at what has changed.",
      violating: "TXN-26"
    ).deciding { $0.inputIsCheckedBeforeSending = false },
    Mutant(
      "hashes-vouch-for-less", "A transaction does not see what only those below it know.",
      violating: "TXN-26"
    ).deciding { $0.functionsSeeParts = false },
  ]

  private static let subtleInListens: [Mutant] = [
    Mutant(
      "refused-stay-synchronized", "What is kept synchronised still is after a refusal.",
      violating: "ACC-10"
    ).deciding { $0.refusalsEndSynchronization = false },
    Mutant(
      "refusals-beside-queries-are-silent",
      "A listener whose query is refused is not cancelled if others listen there.",
      violating: "ACC-1"
    ).outputs { step in
      guard case let .listen(listen)? = step.answered, listen.query != nil,
        step.after.listeners.contains(where: { $0.target.path == listen.path })
      else { return nil }
      return step.outputs.filter { !$0.isCancel }
    },
    Mutant(
      "third-connections-drop-a-write",
      "A write that was sent on two connections is not sent on another.", violating: "OFF-4"
    ).outputs(remembering: [(request: Request, count: Int)]()) { step, sent in
      if let answered = step.answered { sent.removeAll { $0.request == answered } }
      return step.requests { request in
        guard request.isPlainWrite else { return nil }
        guard let index = sent.firstIndex(where: { $0.request == request }) else {
          sent.append((request, 1))
          return nil
        }
        if step.isReconnection { sent[index].count += 1 }
        return step.isReconnection && sent[index].count > 2 ? [] : nil
      }
    },
  ]

  private static let subtleElsewhere: [Mutant] = [
    Mutant(
      "listened-again-offline-is-not-sent",
      "A listener that is removed and registered again without a connection is not restored.",
      violating: "CON-10"
    ).outputs(remembering: (removed: [Operation.Target](), again: [Path]())) { step, memory in
      if !step.before.link.hasReceivedHello {
        if case let .unlisten(listener, _)? = step.operation {
          memory.removed += [step.before[listener]?.target].compactMap { $0 }
        } else if case let .listen(_, target, _)? = step.operation, memory.removed.contains(target)
        {
          memory.again.append(target.path)
        }
      }
      guard step.isHello else { return nil }
      defer { memory = ([], []) }
      let lost = memory.again
      return step.withoutRequests { $0.isListen && $0.path.map(lost.contains) == true }
    },
    Mutant(
      "watches-count-as-listeners",
      "A listener where only a transaction on its way watches receives no first value.",
      violating: "OBS-2"
    ).withoutEvents { step, event in
      guard case .listen(event.listener, let target, _)? = step.operation, event.type == .value
      else { return false }
      return !step.before.listeners.contains { $0.target.path == target.path }
        && step.before.hasTransaction(at: target.path)
    },
    Mutant(
      "refused-updates-end-silently",
      "An update that is refused on a new connection does not complete.", violating: "WRT-10"
    ).outputs(when: \.isRefusal) { step in
      guard case .merge? = step.answered, step.before.link.helloCount > 1 else { return nil }
      return step.outputs.filter { !$0.isEnd }
    },
    Mutant(
      "single-reads-miss-transactions",
      "A single read does not end while a transaction of its location is on its way.",
      violating: "OBS-10"
    ).withoutEvents { step, event in
      guard let listener = step.before[event.listener], listener.isOnce else { return false }
      return step.before.hasTransaction(at: listener.target.path)
    },
    Mutant(
      "third-results-are-those-before",
      "Of three transactions that are accepted together, the last has the value of another.",
      violating: "TXN-22"
    ).outputs { step in
      let committed = step.outputs.indices.filter { index in
        if case let .completed(_, completion) = step.outputs[index] {
          completion.committed == true
        } else {
          false
        }
      }
      guard committed.count > 2, let last = committed.last,
        case let .completed(call, _) = step.outputs[last],
        case let .completed(_, other) = step.outputs[committed[committed.count - 2]]
      else { return nil }
      var outputs = step.outputs
      outputs[last] = .completed(call, other)
      return outputs
    },
    Mutant(
      "kept-data-miss-writes",
      "An answered write changes nothing of what is kept without a listener.", violating: "OFF-24",
      component: .persistence
    ).deciding { $0.keptDataFollowWrites = false },
  ]
}
