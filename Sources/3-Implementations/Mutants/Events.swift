internal import ClientInterface
internal import RunModel
internal import Tree
internal import Wire

// Events in a wrong order, missing, without a reason, or with something else in them.

extension Mutant {
  // The right events in a wrong order.

  /// All events are raised, but within a change the value event comes first (C1).
  public static let valueFirst = Mutant(
    "value-first", "A value event is raised before the child events of the same change.",
    from: "C1", violating: "EVT-7"
  ).outputs { $0.outputs.withValuesFirst }

  static let eventMutants: [Mutant] =
    [
      valueFirst, lostEcho,
      Mutant(
        "additions-before-removals", "In one change children are added before others are removed.",
        from: "C6", violating: "EVT-8 EVT-20"
      ).outputs { $0.outputs.orderingEvents { $0 == .childAdded ? -1 : 0 } },
      Mutant(
        "changes-before-moves", "A move is raised after the change of the same child.", from: "C3",
        violating: "EVT-8"
      ).outputs { $0.outputs.orderingEvents { $0 == .childMoved ? 1 : $0 == .value ? 2 : 0 } },
      Mutant(
        "reversed-additions", "Several children that are added at once are raised last to first.",
        from: "R12", violating: "EVT-2 EVT-9"
      ).outputs { $0.outputs.reversing(.childAdded) },
      Mutant(
        "ends-before-events", "The completion of a write comes before the events of its answer.",
        from: "R9", violating: "WRT-11 TXN-18"
      ).outputs { $0.outputs.filter(\.isEnd) + $0.outputs.filter { !$0.isEnd } },
      Mutant(
        "ancestors-first", "Listeners further up learn of a change before those below.",
        from: "R17", violating: "EVT-15"
      ).outputs { step in
        step.outputs.permutingEvents { events in
          events.stablySorted { step.depth(of: $0) < step.depth(of: $1) }
        }
      },
    ] + missingMutants + surplusMutants

  // In which order the listeners of one query are called.

  static let betweenListenerMutants: [Mutant] = [
    Mutant(
      "value-first-across",
      "The listeners that receive only values are called before the others of their query.",
      violating: "EVT-7 EVT-17"
    ).outputs { step in
      step.outputs.permutingEvents { events in
        events.stablySorted { a, b in
          step.target(of: a) == step.target(of: b) && step.isOfValuesOnly(a)
            && !step.isOfValuesOnly(b)
        }
      }
    },
    Mutant(
      "listener-by-listener",
      "A listener receives all events of a change before the next one receives the first.",
      violating: "EVT-17"
    ).outputs { step in
      step.outputs.permutingEvents { events in
        let order = events.map(\.listener)
        return events.stablySorted { a, b in
          step.target(of: a) == step.target(of: b)
            && order.firstIndex(of: a.listener) ?? 0 < order.firstIndex(of: b.listener) ?? 0
        }
      }
    },
  ]

  // Events that are owed and not raised.

  /// Holds the events of a local write until the next data or answer of the server (C26).
  public static let lostEcho = Mutant(
    "lost-echo", "The events of a local write are not raised until the server answers.",
    from: "C26", violating: "OFF-2 WRT-8 PSH-6"
  ).outputs(remembering: [ClientOutput]()) { step, held in
    if case let .unlisten(listener, _)? = step.operation {
      held.removeAll { $0.event?.listener == listener }
    } else if step.operation?.isWrite == true {
      held += step.outputs.filter { $0.event != nil }
      return step.outputs.filter { $0.event == nil }
    } else if step.input.dataPath != nil || step.response != nil {
      defer { held = [] }
      return held + step.outputs
    }
    return nil
  }

  static let missingMutants: [Mutant] = [
    Mutant(
      "priority-change-unmoved", "A move because of the priority alone is not raised.", from: "C4",
      violating: "EVT-22 PRI-11 EVT-11"
    ).withoutEvents { step, event in event.type == .childMoved && step.isPriorityChange(event) },
    Mutant(
      "priority-change-unnoticed", "A change of a priority alone raises no child event.",
      from: "H6", violating: "EVT-22 PRI-11 EVT-11"
    ).withoutEvents { step, event in
      event.type != .value && event.type != .childRemoved && step.isPriorityChange(event)
    },
    Mutant(
      "changes-kept-quiet", "child_changed is not raised.", from: "H3", violating: "EVT-5 EVT-25"
    ).withoutEvents { _, event in event.type == .childChanged },
    Mutant(
      "moves-once-only", "The third move of a child and later ones are not raised.", from: "H8",
      violating: "EVT-11"
    ).outputs(remembering: [ListenerID: [Key]]()) { step, moved in
      step.withoutEvents { event in
        guard event.type == .childMoved, let key = event.key else { return false }
        moved[event.listener, default: []].append(key)
        return (moved[event.listener] ?? []).filter { $0 == key }.count > 2
      }
    },
    Mutant(
      "no-removal-of-numbered-children",
      "A child with a number for a key that was there from the beginning raises no child_removed.",
      from: "H2"
    ).outputs(remembering: [ListenerID: [Key]]()) { step, initial in
      if case let .listen(listener, _, _)? = step.operation { initial[listener] = [] }
      for case let .event(event) in step.outputs where event.type == .childAdded {
        let isFirst = step.before[event.listener]?.value == nil
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
    ).withoutEvents { step, event in
      event.type == .value && event.value.isEmpty && step.before[event.listener]?.value == nil
    },
    Mutant(
      "value-at-first-only", "A value listener is called once and not after later changes.",
      violating: "EVT-3"
    ).withoutEvents { step, event in
      event.type == .value && step.before[event.listener]?.value != nil
    },
    Mutant(
      "emptied-children-stay", "A child whose last part is removed raises no child_removed.",
      from: "C35", violating: "VAL-4"
    ).outputs { step in
      guard let emptied = step.emptiedPath else { return nil }
      return step.withoutEvents { event in
        guard event.type == .childRemoved, let key = event.key,
          let path = step.before[event.listener]?.target.path.appending(key)
        else { return false }
        return emptied.count > path.count && emptied.starts(with: path)
      }
    },
    Mutant(
      "the-last-event-is-lost", "The last event of a change by another client is not raised.",
      from: "R24", violating: "EVT-23"
    ).outputs { step in
      guard case .frame(.merge) = step.input,
        let last = step.outputs.lastIndex(where: { $0.event != nil })
      else { return nil }
      return Array(step.outputs[..<last] + step.outputs[(last + 1)...])
    },
  ]

  // Events without a reason, and events that contain something else.

  static let surplusMutants: [Mutant] = [
    Mutant("additions-twice", "child_added is raised twice.", from: "C5", violating: "EVT-2 EVT-4")
      .twice { $0.event?.type == .childAdded },
    Mutant(
      "additions-again-after-reconnection",
      "The children that are known are added again when the connection comes back.", from: "C5",
      violating: "CON-9 CON-10"
    ).outputs(when: \.isReconnection) { $0.outputs + $0.before.listeners.flatMap(\.additions) },
    Mutant("removals-twice", "child_removed is raised twice.", from: "R11").twice {
      $0.event?.type == .childRemoved
    },
    Mutant(
      "removal-at-the-beginning",
      "A new listener receives child_removed for a child of its location.", from: "R8"
    ).outputs { step in
      guard case let .listen(listener, _, events)? = step.operation,
        events.contains(.childRemoved), let first = step.outputs.first?.event,
        first.type == .childAdded
      else { return nil }
      let removal = Event(.childRemoved, to: listener, key: first.key, value: first.value)
      return step.outputs + [.event(removal)]
    },
    Mutant("values-twice", "Every value is raised twice.", from: "H15", violating: "EVT-13").twice {
      $0.event?.type == .value
    },
    Mutant(
      "repeated-data-raise-again", "Data that change nothing raise the value once more.",
      from: "H15", violating: "EVT-12 EVT-13 WRT-9"
    ).outputs(when: \.raisesNothing) { step in
      guard let path = step.input.dataPath else { return nil }
      return step.outputs + step.before.values { path.starts(with: $0.target.path) }
    },
    Mutant(
      "equal-numbers-differ", "The server's copy of a number that was written raises it again.",
      from: "R5 H3", violating: "EVT-12 EVT-13"
    ).outputs(when: \.raisesNothing) { step in
      guard case let .frame(.put(path, node, _)) = step.input, case .number? = node.scalar else {
        return nil
      }
      return step.outputs + step.before.values { $0.target.path == path }
    },
    Mutant(
      "moves-at-every-change", "A child that changes raises child_moved too.", from: "C4",
      violating: "EVT-11"
    ).outputs { step in
      step.events { event in
        guard event.type == .childChanged else { return [event] }
        var moved = event
        moved.type = .childMoved
        return [moved, event]
      }
    },
    Mutant(
      "change-as-removal-and-addition", "A child that changes is removed and added again.",
      from: "R7", violating: "LIM-12 EVT-5"
    ).outputs { step in
      var removals: [ClientOutput] = []
      let rest = step.events { event in
        guard event.type == .childChanged, let key = event.key else { return [event] }
        let old = step.before[event.listener]?.children[key] ?? .empty
        removals.append(
          .event(
            Event(
              .childRemoved, to: event.listener, key: key, value: old.isEmpty ? event.value : old)))
        var added = event
        added.type = .childAdded
        return [added]
      }
      return removals + rest
    },
    Mutant(
      "removals-bring-nothing", "A removed child has no value.", from: "R18", violating: "EVT-6"
    ).events(.childRemoved) { _, event in event.value = .empty },
    Mutant(
      "removals-have-a-neighbour", "A removal names the child that stood before the one that goes.",
      violating: "EVT-6"
    ).events(.childRemoved) { step, event in
      guard let window = step.before[event.listener]?.window, let key = event.key,
        let index = window.firstIndex(of: key), index > 0
      else { return }
      event.previous = .key(window[index - 1])
    },
    Mutant("value-of-what-changed", "A value has only the children that have changed.", from: "R18")
      .events(.value) { step, event in
        guard step.input.dataPath != nil, let old = step.before[event.listener]?.value,
          !event.value.isScalar, !old.isScalar
        else { return }
        let changes = event.value.children.differences(from: old.children)
        event.value = Node(Children(changes.map { ($0.key, $0.new) }))
      },
    Mutant(
      "every-kind-of-event", "Listeners learn of moves that they did not ask for.", from: "R2",
      violating: "EVT-1"
    ).outputs { step in
      step.events { event in
        guard event.type == .childAdded, let listener = step.after[event.listener],
          !listener.types.contains(.childMoved)
        else { return [event] }
        var moved = event
        moved.type = .childMoved
        return [event, moved]
      }
    },
  ]

  // Children at the wrong location.

  /// Child events name a previous key from the window before the change, unless it was empty (C3).
  public static let stalePreviousKey = Mutant(
    "stale-previous-key",
    "The previous key is looked up in the window as it was before the change.", from: "C3",
    violating: "EVT-10"
  ).outputs { step in
    step.events { event in
      guard let key = event.key, event.previous != .none,
        let old = step.before[event.listener]?.window, !old.isEmpty
      else { return [event] }
      var stale = event
      let new = step.after[event.listener]?.window ?? []
      stale.previous = stalePrevious(of: key, old, new)
      return [stale]
    }
  }

  static let previousKeyMutants: [Mutant] = [
    stalePreviousKey,
    Mutant(
      "stale-previous-key-of-moves",
      "A child that moves brings the previous key that it had before.", from: "C3",
      violating: "EVT-10"
    ).events(.childMoved) { step, event in
      guard let key = event.key, let old = step.before[event.listener]?.window,
        let index = old.firstIndex(of: key)
      else { return }
      event.previous = Event.Previous(old[..<index].last)
    },
    Mutant(
      "empty-key-at-the-head", "The first child comes after a key without characters.", from: "C2",
      violating: "EVT-10"
    ).outputs { step in
      step.events { event in
        var wrong = event
        if event.previous == .first { wrong.previous = .key(Key("")) }
        return [wrong]
      }
    },
    Mutant(
      "every-child-is-the-first", "Every child that is added is the first.", from: "C2",
      violating: "EVT-10"
    ).events(.childAdded) { _, event in event.previous = .first },
    Mutant(
      "additions-at-the-end", "Every child that is added comes after all that are there.",
      from: "R12", violating: "EVT-25 EVT-10"
    ).events(.childAdded) { step, event in
      guard let last = step.before[event.listener]?.window.last else { return }
      event.previous = .key(last)
    },
    Mutant(
      "numbers-sorted-as-text", "Keys that are numbers are sorted as text.", from: "C36",
      violating: "KEY-2 QRY-3"
    ).listing { _, listener, children in
      listener.target.query.ordering == .key || listener.target.query == .all
        ? children.keys.sorted { $0.text < $1.text } : nil
    },
    Mutant(
      "order-lost-beside-a-plain-listener",
      "A query's order is that of the keys while everything there is listened to as well.",
      from: "R26 R35", violating: "QRY-21"
    ).listing { step, listener, children in
      let target = listener.target
      guard target.query.ordering != .key, target.query != .all,
        step.after.listeners.contains(where: { $0.target == .init(target.path) })
      else { return nil }
      return children.keys.sorted()
    },
  ]

  /// What came before a key in the old window; before a new key, what of the old window stands
  /// before it in the new one.
  private static func stalePrevious(of key: Key, _ old: [Key], _ new: [Key]) -> Event.Previous {
    if let index = old.firstIndex(of: key) { return Event.Previous(old[..<index].last) }
    let ahead = new.prefix { $0 != key }
    return Event.Previous(ahead.last(where: old.contains))
  }

  /// Lists the children of some listeners in another order.
  func listing(
    _ order: @escaping @Sendable (InterceptedStep, Listener, Children) -> [Key]?
  ) -> Mutant {
    outputs { step in step.listing { order(step, $0, $1) } }
  }

  // What is handed over with an event.

  static let snapshotMutants: [Mutant] = [
    Mutant(
      "snapshot-lacks-a-child", "The children of a snapshot are all but the last of many.",
      from: "H11", violating: "MUT-10 SNP-16"
    ).answers("children") { _, answer, _ in
      guard let elements = answer.elements, elements.count > 2 else { return answer }
      return .array(Array(elements.dropLast()))
    },
    Mutant(
      "children-counted-deeply", "The number of children counts what is below them as well.",
      from: "H11", violating: "SNP-4"
    ).answers(to: [.snapshot], "childrenCount") { asked, answer, step in
      step.listener(asked)?.value.map { .number(Double($0[asked.part].leaves)) } ?? answer
    },
    Mutant(
      "lists-of-the-first-edition", "A mapping reads as a list by the rule of the first edition.",
      from: "R73", violating: "SNP-7", in: [.wilddog2, .firebase]
    ).reading { $0.arrays = .moreThanHalf },
    Mutant(
      "lists-of-the-second-edition", "A mapping reads as a list by the rule of later editions.",
      from: "R73", violating: "SNP-6", in: [.wilddog1]
    ).reading { $0.arrays = .belowTwiceTheCount },
    Mutant(
      "numbers-in-single-precision", "Numbers are sent with the precision of 32 bits.", from: "R72",
      violating: "VAL-6"
    ).sets { $0 = $0.mappingScalars(\.shortened) },
  ]
}

extension InterceptedStep {
  fileprivate func depth(of event: Event) -> Int { target(of: event)?.path.count ?? 0 }

  fileprivate func target(of event: Event) -> Operation.Target? { listener(event.listener)?.target }

  fileprivate func isOfValuesOnly(_ event: Event) -> Bool {
    listener(event.listener)?.types == [.value]
  }

  /// Whether a child is the same as before apart from its priority.
  fileprivate func isPriorityChange(_ event: Event) -> Bool {
    guard let key = event.key, let old = before[event.listener]?.children[key], !old.isEmpty else {
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

  /// The outputs with the children of some listeners listed as a function has them, values and
  /// previous keys alike; `nil` leaves the order as it is.
  fileprivate func listing(_ order: (Listener, Children) -> [Key]?) -> [ClientOutput] {
    events { event in
      guard let listener = listener(event.listener) else { return [event] }
      var wrong = event
      if event.type == .value {
        if let keys = order(listener, event.value.children) { wrong.order = .listed(keys) }
      } else if event.previous != .none, let key = event.key,
        let keys = order(listener, listener.children)
      {
        wrong.previous = Event.Previous(keys.prefix { $0 != key }.last)
      }
      return [wrong]
    }
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

extension Node {
  /// The same with every value below replaced.
  func mappingScalars(_ change: (Scalar) -> Scalar) -> Node {
    if let scalar { return Node(change(scalar), priority: priority) }
    if isEmpty { return self }
    return Node(
      Children(children.map { ($0.key, $0.node.mappingScalars(change)) }), priority: priority)
  }

  fileprivate var leaves: Int {
    isScalar ? 1 : children.reduce(0) { $0 + $1.node.leaves }
  }
}

extension Scalar {
  fileprivate var shortened: Scalar {
    if case let .number(number) = self { .number(Double(Float(number))) } else { self }
  }
}
