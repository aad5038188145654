internal import ClientInterface
internal import Interception
internal import ReferenceClient
internal import Tree

// In which order the children of a query are.

extension Mutant {
  static let orderMutants = [
    listing(
      "plain-order-is-of-keys", "Without an order children come by their keys, not by priority.",
      violating: "QRY-1 REF-7"
    ) { listener, children in
      listener.target.query.ordering == .priority ? children.keys.sorted() : nil
    },
    listing(
      "values-in-key-order", "A query by value is in the order of the keys.", violating: "QRY-5"
    ) { listener, children in
      listener.target.query.ordering == .value ? children.keys.sorted() : nil
    },
    listing(
      "text-priorities-first", "Children with a text as priority come first.", violating: "PRI-1"
    ) { listener, children in
      listener.target.query.ordering == .priority
        ? children.sorted(.priority) { $0.isText ? 0 : 1 } : nil
    },
    listing(
      "priorities-sorted-as-text", "Numbers as priorities are sorted as texts.",
      violating: "PRI-2"
    ) { listener, children in
      guard listener.target.query.ordering == .priority else { return nil }
      return Query.Ordering.priority.keys(
        of: Children(children.map { ($0.key, $0.node.settingPriority($0.node.priority?.asText)) }))
    },
    listing(
      "equal-priorities-backwards", "Children of equal priority come last key first.",
      violating: "PRI-3"
    ) { listener, children in
      guard listener.target.query.ordering == .priority else { return nil }
      return children.sorted(.priority, tiesBackwardsWhere: { $0 != .null })
    },
    listing(
      "ties-backwards", "Children that a query orders alike come last key first.",
      violating: "QRY-8"
    ) { listener, children in
      switch listener.target.query.ordering {
      case .child, .value:
        children.sorted(listener.target.query.ordering, tiesBackwardsWhere: { _ in true })
      case .key, .priority: nil
      }
    },
    listing(
      "missing-values-last", "Children without the value that a query orders by come last.",
      violating: "QRY-6"
    ) { listener, children in
      guard case .child = listener.target.query.ordering else { return nil }
      return children.sorted(listener.target.query.ordering) { $0 == .null ? 1 : 0 }
    },
    listing(
      "texts-before-numbers", "A query has texts before numbers.", violating: "QRY-7",
      in: [.firebase]
    ) { listener, children in
      switch listener.target.query.ordering {
      case .child, .value:
        children.sorted(listener.target.query.ordering) { $0.isText ? 0 : 1 }
      case .key, .priority: nil
      }
    },
    listing(
      "values-sorted-as-text", "A query sorts numbers as texts.", violating: "QRY-30"
    ) { listener, children in
      switch listener.target.query.ordering {
      case .child, .value:
        listener.target.query.ordering.keys(
          of: Children(children.map { ($0.key, $0.node.mappingScalars(\.asText)) }))
      case .key, .priority: nil
      }
    },
    listing(
      "last-comes-first", "A query by limitToLast lists its children last to first.",
      violating: "QRY-17"
    ) { listener, children in
      guard case .last? = listener.target.query.limit else { return nil }
      return listener.target.query.ordering.keys(of: children).reversed()
    },
    listing(
      "case-is-ignored", "Keys are sorted without regard to case.", violating: "KEY-5"
    ) { listener, children in
      listener.sortingKeys(of: children) { a, b in
        if a.integer != nil || b.integer != nil { return a < b }
        return a.string.lowercased() < b.string.lowercased()
      }
    },
    listing(
      "all-digits-are-numbers", "Keys of digits are sorted by number, however large.",
      violating: "KEY-3"
    ) { listener, children in
      listener.sortingKeys(of: children) { a, b in
        let numbers = [a, b].map { Double($0.string) }
        if let a = numbers[0], let b = numbers[1], a != b { return a < b }
        return numbers[0] == nil && numbers[1] == nil || a.integer != nil || b.integer != nil
          ? a < b : numbers[0] != nil
      }
    },
    listing(
      "longer-spellings-first", "Of two spellings of a number the longer comes first.",
      violating: "KEY-4"
    ) { listener, children in
      listener.sortingKeys(of: children) { a, b in
        a.integer != nil && a.integer == b.integer ? b < a : a < b
      }
    },
    Mutant(
      "snapshots-in-key-order", "The children of a snapshot are listed by their keys.",
      violating: "SNP-3"
    ) { step in
      step.events(.value) { $0.order = .listed($0.value.children.keys.sorted()) }
    },
    Mutant(
      "moves-by-child-unnoticed", "In a query by child no move is raised.",
      violating: "QRY-18"
    ) { step in
      step.withoutEvents { event in
        guard event.type == .childMoved,
          case .child? = step.after.listeners[event.listener]?.target.query.ordering
        else { return false }
        return true
      }
    },
    Mutant(
      "moves-only-past-others", "A child that keeps its neighbours raises no move.",
      violating: "QRY-19 EVT-11", in: [.wilddog2, .firebase]
    ) { step in
      step.withoutEvents { event in
        guard event.type == .childMoved, let old = step.before.listeners[event.listener],
          let new = step.after.listeners[event.listener]
        else { return false }
        return old.keysOfValue == new.keysOfValue
      }
    },
    Mutant(
      "ranges-across-kinds", "An open range reaches into other kinds of value.",
      violating: "QRY-13 QRY-28", in: [.wilddog1], reading: { $0.ranges = .acrossKinds }),
  ]

  private static func listing(
    _ name: String, _ sentence: String, violating rules: String,
    in profiles: [Profile] = Profile.all,
    _ order: @escaping @Sendable (ClientModel.Listener, Children) -> [Key]?
  ) -> Mutant {
    Mutant(name, sentence, violating: rules, in: profiles) { $0.listingEvents(order) }
  }
}

extension ClientModel.Listener {
  /// The keys of the last value in the order of the query; `nil` before the first.
  fileprivate var keysOfValue: [Key]? {
    value.map { target.query.ordering.keys(of: $0.children) }
  }

  /// The keys in another order, for a query by key or without priorities; `nil` for others.
  fileprivate func sortingKeys(
    of children: Children, by precedes: (Key, Key) -> Bool
  ) -> [Key]? {
    switch target.query.ordering {
    case .key: children.keys.sorted(by: precedes)
    case .priority: children.prioritizedCount == 0 ? children.keys.sorted(by: precedes) : nil
    case .child, .value: nil
    }
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
