internal import ReferenceClient
internal import Tree

// Accidents of limited windows.
extension RecordedStep {
  /// A full limited window lost a child, and the engine looks for another one only beyond
  /// the old edge, and in data that may be older than the change. Wilddog may even take one that is
  /// in the window.
  var refills: [Unreliability] {
    limitedViews.compactMap { old, new in
      guard let refill = Refill(old, new, changedKeys(of: old), self), refill.isTried else {
        return nil
      }
      let isShort = new.keys.count < (old.query.limit?.count ?? 0)
      let mayRepeat = isWilddog && isShort && after.cover(of: old.path) != nil
      return refill.window == new.window && !mayRepeat
        ? nil : Unreliability(.refill, .shown, at: old.path, old.query)
    }
  }

  /// Views with a limit, as they were and as they are.
  private var limitedViews: [(old: View, new: View)] {
    before.views.filter { $0.query.limit != nil }.compactMap { old in
      after.view(at: old.path, old.query).map { (old, $0) }
    }
  }
}

/// How the recorded clients fill a limited window of which a child has changed.
private struct Refill {
  /// Whether the window was full and one of its children changed.
  let isTried: Bool
  let window: Node

  init?(
    _ old: View, _ new: View, _ changed: Set<Key>?,
    _ moment: RecordedStep
  ) {
    guard let changed, let limit = old.query.limit, old.keys.count >= limit.count else {
      return nil
    }
    let query = old.query
    let base = new.isNarrow ? moment.after.cover(of: old.path) ?? new.known : new.known
    let truth = moment.after.laid(over: base, at: old.path)
    var candidates = old.window
    for key in changed { candidates = candidates.setting(truth[key], at: key) }
    let stays = query.window(of: candidates).node
    isTried = changed.contains { !old.window[$0].isEmpty && old.window[$0] != stays[$0] }
    if isTried {
      let cover = moment.before.cover(of: old.path)
      let pool = FoldedWrites(moment.after.visibleWrites, seenFrom: old.path)
        .laid(over: cover ?? new.known)
      let ranked = query.ordering == .priority ? cover : cover.map { _ in pool }
      let edge = Edge(of: old, hasValues: ranked.map { query.ordering.hasValues(in: $0) } ?? true)
      for entry in pool.children
      where candidates[entry.key].isEmpty && !changed.contains(entry.key) && edge.precedes(entry) {
        candidates = candidates.setting(entry.node, at: entry.key)
      }
    }
    window = query.window(of: candidates).node
  }
}

/// The last child of a limited window, seen from the location where the limit counts from.
private struct Edge {
  let query: Query
  let key: Key
  let node: Node
  /// Whether children are distinguished by the value they are ordered by, or by key alone.
  let hasValues: Bool

  init(of view: View, hasValues: Bool) {
    query = view.query
    self.hasValues = hasValues
    let isLast = if case .last = view.query.limit { true } else { false }
    key = (isLast ? view.keys.first : view.keys.last) ?? ""
    node = view.window[key]
  }

  /// Whether a child lies beyond the edge.
  func precedes(_ entry: Children.Entry) -> Bool {
    let isAfter: Bool
    if hasValues {
      isAfter =
        query.ordering.keys(of: Children([(key, node), (entry.key, entry.node)])).last == entry.key
    } else {
      isAfter = query.ordering.value(of: entry.node) > .null || key < entry.key
    }
    let isLast = if case .last = query.limit { true } else { false }
    return isLast ? !isAfter : isAfter
  }
}

extension Query.Ordering {
  /// Whether any child has something to be ordered by.
  fileprivate func hasValues(in node: Node) -> Bool {
    switch self {
    case .key, .value: true
    case .priority, .child: node.children.contains { value(of: $0.node) > .null }
    }
  }
}
