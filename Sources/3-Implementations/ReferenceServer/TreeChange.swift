internal import Tree
internal import Wire

/// A write that was done, as listens see it.
///
/// What is sent is always what is there now. So a write that changed nothing is reported as
/// well, as recorded: a client takes the repetition as the sign that its own write has arrived.
struct TreeChange {
  private enum Shape {
    case put
    case merge
  }

  private let shape: Shape
  /// Where the write was made, or above if that is sent whole.
  let path: Path
  /// The locations that were overwritten, or are sent whole.
  private let paths: [Path]
  /// Everything that is stored, after the write.
  private(set) var tree: Node
  /// Everything that was stored before; `nil` where it does not matter in which form it is sent.
  let before: Node?
  /// What is at the overwritten locations, for a listen where the write was made, if that is known.
  private var known: [Assignment]?

  init(_ write: ReferenceServer.Write, from before: Node?, to tree: Node) {
    self.tree = tree
    self.before = before
    // PRI-8: a priority on nothing is no change; it is not sent to clients.
    let written = write.paths.filter { location in
      guard location.key?.isPriority == true, let parent = location.parent else { return true }
      return !tree[parent].isEmpty
    }
    guard write.isMerge else {
      (path, paths, shape) = (write.path, written, .put)
      return
    }
    let whole = Self.undivided(written, in: tree)
    let parts = written.filter { part in !whole.contains { part.starts(with: $0) } }
    if let above = whole.first(where: { write.path.starts(with: $0) }) {
      (path, paths, shape) = (above, [above], .put)
    } else {
      (path, paths, shape) = (write.path, parts + whole, .merge)
    }
  }

  /// The nodes that lose their priority if a merge of these locations is done part by part, and the
  /// removals first (VAL-4). Clients should do it at once, but need not (PRI-16): each is sent whole,
  /// so that all of them get the same.
  private static func undivided(_ locations: [Path], in tree: Node) -> [Path] {
    let parts = locations.filter { $0.key?.isPriority != true }
    var (found, rest): ([Path], Node?) = ([], nil)
    for removed in parts where tree[removed].isEmpty {
      for count in removed.keys.indices {
        let path = Path(Array(removed.keys.prefix(count)))
        if tree[path].priority == nil { continue }
        let others = rest ?? parts.reduce(tree) { $0.setting(.empty, at: $1) }
        rest = others
        guard others[path].isEmpty else { continue }
        if !found.contains(where: { path.starts(with: $0) }) {
          found.removeAll { $0.starts(with: path) }
          found.append(path)
        }
        break
      }
    }
    return found
  }

  /// The same change, with the assignments that most listens are sent computed already.
  var withAssignments: TreeChange {
    var change = self
    change.known = assignments(at: path)
    return change
  }

  /// The same change in another tree, which has the same data where the write was made.
  func replacingTree(with tree: Node) -> TreeChange {
    var change = self
    change.tree = tree
    return change
  }

  /// Whether anything at or below `location` may have changed.
  func concerns(_ location: Path) -> Bool {
    path.isRelated(to: location) && paths.contains { $0.isRelated(to: location) }
  }

  /// What an unfiltered listen at `location` is sent, or `nil` when the write was elsewhere.
  ///
  /// A listen at or above the write gets it as it was made. A listen below gets what has become of
  /// its own location: whole, if the write covers it, else the parts that lie inside, in one
  /// message.
  func message(forListenAt location: Path) -> ServerMessage? {
    guard concerns(location) else { return nil }
    if path.starts(with: location) {
      switch shape {
      case .put: return .put(path, tree[path], tag: nil)
      case .merge: return .merge(path, known ?? assignments(at: path), tag: nil)
      }
    }
    if paths.contains(where: location.starts(with:)) {
      return .put(location, tree[location], tag: nil)
    }
    return .merge(location, assignments(at: location), tag: nil)
  }

  /// What now stands at the overwritten locations at or below `ancestor`.
  private func assignments(at ancestor: Path) -> [Assignment] {
    paths.compactMap { location in
      location.relative(to: ancestor).map { Assignment($0, tree[location]) }
    }
  }
}
