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

    /// Those from a number on at the path itself, in falling order.
    func add(from first: Int, to found: inout [Int]) {
      for serial in serials.reversed() {
        if serial < first { return }
        found.append(serial)
      }
    }

    /// In no certain order.
    func collect(from first: Int, into found: inout [Int]) {
      add(from: first, to: &found)
      for child in children.values { child.collect(from: first, into: &found) }
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
    numbers(relation, path, from: .min)
  }

  /// The same from a number on. They were added at each path in rising order.
  package func numbers(_ relation: PathRelation, _ path: Path, from first: Int) -> [Int] {
    var found: [Int] = []
    var branch: Branch? = root
    for key in path.keys {
      if relation == .atOrAbove || relation == .related { branch?.add(from: first, to: &found) }
      branch = branch?.children[key]
    }
    switch relation {
    case .at, .atOrAbove: branch?.add(from: first, to: &found)
    case .atOrBelow, .related: branch?.collect(from: first, into: &found)
    }
    return found.sorted()
  }

  /// The largest number that is picked of those at a path or above it. At each location they are
  /// asked from the largest on, which was added last, until one is picked.
  package func last(atOrAbove path: Path, where isPicked: (Int) -> Bool) -> Int? {
    var last: Int?
    var branch: Branch? = root
    for depth in 0...path.count {
      let found = branch?.serials.last(where: isPicked)
      if let found, found > last ?? .min { last = found }
      if depth < path.count { branch = branch?.children[path.keys[depth]] }
    }
    return last
  }

  /// Whether there is a number at exactly this path.
  package func has(_ path: Path) -> Bool {
    var branch: Branch? = root
    for key in path.keys { branch = branch?.children[key] }
    return branch.map { !$0.serials.isEmpty } ?? false
  }
}
