/// How a path is related to another one.
@usableFromInline package enum PathRelation: Hashable, Sendable {
  case at
  case atOrAbove
  case atOrBelow
  /// At, above or below.
  case related

  /// Whether `path` is related so to `other`.
  @inlinable package func holds(of path: Path, to other: Path) -> Bool {
    switch self {
    case .at: path == other
    case .atOrAbove: other.starts(with: path)
    case .atOrBelow: path.starts(with: other)
    case .related: path.isRelated(to: other)
    }
  }
}

/// Numbers by their paths, in a tree of the paths' keys.
@usableFromInline package struct PathIndex: Sendable {
  private var root = Branch()

  /// Without any number.
  @usableFromInline package init() {}

  /// What is at a path and below it.
  private struct Branch: Sendable {
    var serials: [Int] = []
    var children: [Key: Branch] = [:]

    mutating func insert(_ serial: Int, at path: Path, from depth: Int) {
      if depth == path.count { return serials.append(serial) }
      children[path.keys[depth], default: Branch()].insert(serial, at: path, from: depth + 1)
    }

    /// - Returns: Whether nothing is left.
    mutating func remove(_ serial: Int, at path: Path, from depth: Int) -> Bool {
      if depth == path.count {
        serials.removeAll { $0 == serial }
      } else if children[path.keys[depth]]?.remove(serial, at: path, from: depth + 1) ?? false {
        children[path.keys[depth]] = nil
      }
      return serials.isEmpty && children.isEmpty
    }

    /// In no certain order.
    func collect(into found: inout [Int]) {
      found += serials
      for child in children.values { child.collect(into: &found) }
    }
  }

  /// Adds a number at a path.
  @usableFromInline package mutating func insert(_ serial: Int, at path: Path) {
    root.insert(serial, at: path, from: 0)
  }

  /// Takes out a number, as often as it is at this path.
  @usableFromInline package mutating func remove(_ serial: Int, at path: Path) {
    _ = root.remove(serial, at: path, from: 0)
  }

  /// The numbers whose paths are in `relation` to `path`, in rising order.
  @usableFromInline package func serials(_ relation: PathRelation, _ path: Path) -> [Int] {
    var found: [Int] = []
    var branch: Branch? = root
    for key in path.keys {
      if relation == .atOrAbove || relation == .related { found += branch?.serials ?? [] }
      branch = branch?.children[key]
    }
    switch relation {
    case .at: found = branch?.serials ?? []
    case .atOrAbove: found += branch?.serials ?? []
    case .atOrBelow, .related: branch?.collect(into: &found)
    }
    return found.sorted()
  }
}
