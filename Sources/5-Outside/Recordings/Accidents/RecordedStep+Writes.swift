internal import ReferenceClient
internal import Tree

// Accidents of pending writes that overlap.
extension RecordedStep {
  /// The settled write is hidden by an older pending one, or takes out of the folded tree
  /// what another one has put there.
  var withdrawnUnderAnother: [Unreliability] {
    let others = before.visibleWrites + written
    return settled.flatMap { write -> [Unreliability] in
      let rivals = others.filter { $0.id != write.id && leavesTrace(write, of: $0) }
      if rivals.isEmpty { return [] }
      let hold = Unreliability.Hold.writes(Set(rivals.map(\.id)))
      return write.sets.map {
        Unreliability(.withdrawnUnderAnother, .shown, at: $0.path, while: hold)
      }
    }
  }

  private func leavesTrace(_ write: PendingWrite, of other: PendingWrite) -> Bool {
    for set in write.sets {
      for rival in other.sets {
        if set.path.starts(with: rival.path), other.id < write.id { return true }
        let isInside = rival.path.starts(with: set.path)
        if isInside, !other.path.starts(with: write.path) { return true }
      }
    }
    return false
  }

  /// Laying the folded tree over the data gives something else than laying the writes one
  /// after the other.
  var prioritiesLast: [Unreliability] {
    after.views.compactMap { view in
      let writes = after.visibleWrites.filter { !$0.sets(seenFrom: view.path).isEmpty }
      guard !writes.isEmpty else { return nil }
      let folded = FoldedWrites(writes, seenFrom: view.path)
      let bases = [view.known] + [after.cover(of: view.path)].compactMap { $0 }
      guard bases.contains(where: { folded.laid(over: $0) != after.laid(over: $0, at: view.path) })
      else { return nil }
      return Unreliability(
        .prioritiesLast, .shown, at: view.path, view.query, while: .writes(Set(writes.map(\.id))))
    }
  }

  /// What a change reaches is not all that has to look otherwise after it.
  var onlyWhatIsReached: [Unreliability] {
    before.views.compactMap { old in
      guard old.shown.isWhole, let new = after.view(at: old.path, old.query),
        changedKeys(of: old)?.isEmpty == false
      else { return nil }
      // What enters or leaves a limited window is the business of `refills`.
      if old.query.limit != nil, Set(old.keys) != Set(new.keys) { return nil }
      let patched = changedPaths.compactMap { $0.relative(to: old.path) }
        .reduce(old.window) { $0.setting(new.window[$1], at: $1) }
      return patched == new.window
        ? nil : Unreliability(.onlyWhatIsReached, .shown, at: old.path, old.query)
    }
  }

  /// Wilddog looks at the whole of a view again when a write at or above it settles, and
  /// takes what it knows for everything that there is.
  var acknowledgedOverNarrow: [Unreliability] {
    guard isWilddog else { return [] }
    return before.views.compactMap { view in
      let isReached = settled.contains { view.path.starts(with: $0.path) }
      guard isReached, view.isNarrow || !view.isComplete else { return nil }
      let deep = after.visibleWrites.filter { write in
        write.sets(seenFrom: view.path).contains { set in
          guard let key = set.path.keys.first else { return false }
          return set.path.count > 1 && view.known[key].isEmpty
        }
      }
      guard !deep.isEmpty else { return nil }
      return Unreliability(
        .acknowledgedOverNarrow, .shown, at: view.path, view.query,
        while: .writes(Set(deep.map(\.id))))
    }
  }
}

/// Pending writes folded into one tree of values, as the recorded clients keep them.
struct FoldedWrites {
  private var value: Node?
  private var children: [Key: FoldedWrites] = [:]

  private init() {}

  init(_ writes: [PendingWrite], seenFrom path: Path) {
    for set in writes.flatMap({ $0.sets(seenFrom: path) }) {
      add(set.node, at: set.path.keys[...])
    }
  }

  private mutating func add(_ node: Node, at keys: ArraySlice<Key>) {
    if let value, !keys.isEmpty {
      self.value = value.setting(node, at: Path(Array(keys)))
    } else if let key = keys.first {
      children[key, default: FoldedWrites()].add(node, at: keys.dropFirst())
    } else {
      value = node
      children = [:]
    }
  }

  /// Children in the order of their text, the location's own priority last.
  func laid(over base: Node) -> Node {
    if let value { return value }
    var node = base
    for key in children.keys.sorted(by: { $0.string < $1.string }) where key != .priority {
      node = node.setting(children[key]?.laid(over: node[key]) ?? .empty, at: key)
    }
    if let priority = children[.priority]?.value, !node.isEmpty {
      node = node.setting(priority, at: .priority)
    }
    return node
  }
}
