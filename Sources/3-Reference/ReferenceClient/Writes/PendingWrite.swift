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
    var seen: [(path: Path, node: Node)] = []
    for set in sets {
      if let path = set.path.relative(to: viewPath) {
        seen.append((path, set.node))
      } else if let path = viewPath.relative(to: set.path) {
        seen.append((.root, set.node[path]))
      }
    }
    return seen
  }
}

extension LocalTree {
  /// How a pending write ends.
  enum Settlement {
    case acknowledged
    case reverted
  }
}
