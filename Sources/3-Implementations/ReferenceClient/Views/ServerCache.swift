package import Tree

/// What a view believes the server has at its location.
package struct ServerCache: Sendable {
  /// The data. A child that is missing here is empty or unknown; `knows` states which.
  package private(set) var node: Node
  /// How much of the location the data are.
  private(set) var extent: Extent
  /// Children of which the server has said that they are not there, while pending writes lay over
  /// them: where not all is known, they lie over nothing there (WRT-16).
  private(set) var absent: [Key] = []
  /// The last listen that was sent to the server, until that is answered.
  private var claim: Claim?
  /// Whether the data were kept from before, and the server has not answered a listen since.
  private(set) var isRecalled: Bool
  /// Whether children have left a full window otherwise than by data for its query: which ones take
  /// their places is not known.
  private var hasGaps = false

  /// Children that are there because of data deep inside them, while they were only taken for empty:
  /// others must not rely on the rest of them. None where all is known, or single children.
  private var fragments: Set<Key> = []

  /// How much of a location is known.
  enum Extent {
    /// Single children. No value event is raised (EVT-18).
    case part
    /// The window of the query: what lies outside is unknown, not empty (EVT-19).
    case window
    /// The window, to which the server has agreed without sending anything, or outside of which
    /// something was forgotten: what lies outside is taken for empty until data show that it is not
    /// (EVT-19).
    case assumed
    /// Everything.
    case all
  }

  /// What was said to the server with a listen: that `node` is known.
  private struct Claim {
    let node: Node
    /// Whether data for the whole location came since then, as far as is known for that listen.
    var isAnsweredByData = false
  }

  init(_ node: Node = .empty, _ extent: Extent = .part, isRecalled: Bool = false) {
    self.node = node
    self.extent = extent
    self.isRecalled = isRecalled
  }

  /// Which part of the data a change concerns.
  enum Reach {
    case everything
    case children([Key])
  }

  /// Whether all of the location is known, or at least the window of the query.
  package var isComplete: Bool { extent != .part }

  /// Whether the window of the query is known, and nothing else.
  package var isWindow: Bool { extent == .window }

  /// Whether the child at `key` is known, be it to be empty.
  func knows(_ key: Key) -> Bool {
    switch extent {
    case .assumed, .all: true
    case .part, .window: !node[key].isEmpty
    }
  }

  /// The data below `path`, if all of it is known.
  func completeData(at path: Path, for query: Query) -> Node? {
    guard isComplete else { return nil }
    if query.filters {
      guard let key = path.keys.first, !node[key].isEmpty, !fragments.contains(key) else {
        return nil
      }
    }
    return node[path]
  }

  /// Whether the server has sent a window that has room for more than it has: nothing else is there
  /// that matches the query.
  func holdsAll(of query: Query) -> Bool { isWindow && !isFull(for: query) && !hasGaps }

  private func isFull(for query: Query) -> Bool {
    query.limit.map { node.children.count >= $0.count } ?? false
  }

  /// Forgets that children are not there, except those that are picked.
  mutating func forgetAbsent(except isKept: (Key) -> Bool) {
    if !absent.isEmpty { absent.removeAll { !isKept($0) } }
  }
}

// MARK: - Data

/// For whom the server's data are meant.
enum DataRecipients {
  /// For one query, named by its tag: only the window of that query.
  case query
  /// For everybody.
  case everyone
}

extension ServerCache {
  /// How the server sends data: as one value, or as several that replace what is there of them.
  enum Form {
    case put, merge
  }

  /// The server sends all data of the location.
  mutating func put(_ data: Node, for query: Query, _ recipients: DataRecipients) -> Reach {
    let isWindow = query.filters && recipients == .query
    node = isWindow ? query.window(of: data).node : data
    (extent, fragments, absent) = (isWindow ? .window : .all, [], [])
    (isRecalled, hasGaps) = (false, false)
    claim?.isAnsweredByData = true
    return .everything
  }

  /// The server sends that all of `changes` below the location happened at once. A change deep inside
  /// an unknown child is left out: the rest of that child is not known.
  ///
  /// - Precondition: No change is at the location itself.
  /// - Returns: What that concerns; `nil` when the data are about something unknown and not kept.
  mutating func learn(
    _ changes: [(path: Path, node: Node)], as form: Form, for query: Query,
    _ recipients: DataRecipients
  ) -> Reach? {
    if form == .merge, node.isEmpty, !isComplete { return nil }
    let isForWindow = query.filters && recipients == .query
    let becomesWindow = isForWindow && isComplete
    var new = becomesWindow && !isWindow ? query.window(of: node).node : node
    var keys: [Key] = []
    for (path, data) in changes {
      guard let key = path.keys.first else { continue }
      let isWhole = changes.contains { $0.path.count == 1 && $0.path.keys.first == key }
      guard isWhole || knows(key) else { continue }
      if path.count == 1 {
        fragments.remove(key)
      } else if extent == .assumed, node[key].isEmpty {
        fragments.insert(key)
      }
      new = new.setting(data, at: path)
      if !keys.contains(key) { keys.append(key) }
    }
    guard !keys.isEmpty else { return nil }
    if becomesWindow { (extent, hasGaps) = (.window, false) }
    let wasFull = isFull(for: query)
    node = isWindow ? query.window(of: new).node : new
    if !isForWindow { noteGaps(in: query, wasFull: wasFull) }
    absent = absent.filter { !keys.contains($0) }
    absent += keys.filter { !$0.isPriority && new[$0].isEmpty && !fragments.contains($0) }
    // WRT-21: what has left a window may be there nevertheless, unless the window has room for all.
    if isForWindow, query.hasRange || isFull(for: query) { absent = [] }
    return .children(keys)
  }

  private mutating func noteGaps(in query: Query, wasFull: Bool) {
    if wasFull, isWindow, !isFull(for: query) { hasGaps = true }
  }

  /// A child was written that lies outside the window: what was known of it is known no more, and
  /// the server does not say. What it answered before the listen of the query, it has told another.
  mutating func forget(outside key: Key, of query: Query) {
    guard claim == nil, !isWindow, !node[key].isEmpty, query.window(of: node).node[key].isEmpty
    else { return }
    node = node.setting(.empty, at: key)
    if extent == .all { extent = .assumed }
  }

  /// The window counts as everything.
  mutating func widen() { if isWindow { (extent, fragments) = (.all, []) } }
}

// MARK: - Listens

extension ServerCache {
  /// Remembers what is here as that whose hash is sent to the server.
  mutating func claimNode() { claim = Claim(node: node) }

  /// Takes part in the listen of another view.
  mutating func share(claimOf other: ServerCache) { claim = other.claim }

  /// The server has accepted a write of the client itself: what was kept is older than that.
  ///
  /// Where not all is known, what was written stays shown without this; where the server has sent
  /// data, those say what came of the write.
  mutating func accept(_ sets: [(path: Path, node: Node)], for query: Query) {
    guard isRecalled else { return }
    let wasFull = isFull(for: query)
    var new = node
    for set in sets {
      if set.path.count > 1, let key = set.path.keys.first, !knows(key) { continue }
      new = new.setting(set.node, at: set.path)
    }
    node = isWindow ? query.window(of: new).node : new
    noteGaps(in: query, wasFull: wasFull)
  }

  /// Data that came so far were those of an earlier listen, which has been answered now: the data
  /// of a listen come right before its answer (WIR-2).
  mutating func awaitOwnData() { claim?.isAnsweredByData = false }

  /// Ends the claim, as its listen has been answered.
  ///
  /// - Returns: What the server has agreed to; `nil` if it sent data instead.
  mutating func settleClaim() -> Node? {
    defer { claim = nil }
    return claim.flatMap { $0.isAnsweredByData ? nil : $0.node }
  }

  /// The server has answered a listen that brings the whole location, and has sent it, or has agreed
  /// to what was claimed. For a query that filters it has agreed to no more than the window.
  ///
  /// What came since the claim belonged to other listens and was sent before that comparison: where
  /// it says something else, it is older than what the server has agreed to (HSH-8). What was sent for
  /// a query alone stays its window (EVT-19): all of the location is known where that was claimed.
  mutating func complete(agreed: Node?, for query: Query, _ recipients: DataRecipients) {
    if !isComplete { extent = query.filters ? .assumed : .all }
    (isRecalled, hasGaps) = (false, false)
    guard let agreed else { return }
    switch recipients {
    case .everyone where isWindow: node = query.window(of: agreed).node
    case .everyone: (node, extent, fragments, absent) = (agreed, .all, [], [])
    case .query:
      if query.window(of: node).node != query.window(of: agreed).node { node = agreed }
    }
  }
}
