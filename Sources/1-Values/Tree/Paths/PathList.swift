/// Elements that belong to paths, in the order in which they were added, and found by their paths.
///
/// A short list is searched from its beginning. A long one has an index, so that what lies at, above
/// or below a path is found without a look at the rest.
package struct PathList<Element> {
  /// From how many elements on there is an index.
  package static var indexedCount: Int { 24 }

  private var elements: [Element] = []
  private var paths: [Path] = []
  /// Rising numbers by which the index knows the elements: they stay when positions change.
  private var serials: [Int] = []
  private var nextSerial = 0
  private var index: PathIndex?

  /// Without any element.
  package init() {}

  /// The positions of the elements whose paths are in `relation` to `path`, in rising order.
  ///
  /// - Complexity: O(*n*) in a short list; O(*d* + *k* log *n*) for *k* positions and a path of *d*
  ///   keys in a long one.
  package func positions(_ relation: PathRelation, _ path: Path) -> PathPositions {
    guard let index else { return PathPositions(in: paths, relation, path) }
    return PathPositions(index.serials(relation, path).map(position(of:)))
  }

  /// Whether there is an element whose path is in `relation` to `path`.
  package func has(_ relation: PathRelation, _ path: Path) -> Bool {
    var positions = positions(relation, path)
    return positions.next() != nil
  }

  /// - Precondition: There is an element with this number.
  private func position(of serial: Int) -> Int {
    var (low, high) = (0, serials.count)
    while low < high {
      let middle = (low + high) / 2
      if serials[middle] < serial { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Adds an element as the last one.
  package mutating func append(_ element: Element, at path: Path) {
    elements.append(element)
    paths.append(path)
    serials.append(nextSerial)
    index?.insert(nextSerial, at: path)
    nextSerial += 1
    guard index == nil, paths.count == Self.indexedCount else { return }
    var index = PathIndex()
    for (serial, path) in zip(serials, paths) { index.insert(serial, at: path) }
    self.index = index
  }

  /// Puts an element with a path of its own in place of another.
  package mutating func replace(at position: Int, with element: Element, at path: Path) {
    index?.remove(serials[position], at: paths[position])
    index?.insert(serials[position], at: path)
    paths[position] = path
    elements[position] = element
  }

  /// Takes out the element at a position; those behind it move up.
  @discardableResult
  package mutating func remove(at position: Int) -> Element {
    index?.remove(serials[position], at: paths[position])
    paths.remove(at: position)
    serials.remove(at: position)
    return elements.remove(at: position)
  }

  /// Takes out the elements that are picked.
  ///
  /// - Complexity: O(*n*).
  package mutating func removeAll(where isRemoved: (Element) -> Bool) {
    let removed = elements.map(isRemoved)
    guard let first = removed.firstIndex(of: true) else { return }
    var kept = first
    for position in first..<elements.count {
      if removed[position] {
        index?.remove(serials[position], at: paths[position])
      } else {
        elements.swapAt(kept, position)
        paths.swapAt(kept, position)
        serials.swapAt(kept, position)
        kept += 1
      }
    }
    elements.removeSubrange(kept...)
    paths.removeSubrange(kept...)
    serials.removeSubrange(kept...)
  }

  /// Takes out everything.
  package mutating func removeAll() { self = PathList() }
}

extension PathList: Sendable where Element: Sendable {}

extension PathList: RandomAccessCollection, MutableCollection {
  package var startIndex: Int { 0 }
  package var endIndex: Int { elements.count }

  package subscript(position: Int) -> Element {
    _read { yield elements[position] }
    _modify { yield &elements[position] }
  }
}

/// Positions in a list of elements with paths, in rising order. In a short list they are looked for
/// as they are asked for.
package struct PathPositions: Sequence, IteratorProtocol, Sendable {
  private let found: [Int]?
  private let paths: [Path]
  private let relation: PathRelation
  private let path: Path
  private var position = 0

  fileprivate init(_ found: [Int]) {
    (self.found, paths, relation, path) = (found, [], .at, .root)
  }

  fileprivate init(in paths: [Path], _ relation: PathRelation, _ path: Path) {
    (found, self.paths, self.relation, self.path) = (nil, paths, relation, path)
  }

  package mutating func next() -> Int? {
    if let found {
      guard position < found.count else { return nil }
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
