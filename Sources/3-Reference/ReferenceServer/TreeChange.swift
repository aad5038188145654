internal import Tree
internal import Wire

/// A write that was done, as listens see it.
///
/// What is told is always what stands there now. So a write that changed nothing is told as well,
/// as recorded: a client takes the repetition as the sign that its own write has arrived.
struct TreeChange {
  private enum Shape {
    case put
    case merge
  }

  private let shape: Shape
  /// Where the write was made.
  private let path: Path
  /// The locations that were overwritten.
  private let places: [Path]
  /// Everything that is stored, after the write.
  let tree: Node

  init(_ write: ReferenceServer.Write, leading tree: Node) {
    self.tree = tree
    path = write.path
    // PRI-8: a priority on nothing is no change; clients are not told of it.
    places = write.places.filter { place in
      guard place.key == .priority, let parent = place.parent else { return true }
      return !tree[parent].isEmpty
    }
    switch write {
    case .put: shape = .put
    case .merge: shape = .merge
    }
  }

  /// Whether anything at or below `place` may have changed.
  func concerns(_ place: Path) -> Bool {
    path.isRelated(to: place) && places.contains { $0.isRelated(to: place) }
  }

  /// What an unfiltered listen at `place` is told, or `nil` when the write was elsewhere.
  ///
  /// A listen at or above the write gets it as it was made. A listen below gets what has become of
  /// its own location: whole, if the write covers it, else the parts that lie inside, in one
  /// message.
  func message(forListenAt place: Path) -> ServerMessage? {
    guard concerns(place) else { return nil }
    if path.starts(with: place) {
      switch shape {
      case .put: return .put(path, tree[path], tag: nil)
      case .merge: return .merge(path, assignments(at: path), tag: nil)
      }
    }
    if places.contains(where: place.starts(with:)) { return .put(place, tree[place], tag: nil) }
    return .merge(place, assignments(at: place), tag: nil)
  }

  /// What now stands at the overwritten locations at or below `ancestor`.
  private func assignments(at ancestor: Path) -> [Assignment] {
    places.compactMap { place in
      place.relative(to: ancestor).map { Assignment($0, tree[place]) }
    }
  }
}
