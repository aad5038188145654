internal import Tree

/// A write that the server has not answered yet.
struct PendingWrite {
  /// Counts up in order of issue.
  let id: Int
  /// Where it was made.
  let path: Path
  /// What it sets, by absolute path. Server values are replaced by estimates.
  let sets: [(path: Path, node: Node)]
  /// Whether listeners see it. A transaction without local events is hidden (TXN-5).
  let isVisible: Bool
}

extension PendingWrite {
  /// What the write sets at `viewPath` or below it, by paths relative to it.
  func sets(seenFrom viewPath: Path) -> [(path: Path, node: Node)] {
    sets.compactMap { set in
      if let path = set.path.relative(to: viewPath) { return (path, set.node) }
      if let path = viewPath.relative(to: set.path) { return (.root, set.node[path]) }
      return nil
    }
  }
}
