internal import ClientInterface
internal import Interception
internal import Tree
internal import Wire

// Events that are owed and not raised.

extension Mutant {
  /// Holds the events of a local write until the next data or answer of the server (C26).
  public static let lostEcho = Mutant(
    "lost-echo", "The events of a local write are not raised until the server answers.",
    from: "C26", violating: "OFF-2 WRT-8 PSH-6", remembering: [ClientOutput]()
  ) { step, held in
    if case let .unlisten(listener, _)? = step.operation {
      held.removeAll { $0.event?.listener == listener }
    } else if step.operation?.isWrite == true {
      held += step.outputs.filter { $0.event != nil }
      return step.outputs.filter { $0.event == nil }
    } else if step.dataPath != nil || step.response != nil {
      defer { held = [] }
      return held + step.outputs
    }
    return step.outputs
  }

  static let missingMutants = [
    Mutant(
      "priority-change-unmoved",
      "A move because of the priority alone is not raised.", from: "C4", violating: "EVT-22 PRI-11"
    ) { step in
      step.withoutEvents { $0.type == .childMoved && step.isPriorityChange($0) }
    },
    Mutant(
      "priority-change-unnoticed", "A change of a priority alone raises no child event.",
      from: "H6", violating: "EVT-22 PRI-11"
    ) { step in
      step.withoutEvents {
        $0.type != .value && $0.type != .childRemoved && step.isPriorityChange($0)
      }
    },
    Mutant(
      "changes-kept-quiet", "child_changed is not raised.", from: "H3", violating: "EVT-5 EVT-25"
    ) { step in
      step.withoutEvents { $0.type == .childChanged }
    },
    Mutant(
      "moves-once-only", "The third move of a child and later ones are not raised.",
      from: "H8", violating: "EVT-11", remembering: [ListenerID: [Key]]()
    ) { step, moved in
      step.withoutEvents { event in
        guard event.type == .childMoved, let key = event.key else { return false }
        moved[event.listener, default: []].append(key)
        return (moved[event.listener] ?? []).filter { $0 == key }.count > 2
      }
    },
    Mutant(
      "no-removal-of-numbered-children",
      "A child with a number for a key that was there from the beginning raises no child_removed.",
      from: "H2", remembering: [ListenerID: [Key]]()
    ) { step, initial in
      if case let .listen(listener, _, _)? = step.operation { initial[listener] = [] }
      for case let .event(event) in step.outputs where event.type == .childAdded {
        let isFirst = step.before.listeners[event.listener]?.value == nil
        if isFirst, let key = event.key { initial[event.listener, default: []].append(key) }
      }
      return step.withoutEvents { event in
        guard event.type == .childRemoved, let key = event.key, key.integer != nil else {
          return false
        }
        return initial[event.listener]?.contains(key) == true
      }
    },
    Mutant(
      "null-is-not-told", "A listener of a location where nothing is receives no first value.",
      from: "H9", violating: "EVT-3 SNP-2"
    ) { step in
      step.withoutEvents {
        $0.type == .value && $0.value.isEmpty && step.before.listeners[$0.listener]?.value == nil
      }
    },
    Mutant(
      "emptied-children-stay", "A child whose last part is removed raises no child_removed.",
      from: "C35", violating: "VAL-4"
    ) { step in
      guard let emptied = step.emptiedPath else { return step.outputs }
      return step.withoutEvents { event in
        guard event.type == .childRemoved, let key = event.key,
          let path = step.before.listeners[event.listener]?.target.path.appending(key)
        else { return false }
        return emptied.count > path.count && emptied.starts(with: path)
      }
    },
    Mutant(
      "the-last-event-is-lost", "The last event of a change by another client is not raised.",
      from: "R24", violating: "EVT-23"
    ) { step in
      guard case .frame(.merge) = step.input,
        let last = step.outputs.lastIndex(where: { $0.event != nil })
      else { return step.outputs }
      return Array(step.outputs[..<last] + step.outputs[(last + 1)...])
    },
  ]
}

extension InterceptedStep {
  /// Whether a child is the same as before apart from its priority.
  fileprivate func isPriorityChange(_ event: Event) -> Bool {
    guard let key = event.key, let old = before.listeners[event.listener]?.children[key] else {
      return false
    }
    return old.priority != event.value.priority
      && old.settingPriority(nil) == event.value.settingPriority(nil)
  }

  /// Where this removes what is there.
  fileprivate var emptiedPath: Path? {
    switch input {
    case let .call(_, .remove(path)): path
    case let .call(_, .set(path, node)) where node.isEmpty: path
    case let .frame(.put(path, node, _)) where node.isEmpty: path
    default: nil
    }
  }
}
