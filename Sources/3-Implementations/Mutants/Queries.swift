internal import ClientInterface
internal import ReferenceClient
internal import RunModel
internal import Tree
internal import Wire

// Queries: what they select, and in which order.

extension Mutant {
  // Which children a query is about.

  static let queryMutants: [Mutant] = [
    Mutant(
      "key-of-a-bound-ignored", "A range begins at a value, whatever key it names.",
      from: "R29 R33", violating: "QRY-10 QRY-29"
    ).queries { $0.start?.key = nil },
    Mutant(
      "end-key-ignored", "A range ends at a value, whatever key it names.", from: "R33",
      violating: "QRY-10"
    ).queries { $0.end?.key = nil },
    Mutant(
      "start-after-includes", "In the order of keys a range has the key that it comes after.",
      from: "R30", violating: "QRY-12"
    ).queries { if $0.ordering == .key { $0.start?.edge = .inclusive } },
    Mutant(
      "end-before-includes", "A range has what it ends before.", from: "R30", violating: "QRY-12"
    ).queries { $0.end?.edge = .inclusive },
    Mutant(
      "successor-of-push-ids",
      "The key after another one is taken for that key with a hyphen: some in between are lost.",
      from: "R31", violating: "QRY-12"
    ).queries { query in
      guard query.ordering == .key, let start = query.start, start.edge == .exclusive,
        case let .string(key)? = start.value
      else { return }
      query.start = Query.Bound(.string(Text(key.string + "-")))
    },
    Mutant(
      "ranges-are-ignored", "A query without a limit has all children.", from: "R19",
      violating: "QRY-9 QRY-11 SNP-10"
    ).queries { if $0.limit == nil { ($0.start, $0.end) = (nil, nil) } },
    Mutant(
      "ranges-leave-out-their-end", "A range leaves out the children at its end.",
      violating: "QRY-9"
    ).queries { query in
      if query.end?.value != query.start?.value { query.end?.edge = .exclusive }
    },
    Mutant(
      "equal-is-from-there-on", "Equal to a value means from that value on.", violating: "QRY-11"
    ).queries { if $0.isEqualTo { $0.end = nil } },
    Mutant(
      "equal-with-any-key", "Equal to a value with a key means with any key.",
      violating: "QRY-11"
    ).queries { query in
      guard query.isEqualTo else { return }
      query.start?.key = nil
      query.end?.key = nil
    },
    Mutant(
      "orders-by-priority-only", "A query orders by priority whatever it names.", from: "R35 H8",
      violating: "QRY-4"
    ).queries { if case .child = $0.ordering { $0.ordering = .priority } },
    Mutant(
      "deep-names-are-keys", "Ordering by a child looks for its first name only.", from: "R35",
      violating: "QRY-4"
    ).queries { query in
      guard case let .child(path) = query.ordering, let key = path.keys.first else { return }
      query.ordering = .child(Path([key]))
    },
    Mutant(
      "ranges-within-one-kind",
      "A range has only values of the kind of its bounds, as in the first edition.", from: "R29",
      violating: "QRY-14", in: [.wilddog2, .firebase]
    ).reading { $0.ranges = .withinKind },
  ]

  // What the conditions of a query select.

  static let conditionMutants: [Mutant] = [
    Mutant(
      "limit-lost-beside-a-range", "A query with a range has no limit.", violating: "LIM-3 QRY-27"
    ).queries { if $0.hasRange { $0.limit = nil } },
    Mutant(
      "limits-without-an-order-are-by-key", "A limit without an order counts by key.",
      violating: "LIM-11"
    ).queries { if $0.limit != nil, $0.ordering == .priority { $0.ordering = .key } },
    Mutant(
      "ranges-without-an-order-are-of-values", "A range without an order applies to values.",
      violating: "QRY-15"
    ).queries { if $0.hasRange, $0.ordering == .priority { $0.ordering = .value } },
    Mutant(
      "ends-of-prefixes-are-cut", "The last character of a prefix range is lost.",
      violating: "QRY-16"
    ).queries { query in
      guard case let .string(text)? = query.end?.value, text.string.hasSuffix("\u{F8FF}") else {
        return
      }
      query.end = Query.Bound(.string(Text(String(text.string.dropLast()))))
    },
    Mutant(
      "digits-are-numbers", "A bound that is a text of digits counts as a number.",
      violating: "VAL-7"
    ).queries { query in
      guard query.ordering == .value, case let .string(text)? = query.start?.value,
        let number = Double(text.string)
      else { return }
      query.start?.value = .number(number)
      if query.end?.value == .string(text) { query.end?.value = .number(number) }
    },
    Mutant("windows-hold-ten", "A limit above ten counts as ten.", violating: "LIM-1").queries {
      query in
      switch query.limit {
      case let .first(count)?: query.limit = .first(min(count, 10))
      case let .last(count)?: query.limit = .last(min(count, 10))
      case nil: break
      }
    },
    Mutant(
      "small-windows-are-empty", "A query with fewer children than its limit has none.",
      violating: "LIM-2"
    ).events(.value) { step, event in
      let limit = step.query(of: event)?.limit
      if let limit, event.value.children.count < limit.count { event.value = .empty }
    },
    Mutant(
      "outside-raises-the-value", "A change beyond the edge of a window raises its value again.",
      violating: "LIM-6"
    ).outputs { step in
      guard let path = step.input.dataPath ?? step.operation?.path,
        step.operation?.isPlainWrite != false
      else { return nil }
      let called = Set(step.outputs.compactMap { $0.event?.listener })
      return step.outputs
        + step.before.values { listener in
          listener.target.query.filters && path.starts(with: listener.target.path)
            && path != listener.target.path && !called.contains(listener.id)
        }
    },
    Mutant(
      "leaving-a-range-is-silent", "A child that leaves a range raises no child_removed.",
      violating: "QRY-20 EVT-6"
    ).withoutEvents { step, event in
      guard event.type == .childRemoved, let query = step.query(of: event) else { return false }
      return query.limit == nil && query.filters
    },
    Mutant(
      "covered-queries-ask-again", "A query below a complete listener asks the server as well.",
      violating: "QRY-22 WIR-4"
    ).outputs { step in
      guard let target = step.operation?.registration?.target, target.query != .all,
        step.outputs.allSatisfy({ $0.request == nil }), step.after.link.hasReceivedHello,
        target.path.keys.first != .info
      else { return nil }
      return step.sending([.listen(.init(path: target.path, query: target.query, tag: 902))])
    },
  ]

  /// Asks for something else, where something is listened to, read, removed or held.
  func queries(
    of kinds: Set<Operation.Kind>? = nil, _ change: @escaping @Sendable (inout Query) -> Void
  ) -> Mutant {
    calls { operation, _ in
      kinds?.contains(operation.kind) ?? true ? operation.withQuery(change) : nil
    }
  }

  // What a limited window shows.

  /// Neither the event nor the snapshots show the child that refills a limited window (R28).
  public static let noRefill = Mutant(
    "no-refill", "The child that enters a limited window after a removal is not raised.",
    from: "R28", violating: "EVT-21 LIM-7 LIM-8 LIM-9"
  ).outputs(remembering: NoRefill()) { step, memory in
    step.outputs.compactMap { output in
      guard let event = output.event, let query = step.query(of: event), query.limit != nil else {
        return output
      }
      return memory.corrupted(event, of: query).map { .event($0) }
    }
  }

  static let windowMutants: [Mutant] = [
    noRefill,
    Mutant(
      "no-removal-when-the-window-slides",
      "The child that a new one pushes out of a limited window raises no child_removed.",
      from: "C6 R28", violating: "EVT-20 EVT-25 LIM-5"
    ).withoutEvents { step, event in
      event.type == .childRemoved && step.query(of: event)?.limit != nil
        && step.outputs.contains {
          $0.event?.listener == event.listener && $0.event?.type == .childAdded
        }
    },
    Mutant(
      "too-many-at-first",
      "A new limited window over known data first has all of them, then loses what is too much.",
      from: "R27", violating: "LIM-4"
    ).outputs { step in
      guard case let .listen(listener, target, events)? = step.operation,
        target.query.limit != nil, events.contains(.childAdded),
        let all = step.before.value(at: target.path)
      else { return nil }
      let shown = step.after[listener]?.window ?? []
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
    ).queries { $0.limit = $0.limit.map { $0.grown(by: 1) } },
    Mutant(
      "limits-are-confused",
      "A query by limitToLast shows what limitToFirst does while that is listened to there.",
      from: "H12 R25", violating: "LIM-1 QRY-21"
    ).calls { operation, model in
      guard let path = operation.registration?.target.path else { return nil }
      let isTaken = model.listeners.contains { listener in
        guard case .first? = listener.target.query.limit else { return false }
        return listener.target.path == path
      }
      return operation.withQuery { query in
        if isTaken, case let .last(count)? = query.limit { query.limit = .first(count) }
      }
    },
    Mutant(
      "windows-count-as-everything", "What a query shows counts as all that is at its location.",
      from: "R21 R34 R35 H18", violating: "EVT-19 LIM-10"
    ).deciding { $0.countsAsAll = { $1 && $0.filters } },
    Mutant(
      "windows-are-forgotten", "Data below a window make the rest of the location count as empty.",
      from: "ACC-105", violating: "EVT-19"
    ).deciding { $0.windowsStayWindows = false },
    Mutant(
      "tags-are-ignored", "Data for one query are taken for the data of their whole location.",
      from: "R19 R20 H1 H7", violating: "EVT-19 QRY-21 WIR-7 LIM-10"
    ).inputs { input, _ in
      switch input {
      case let .frame(.put(path, node, tag: .some)): return [.frame(.put(path, node, tag: nil))]
      case let .frame(.merge(path, changes, tag: .some)):
        return [.frame(.merge(path, changes, tag: nil))]
      default: return nil
      }
    },
  ]

  // In which order the children of a query are.

  static let orderMutants: [Mutant] = [
    Mutant(
      "plain-order-is-of-keys", "Without an order children come by their keys, not by priority.",
      violating: "QRY-1 REF-7"
    ).orders(where: { $0 == .priority }) { _, children in children.keys.sorted() },
    Mutant(
      "values-in-key-order", "A query by value is in the order of the keys.", violating: "QRY-5"
    ).orders(where: { $0 == .value }) { _, children in children.keys.sorted() },
    Mutant(
      "text-priorities-first", "Children with a text as priority come first.", violating: "PRI-1"
    ).orders(where: { $0 == .priority }) { ordering, children in
      children.sorted(ordering) { $0.isText ? 0 : 1 }
    },
    Mutant(
      "priorities-sorted-as-text", "Numbers as priorities are sorted as texts.", violating: "PRI-2"
    ).orders(where: { $0 == .priority }) { ordering, children in
      ordering.keys(
        of: Children(children.map { ($0.key, $0.node.settingPriority($0.node.priority?.asText)) }))
    },
    Mutant(
      "zero-is-no-priority", "Children with the priority 0 are listed among those without any.",
      violating: "PRI-1"
    ).orders(where: { $0 == .priority }) { ordering, children in
      ordering.keys(
        of: Children(
          children.map {
            ($0.key, $0.node.settingPriority($0.node.priority == 0 ? nil : $0.node.priority))
          }))
    },
    Mutant(
      "equal-priorities-backwards", "Children of equal priority come last key first.",
      violating: "PRI-3"
    ).orders(where: { $0 == .priority }) { ordering, children in
      children.sorted(ordering, tiesBackwardsWhere: { $0 != .null })
    },
    Mutant(
      "ties-backwards", "Children that a query orders alike come last key first.",
      violating: "QRY-8"
    ).orders(where: \.isOfContent) { ordering, children in
      children.sorted(ordering, tiesBackwardsWhere: { _ in true })
    },
    Mutant(
      "missing-values-last", "Children without the value that a query orders by come last.",
      violating: "QRY-6"
    ).orders(where: { $0 != .value && $0.isOfContent }) { ordering, children in
      children.sorted(ordering) { $0 == .null ? 1 : 0 }
    },
    Mutant(
      "texts-before-numbers", "A query has texts before numbers.", violating: "QRY-7",
      in: [.firebase]
    ).orders(where: \.isOfContent) { ordering, children in
      children.sorted(ordering) { $0.isText ? 0 : 1 }
    },
    Mutant("values-sorted-as-text", "A query sorts numbers as texts.", violating: "QRY-30").orders(
      where: \.isOfContent
    ) { ordering, children in
      ordering.keys(of: Children(children.map { ($0.key, $0.node.mappingScalars(\.asText)) }))
    },
    Mutant(
      "last-comes-first", "A query by limitToLast lists its children last to first.",
      violating: "QRY-17"
    ).listing { _, listener, children in
      guard case .last? = listener.target.query.limit else { return nil }
      return listener.target.query.ordering.keys(of: children).reversed()
    },
    Mutant("case-is-ignored", "Keys are sorted without regard to case.", violating: "KEY-5")
      .ordersKeys { a, b in
        if a.integer != nil || b.integer != nil { return a < b }
        return a.string.lowercased() < b.string.lowercased()
      },
    Mutant(
      "all-digits-are-numbers", "Keys of digits are sorted by number, however large.",
      violating: "KEY-3"
    ).ordersKeys { a, b in
      let numbers = [a, b].map { Double($0.string) }
      if let a = numbers[0], let b = numbers[1], a != b { return a < b }
      return numbers[0] == nil && numbers[1] == nil || a.integer != nil || b.integer != nil
        ? a < b : numbers[0] != nil
    },
    Mutant(
      "longer-spellings-first", "Of two spellings of a number the longer comes first.",
      violating: "KEY-4"
    ).ordersKeys { a, b in
      a.integer != nil && a.integer == b.integer ? b < a : a < b
    },
    Mutant(
      "snapshots-in-key-order", "The children of a snapshot are listed by their keys.",
      violating: "SNP-3"
    ).events(.value) { _, event in event.order = .listed(event.value.children.keys.sorted()) },
    Mutant(
      "moves-by-child-unnoticed", "In a query by child no move is raised.",
      violating: "QRY-18 EVT-11"
    ).withoutEvents { step, event in
      guard event.type == .childMoved, case .child? = step.query(of: event)?.ordering else {
        return false
      }
      return true
    },
    Mutant(
      "moves-only-past-others", "A child that keeps its neighbours raises no move.",
      violating: "QRY-19 EVT-11", in: [.wilddog2, .firebase]
    ).withoutEvents { step, event in
      guard event.type == .childMoved, let old = step.before[event.listener],
        let new = step.after[event.listener]
      else { return false }
      return old.keysOfValue == new.keysOfValue
    },
    Mutant(
      "ranges-across-kinds", "An open range reaches into other kinds of value.",
      violating: "QRY-13 QRY-28", in: [.wilddog1]
    ).reading { $0.ranges = .acrossKinds },
  ]

  /// Lists the children of queries with some orderings in another order.
  private func orders(
    where isMeant: @escaping @Sendable (Query.Ordering) -> Bool,
    _ keys: @escaping @Sendable (Query.Ordering, Children) -> [Key]
  ) -> Mutant {
    listing { _, listener, children in
      let ordering = listener.target.query.ordering
      return isMeant(ordering) ? keys(ordering, children) : nil
    }
  }

  /// Lists the children of queries by key, or without priorities, in another order of the keys.
  private func ordersKeys(_ precedes: @escaping @Sendable (Key, Key) -> Bool) -> Mutant {
    listing { _, listener, children in
      switch listener.target.query.ordering {
      case .key: children.keys.sorted(by: precedes)
      case .priority: children.prioritizedCount == 0 ? children.keys.sorted(by: precedes) : nil
      case .child, .value: nil
      }
    }
  }
}

extension Operation {
  /// The same with another query, where something is listened to, read, removed or held.
  func withQuery(_ change: (inout Query) -> Void) -> Operation {
    mapArguments { given in
      guard var query = given.query else { return }
      change(&query)
      given.query = query
    }
  }
}

extension InterceptedStep {
  fileprivate func query(of event: Event) -> Query? { listener(event.listener)?.target.query }
}

extension Query.Ordering {
  /// Whether what children have in them decides.
  fileprivate var isOfContent: Bool {
    switch self {
    case .child, .value: true
    case .key, .priority: false
    }
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

extension Listener {
  /// The keys of the last value in the order of the query; `nil` before the first.
  fileprivate var keysOfValue: [Key]? {
    value.map { target.query.ordering.keys(of: $0.children) }
  }
}

extension Children {
  /// The keys as an ordering has them, but those of a lower rank first.
  fileprivate func sorted(_ ordering: Query.Ordering, rank: (OrderValue) -> Int) -> [Key] {
    let keys = ordering.keys(of: self)
    let ranks = keys.map { key in rank(ordering.value(of: self[key])) }
    return keys.indices.sorted { (ranks[$0], $0) < (ranks[$1], $1) }.map { keys[$0] }
  }

  /// The keys as an ordering has them, but those of equal children last to first.
  fileprivate func sorted(
    _ ordering: Query.Ordering, tiesBackwardsWhere isMeant: (OrderValue) -> Bool
  ) -> [Key] {
    var groups: [(value: OrderValue, keys: [Key])] = []
    for key in ordering.keys(of: self) {
      let value = ordering.value(of: self[key])
      if let last = groups.last, last.value == value {
        groups[groups.count - 1].keys.append(key)
      } else {
        groups.append((value, [key]))
      }
    }
    return groups.flatMap { isMeant($0.value) ? $0.keys.reversed() : $0.keys }
  }
}

extension OrderValue {
  fileprivate var isText: Bool {
    if case .string = self { true } else { false }
  }
}

extension Scalar {
  /// A number as its text; anything else as it is.
  var asText: Scalar {
    if case let .number(number) = self { .string(Text(canonicalText(of: number))) } else { self }
  }
}

/// Does not notice the child that enters a limited window because another one has left it.
private struct NoRefill {
  /// The child that left a window last and was not replaced.
  var gaps: [ListenerID: Child] = [:]
  /// The children that listeners should know and do not.
  var hidden: [ListenerID: [Key]] = [:]

  struct Child {
    var key: Key
    var node: Node
  }

  mutating func corrupted(_ event: Event, of query: Query) -> Event? {
    let listener = event.listener
    guard event.type != .value, let key = event.key else {
      var poorer = event
      for key in hidden[listener] ?? [] { poorer.value = poorer.value.setting(.empty, at: key) }
      return poorer
    }
    let child = Child(key: key, node: event.value)
    if event.type == .childAdded, let gap = gaps[listener], refills(gap, with: child, query) {
      gaps[listener] = nil
      hidden[listener, default: []].append(key)
      return nil
    }
    if hidden[listener]?.contains(key) == true {
      if event.type == .childRemoved { hidden[listener]?.removeAll { $0 == key } }
      return nil
    }
    if event.type == .childRemoved { gaps[listener] = child }
    return event
  }

  /// Whether a child comes from beyond the limit. One that pushed the other out lies inside it.
  private func refills(_ gap: Child, with child: Child, _ query: Query) -> Bool {
    let both = Children([(gap.key, gap.node), (child.key, child.node)])
    let keys = query.ordering.keys(of: both)
    switch query.limit {
    case .first?: return keys.last == child.key
    case .last?: return keys.first == child.key
    case nil: return false
    }
  }
}

extension Query {
  /// Whether its range is from a bound to itself.
  fileprivate var isEqualTo: Bool { start != nil && start == end }
}
