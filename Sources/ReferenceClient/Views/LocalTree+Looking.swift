internal import Tree

// What is known, without changing anything.

extension LocalTree {
  func view(_ id: Int) -> View? { views.first { $0.id == id } }
  func view(at path: Path, _ query: Query) -> View? {
    views.first { $0.path == path && $0.query == query }
  }
  func view(tagged tag: Int) -> View? { views.first { $0.tag == tag } }
  func views(at path: Path) -> [View] { views.filter { $0.path == path } }

  /// Whether a query that does not filter is listened to at `path`.
  func hasPlainView(at path: Path) -> Bool {
    views.contains { $0.path == path && !$0.query.filters }
  }

  /// Whether such a query is listened to at `path` or above: its data cover everything below.
  func isCovered(_ path: Path) -> Bool {
    views.contains { !$0.query.filters && path.starts(with: $0.path) }
  }

  /// What the server has at `path`, if some view at or above it knows; the one nearest to the root
  /// is asked first.
  func serverData(at path: Path) -> Node? {
    for place in placesToAsk(about: path) {
      guard let relative = path.relative(to: place) else { continue }
      for view in views where view.path == place {
        if let data = completeData(of: view, at: relative) { return data }
      }
    }
    return kept?.data(at: path)
  }

  /// The state of `path` as the next transaction there finds it: what the server has, with all
  /// pending writes on top, hidden ones too, except `ignored` (TXN-2).
  func latest(at path: Path, ignoring ignored: [Int] = []) -> Node {
    let base = serverData(at: path) ?? .empty
    let hidden = !flaws.contains(.transactionsIgnoreHiddenWrites)
    return writes.filter { !ignored.contains($0.id) && ($0.isVisible || hidden) }
      .flatMap { $0.sets(seenFrom: path) }
      .reduce(base) { $0.setting($1.node, at: $1.path) }
  }

  /// What the server's data and the visible writes make of `path`, as far as it is known.
  func visible(at path: Path) -> Node {
    writes.filter(\.isVisible).flatMap { $0.sets(seenFrom: path) }
      .reduce(serverData(at: path) ?? .empty) { $0.setting($1.node, at: $1.path) }
  }
}
