internal import Tree

// What is known, without changing anything. Views are looked at where they are, by their
// positions: they are too large to be copied for a question that is asked with every input.

extension LocalTree {
  /// The position of the view of a query at a location.
  func index(at path: Path, _ query: Query) -> Int? {
    views.first(.at, path) { views[$0].query == query }
  }

  func view(at path: Path, _ query: Query) -> View? { index(at: path, query).map { views[$0] } }

  /// Which view has a tag, which the server uses with the path of the view.
  func id(ofViewTagged tag: Int, at path: Path) -> Int? {
    let near = views.first(.at, path) { views[$0].tag == tag }
    let index = near ?? views.indices.first { views[$0].tag == tag }
    return index.map { views[$0].id }
  }

  func views(at path: Path) -> [View] { views.positions(.at, path).map { views[$0] } }

  /// Whether a query that does not filter is listened to at `path`.
  func hasPlainView(at path: Path) -> Bool {
    views.first(.at, path) { !views[$0].query.filters } != nil
  }

  /// Whether such a query is listened to at `path` or above: its data cover everything below.
  func isCovered(_ path: Path) -> Bool {
    views.first(.atOrAbove, path) { !views[$0].query.filters } != nil
  }

  /// Whether one listen serves both queries of a location: they are equal, or neither filters.
  func servesAlike(_ query: Query, _ other: Query) -> Bool {
    query.filters ? query == other : !other.filters
  }

  /// Whether the listen that serves the view at this position waits for its answer.
  func isUnanswered(_ index: Int) -> Bool {
    let covers = views.positions(.atOrAbove, views[index].path).filter { !views[$0].query.filters }
    let outermost = covers.min { views[$0].path.count < views[$1].path.count }
    return views[outermost ?? index].serverCache.isClaimed
  }

  /// Whether all of `path` is known from a query that does not filter.
  func isKnown(_ path: Path) -> Bool {
    views.first(.atOrAbove, path) {
      !views[$0].query.filters && views[$0].serverCache.isComplete
    } != nil
  }

  /// What the server has at `path`, if some view at or above it knows; the one nearest to the root
  /// is asked first.
  func serverData(at path: Path) -> Node? {
    let above = views.allPositions(.atOrAbove, path)
    for depth in above.isEmpty ? 0...0 : depthsToAsk(about: path) {
      for index in above where views[index].path.count == depth {
        if let data = completeData(of: index, at: path) { return data }
      }
    }
    return kept?.data(at: path)
  }

  /// The children of `path` that are known because they are listened to themselves.
  func knownChildren(of path: Path) -> Children {
    var children = Children()
    for index in views.positions(.atOrBelow, path) {
      let viewPath = views[index].path
      guard viewPath.count == path.count + 1, let key = viewPath.key, children[key].isEmpty,
        let data = views[index].serverCache.completeData(at: .root, for: views[index].query)
      else { continue }
      children[key] = data
    }
    return children
  }

  /// What a change at `path` reaches in a view that itself knows no more than a window, though all
  /// is known from an unfiltered one.
  func reachByCover(of index: Int, _ path: Path) -> ServerCache.Reach? {
    guard views[index].serverCache.isWindow, !mutationFlags.contains(.coversReachNothing),
      isKnown(views[index].path),
      let below = path.relative(to: views[index].path)
    else { return nil }
    return below.keys.first.map { .children([$0]) } ?? .everything
  }

  /// What a complete plain view at or above `path` knows of it; the one nearest to the root counts.
  func cover(of path: Path) -> Node? {
    var best: Int?
    for index in views.allPositions(.atOrAbove, path)
    where !views[index].query.filters && views[index].serverCache.isComplete {
      if best.map({ views[index].path.count < views[$0].path.count }) ?? true { best = index }
    }
    return best.flatMap { cover in
      path.relative(to: views[cover].path).map { views[cover].serverCache.node[$0] }
    }
  }

  /// The state of `path` as the next transaction there finds it: what the server has, with all
  /// pending writes on top, hidden ones too, except `ignored` (TXN-2).
  func latest(at path: Path, ignoring ignored: [Int] = []) -> Node {
    let base = serverData(at: path) ?? .empty
    let hidden = !mutationFlags.contains(.transactionsIgnoreHiddenWrites)
    if writes.isEmpty { return base }
    return writes.filter { !ignored.contains($0.id) && ($0.isVisible || hidden) }
      .flatMap { $0.sets(seenFrom: path) }
      .reduce(base) { $0.setting($1.node, at: $1.path) }
  }

  /// What the server's data and the visible writes make of `path`, as far as it is known.
  func visible(at path: Path) -> Node {
    let base = serverData(at: path) ?? .empty
    if writes.isEmpty { return base }
    return writes.filter(\.isVisible).flatMap { $0.sets(seenFrom: path) }
      .reduce(base) { $0.setting($1.node, at: $1.path) }
  }

  /// The views that a change at `path` can reach, in the order in which they are raised (EVT-15):
  /// below it first, siblings in the order of their text, then the location, then upwards to the
  /// root. At one location the oldest query comes first.
  func visitOrder(of path: Path) -> [Int] {
    let related = views.allPositions(.related, path)
    if related.count < 2 { return related }
    let located = related.map { (index: $0, keys: views[$0].path.keys) }
    return located.sorted { a, b in
      for (p, q) in zip(a.keys, b.keys) where p != q { return p.text < q.text }
      return a.keys.count != b.keys.count ? a.keys.count > b.keys.count : a.index < b.index
    }.map(\.index)
  }
}
