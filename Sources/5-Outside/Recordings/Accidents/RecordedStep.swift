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

// Accidents of what a filtered view knows.
extension RecordedStep {
  /// What was said to a filtered view alone disagrees with what is known of the whole location,
  /// because one of the two messages was on its way for longer.
  var windowsAgainstCovers: [Unreliability] {
    // That of a single read is gone with its first event.
    let ended = before.views.filter { after.view(at: $0.path, $0.query) == nil }
    return (after.views + ended).compactMap { view in
      guard view.isNarrow, let cover = after.cover(of: view.path) else { return nil }
      let own = view.query.window(of: after.laid(over: view.known, at: view.path)).node
      let covered = view.query.window(of: after.laid(over: cover, at: view.path)).node
      let isInUnknownChild = after.visibleWrites.flatMap { $0.sets(seenFrom: view.path) }
        .contains {
          $0.path.count > 1 && $0.path.keys.first.map { view.known[$0].isEmpty } ?? false
        }
      return own == covered && !isInUnknownChild
        ? nil : Unreliability(.windowAgainstCover, .known, at: view.path, view.query)
    }
  }

  /// Untagged data below a view of which only the window is known, or a merge that reaches
  /// deep into a child outside that window.
  var forgottenNarrowness: [Unreliability] {
    guard isWilddog, let news else { return [] }
    return before.views.filter { view in
      guard view.isNarrow, news.tag == nil || news.tag == view.tag else { return false }
      return news.sets.contains { set in
        guard let below = set.path.relative(to: view.path), let key = below.keys.first else {
          return false
        }
        return news.tag == nil || below.count > 1 && view.known[key].isEmpty
      }
    }.map { Unreliability(.forgottenNarrowness, .known, at: $0.path, $0.query) }
  }

  /// A new view takes its data from the nearest location above with any view, even if that
  /// does not know them and one farther up does.
  var nearestPathDecides: [Unreliability] {
    guard isWilddog else { return [] }
    let new = after.views.filter { view in !before.views.contains { $0.isSame(as: view) } }
    return new.filter { view in
      let above = before.views.filter { $0.path != view.path && view.path.starts(with: $0.path) }
      guard let nearest = above.map(\.path.count).max(), view.isComplete else { return false }
      return !above.contains { $0.path.count == nearest && $0.knowsAll(at: view.path) }
    }.map { Unreliability(.nearestPathDecides, .known, at: $0.path, $0.query) }
  }
}

extension View {
  /// Whether the view knows everything at a location at or below its own.
  fileprivate func knowsAll(at location: Path) -> Bool {
    guard isComplete, let below = location.relative(to: path) else { return false }
    guard query.filters else { return true }
    return below.keys.first.map { !known[$0].isEmpty } ?? false
  }
}

// Accidents of transactions.
extension RecordedStep {
  /// A second overtaking drops a transaction that is on its way from the queue.
  var forgottenTransactions: [Unreliability] {
    overtakenTwice.map {
      Unreliability(.forgottenTransaction, .known, at: $0.path, while: .transaction($0.call))
    }
  }

  /// The transactions that are on their way and overtaken for the second time.
  var overtakenTwice: [Transaction] {
    let paths = overtakingPaths
    return before.transactions.filter { transaction in
      let count = paths.filter { $0.isRelated(to: transaction.path) }.count
      return switch transaction.state {
      case .waiting, .failed: false
      case .sent: count > 1
      case .overtaken: count > 0
      }
    }
  }

  /// The locations at which this group gives transactions up, one for each time it does.
  private var overtakingPaths: [Path] {
    switch input {
    case let .call(_, operation): overtakingPaths(of: operation)
    case .closed: before.onDisconnectPaths
    default: []
    }
  }

  private func overtakingPaths(of operation: Operation) -> [Path] {
    if operation.isOnline == false { return before.onDisconnectPaths }
    guard operation.isPlainWrite, let path = operation.path else { return [] }
    if operation.kind == .setPriority { return [path.appending(.priority)] }
    guard let parts = operation.arguments.changes, profile.updateAborts == .namedChildren else {
      return [path]
    }
    return parts.map { path.appending($0.path) }
  }

  /// The watch of a running transaction is a registration like others to Wilddog and
  /// Firebase alike, and goes when all at the location do.
  var removedWatches: [Unreliability] {
    guard case let .call(_, .unlistenAll(target)) = input else { return [] }
    return before.transactions.filter { $0.path == target.path }.map {
      Unreliability(.removedWatch, .known, at: $0.path, while: .transaction($0.call))
    }
  }

  /// Wilddog leaves out of what a rerun sees the results of all transactions of the queue, also of
  /// those that are not run again. Where the function makes the same of both, that is all.
  var sentLeftOut: [Unreliability] {
    guard isWilddog else { return [] }
    let all = before.transactions + after.transactions
    return before.transactions.compactMap { transaction in
      let seen = recorded.inputs(of: transaction.call)
      let due = right.inputs(of: transaction.call)
      let isBeside = all.contains {
        $0.state.isOnTheWire && $0.call != transaction.call
          && $0.path.isRelated(to: transaction.path)
      }
      guard seen != due, !due.isEmpty, isBeside else { return nil }
      let run = transaction.function
      // Of its input a result has also the priority, which the function does not see.
      let call: Set<OutputSubject> = [.call(transaction.call.name)]
      let isHarmless =
        seen.map { run($0) } == due.map { run($0) }
        && recorded.without(call) == right.without(call)
      return isHarmless
        ? Unreliability(.sentLeftOut, .call(transaction.call), at: transaction.path)
        : Unreliability(
          .sentLeftOut, .known, at: transaction.path, while: .transaction(transaction.call))
    }
  }
}

extension Transaction.State {
  fileprivate var isOnTheWire: Bool {
    switch self {
    case .sent, .overtaken: true
    case .waiting, .failed: false
    }
  }
}

extension Outputs {
  /// What the function of a transaction was called with.
  fileprivate func inputs(of call: CallID) -> [JSON] {
    received.compactMap { output in
      guard let run = output["updateRan"], run["call"] == .string(call.name) else { return nil }
      return run["input"]
    }
  }
}

// Accidents that change nothing but an order.
extension RecordedStep {
  /// The accident that makes `recorded` of `right`, if both are the same but for their order, and
  /// the order inside every listener and of every call is the same as well.
  func permutation(from right: Outputs, to recorded: Outputs) -> Accident? {
    if right.received == recorded.received {
      // The queues of transactions are kept by location, in a container with an order of its
      // own.
      let isSame = right.sent.isPermutation(of: recorded.sent)
      let moved = zip(right.sent, recorded.sent).filter { $0 != $1 }.map(\.0)
      return isSame && moved.allSatisfy { $0["b"]?["h"] != nil } ? .queuesOutOfOrder : nil
    }
    guard right.sent == recorded.sent, overtakesTransactions,
      right.received.isPermutation(of: recorded.received)
    else { return nil }
    let subjects = Set(right.received.map { OutputSubject(received: $0) })
    let isSameInside = subjects.allSatisfy { subject in
      right.received.filter { OutputSubject(received: $0) == subject }
        == recorded.received.filter { OutputSubject(received: $0) == subject }
    }
    return isSameInside ? .watchRaisesFirst : nil
  }

  /// A call of this group overtook transactions, whatever state they were in.
  private var overtakesTransactions: Bool {
    let paths = overtakingPaths
    return before.transactions.contains { transaction in
      paths.contains { $0.isRelated(to: transaction.path) }
    }
  }
}

extension [JSON] {
  fileprivate func isPermutation(of other: [JSON]) -> Bool {
    func counts(_ list: [JSON]) -> [JSON: Int] {
      list.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }
    return count == other.count && counts(self) == counts(other)
  }
}

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
      return refill.windows.allSatisfy { $0 == new.window } && !mayRepeat
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
  /// From the data before the message, without the other children that it changes and with them.
  let windows: [Node]

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
    var outdated = candidates
    if isTried {
      let cover = moment.before.cover(of: old.path)
      let pool = FoldedWrites(moment.after.visibleWrites, seenFrom: old.path)
        .laid(over: cover ?? new.known)
      let ranked = query.ordering == .priority ? cover : cover.map { _ in pool }
      let edge = Edge(of: old, hasValues: ranked.map { query.ordering.hasValues(in: $0) } ?? true)
      for entry in pool.children where edge.precedes(entry) {
        if candidates[entry.key].isEmpty, !changed.contains(entry.key) {
          candidates = candidates.setting(entry.node, at: entry.key)
        }
        if old.window[entry.key].isEmpty {
          outdated = outdated.setting(entry.node, at: entry.key)
        }
      }
    }
    windows = [candidates, outdated].map { query.window(of: $0).node }
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
    } + shadowedByOlder(others)
  }

  /// Views of which an older write covers all, below one that settled: they are not looked at.
  private func shadowedByOlder(_ others: [PendingWrite]) -> [Unreliability] {
    after.views.compactMap { view in
      let older = others.filter { other in
        other.sets.contains { cover in
          view.path.starts(with: cover.path)
            && settled.contains { write in
              other.id < write.id && write.sets.contains { cover.path.starts(with: $0.path) }
            }
        }
      }
      return older.isEmpty
        ? nil
        : Unreliability(
          .withdrawnUnderAnother, .shown, at: view.path, view.query,
          while: .writes(Set(older.map(\.id))))
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

extension RecordedStep {
  /// The server takes a child out of a window that need not be all, and what is written deep inside of
  /// it is laid over nothing.
  var takenOutUnderWrites: [Unreliability] {
    guard let news, news.tag != nil else { return [] }
    let gone = Set(news.sets.filter(\.node.isEmpty).map(\.path))
    return after.views.compactMap { view in
      guard view.tag == news.tag, view.mayLackChildren else { return nil }
      let deep = after.visibleWrites.filter { write in
        write.sets(seenFrom: view.path).contains { set in
          set.path.count > 1 && gone.contains(view.path.appending(set.path.keys[0]))
        }
      }
      return deep.isEmpty
        ? nil
        : Unreliability(
          .takenOutUnderWrite, .shown, at: view.path, view.query,
          while: .writes(Set(deep.map(\.id))))
    }
  }
}

extension View {
  /// Whether the server may have more that the query would show, or that lies outside its bounds.
  fileprivate var mayLackChildren: Bool {
    let isFull = query.limit.map { known.children.count >= $0.count } ?? false
    return isFull || query.hasRange
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
