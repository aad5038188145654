/// The children that a query selects, in the order of the query.
public struct Window: Sendable {
  /// What is selected. Under a filtering query: the selected children alone, without the location's
  /// own priority, and nothing where the location holds a scalar (SNP-10).
  public let node: Node
  /// The ordering of the query that selected the children; by priority for `Window.empty`.
  public let ordering: Query.Ordering
  /// The order of the children, or `nil` where key order is the order of the query.
  private let listed: [Key]?

  init(node: Node, ordering: Query.Ordering, listed: [Key]?) {
    self.node = node
    self.ordering = ordering
    self.listed = listed
  }

  /// Nothing selected.
  public static let empty = Window(node: .empty, ordering: .priority, listed: nil)

  /// The keys of the selected children, in the order of the query.
  ///
  /// - Complexity: O(*n*).
  public var keys: [Key] { listed ?? node.children.keys }

  /// Whether key order is the order of the query, for these children.
  package var isInKeyOrder: Bool { listed == nil }

  /// How many children are selected, in O(1); 0 also where the location holds a scalar.
  public var count: Int { node.children.count }

  /// The key that comes before `key` in this window, or `nil` when `key` is the first.
  ///
  /// - Precondition: `key` is in the window.
  /// - Complexity: O(log *n*).
  public func key(before key: Key) -> Key? {
    guard let listed else { return node.children.key(before: key) }
    let index = position(of: key, in: listed)
    return index > 0 ? listed[index - 1] : nil
  }

  /// `keys` in the order of this window.
  ///
  /// - Complexity: O(*k* log *k*).
  public func sorted(_ keys: [Key]) -> [Key] {
    if keys.count < 2 { return keys }
    if listed == nil { return keys.sorted() }
    return keys.sorted { ordering.precedes((node.children[$0], $0), (node.children[$1], $1)) }
  }

  private func position(of key: Key, in listed: [Key]) -> Int {
    let child = (node.children[key], key)
    var low = 0
    var high = listed.count
    while low < high {
      let middle = (low + high) / 2
      if ordering.precedes((node.children[listed[middle]], listed[middle]), child) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }
}

extension Query.Ordering {
  /// Whether child `a` comes before child `b`.
  func precedes(_ a: (node: Node, key: Key), _ b: (node: Node, key: Key)) -> Bool {
    let order = value(of: a.node).order(to: value(of: b.node))
    return order != 0 ? order < 0 : a.key < b.key
  }

  /// Whether key order is the order of these children.
  func isKeyOrder(of children: Children) -> Bool {
    if children.count < 2 { return true }
    return switch self {
    case .key: true
    case .priority: children.prioritizedCount == 0
    case .value, .child: false
    }
  }

  /// Whether no value comes before the one in front of it.
  private func isOrder(of entries: [Children.Entry]) -> Bool {
    var last = OrderValue.null
    for entry in entries {
      let value = value(of: entry.node)
      if last.order(to: value) > 0 { return false }
      last = value
    }
    return true
  }

  /// The keys of `children` in this order.
  ///
  /// - Complexity: O(*n* log *n*).
  public func keys(of children: Children) -> [Key] {
    isKeyOrder(of: children) ? children.keys : entries(of: children).map { $0.key }
  }

  /// The children in this order.
  ///
  /// - Complexity: O(*n* log *n*).
  func entries(of children: Children) -> [Children.Entry] {
    let entries = children.entries
    // They are in key order, which decides between equal values.
    if isKeyOrder(of: children) || isOrder(of: entries) { return entries }
    let values = entries.map { value(of: $0.node) }
    // Numbers are quicker to move.
    return entries.indices.sorted { a, b in
      let order = values[a].order(to: values[b])
      return order != 0 ? order < 0 : a < b
    }
    .map { entries[$0] }
  }
}

extension Query {
  /// What this query selects from `node`.
  ///
  /// - Complexity: O(*n* log *n*) in the number of children; O(1) for a query that does not filter
  ///   where key order is its order.
  public func window(of node: Node) -> Window {
    let ordering = ordering
    let children = node.children
    // A filter hides the priority of the node, and a scalar (SNP-10).
    let whole = !filters || node.priority == nil && !node.isScalar ? node : Node(children)
    if start == nil, end == nil, limit?.count ?? .max >= children.count {
      let inKeyOrder = ordering.isKeyOrder(of: children)
      return Window(
        node: whole, ordering: ordering, listed: inKeyOrder ? nil : ordering.keys(of: children))
    }
    var entries = ordering.entries(of: children)
    if hasRange { entries = entries.filter { selects($0.node, at: $0.key) } }
    switch limit {
    case let .first(count)? where count < entries.count: entries = Array(entries.prefix(count))
    case let .last(count)? where count < entries.count: entries = Array(entries.suffix(count))
    case .first?, .last?, nil: break
    }
    let isAll = entries.count == children.count
    let selected = isAll ? children : Children(chosen: entries)
    return Window(
      node: isAll ? whole : Node(selected), ordering: ordering,
      listed: ordering.isKeyOrder(of: selected) ? nil : entries.map { $0.key })
  }

  /// Whether the child lies in the range, limits aside.
  public func selects(_ node: Node, at key: Key) -> Bool {
    if reach == .withinKind, !isOfKindOfBounds(node) { return false }
    if let start, distance(of: node, at: key, to: start) < (start.edge == .inclusive ? 0 : 1) {
      return false
    }
    if let end, distance(of: node, at: key, to: end) > (end.edge == .inclusive ? 0 : -1) {
      return false
    }
    return true
  }

  /// A bound that is null does not say of which kind the values are.
  private func isOfKindOfBounds(_ node: Node) -> Bool {
    if ordering == .key { return true }
    let value = ordering.value(of: node)
    return [start, end].allSatisfy { bound in
      bound?.value.map { OrderValue($0).isSameKind(as: value) } ?? true
    }
  }

  /// Negative, zero or positive as the child lies before, on or after the bound.
  private func distance(of node: Node, at key: Key, to bound: Bound) -> Int {
    if ordering == .key {
      guard case let .string(text)? = bound.value else { return 1 }
      return key.order(to: Key(text.string))
    }
    let order = ordering.value(of: node).order(to: OrderValue(bound.value))
    guard order == 0, let boundKey = bound.key else { return order }
    return key.order(to: boundKey)
  }
}
