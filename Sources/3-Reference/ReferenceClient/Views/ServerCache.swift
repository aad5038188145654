internal import Tree

/// What a view believes the server has at its location.
struct ServerCache {
  /// The data. A child that is missing here is empty or unknown; `knows` states which.
  var node: Node = .empty
  /// Whether the whole location is known, or at least the whole window of the query.
  ///
  /// While it is not, only the children in `node` are known, and no value event is raised (EVT-18).
  var isComplete = false
  /// Whether only the window of the query is known: what lies outside it is unknown, not empty
  /// (EVT-19).
  var isNarrow = false
  /// Whether what lies outside the window is only taken for empty: the server has agreed to the
  /// window, and sent nothing.
  private var isAssumed = false
  /// The children that are there because of data deep inside them, while they were only taken for
  /// empty: others must not rely on the rest of them.
  private var fragments: Set<Key> = []
  /// Children that the server has said are not there, although not all is known: pending writes lie
  /// over nothing there (WRT-16).
  private(set) var absent: [Key] = []
  /// What the last listen sent to the server as its hash, until that is answered.
  private var claim: Node?
  /// Whether data for the whole location came since then, as far as is known for that listen.
  private var isAnsweredByData = false
  /// Whether writes of the client itself were accepted since then.
  private var hasAccepted = false

  init(node: Node = .empty, isComplete: Bool = false, isNarrow: Bool = false) {
    self.node = node
    self.isComplete = isComplete
    self.isNarrow = isNarrow
  }

  /// Which part of the data a change concerns.
  enum Reach {
    case everything
    case children([Key])
  }

  /// Whether the child at `key` is known, be it to be empty.
  func knows(_ key: Key) -> Bool {
    isComplete && !isNarrow || !node[key].isEmpty
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
}

/// For whom the server's data are meant.
enum DataRecipients {
  /// For one query, named by its tag: only the window of that query.
  case query
  /// For everybody.
  case everyone
}

extension ServerCache {
  /// Remembers what is here as that whose hash is sent to the server.
  mutating func claimNode() {
    claim = node
    isAnsweredByData = false
    hasAccepted = false
  }

  /// Whether a listen was sent that is not answered.
  var isClaimed: Bool { claim != nil }

  /// Takes part in the listen of another view.
  mutating func share(claimOf other: ServerCache) {
    claim = other.claim
    isAnsweredByData = other.isAnsweredByData
    hasAccepted = other.hasAccepted
  }

  /// The server has accepted a write of the client itself.
  ///
  /// Where not all is known, what was written stays shown without this.
  mutating func accept(_ sets: [(path: Path, node: Node)], for query: Query) {
    guard isComplete else { return }
    hasAccepted = true
    var new = node
    for set in sets {
      if set.path.count > 1, let key = set.path.keys.first, !knows(key) { continue }
      new = new.setting(set.node, at: set.path)
    }
    node = isNarrow ? query.window(of: new).node : new
  }

  /// Data that came so far were those of an earlier listen, which has been answered now: the data
  /// of a listen come right before its answer (WIR-2).
  mutating func awaitOwnData() {
    isAnsweredByData = false
  }

  /// The server has answered a listen that brings the whole location, and has sent it unless it has
  /// what was claimed.
  ///
  /// For a query that filters it has agreed to no more than the window. What lies outside is taken
  /// for empty until data show that it is not (EVT-19).
  mutating func complete(for query: Query) {
    if !isComplete { isAssumed = query.filters }
    isComplete = true
  }

  /// Ends the claim, as its listen has been answered.
  ///
  /// - Returns: What the server has agreed to; `nil` if it sent data instead.
  mutating func settleClaim() -> Node? {
    defer { claim = nil }
    return isAnsweredByData ? nil : claim
  }

  /// The server has agreed that `agreed` is all that stands at this location.
  ///
  /// What came since the claim belonged to other listens and was sent before that comparison: where
  /// it says something else, it is older than what the server has agreed to (HSH-8).
  mutating func take(agreed: Node) {
    node = agreed
    isNarrow = false
    isAssumed = false
    fragments = []
    absent = []
  }

  /// The server has agreed to the window of `agreed`.
  mutating func takeWindow(agreed: Node, for query: Query) {
    if query.window(of: node).node != query.window(of: agreed).node { node = agreed }
  }

  /// A child was written that lies outside the window: what was known of it is known no more, and
  /// the server does not say.
  mutating func forget(outside key: Key, of query: Query) {
    guard !isNarrow, !node[key].isEmpty, query.window(of: node).node[key].isEmpty else { return }
    node = node.setting(.empty, at: key)
  }

  /// The server sends `data` for `path`.
  ///
  /// - Returns: What that concerns; `nil` when the data are about something unknown and not kept.
  mutating func put(
    _ data: Node, at path: Path, for query: Query, recipients: DataRecipients
  ) -> Reach? {
    guard let key = path.keys.first else {
      isNarrow = query.filters && recipients == .query
      node = isNarrow ? query.window(of: data).node : data
      isComplete = true
      isAssumed = false
      fragments = []
      absent = []
      isAnsweredByData = true
      return .everything
    }
    let narrow = query.filters && (recipients == .query || isNarrow)
    let narrowsNow = narrow && !isNarrow
    if !narrowsNow, path.count > 1, !knows(key) { return nil }
    trackCompleteness(of: data, at: path, key)
    let base = narrowsNow ? query.window(of: node).node : node
    let new = base.setting(data, at: path)
    recordEmptied([key], by: new)
    node = narrow ? query.window(of: new).node : new
    isNarrow = narrow
    forgetHidden(by: query, recipients)
    return .children([key])
  }

  /// The server sends that all of `changes` happened at once.
  ///
  /// A change deep inside an unknown child is left out: the rest of that child is not known.
  ///
  /// - Precondition: No change is at the location itself.
  mutating func merge(
    _ changes: [(path: Path, node: Node)], for query: Query, recipients: DataRecipients
  ) -> Reach? {
    if node.isEmpty, !isComplete { return nil }
    let narrowsNow = query.filters && recipients == .query && !isNarrow
    var new = narrowsNow ? query.window(of: node).node : node
    var changedKeys: [Key] = []
    for (path, data) in changes {
      guard let key = path.keys.first else { continue }
      let isWhole = changes.contains { $0.path.count == 1 && $0.path.keys.first == key }
      guard isWhole || knows(key) else { continue }
      trackCompleteness(of: data, at: path, key)
      new = new.setting(data, at: path)
      if !changedKeys.contains(key) { changedKeys.append(key) }
    }
    guard !changedKeys.isEmpty else { return nil }
    isNarrow = query.filters && (recipients == .query || isNarrow)
    recordEmptied(changedKeys, by: new)
    node = isNarrow ? query.window(of: new).node : new
    forgetHidden(by: query, recipients)
    return .children(changedKeys)
  }

  /// What has left a window may be there nevertheless, unless the window has room for everything
  /// that is there (WRT-21).
  private mutating func forgetHidden(by query: Query, _ recipients: DataRecipients) {
    guard query.filters, recipients == .query else { return }
    if isFull(for: query) || query.start != nil || query.end != nil { absent = [] }
  }

  private func isFull(for query: Query) -> Bool {
    query.limit.map { node.children.count >= $0.count } ?? false
  }

  /// Whether the server has sent a window that has room for more than it has: nothing else is there
  /// that matches the query. What an accepted write has taken out, the answer may replace.
  func holdsAll(of query: Query) -> Bool {
    isComplete && isNarrow && !isFull(for: query) && !(isClaimed && hasAccepted)
  }

  /// Forgets that children are not there, except those that are picked.
  mutating func forgetAbsent(except isKept: (Key) -> Bool) {
    if !absent.isEmpty { absent.removeAll { !isKept($0) } }
  }

  /// Records which of these children have lost their last leaf: they are not there.
  private mutating func recordEmptied(_ keys: [Key], by new: Node) {
    for key in keys where new[key].isEmpty && !absent.contains(key) && !fragments.contains(key) {
      absent.append(key)
    }
  }

  /// Follows which children are known to be missing, and which are known in parts only, when data for
  /// the child at `key` come.
  private mutating func trackCompleteness(of data: Node, at path: Path, _ key: Key) {
    absent.removeAll { $0 == key }
    if path.count == 1, data.isEmpty { absent.append(key) }
    if path.count == 1 {
      fragments.remove(key)
    } else if isAssumed, node[key].isEmpty {
      fragments.insert(key)
    }
  }
}
