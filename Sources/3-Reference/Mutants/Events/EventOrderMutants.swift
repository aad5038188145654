internal import ClientInterface
internal import Interception
internal import Tree

// The right events in a wrong order.

extension Mutant {
  /// All events are raised, but within a change the value event comes first (C1).
  public static let valueFirst = Mutant(
    "value-first", "A value event is raised before the child events of the same change.",
    from: "C1", violating: "EVT-7"
  ) { $0.outputs.withValuesFirst }

  static let eventMutants =
    [
      valueFirst, lostEcho,
      Mutant(
        "additions-before-removals", "In one change children are added before others are removed.",
        from: "C6", violating: "EVT-8 EVT-20"
      ) { $0.outputs.orderingEvents { $0 == .childAdded ? -1 : 0 } },
      Mutant(
        "changes-before-moves", "A move is raised after the change of the same child.", from: "C3",
        violating: "EVT-8"
      ) { $0.outputs.orderingEvents { $0 == .childMoved ? 1 : $0 == .value ? 2 : 0 } },
      Mutant(
        "reversed-additions", "Several children that are added at once are raised last to first.",
        from: "R12", violating: "EVT-2 EVT-9"
      ) { $0.outputs.reversing(.childAdded) },
      Mutant(
        "ends-before-events", "The completion of a write comes before the events of its answer.",
        from: "R9", violating: "WRT-11 TXN-18"
      ) { step in
        step.outputs.filter(\.isEnd) + step.outputs.filter { !$0.isEnd }
      },
      Mutant(
        "ancestors-first", "Listeners further up learn of a change before those below.",
        from: "R17", violating: "EVT-15"
      ) { step in
        step.outputs.permutingEvents { events in
          events.stablySorted { a, b in
            let depths = [a, b].map { step.depth(of: $0.listener) }
            return depths[0] < depths[1]
          }
        }
      },
    ] + missingMutants + surplusMutants
}

extension InterceptedStep {
  fileprivate func depth(of listener: ListenerID) -> Int {
    (before.listeners[listener] ?? after.listeners[listener])?.target.path.count ?? 0
  }
}

extension [ClientOutput] {
  fileprivate var withValuesFirst: [ClientOutput] {
    var result = self
    // Where the events of a listener stand that no value event has ended yet.
    var open: [ListenerID: [Int]] = [:]
    for index in indices {
      guard let event = self[index].event else { continue }
      let positions = open[event.listener, default: []] + [index]
      guard event.type == .value else {
        open[event.listener] = positions
        continue
      }
      open[event.listener] = nil
      let rotated = [index] + positions.dropLast()
      for (position, source) in zip(positions, rotated) { result[position] = self[source] }
    }
    return result
  }

  /// The same with the events in another order, at the locations where events stood.
  func permutingEvents(_ permute: ([Event]) -> [Event]) -> [ClientOutput] {
    let positions = indices.filter { self[$0].event != nil }
    var result = self
    for (position, event) in zip(positions, permute(compactMap(\.event))) {
      result[position] = .event(event)
    }
    return result
  }

  /// Each listener's events ordered by a rank of their types, at the locations where they stood.
  fileprivate func orderingEvents(_ rank: (EventType) -> Int) -> [ClientOutput] {
    reordering { events in events.stablySorted { rank($0.type) < rank($1.type) } }
  }

  fileprivate func reversing(_ type: EventType) -> [ClientOutput] {
    reordering { events in
      let positions = events.indices.filter { events[$0].type == type }
      var result = events
      for (position, source) in zip(positions, positions.reversed()) {
        result[position] = events[source]
      }
      return result
    }
  }

  private func reordering(_ change: ([Event]) -> [Event]) -> [ClientOutput] {
    var result = self
    var done: Set<ListenerID> = []
    for listener in compactMap({ $0.event?.listener }) where done.insert(listener).inserted {
      let positions = indices.filter { self[$0].event?.listener == listener }
      let events = change(positions.compactMap { self[$0].event })
      for (position, event) in zip(positions, events) { result[position] = .event(event) }
    }
    return result
  }
}

extension [Event] {
  func stablySorted(by precedes: (Event, Event) -> Bool) -> [Event] {
    enumerated().sorted { a, b in
      if precedes(a.element, b.element) { return true }
      return !precedes(b.element, a.element) && a.offset < b.offset
    }.map(\.element)
  }
}
