internal import Tree

// Where a flaw would make the rule itself hard to read.

extension LocalTree {
  /// The data below a view's place, if all of it is known.
  func completeData(of view: View, at relative: Path) -> Node? {
    let flaw: Flaws = view.query.filters ? .windowsSeemComplete : .partsSeemComplete
    if flaws.contains(flaw), view.knowledge.isComplete || !view.query.filters {
      return view.knowledge.node[relative]
    }
    return view.knowledge.completeData(at: relative, for: view.query)
  }

  /// The places at and above `path` that are asked what they know of it, first to last.
  func placesToAsk(about path: Path) -> [Path] {
    guard flaws.contains(.nearestViewDecides) else { return path.lineage }
    return path.lineage.last { place in views.contains { $0.path == place } }.map { [$0] } ?? []
  }

  /// What the visible pending writes set at a place and below it, in order of issue.
  func visibleSets(from path: Path, after cause: Cause) -> [(path: Path, node: Node)] {
    if case .server = cause, flaws.contains(.dataHideWrites) { return [] }
    let sets = writes.flatMap { $0.isVisible ? $0.sets(seenFrom: path) : [] }
    return flaws.contains(.writesLieBackwards) ? sets.reversed() : sets
  }

  /// The pending writes that are left when `write` is withdrawn: all others, by the rules.
  func surviving(_ write: PendingWrite) -> [PendingWrite] {
    guard flaws.contains(.revertsWipeSiblings) else { return writes }
    return writes.filter { $0.path.parent != write.path.parent }
  }

  /// WRT-24: from where on pending writes can hide what a write put that stood before `index`.
  func firstShadow(of index: Int) -> Int {
    flaws.contains(.earlierWritesShadow) ? 0 : min(index, writes.count)
  }

  /// What is done to what is shown when a write is answered.
  func effect(of settlement: Settlement) -> Settlement {
    flaws.contains(.acknowledgedWritesVanish) ? .reverted : settlement
  }
}
