internal import ClientInterface
internal import Tree

/// One difference between two windows.
struct Change {
  let type: EventType
  /// The child; `nil` for a value event.
  let key: Key?
  let node: Node
  let previous: Event.Previous
}

extension Window {
  /// What changed since `old`: removed, added, moved, changed, then value (EVT-8).
  ///
  /// Within a kind the order is that of the window; removed children are in their old order. The
  /// previous key is always that of the new window, as it is after the whole change (EVT-10).
  ///
  /// - Complexity: O(*d* log *n*) for *d* different children, when the windows share structure.
  func changes(since old: Window, wasShown: Bool, isShown: Bool) -> [Change] {
    if isShown == wasShown, node == old.node { return [] }
    let differences = node.children.differences(from: old.node.children)
    let removed = differences.filter { $0.new.isEmpty }.map(\.key)
    let added = differences.filter { $0.old.isEmpty }.map(\.key)
    let kept = differences.filter { !$0.old.isEmpty && !$0.new.isEmpty }
    let moved = kept.filter { ordering.moves(from: $0.old, to: $0.new) }.map(\.key)

    var changes = old.sorted(removed).map {
      Change(type: .childRemoved, key: $0, node: old.node[$0], previous: .none)
    }
    changes += self.changes(.childAdded, added)
    changes += self.changes(.childMoved, moved)
    changes += self.changes(.childChanged, kept.map(\.key))
    if isShown, !wasShown || node != old.node { changes.append(valueChange) }
    return changes
  }

  /// The events that show the window to a listener who is new to it (OBS-2).
  func initialChanges(isShown: Bool) -> [Change] {
    changes(.childAdded, keys) + (isShown ? [valueChange] : [])
  }

  private var valueChange: Change {
    Change(type: .value, key: nil, node: node, previous: .none)
  }

  private func changes(_ type: EventType, _ keys: [Key]) -> [Change] {
    sorted(keys).map { key in
      Change(type: type, key: key, node: node[key], previous: .init(self.key(before: key)))
    }
  }
}

extension View {
  /// The events that `changes` owe to `registrations`: change by change, and for each change
  /// listener by listener in order of registration (EVT-17).
  func events(for changes: [Change], to registrations: [Registration]) -> [Raised] {
    changes.flatMap { change in
      registrations.filter { $0.events.contains(change.type) }.map { registration in
        Raised(
          token: registration.token, lifetime: registration.lifetime, place: path,
          output: registration.listener.map { .event(event(for: change, to: $0)) })
      }
    }
  }

  private func event(for change: Change, to listener: ListenerID) -> Event {
    Event(
      change.type, to: listener, key: change.type == .value ? path.key : change.key,
      previous: change.previous, value: change.node,
      order: change.type == .value ? .sorted(query.ordering) : .unstated)
  }
}
