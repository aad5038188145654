internal import ClientInterface
internal import Tree
internal import Wire

/// The operations that the server has promised to carry out on disconnection.
///
/// The client needs them because it carries them out locally as well (OND-8): location by location,
/// and at each location its children in order of arrival, or as the profile says.
struct AcceptedOnDisconnects: Sendable {
  /// In the order in which they are carried out; none lies at or below another.
  private var operations: [(path: Path, node: Node)] = []

  /// OND-11: an operation below a remembered one changes it; one above swallows it.
  mutating func remember(_ node: Node, at path: Path) {
    if let above = operations.firstIndex(where: { path.starts(with: $0.path) }) {
      let below = path.dropFirst(operations[above].path.count)
      operations[above].node = operations[above].node.setting(node, at: below)
    } else if let swallowed = operations.firstIndex(where: { $0.path.starts(with: path) }) {
      operations.removeAll { $0.path.starts(with: path) }
      operations.insert((path, node), at: swallowed)
    } else {
      // Behind the last of those with which it shares the most keys.
      let shared = operations.map { $0.path.commonAncestor(with: path).count }
      let last = shared.max().flatMap { shared.lastIndex(of: $0) } ?? -1
      operations.insert((path, node), at: last + 1)
    }
  }

  /// Forgets what is to happen at `path` and below; of an operation above, that part alone.
  mutating func forget(_ path: Path) {
    operations.removeAll { $0.path.starts(with: path) }
    while let above = operations.firstIndex(where: { path.starts(with: $0.path) }) {
      let (location, node) = operations[above]
      if node.isScalar { return }
      let parts = Query.all.window(of: node).keys.map { (location.appending($0), node[$0]) }
      operations.replaceSubrange(above...above, with: parts.filter { $0.0 != path })
    }
  }

  /// Does what the server has agreed to.
  mutating func remember(_ request: Request) {
    switch request {
    case let .onDisconnectPut(path, node): remember(node, at: path)
    case let .onDisconnectMerge(path, assignments):
      // The names of an update have no order: recorded clients take those that are indexes first.
      let indexes = assignments.filter(\.isAtIndex).sorted { $0.path < $1.path }
      for assignment in indexes + assignments.filter({ !$0.isAtIndex }) {
        remember(assignment.node, at: path.appending(assignment.path))
      }
    case let .onDisconnectCancel(path): forget(path)
    default: break
    }
  }

  /// Where something is remembered.
  var paths: [Path] { operations.map(\.path) }

  /// Everything that is remembered, in order; nothing is afterwards.
  mutating func takeAll(
    order: Profile.OnDisconnectOrder = .ofArrival
  ) -> [(path: Path, node: Node)] {
    defer { operations = [] }
    switch order {
    case .ofArrival: return operations
    case .byName: return operations.sorted { $0.path < $1.path }
    case .indexesFirst: break
    }
    return operations.enumerated().sorted { a, b in
      for (x, y) in zip(a.element.path.keys, b.element.path.keys) where x != y {
        if x.isIndex != y.isIndex { return x.isIndex }
        return x.isIndex ? x < y : a.offset < b.offset
      }
      return false
    }.map(\.element)
  }
}

extension Assignment {
  fileprivate var isAtIndex: Bool { path.keys.count == 1 && path.keys[0].isIndex }
}

extension Key {
  /// Whether the key is written as the index of a list is: digits without a leading zero.
  fileprivate var isIndex: Bool {
    let digits = string.utf8
    return !digits.isEmpty && digits.allSatisfy(\.isDigit)
      && (digits.count == 1 || digits.first != 0x30)
  }
}
