internal import ClientInterface
internal import Tree

/// One query at one location: what the server sent about it, and what was last shown of it.
struct View {
  /// Distinguishes views; counts up in order of creation.
  let id: Int
  let path: Path
  let query: Query
  /// What the server marks data for this query with; only for queries that filter.
  let tag: Int?
  var serverCache = ServerCache()
  /// In order of registration.
  var registrations: [Registration] = []

  /// Everything that is known of the location with the pending writes on top, cut to the query.
  var window = Window.empty
  /// Whether the whole window is known, so that value events are raised.
  var isShown = false
  var mutationFlags: MutationFlags = []
  /// Whether everything was known when this was looked at last.
  private var knewAll = false
  /// What the window was cut from; `nil` where that has not been made of complete data.
  private var overlay: Overlay?

  init(id: Int, path: Path, query: Query, tag: Int?) {
    self.id = id
    self.path = path
    self.query = query
    self.tag = tag
  }
}

/// Complete data with the pending writes on top. One more write is laid over it without a look at
/// the earlier ones.
private struct Overlay {
  /// The data below the writes, if they were needed.
  let base: Node?
  /// How many writes had been taken out of the pending ones.
  let withdrawals: Int
  let value: Node
}

/// Why a view is looked at again.
enum UpdateCause {
  case created
  case server
  /// A local write; with what it sets, seen from the view.
  case write([(path: Path, node: Node)])
  case acknowledged
  case reverted

  /// Whether pending priorities were put on what is shown, or were lost: on nothing they are, even if
  /// a later write has put something there since (PRI-8).
  var decidesPriorities: Bool {
    switch self {
    case .acknowledged: true
    case .created, .server, .write, .reverted: false
    }
  }
}

extension View {
  /// Computes the window again and returns what changed since it was last shown.
  ///
  /// This is the whole specification of what a listener sees: what the server sent, the visible
  /// pending writes laid over it one after the other, and of that the window (WRT-13).
  ///
  /// - Parameters:
  ///   - cause: Why it is looked at.
  ///   - writes: The visible pending writes in order of issue, seen from this location.
  ///   - withdrawals: How many writes were taken out of the pending ones so far.
  ///   - cover: What an unfiltered listener at or above this location knows of it, if anything.
  ///   - reach: Which children the cause reached. Only decisive where not everything is known.
  /// - Returns: The changes to report, none when no listener receives them.
  mutating func refresh(
    after cause: UpdateCause, writes: [(path: Path, node: Node)], withdrawals: Int, cover: Node?,
    reach: ServerCache.Reach
  ) -> [WindowChange] {
    let before = (window: window, isShown: isShown)
    serverCache.forgetAbsent { !before.window.node[$0].isEmpty }
    let lastWhole = writes.lastIndex { $0.path.isRoot }
    let base = base(under: cover)
    let value: Node
    overlay = nil
    if base != nil || lastWhole != nil {
      value = writes[(lastWhole ?? 0)...].reduce(base ?? .empty) {
        $0.setting($1.node, at: $1.path)
      }
      overlay = Overlay(base: base, withdrawals: withdrawals, value: value)
      isShown = true
    } else {
      value = partialValue(after: cause, writes: writes, reach: reach)
      if case .reverted = cause { isShown = serverCache.isComplete }
      isShown = isShown || serverCache.isComplete
    }
    knewAll = knowsAll && !mutationFlags.contains(.windowsWithRoomAreParts)
    window = query.window(of: value)
    serverCache.forgetAbsent { key in writes.contains { $0.path.keys.first == key } }
    if !hasReceiver { return [] }
    return window.changes(since: before.window, wasShown: before.isShown, isShown: isShown)
  }

  /// Whether any registration receives events. A view that is new has none yet.
  private var hasReceiver: Bool { registrations.contains { !$0.events.isEmpty } }

  /// The same after one more write, when nothing else has happened since the last time.
  ///
  /// - Parameters:
  ///   - sets: What the write sets, seen from this location.
  ///   - withdrawals: How many writes were taken out of the pending ones so far.
  ///   - cover: As above.
  /// - Returns: The changes to report; `nil` when the earlier writes have to be looked at.
  /// - Complexity: Independent of the number of pending writes.
  mutating func refresh(
    afterOneMore sets: [(path: Path, node: Node)], withdrawals: Int, cover: Node?
  ) -> [WindowChange]? {
    let base = base(under: cover)
    guard let overlay, overlay.withdrawals == withdrawals, overlay.base == base,
      serverCache.absent.isEmpty
    else { return nil }
    let old = window
    let value = sets.reduce(overlay.value) { $0.setting($1.node, at: $1.path) }
    self.overlay = Overlay(base: base, withdrawals: withdrawals, value: value)
    window = query.window(of: value)
    return hasReceiver ? window.changes(since: old, wasShown: true, isShown: true) : []
  }

  /// All of the server's data here, as far as they are known.
  /// An unfiltered listener knows more than a window, which lacks what is sent for that one alone.
  private func base(under cover: Node?) -> Node? {
    if serverCache.isNarrow, let cover, !mutationFlags.contains(.windowsHideCovers) { return cover }
    return knowsAll ? serverCache.node : cover
  }

  /// Whether nothing else is here than what is known. A window without bounds that has room for more
  /// leaves nothing out.
  private var knowsAll: Bool {
    guard serverCache.isComplete else { return false }
    if !serverCache.isNarrow { return true }
    let isUnbounded = query.start == nil && query.end == nil
    return (isUnbounded || mutationFlags.contains(.rangesHoldEverything))
      && serverCache.holdsAll(of: query) && !mutationFlags.contains(.windowsWithRoomAreParts)
  }

  /// The value where not everything is known: the known children with the writes on top; what
  /// neither the server nor a pending write determines stays as it was last shown (WRT-16).
  private func partialValue(
    after cause: UpdateCause, writes: [(path: Path, node: Node)], reach: ServerCache.Reach
  ) -> Node {
    // What was written below a child that was not there is a part of it as soon as there may be more.
    let startsClean = knewAll || startsClean(after: cause, reach: reach)
    var value = startsClean ? .empty : window.node
    for key in window.keys where !serverCache.knows(key) {
      let isPending = writes.contains { $0.path.keys.first == key }
      if isGone(isPending, after: cause) { value = value.setting(.empty, at: key) }
    }
    var known = serverCache.node.children
    var removed = serverCache.absent
    for write in writes {
      guard let key = write.path.keys.first else { continue }
      if key == .priority {
        if startsClean || !cause.decidesPriorities { value = value.setting(write.node, at: key) }
      } else if write.path.count == 1 {
        known[key] = write.node
        removed = removed.filter { $0 != key } + (write.node.isEmpty ? [key] : [])
      } else if !known[key].isEmpty || removed.contains(key) {
        known[key] = known[key].setting(write.node, at: write.path.dropFirst())
        // WRT-13: a child whose last leaf a write took is known to be empty, and the next write
        // builds on that.
        if known[key].isEmpty, !removed.contains(key), !mutationFlags.contains(.emptiedAreUnknown) {
          removed.append(key)
        }
      }
    }
    if case let .children(reached) = reach {
      for key in reached where known[key].isEmpty && !removed.contains(key) {
        value = unknownChild(key, of: value, after: cause)
      }
    }
    for key in removed where known[key].isEmpty { value = value.setting(.empty, at: key) }
    for entry in known { value = value.setting(entry.node, at: entry.key) }
    return value
  }

  /// Whether a child that the window of the server lacks is shown no longer unless a pending write
  /// shows it (WRT-16): the window has room for it, or the server has said what the window is now, and
  /// nothing of what lies outside.
  private func isGone(_ isPending: Bool, after cause: UpdateCause) -> Bool {
    guard serverCache.isComplete, serverCache.isNarrow else { return false }
    let hasRoom = serverCache.holdsAll(of: query)
    if case .server = cause { return !hasRoom || !isPending }
    return hasRoom && !isPending && !mutationFlags.contains(.windowsWithRoomAreParts)
  }

  private func startsClean(after cause: UpdateCause, reach: ServerCache.Reach) -> Bool {
    guard case .everything = reach else { return false }
    return switch cause {
    case .created, .reverted: true
    case .server, .write, .acknowledged: serverCache.isComplete
    }
  }

  /// `value` with a child that was reached, and about which nothing is known now.
  ///
  /// A child that is not there was shown to be empty if all of the location was shown; a query that
  /// filters shows no such thing (WRT-16).
  private func unknownChild(_ key: Key, of value: Node, after cause: UpdateCause) -> Node {
    let filters = query.filters && !mutationFlags.contains(.unseenCountAsEmpty)
    if value[key].isEmpty, !isShown || filters { return value }
    return switch cause {
    case .server, .reverted: value.setting(.empty, at: key)
    case let .write(sets):
      sets.filter { $0.path.keys.first == key }
        .reduce(value) { $0.setting($1.node, at: $1.path) }
    case .acknowledged, .created: value
    }
  }
}
