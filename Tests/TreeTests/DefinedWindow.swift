import Tree

/// The window of a query by the words of the rules: rank by rank, child by child, with nothing in
/// common with the code under test.
enum DefinedWindow {
  static func keys(of query: Query, in node: Node) -> [Key] {
    let children = node.children.map {
      Child(sortKey: sortKey(of: $0.node, in: query), key: $0.key)
    }
    let sorted = selectionSorted(children.filter { isSelected($0, by: query) }).map(\.key)
    switch query.limit {
    case let .first(count): return Array(sorted.prefix(count))
    case let .last(count): return Array(sorted.suffix(count))
    case nil: return sorted
    }
  }

  private struct SortKey {
    var rank = 0
    var number = 0.0
    var text: [UInt16] = []

    func isBefore(_ other: SortKey) -> Bool {
      if rank != other.rank { return rank < other.rank }
      if number != other.number { return number < other.number }
      return text.lexicographicallyPrecedes(other.text)
    }
  }

  private struct Child {
    var sortKey: SortKey
    var key: Key

    func order(to other: Child) -> Int {
      if sortKey.isBefore(other.sortKey) { return -1 }
      if other.sortKey.isBefore(sortKey) { return 1 }
      return key < other.key ? -1 : other.key < key ? 1 : 0
    }
  }

  private static func sortKey(_ scalar: Scalar?) -> SortKey {
    switch scalar {
    case nil, .serverValue: SortKey()
    case let .bool(bool): SortKey(rank: bool ? 2 : 1)
    case let .number(number): SortKey(rank: 3, number: number)
    case let .string(text): SortKey(rank: 4, text: Array(text.string.utf16))
    }
  }

  private static func sortKey(_ node: Node) -> SortKey {
    node.children.count > 0 ? SortKey(rank: 5) : sortKey(node.scalar)
  }

  private static func sortKey(of child: Node, in query: Query) -> SortKey {
    switch query.ordering {
    case .key: SortKey()
    case .value: sortKey(child)
    case .priority: sortKey(child.priority)
    case let .child(path): sortKey(child[path])
    }
  }

  /// Before, on or after the bound.
  private static func side(_ child: Child, of bound: Query.Bound, in query: Query) -> Int {
    if query.ordering == .key, case let .string(text)? = bound.value {
      return child.order(to: Child(sortKey: child.sortKey, key: Key(text.string)))
    }
    return child.order(to: Child(sortKey: sortKey(bound.value), key: bound.key ?? child.key))
  }

  private static func isSelected(_ child: Child, by query: Query) -> Bool {
    if let start = query.start {
      let side = side(child, of: start, in: query)
      if side < 0 || side == 0 && start.edge == .exclusive { return false }
    }
    if let end = query.end {
      let side = side(child, of: end, in: query)
      if side > 0 || side == 0 && end.edge == .exclusive { return false }
    }
    return true
  }

  private static func selectionSorted(_ children: [Child]) -> [Child] {
    var left = children
    var sorted: [Child] = []
    while !left.isEmpty {
      let first = left.indices.reduce(0) { left[$1].order(to: left[$0]) < 0 ? $1 : $0 }
      sorted.append(left.remove(at: first))
    }
    return sorted
  }
}
