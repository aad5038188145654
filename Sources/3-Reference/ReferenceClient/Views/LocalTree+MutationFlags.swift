internal import Tree

// Where a mutation would make the rule itself hard to read.

extension LocalTree {
  /// What a view at or above `path` knows of it, if that is all.
  func completeData(of index: Int, at path: Path) -> Node? {
    let filters = views[index].query.filters
    let isComplete = views[index].serverCache.isComplete
    let isFlawed = mutationFlags.contains(filters ? .windowsSeemComplete : .partsSeemComplete)
    if isFlawed, isComplete || !filters {
      return views[index].serverCache.node[path.dropFirst(views[index].path.count)]
    }
    guard isComplete else { return nil }
    return views[index].serverCache.completeData(
      at: path.dropFirst(views[index].path.count), for: views[index].query)
  }

  /// How deep the locations at and above `path` lie that are asked what they know of it, first to
  /// last.
  func depthsToAsk(about path: Path) -> ClosedRange<Int> {
    guard mutationFlags.contains(.nearestViewDecides) else { return 0...path.count }
    let above = views.lazy.map(\.path).filter { path.starts(with: $0) }
    return above.map(\.count).max().map { $0...$0 } ?? 0...path.count
  }

  /// What the visible pending writes set at the location of a view and below it, in order of issue.
  ///
  /// What was written before a write that covers the location makes no difference, unless it is
  /// known that children are absent.
  func visibleSets(of index: Int, after change: View.Change) -> [(path: Path, node: Node)] {
    if case .data = change, mutationFlags.contains(.dataHideWrites) { return [] }
    if writes.isEmpty { return [] }
    let path = views[index].path
    let needsAll = !laysWritesInOrder || !views[index].serverCache.absent.isEmpty
    let covering = writes.lastIndex { write in
      write.isVisible && write.sets.contains { path.starts(with: $0.path) }
    }
    var sets: [(path: Path, node: Node)] = []
    for write in writes[(needsAll ? 0 : covering ?? 0)...] where write.isVisible {
      let seen = write.sets(seenFrom: path)
      if sets.isEmpty { sets = seen } else { sets += seen }
    }
    return mutationFlags.contains(.writesLieBackwards) ? sets.reversed() : sets
  }

  /// Whether the window is what the server sent with all writes on top, the last one last.
  var laysWritesInOrder: Bool {
    mutationFlags.isDisjoint(with: [.dataHideWrites, .writesLieBackwards])
  }

  /// The pending writes that are left when `write` is withdrawn: all others, by the rules.
  func surviving(_ write: PendingWrite) -> [PendingWrite] {
    guard mutationFlags.contains(.revertsWipeSiblings) else { return writes }
    return writes.filter { $0.path.parent != write.path.parent }
  }

  /// WRT-24: from where on pending writes can hide what a write put that stood before `index`.
  func firstShadow(of index: Int) -> Int {
    mutationFlags.contains(.earlierWritesShadow) ? 0 : min(index, writes.count)
  }

  /// What is done to what is shown when a write is answered.
  func effect(of settlement: Settlement) -> Settlement {
    mutationFlags.contains(.acknowledgedWritesVanish) ? .reverted : settlement
  }
}
