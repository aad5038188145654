internal import ClientInterface
internal import Interception
internal import Tree

// Children at the wrong location.

extension Mutant {
  /// Child events name a previous key from the window before the change, unless it was empty (C3).
  public static let stalePreviousKey = Mutant(
    "stale-previous-key",
    "The previous key is looked up in the window as it was before the change.", from: "C3",
    violating: "EVT-10"
  ) { step in
    step.events { event in
      guard let key = event.key, event.previous != .none,
        let old = step.before.listeners[event.listener]?.window, !old.isEmpty
      else { return [event] }
      var stale = event
      let new = step.after.listeners[event.listener]?.window ?? []
      stale.previous = stalePrevious(of: key, old, new)
      return [stale]
    }
  }

  static let previousKeyMutants = [
    stalePreviousKey,
    Mutant(
      "stale-previous-key-of-moves",
      "A child that moves brings the previous key that it had before.", from: "C3",
      violating: "EVT-10"
    ) { step in
      step.events(.childMoved) { event in
        guard let key = event.key, let old = step.before.listeners[event.listener]?.window,
          let index = old.firstIndex(of: key)
        else { return }
        event.previous = Event.Previous(old[..<index].last)
      }
    },
    Mutant(
      "empty-key-at-the-head", "The first child comes after a key without characters.", from: "C2",
      violating: "EVT-10"
    ) { step in
      step.events { event in
        var wrong = event
        if event.previous == .first { wrong.previous = .key(Key("")) }
        return [wrong]
      }
    },
    Mutant(
      "every-child-is-the-first", "Every child that is added is the first.", from: "C2",
      violating: "EVT-10"
    ) {
      step in
      step.events(.childAdded) { $0.previous = .first }
    },
    Mutant(
      "additions-at-the-end", "Every child that is added comes after all that are there.",
      from: "R12", violating: "EVT-25"
    ) { step in
      step.events(.childAdded) { event in
        guard let last = step.before.listeners[event.listener]?.window.last else { return }
        event.previous = .key(last)
      }
    },
    Mutant(
      "numbers-sorted-as-text", "Keys that are numbers are sorted as text.", from: "C36",
      violating: "KEY-2 QRY-3"
    ) { step in
      step.sortingEvents(by: { $0.text < $1.text }) { listener, _ in
        listener.target.query.ordering == .key || listener.target.query == .all
      }
    },
    Mutant(
      "order-lost-beside-a-plain-listener",
      "A query's order is that of the keys while everything there is listened to as well.",
      from: "R26 R35", violating: "QRY-21"
    ) { step in
      step.sortingEvents(by: <) { listener, model in
        listener.target.query.ordering != .key && listener.target.query != .all
          && !model.listeners { $0.target == .init(listener.target.path) }.isEmpty
      }
    },
  ]

  /// What came before a key in the old window; before a new key, what of the old window stands
  /// before it in the new one.
  private static func stalePrevious(of key: Key, _ old: [Key], _ new: [Key]) -> Event.Previous {
    if let index = old.firstIndex(of: key) { return Event.Previous(old[..<index].last) }
    let ahead = new.prefix { $0 != key }
    return Event.Previous(ahead.last(where: old.contains))
  }
}

extension InterceptedStep {
  /// The outputs with the children of some listeners in another order.
  fileprivate func sortingEvents(
    by precedes: (Key, Key) -> Bool, _ isMeant: (ClientModel.Listener, ClientModel) -> Bool
  ) -> [ClientOutput] {
    listingEvents { listener, children in
      isMeant(listener, after) ? children.keys.sorted(by: precedes) : nil
    }
  }

  /// The outputs with the children of some listeners listed as a function has them, values and
  /// previous keys alike; `nil` leaves the order as it is.
  func listingEvents(
    _ order: (ClientModel.Listener, Children) -> [Key]?
  ) -> [ClientOutput] {
    events { event in
      guard let listener = after.listeners[event.listener] ?? before.listeners[event.listener]
      else {
        return [event]
      }
      var wrong = event
      if event.type == .value {
        if let keys = order(listener, event.value.children) { wrong.order = .listed(keys) }
      } else if event.previous != .none, let key = event.key,
        let keys = order(
          listener,
          Children(
            listener.window.compactMap { key in
              listener.children[key].map { (key, $0) }
            }))
      {
        wrong.previous = Event.Previous(keys.prefix { $0 != key }.last)
      }
      return [wrong]
    }
  }
}
