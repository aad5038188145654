internal import ClientInterface
internal import Tree

/// One registration of a listener with a view.
struct Registration {
  enum Lifetime {
    case lasting
    /// Removed just before its first event.
    case once
  }

  /// Distinguishes registrations; counts up in order of registration.
  let token: Int
  /// The listener, or `nil` for a transaction that only watches the data.
  let listener: ListenerID?
  let events: Set<EventType>
  let lifetime: Lifetime
  /// Whether it receives anything but values.
  let receivesChildren: Bool

  init(token: Int, listener: ListenerID?, events: Set<EventType>, lifetime: Lifetime) {
    (self.token, self.listener, self.events, self.lifetime) = (token, listener, events, lifetime)
    receivesChildren = events.contains { $0 != .value }
  }
}

/// Where a listener, or a transaction, is registered.
struct Listening {
  let token: Int
  let path: Path
}

/// An event on its way to a registration.
struct PendingEvent {
  let token: Int
  let lifetime: Registration.Lifetime
  let path: Path
  /// What to report to the application; `nil` when the registration is a mere watch, and when it has
  /// been reported.
  var output: ClientOutput?
}

/// One difference between two windows.
struct WindowChange {
  let type: EventType
  /// The child; `nil` for a value event.
  let key: Key?
  let node: Node
  let previous: Event.Previous
}

extension Window {
  /// What changed since `old`: removed, added, moved, changed, then value (EVT-8); of the children
  /// only where they are asked for.
  ///
  /// Within a kind the order is that of the window; removed children are in their old order. The
  /// previous key is always that of the new window, as it is after the whole change (EVT-10).
  ///
  /// - Complexity: O(*d* log *n*) for *d* different children, when the windows share structure.
  func changes(
    since old: Window, wasShown: Bool, isShown: Bool, ofChildren: Bool
  ) -> [WindowChange] {
    if isShown == wasShown, node == old.node { return [] }
    guard ofChildren else { return isShown ? [valueChange] : [] }
    let differences = node.children.differences(from: old.node.children)
    var changes: [WindowChange] = []
    changes.reserveCapacity(differences.count + 2)
    var (removed, added, moved, kept): ([Key], [Key], [Key], [Key]) = ([], [], [], [])
    for difference in differences {
      if difference.new.isEmpty {
        removed.append(difference.key)
      } else if difference.old.isEmpty {
        added.append(difference.key)
      } else {
        kept.append(difference.key)
        if ordering.moves(from: difference.old, to: difference.new) {
          moved.append(difference.key)
        }
      }
    }
    old.append(.childRemoved, old.ordered(removed), to: &changes)
    append(.childAdded, ordered(added), to: &changes)
    append(.childMoved, ordered(moved), to: &changes)
    append(.childChanged, ordered(kept), to: &changes)
    if isShown, !wasShown || node != old.node { changes.append(valueChange) }
    return changes
  }

  /// What shows the window to a listener who is new to it (OBS-2).
  func initialChanges(isShown: Bool) -> [WindowChange] {
    var changes: [WindowChange] = []
    append(.childAdded, keys, to: &changes)
    if isShown { changes.append(valueChange) }
    return changes
  }

  /// The keys beside the child of a change, in the order of the window; `nil` at an end of it.
  func neighbours(of change: WindowChange) -> [Key?] {
    let keys = keys
    guard let index = keys.firstIndex(where: { $0 == change.key }) else { return [] }
    return [index > 0 ? keys[index - 1] : nil, index + 1 < keys.count ? keys[index + 1] : nil]
  }

  private var valueChange: WindowChange {
    WindowChange(type: .value, key: nil, node: node, previous: .none)
  }

  /// Keys that are in key order, in the order of this window.
  private func ordered(_ keys: [Key]) -> [Key] { isInKeyOrder ? keys : sorted(keys) }

  /// - Precondition: The keys are in the order of this window.
  private func append(_ type: EventType, _ keys: [Key], to changes: inout [WindowChange]) {
    for key in keys {
      let previous: Event.Previous = type == .childRemoved ? .none : .init(self.key(before: key))
      changes.append(WindowChange(type: type, key: key, node: node[key], previous: previous))
    }
  }
}
