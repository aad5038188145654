extension Children {
  /// One key at which two versions differ. A missing child is the empty node.
  public struct Difference: Sendable {
    /// The key of the child that was added, removed or changed.
    public let key: Key
    /// The child in the earlier version; the empty node when it was added since.
    public let old: Node
    /// The child in the later version; the empty node when it was removed.
    public let new: Node
  }

  /// The keys at which this version differs from `old`, in key order.
  ///
  /// - Complexity: O(*d* log *n*) when the versions share pages and *d* children differ; O(*n*)
  ///   when they share nothing.
  public func differences(from old: Children) -> [Difference] {
    if root === old.root { return [] }
    if root?.isLeaf ?? true, old.root?.isLeaf ?? true {
      return old.root.withEntries { old in
        root.withEntries { Self.differences(between: old, and: $0) }
      }
    }
    var differences: [Difference] = []
    var before = Cursor(old.root)
    var after = Cursor(root)
    while true {
      Self.skipShared(&before, &after)
      switch (before.settle(), after.settle()) {
      case (false, false): return differences
      case (true, false): before.next().map { differences.append(.init(removed: $0)) }
      case (false, true): after.next().map { differences.append(.init(added: $0)) }
      case (true, true): Self.compareNext(&before, &after, into: &differences)
      }
    }
  }

  /// The same for versions that are small, as nearly all are: without a list of pages.
  private static func differences(
    between old: UnsafeBufferPointer<Entry>, and new: UnsafeBufferPointer<Entry>
  ) -> [Difference] {
    var differences: [Difference] = []
    var (before, after) = (0, 0)
    while before < old.count || after < new.count {
      let order =
        after == new.count
        ? -1 : before == old.count ? 1 : old[before].key.order(to: new[after].key)
      if order < 0 {
        differences.append(.init(removed: old[before]))
      } else if order > 0 {
        differences.append(.init(added: new[after]))
      } else if old[before].node != new[after].node {
        differences.append(
          Difference(key: new[after].key, old: old[before].node, new: new[after].node))
      }
      if order <= 0 { before += 1 }
      if order >= 0 { after += 1 }
    }
    return differences
  }

  /// Passes over pages that both versions hold, as long as both stand at the start of a page.
  private static func skipShared(_ a: inout Cursor, _ b: inout Cursor) {
    while a.leaf == nil, b.leaf == nil, let x = a.ahead.last, let y = b.ahead.last {
      if x === y {
        a.ahead.removeLast()
        b.ahead.removeLast()
      } else if !x.isLeaf, y.isLeaf || x.count >= y.count {
        a.ahead.removeLast()
        a.enter(x)
      } else if !y.isLeaf {
        b.ahead.removeLast()
        b.enter(y)
      } else {
        return
      }
    }
  }

  private static func compareNext(
    _ before: inout Cursor, _ after: inout Cursor, into differences: inout [Difference]
  ) {
    guard let old = before.leaf?[before.index], let new = after.leaf?[after.index] else { return }
    let order = old.key.order(to: new.key)
    if order <= 0 { before.advance() }
    if order >= 0 { after.advance() }
    if order < 0 {
      differences.append(.init(removed: old))
    } else if order > 0 {
      differences.append(.init(added: new))
    } else if old.node != new.node {
      differences.append(Difference(key: new.key, old: old.node, new: new.node))
    }
  }
}

extension Children.Difference {
  fileprivate init(removed entry: Children.Entry) {
    self.init(key: entry.key, old: entry.node, new: .empty)
  }

  fileprivate init(added entry: Children.Entry) {
    self.init(key: entry.key, old: .empty, new: entry.node)
  }
}

extension Children: Equatable {
  /// - Complexity: O(1) for shared or obviously different trees, O(*n*) otherwise.
  public static func == (a: Children, b: Children) -> Bool {
    if a.root === b.root { return true }
    guard let x = a.root, let y = b.root, x.count == y.count, x.digest == y.digest else {
      return false
    }
    guard x.isLeaf, y.isLeaf else {
      return zip(a, b).allSatisfy { $0.key == $1.key && $0.node == $1.node }
    }
    return x.withEntries { x in
      y.withEntries { y in
        x.indices.allSatisfy { x[$0].key == y[$0].key && x[$0].node == y[$0].node }
      }
    }
  }
}
