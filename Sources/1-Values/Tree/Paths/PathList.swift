/// Elements that belong to paths, in the order in which they were added, and found by their paths.
///
/// A short list is searched from its beginning. A long one has an index, so that what is at, above
/// or below a path is found without a look at the rest.
@usableFromInline package struct PathList<Element> {
  /// From how many elements on there is an index.
  @inlinable package static var indexedCount: Int { 24 }
  /// For how many elements there is room at first, so that short lists do not grow step by step.
  @inlinable static var usualCount: Int { 4 }

  @usableFromInline var elements: [Element]
  @usableFromInline var paths: [Path]
  /// How elements are found; `nil` while the list is short.
  @usableFromInline var lookup: PathLookup?

  /// Without any element.
  @inlinable package init() { (elements, paths) = ([], []) }

  /// The positions of the elements whose paths are in `relation` to `path`, in rising order.
  ///
  /// - Complexity: O(*n*) in a short list; O(*d* + *k* log *n*) for *k* positions and a path of *d*
  ///   keys in a long one.
  @inlinable package func positions(_ relation: PathRelation, _ path: Path) -> PathPositions {
    guard let lookup else { return PathPositions(in: paths, relation, path) }
    return PathPositions(lookup.index.serials(relation, path).map(lookup.position(of:)))
  }

  /// Whether there is an element whose path is in `relation` to `path`.
  @inlinable package func has(_ relation: PathRelation, _ path: Path) -> Bool {
    first(relation, path) { _ in true } != nil
  }

  /// The first position that is picked among those of elements whose paths are in `relation` to
  /// `path`. Quicker than a walk through `positions`.
  @inlinable package func first(
    _ relation: PathRelation, _ path: Path, where isPicked: (Int) -> Bool
  ) -> Int? {
    if lookup != nil { return positions(relation, path).first(where: isPicked) }
    for position in paths.indices where relation.holds(of: paths[position], to: path) {
      if isPicked(position) { return position }
    }
    return nil
  }

  /// The positions of elements whose paths are in `relation` to `path`, as a list.
  @inlinable package func allPositions(_ relation: PathRelation, _ path: Path) -> [Int] {
    if lookup != nil { return Array(positions(relation, path)) }
    var found: [Int] = []
    for position in paths.indices where relation.holds(of: paths[position], to: path) {
      if found.isEmpty { found.reserveCapacity(Self.usualCount) }
      found.append(position)
    }
    return found
  }

  /// Goes through the positions of the elements whose paths are in `relation` to `path`, in rising
  /// order. Quicker than a walk through `positions`.
  @inlinable package func forEach(
    _ relation: PathRelation, _ path: Path, _ body: (Int) -> Void
  ) {
    _ = first(relation, path) { position in
      body(position)
      return false
    }
  }

  /// Changes the elements whose paths are in `relation` to `path`, where they are.
  @inlinable package mutating func update(
    _ relation: PathRelation, _ path: Path, _ change: (inout Element) -> Void
  ) {
    if lookup != nil {
      for position in positions(relation, path) { change(&elements[position]) }
      return
    }
    for position in paths.indices where relation.holds(of: paths[position], to: path) {
      change(&elements[position])
    }
  }

  /// Adds an element as the last one.
  @inlinable package mutating func append(_ element: consuming Element, at path: Path) {
    if paths.isEmpty {
      elements.reserveCapacity(Self.usualCount)
      paths.reserveCapacity(Self.usualCount)
    }
    elements.append(element)
    paths.append(path)
    if lookup != nil {
      lookup?.append(at: path)
    } else if paths.count == Self.indexedCount {
      lookup = PathLookup(paths)
    }
  }

  /// Puts an element with a path of its own in place of another.
  @inlinable package mutating func replace(at position: Int, with element: Element, at path: Path) {
    lookup?.move(position, from: paths[position], to: path)
    paths[position] = path
    elements[position] = element
  }

  /// Takes out the element at a position; those behind it move up.
  @discardableResult @inlinable package mutating func remove(at position: Int) -> Element {
    lookup?.hide(position, at: paths[position])
    lookup?.serials.remove(at: position)
    paths.remove(at: position)
    return elements.remove(at: position)
  }

  /// Has an element of a long list found by its path no more; it stays at its position.
  ///
  /// - Returns: Whether the list is long.
  @inlinable mutating func hide(at position: Int) -> Bool {
    lookup?.hide(position, at: paths[position])
    return lookup != nil
  }

  /// Takes out the elements that are picked.
  ///
  /// - Complexity: O(*n*).
  @inlinable package mutating func removeAll(where isRemoved: (Element) -> Bool) {
    let removed = elements.map(isRemoved)
    guard let first = removed.firstIndex(of: true) else { return }
    var kept = first
    for position in first..<elements.count {
      if removed[position] {
        lookup?.hide(position, at: paths[position])
      } else {
        elements.swapAt(kept, position)
        paths.swapAt(kept, position)
        lookup?.serials.swapAt(kept, position)
        kept += 1
      }
    }
    elements.removeSubrange(kept...)
    paths.removeSubrange(kept...)
    lookup?.serials.removeSubrange(kept...)
  }

  /// Takes out everything.
  @inlinable package mutating func removeAll() { self = PathList() }
}

/// Where in a long list the elements stand that belong to a path.
@usableFromInline struct PathLookup: Sendable {
  /// Rising numbers by which the index knows the elements: they stay when positions change.
  @usableFromInline var serials: [Int]
  private var nextSerial: Int
  @usableFromInline var index = PathIndex()

  @usableFromInline init(_ paths: [Path]) {
    serials = Array(paths.indices)
    nextSerial = paths.count
    for position in paths.indices { index.insert(position, at: paths[position]) }
  }

  /// - Precondition: There is an element with this number.
  @usableFromInline func position(of serial: Int) -> Int {
    var (low, high) = (0, serials.count)
    while low < high {
      let middle = (low + high) / 2
      if serials[middle] < serial { low = middle + 1 } else { high = middle }
    }
    return low
  }

  @usableFromInline mutating func append(at path: Path) {
    serials.append(nextSerial)
    index.insert(nextSerial, at: path)
    nextSerial += 1
  }

  @usableFromInline mutating func move(_ position: Int, from old: Path, to new: Path) {
    index.remove(serials[position], at: old)
    index.insert(serials[position], at: new)
  }

  /// Has an element found by its path no more.
  @usableFromInline mutating func hide(_ position: Int, at path: Path) {
    index.remove(serials[position], at: path)
  }
}

extension PathList: Sendable where Element: Sendable {}

extension PathList: RandomAccessCollection, MutableCollection {
  @inlinable package var startIndex: Int { 0 }
  @inlinable package var endIndex: Int { elements.count }

  @inlinable package subscript(position: Int) -> Element {
    // Where it lies: to read a part of a large element, the array would copy all of it.
    _read { yield elements.span[position] }
    _modify { yield &elements[position] }
  }
}

/// Positions in a list of elements with paths, in rising order. In a short list they are looked for
/// as they are asked for.
@usableFromInline package struct PathPositions: Sequence, IteratorProtocol, Sendable {
  /// The positions, where they are known.
  @usableFromInline let found: [Int]
  /// Where to look for them otherwise.
  @usableFromInline let paths: [Path]
  @usableFromInline let relation: PathRelation
  @usableFromInline let path: Path
  @usableFromInline var position: Int

  @inlinable init(_ found: [Int]) {
    (self.found, paths, relation, path, position) = (found, [], .at, .root, 0)
  }

  @inlinable init(in paths: [Path], _ relation: PathRelation, _ path: Path) {
    (found, self.paths, self.relation, self.path, position) = ([], paths, relation, path, 0)
  }

  @inlinable package mutating func next() -> Int? {
    if position < found.count {
      position += 1
      return found[position - 1]
    }
    while position < paths.count {
      position += 1
      if relation.holds(of: paths[position - 1], to: path) { return position - 1 }
    }
    return nil
  }
}
