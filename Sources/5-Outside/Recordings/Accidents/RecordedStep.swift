internal import ClientInterface
internal import ReferenceClient
internal import Tree
internal import Wire

/// One group, seen from the reference client: all that an accident may be recognized by.
struct RecordedStep {
  let profile: Profile
  let before: ReferenceClient
  let input: ClientInput?
  let after: ReferenceClient
  /// What the recorded client did, and what the reference client does.
  let recorded: Outputs
  let right: Outputs

  var isWilddog: Bool { profile.dialect == .wilddog }
}

extension RecordedStep {
  /// What a message of the server is about: the locations it sets, and the tag of the one query
  /// that it is for.
  struct ServerData {
    let sets: [(path: Path, node: Node)]
    let tag: Int?
  }

  var news: ServerData? {
    switch input {
    case let .frame(.put(path, node, tag)): ServerData(sets: [(path, node)], tag: tag)
    case let .frame(.merge(path, assignments, tag)):
      ServerData(sets: assignments.sets(below: path), tag: tag)
    default: nil
    }
  }

  /// The visible writes that came to their end in this group.
  var settled: [PendingWrite] {
    let left = Set(after.writes.map(\.id))
    return before.writes.filter { $0.isVisible && !left.contains($0.id) }
  }

  /// The visible writes that were made in this group and are pending after it.
  var written: [PendingWrite] {
    let old = Set(before.writes.map(\.id))
    return after.writes.filter { $0.isVisible && !old.contains($0.id) }
  }

  /// Every location that this group may have changed anything at.
  var changedPaths: [Path] {
    (news?.sets ?? []).map(\.path) + (settled + written).flatMap { $0.sets.map(\.path) }
  }

  /// The children of a view that this group reached; `nil` when it reached the view as a whole.
  func changedKeys(of view: View) -> Set<Key>? {
    var keys: Set<Key> = []
    for path in changedPaths where path.isRelated(to: view.path) {
      guard let key = path.relative(to: view.path)?.keys.first else { return nil }
      keys.insert(key)
    }
    return keys
  }
}

extension ReferenceClient {
  func view(at path: Path, _ query: Query) -> View? {
    views.first { $0.path == path && $0.query == query }
  }

  var visibleWrites: [PendingWrite] { writes.filter(\.isVisible) }

  /// What a complete plain view at or above `path` knows of it, the nearest to the root first.
  func cover(of path: Path) -> Node? {
    let covers = views.filter {
      !$0.query.filters && $0.isComplete && path.starts(with: $0.path)
    }
    guard let cover = covers.min(by: { $0.path.count < $1.path.count }),
      let below = path.relative(to: cover.path)
    else { return nil }
    return cover.known[below]
  }

  /// The visible pending writes, one after the other, over `base` at `path`.
  func laid(over base: Node, at path: Path) -> Node {
    visibleWrites.flatMap { $0.sets(seenFrom: path) }
      .reduce(base) { $0.setting($1.node, at: $1.path) }
  }
}

extension View {
  func isSame(as other: Self) -> Bool { path == other.path && query == other.query }

  /// What the server sent about it, and whether that is all, or the window alone.
  var known: Node { serverCache.node }
  var isComplete: Bool { serverCache.isComplete }
  var isNarrow: Bool { serverCache.isWindow }
  /// What the listeners see, and in which order.
  var window: Node { shown.window.node }
  var keys: [Key] { shown.window.keys }
}
