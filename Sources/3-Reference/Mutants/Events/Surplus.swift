internal import ClientInterface
internal import Interception
internal import Tree
internal import Wire

// Events without a reason, and events that contain something else.

extension Mutant {
  static let surplusMutants = [
    Mutant(
      "additions-twice", "child_added is raised twice.", from: "C5", violating: "EVT-2 EVT-4"
    ) { step in
      step.events { $0.type == .childAdded ? [$0, $0] : [$0] }
    },
    Mutant(
      "additions-again-after-reconnection",
      "The children that are known are added again when the connection comes back.", from: "C5",
      violating: "CON-9 CON-10"
    ) { step in
      guard step.isReconnection else { return step.outputs }
      return step.outputs + step.before.order.flatMap { step.before.additions(of: $0) }
    },
    Mutant(
      "removals-twice", "child_removed is raised twice.", from: "R11"
    ) { step in
      step.events { $0.type == .childRemoved ? [$0, $0] : [$0] }
    },
    Mutant(
      "removal-at-the-beginning",
      "A new listener receives child_removed for a child of its location.",
      from: "R8"
    ) { step in
      guard case let .listen(listener, _, events)? = step.operation,
        events.contains(.childRemoved), let first = step.outputs.first?.event,
        first.type == .childAdded
      else { return step.outputs }
      let removal = Event(.childRemoved, to: listener, key: first.key, value: first.value)
      return step.outputs + [.event(removal)]
    },
    Mutant(
      "values-twice", "Every value is raised twice.", from: "H15", violating: "EVT-13"
    ) { step in
      step.events { $0.type == .value ? [$0, $0] : [$0] }
    },
    Mutant(
      "repeated-data-raise-again", "Data that change nothing raise the value once more.",
      from: "H15", violating: "EVT-12 EVT-13 WRT-9"
    ) { step in
      guard let path = step.dataPath, step.outputs.allSatisfy({ $0.event == nil }) else {
        return step.outputs
      }
      return step.outputs + step.before.values { path.starts(with: $0.target.path) }
    },
    Mutant(
      "equal-numbers-differ", "The server's copy of a number that was written raises it again.",
      from: "R5 H3", violating: "EVT-12"
    ) { step in
      guard case let .frame(.put(path, node, _)) = step.input, case .number? = node.scalar,
        step.outputs.allSatisfy({ $0.event == nil })
      else { return step.outputs }
      return step.outputs + step.before.values { $0.target.path == path }
    },
    Mutant(
      "moves-at-every-change", "A child that changes raises child_moved too.", from: "C4",
      violating: "EVT-11"
    ) { step in
      step.events { event in
        guard event.type == .childChanged else { return [event] }
        var moved = event
        moved.type = .childMoved
        return [moved, event]
      }
    },
    Mutant(
      "change-as-removal-and-addition", "A child that changes is removed and added again.",
      from: "R7", violating: "LIM-12"
    ) { step in
      let changed = step.outputs.compactMap(\.event).filter { $0.type == .childChanged }
      let removals = changed.map { event in
        let old = event.key.flatMap { step.before.listeners[event.listener]?.children[$0] }
        return Event(
          .childRemoved, to: event.listener, key: event.key, value: old ?? event.value)
      }
      return removals.map { .event($0) }
        + step.events(.childChanged) { $0.type = .childAdded }
    },
    Mutant(
      "removals-bring-nothing", "A removed child has no value.", from: "R18", violating: "EVT-6"
    ) { step in
      step.events(.childRemoved) { $0.value = .empty }
    },
    Mutant(
      "value-of-what-changed", "A value has only the children that have changed.", from: "R18"
    ) { step in
      step.events(.value) { event in
        guard step.dataPath != nil, let old = step.before.listeners[event.listener]?.value,
          !event.value.isScalar, !old.isScalar
        else { return }
        let changes = event.value.children.differences(from: old.children)
        event.value = Node(Children(changes.map { ($0.key, $0.new) }))
      }
    },
    Mutant(
      "every-kind-of-event", "Listeners learn of moves that they did not ask for.", from: "R2",
      violating: "EVT-1"
    ) {
      step in
      step.events { event in
        guard event.type == .childAdded, let listener = step.after.listeners[event.listener],
          !listener.events.contains(.childMoved)
        else { return [event] }
        var moved = event
        moved.type = .childMoved
        return [event, moved]
      }
    },
  ]
}
