package import ClientInterface
package import Tree

// What listeners were shown, for clients that change it.

extension ClientModel {
  /// What a listener would receive if it were new.
  package func additions(of listener: ListenerID) -> [ClientOutput] {
    guard let state = listeners[listener], state.events.contains(.childAdded) else { return [] }
    return state.window.indices.compactMap { index in
      let key = state.window[index]
      guard let node = state.children[key] else { return nil }
      return .event(
        Event(
          .childAdded, to: listener, key: key,
          previous: Event.Previous(index == 0 ? nil : state.window[index - 1]), value: node))
    }
  }

  /// The values once more that the listeners received last that satisfy a condition.
  package func values(where isMeant: (Listener) -> Bool) -> [ClientOutput] {
    listeners(where: isMeant).compactMap { id in
      guard let listener = listeners[id], let value = listener.value else { return nil }
      return .event(
        Event(
          .value, to: id, key: listener.target.path.key, value: value,
          order: .sorted(listener.target.query.ordering)))
    }
  }

  /// What listeners were shown last of a location; `nil` when none shows it.
  package func node(at path: Path) -> Node? {
    for listener in order.compactMap({ listeners[$0] }) where !listener.target.query.filters {
      guard let way = path.relative(to: listener.target.path) else { continue }
      if let value = listener.value { return value[way] }
    }
    return nil
  }

  /// What a listener of everything at `path` was shown last.
  package func value(at path: Path) -> Node? {
    listeners { $0.target == .init(path) && $0.value != nil }.first.flatMap {
      listeners[$0]?.value
    }
  }

  /// A node that listeners show and that has this hash.
  package func shown(whoseHashIs hash: String) -> Node? {
    for listener in order.compactMap({ listeners[$0] }) {
      let shown =
        [listener.value].compactMap { $0 } + listener.window.compactMap { listener.children[$0] }
      if let node = shown.first(where: { $0.hash == hash }) { return node }
    }
    return nil
  }
}
