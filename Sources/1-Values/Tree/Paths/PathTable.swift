/// A `PathList` of which many elements are taken out one by one.
///
/// What is taken out of a long list leaves a gap, and once half of it are gaps, they are closed. So
/// the cost of taking one out does not depend on how many there are, but for that.
@usableFromInline package struct PathTable<Element> {
  @usableFromInline var list = PathList<Element?>()
  @usableFromInline var gaps = 0

  /// Without any element.
  @inlinable package init() {}

  /// How many elements there are.
  @inlinable package var count: Int { list.count - gaps }

  /// The elements, in the order in which they were added.
  @inlinable package var elements: [Element] { list.compactMap { $0 } }

  /// The positions of the elements whose paths are in `relation` to `path`, in the order in which
  /// they were added; they hold until one is taken out.
  @inlinable package func positions(_ relation: PathRelation, _ path: Path) -> PathPositions {
    list.positions(relation, path)
  }

  /// The first position that is picked among those of elements whose paths are in `relation` to
  /// `path`. Quicker than a walk through `positions`.
  @inlinable package func first(
    _ relation: PathRelation, _ path: Path, where isPicked: (Int) -> Bool
  ) -> Int? {
    list.first(relation, path, where: isPicked)
  }

  /// Goes through the positions of the elements whose paths are in `relation` to `path`, in the order
  /// in which they were added. Quicker than a walk through `positions`.
  @inlinable package func forEach(
    _ relation: PathRelation, _ path: Path, _ body: (Int) -> Void
  ) {
    list.forEach(relation, path, body)
  }

  /// Changes the elements whose paths are in `relation` to `path`, where they are.
  @inlinable package mutating func update(
    _ relation: PathRelation, _ path: Path, _ change: (inout Element?) -> Void
  ) {
    list.update(relation, path, change)
  }

  /// Whether there is an element whose path is in `relation` to `path`.
  @inlinable package func has(_ relation: PathRelation, _ path: Path) -> Bool {
    list.has(relation, path)
  }

  /// The element at a position.
  ///
  /// - Precondition: It is one of ``positions(_:_:)``.
  @inlinable package subscript(position: Int) -> Element {
    get {
      guard let element = list[position] else { preconditionFailure("\(position) is a gap") }
      return element
    }
    _modify {
      guard var element = list[position].take() else { preconditionFailure("\(position) is a gap") }
      defer { list[position] = element }
      yield &element
    }
  }

  /// Adds an element as the last one.
  @inlinable package mutating func append(_ element: consuming Element, at path: Path) {
    list.append(element, at: path)
  }

  /// Takes out the element at a position.
  @inlinable package mutating func remove(at position: Int) {
    guard list.hide(at: position) else {
      list.remove(at: position)
      return
    }
    list[position] = nil
    gaps += 1
    if gaps > list.count / 2 { removeAll { _ in false } }
  }

  /// Takes out the elements that are picked.
  ///
  /// - Complexity: O(*n*).
  @inlinable package mutating func removeAll(where isRemoved: (Element) -> Bool) {
    list.removeAll { $0.map(isRemoved) ?? true }
    gaps = 0
  }
}

extension PathTable: Sendable where Element: Sendable {}
