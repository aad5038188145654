internal import ClientInterface
internal import Interception
internal import ReferenceClient
internal import Tree
internal import Wire

// What a limited window shows.

extension Mutant {
  /// Neither the event nor the snapshots show the child that refills a limited window (R28).
  public static let noRefill = Mutant(
    "no-refill", "The child that enters a limited window after a removal is not raised.",
    from: "R28", violating: "EVT-21 LIM-7 LIM-8 LIM-9", wrapping: { NoRefill(client: $0) })

  static let windowMutants = [
    noRefill,
    Mutant(
      "no-removal-when-the-window-slides",
      "The child that a new one pushes out of a limited window raises no child_removed.",
      from: "C6 R28", violating: "EVT-20 EVT-25 LIM-5"
    ) { step in
      step.withoutEvents { event in
        event.type == .childRemoved && step.hasLimit(event.listener)
          && step.outputs.contains {
            $0.event?.listener == event.listener && $0.event?.type == .childAdded
          }
      }
    },
    Mutant(
      "too-many-at-first",
      "A new limited window over known data first has all of them, then loses what is too much.",
      from: "R27", violating: "LIM-4"
    ) { step in
      guard case let .listen(listener, target, events)? = step.operation,
        target.query.limit != nil, events.contains(.childAdded),
        let all = step.before.value(at: target.path)
      else { return step.outputs }
      let shown = step.after.listeners[listener]?.window ?? []
      let surplus = target.query.ordering.keys(of: all.children).filter { !shown.contains($0) }
      let added = surplus.map { key in
        Event(.childAdded, to: listener, key: key, previous: .first, value: all[key])
      }
      let removed = added.filter { _ in events.contains(.childRemoved) }.map { event in
        Event(.childRemoved, to: listener, key: event.key, value: event.value)
      }
      return (added + removed).map { .event($0) } + step.outputs
    },
    Mutant(
      "limit-is-one-more", "A limited window has one child more than it may.", from: "H11",
      violating: "LIM-4 LIM-13"
    ) {
      input, _ in
      [input.withQuery { $0.limit = $0.limit.map { $0.grown(by: 1) } }]
    },
    Mutant(
      "limits-are-confused",
      "A query by limitToLast shows what limitToFirst does while that is listened to there.",
      from: "H12 R25", violating: "LIM-1 QRY-21"
    ) { input, model in
      guard let path = input.target?.path else { return [input] }
      let isTaken = !model.listeners { listener in
        if case .first? = listener.target.query.limit {
          listener.target.path == path
        } else {
          false
        }
      }.isEmpty
      return [
        input.withQuery { query in
          if isTaken, case let .last(count)? = query.limit { query.limit = .first(count) }
        }
      ]
    },
    Mutant(
      "windows-count-as-everything",
      "What a query shows counts as all that is at its location.", from: "R21 R34 R35 H18",
      violating: "EVT-19 LIM-10",
      deciding: { $0.countsAsAll = { $1 && $0.filters } }),
    Mutant(
      "windows-with-room-are-parts",
      "A window that has room for more is taken for a part of what is there.", from: "C51",
      violating: "WRT-13", deciding: { $0.views.windowsWithRoomAreWhole = false }),
    Mutant(
      "windows-are-forgotten",
      "Data below a window make the rest of the location count as empty.", from: "ACC-105",
      violating: "EVT-19",
      deciding: { $0.windowsStayWindows = false }),
    Mutant(
      "tags-are-ignored", "Data for one query are taken for the data of their whole location.",
      from: "R19 R20 H1 H7", violating: "EVT-19 QRY-21 WIR-7 LIM-10"
    ) { input, _ in
      switch input {
      case let .frame(.put(path, node, tag: .some)): return [.frame(.put(path, node, tag: nil))]
      case let .frame(.merge(path, changes, tag: .some)):
        return [.frame(.merge(path, changes, tag: nil))]
      default: return [input]
      }
    },
  ]
}

extension InterceptedStep {
  fileprivate func hasLimit(_ listener: ListenerID) -> Bool {
    after.listeners[listener]?.target.query.limit != nil
  }
}

extension Query.Limit {
  fileprivate func grown(by count: Int) -> Query.Limit {
    switch self {
    case let .first(limit): .first(limit + count)
    case let .last(limit): .last(limit + count)
    }
  }
}
