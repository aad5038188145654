internal import ClientInterface
internal import Tree
internal import Wire

/// The operations that the server has promised to carry out on disconnection.
///
/// The client needs them because it carries them out locally as well (OND-8): location by location,
/// and at each location its children in order of arrival, or as the profile says.
struct AcceptedOnDisconnects: Sendable {
  private var root = Boxed(Branch())

  /// OND-11: an operation below a remembered one changes it; one above swallows it.
  mutating func remember(_ node: Node, at path: Path) {
    root.value.remember(node, at: path, from: 0)
  }

  /// Forgets what is to happen at `path` and below; of an operation above, that part alone.
  mutating func forget(_ path: Path) {
    if root.value.forget(path, from: 0) { root.value = Branch() }
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

  /// What is remembered, in the order in which it is carried out; none lies at or below another.
  private var operations: [(path: Path, node: Node)] {
    var operations: [(path: Path, node: Node)] = []
    root.value.collect(at: .root, into: &operations)
    return operations
  }

  /// Where something is remembered.
  var paths: [Path] { operations.map(\.path) }

  /// Everything that is remembered, in order; nothing is afterwards.
  mutating func takeAll(
    order: Profile.OnDisconnectOrder = .ofArrival
  ) -> [(path: Path, node: Node)] {
    let operations = operations
    root.value = Branch()
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

extension AcceptedOnDisconnects {
  /// What is to happen at a location: all of it by one operation, or what the children have.
  private struct Branch: Sendable {
    var node: Node?
    /// With numbers that rise in the order of arrival.
    var children: [Key: (number: Int, branch: Branch)] = [:]
    var nextNumber = 0

    mutating func remember(_ node: Node, at path: Path, from depth: Int) {
      if depth == path.count {
        self = Branch(node: node)
      } else if let own = self.node {
        self.node = own.setting(node, at: path.dropFirst(depth))
      } else {
        let key = path.keys[depth]
        if children[key] == nil { add(Branch(), at: key) }
        children[key]?.branch.remember(node, at: path, from: depth + 1)
      }
    }

    private mutating func add(_ branch: Branch, at key: Key) {
      children[key] = (nextNumber, branch)
      nextNumber += 1
    }

    /// - Returns: Whether nothing is left.
    mutating func forget(_ path: Path, from depth: Int) -> Bool {
      if depth == path.count { return true }
      if let own = node {
        if own.isScalar { return false }
        node = nil
        for key in Query.all.window(of: own).keys { add(Branch(node: own[key]), at: key) }
      }
      let key = path.keys[depth]
      if children[key]?.branch.forget(path, from: depth + 1) ?? false { children[key] = nil }
      return children.isEmpty
    }

    func collect(at path: Path, into operations: inout [(path: Path, node: Node)]) {
      if let node { operations.append((path, node)) }
      for (key, child) in children.sorted(by: { $0.value.number < $1.value.number }) {
        child.branch.collect(at: path.appending(key), into: &operations)
      }
    }
  }
}

extension Key {
  /// Whether the key is written as the index of a list is: digits without a leading zero.
  fileprivate var isIndex: Bool {
    let digits = string.utf8
    return !digits.isEmpty && digits.allSatisfy(\.isDigit)
      && (digits.count == 1 || digits.first != 0x30)
  }
}
