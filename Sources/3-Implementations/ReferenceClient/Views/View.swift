internal import ClientInterface
package import Tree

/// One query at one location: what the server sent about it, and what was last shown of it.
package struct View: Sendable {
  /// Distinguishes views; counts up in order of creation.
  let id: Int
  package let path: Path
  package let query: Query
  /// What the server marks data for this query with; only for queries that filter.
  package let tag: Int?
  package internal(set) var serverCache = ServerCache()
  /// In order of registration.
  var registrations: [Registration] = []
  let policy: ClientPolicy.Views

  package private(set) var shown = Shown()
  /// What the window was cut from: complete data, if they were needed, and what they come to with the
  /// pending writes on top. `nil` where not everything is known, or where other writes are pending now.
  var layers: (base: Node?, value: Node)?

  /// What listeners were shown last.
  package struct Shown: Sendable {
    /// Everything that is known of the location with the pending writes on top, cut to the query.
    package internal(set) var window = Window.empty
    /// Whether that is the whole window, so that value events are raised.
    package internal(set) var isWhole = false
    /// Whether the view itself knew everything then.
    var knewAll = false
  }

  /// Why a view is looked at again.
  enum Change {
    /// Nothing was shown so far.
    case created
    /// The server sent something, or agreed to what is known.
    case data(ServerCache.Reach, DataRecipients)
    /// A write was added; with what it sets, seen from the view.
    case write([(path: Path, node: Node)])
    /// A write was accepted.
    case accepted(isWhole: Bool)
    /// A write is pending no more, and was not accepted.
    case withdrawn(ServerCache.Reach)
  }
}

// MARK: - Looking again

extension View {
  /// Looks at everything again and returns what changed since it was last shown.
  ///
  /// - Parameters:
  ///   - change: Why it is looked at.
  ///   - laid: What lies over the data.
  ///   - cover: What an unfiltered listener at or above this location knows of it, if anything.
  /// - Returns: The events that the registrations are owed.
  mutating func refresh(
    after change: Change, over laid: Laid, cover: Node?
  ) -> [PendingEvent] {
    let (before, base) = (shown, base(under: cover))
    // That children are not there counts while they are shown, and while writes lie over them.
    serverCache.forgetAbsent { !before.window.node[$0].isEmpty }
    switch laid {
    case let .all(writes):
      if let value = whole(over: base, writes) {
        (layers, shown) = ((base, value), show(value))
      } else {
        (layers, shown) = (nil, show(after: change, writes))
      }
      serverCache.forgetAbsent { key in writes.contains { $0.path.keys.first == key } }
    case let .parts(parts, absent):
      let value = parts.reduce(layers?.value ?? .empty) { $0.setting($1.node, at: $1.path) }
      (layers, shown) = ((base, value), show(value))
      serverCache.forgetAbsent(except: absent.contains)
    }
    if registrations.allSatisfy({ $0.events.isEmpty }) { return [] }
    var changes = shown.window.changes(
      since: before.window, wasShown: before.isWhole, isShown: shown.isWhole,
      ofChildren: registrations.contains(where: \.receivesChildren))
    if !policy.movesNeedNoNeighbours {
      changes.removeAll {
        $0.type == .childMoved
          && shown.window.neighbours(of: $0) == before.window.neighbours(of: $0)
      }
    }
    return changes.events(at: path, query, to: registrations)
  }

  /// What the pending writes come to.
  enum Laid {
    /// The visible ones in order of issue, seen from the location of the view.
    case all([(path: Path, node: Node)])
    /// What there is now at some locations, seen from the view, and at all others what there was; with
    /// the absent children that pending writes set something of. Only where `layers` are known.
    case parts([(path: Path, node: Node)], absent: [Key])
  }

  /// The events that show a new registration what is already known.
  func initialEvents(for registration: Registration) -> [PendingEvent] {
    if registration.events.isEmpty { return [] }
    return shown.window.initialChanges(isShown: shown.isWhole)
      .events(at: path, query, to: [registration])
  }

  /// Whether what is shown is what the pending writes make of all that is known now: then data change
  /// nothing, and one more write is laid over it without a look at the earlier ones. A client without
  /// a connection would take the square of their number. What is shown does not depend on that; a test
  /// compares.
  func isUnchanged(under cover: Node?) -> Bool {
    guard let layers, serverCache.absent.isEmpty else { return false }
    return layers.base == base(under: cover) && shown.knewAll == knewAll
  }
}

// MARK: - What is shown

// The whole specification of what a listener sees: a function of what is known of the server's data,
// of the visible pending writes, and, where these leave something open, of what was shown before.
// Nothing here changes anything.

extension View {
  /// Where everything is known, it is the window of that.
  private func show(_ value: Node) -> Shown {
    Shown(window: query.window(of: value), isWhole: true, knewAll: knewAll)
  }

  private var knewAll: Bool { knowsAll && policy.windowsWithRoomAreWhole }

  /// Everything that is at the location: the data, and the writes laid over them one after the other
  /// (WRT-13). `nil` where that is not known.
  private func whole(over base: Node?, _ writes: [(path: Path, node: Node)]) -> Node? {
    let lastWhole = writes.lastIndex { $0.path.isRoot }
    guard base != nil || lastWhole != nil else { return nil }
    return writes[(lastWhole ?? 0)...].reduce(base ?? .empty) { $0.setting($1.node, at: $1.path) }
  }

  /// Whether all that is at the location is known, with what pending writes cover.
  func isWhole(under cover: Node?, _ writes: [(path: Path, node: Node)]) -> Bool {
    base(under: cover) != nil || writes.contains { $0.path.isRoot }
  }

  /// All of the server's data here, as far as they are known.
  /// An unfiltered listener knows more than a window, which lacks what is sent for that one alone.
  func base(under cover: Node?) -> Node? {
    if serverCache.isWindow, let cover, policy.coversPrecedeWindows { return cover }
    return knowsAll ? serverCache.node : cover
  }

  /// Whether nothing else is here than what is known. A window without bounds that has room for more
  /// leaves nothing out; of what lies outside bounds it says nothing (WRT-21).
  private var knowsAll: Bool {
    let mayHide = query.hasRange && policy.boundsHide
    switch serverCache.extent {
    case .part: return false
    case .assumed: return !mayHide
    case .all: return true
    case .window:
      return !mayHide && serverCache.holdsAll(of: query) && policy.windowsWithRoomAreWhole
    }
  }

  /// Where not everything is known, it is the known children with the writes on top; what neither
  /// the server nor a pending write determines stays as it was last shown (WRT-16).
  private func show(
    after change: Change, _ writes: [(path: Path, node: Node)]
  ) -> Shown {
    let (known, absent) = children(under: writes)
    var value = rest(after: change, writes)
    if change.concernsPriority {
      let pending = writes.last { $0.path.keys.first == .priority }
      value = value.setting(pending?.node ?? serverCache.node[.priority], at: .priority)
    }
    let open = change.children.filter {
      !$0.isPriority && known[$0].isEmpty && !absent.contains($0)
    }
    for key in open { value = self.value(value, after: change, atOpen: key) }
    for key in absent where known[key].isEmpty { value = value.setting(.empty, at: key) }
    for entry in known where mayEnter(entry.key, after: change) {
      value = value.setting(entry.node, at: entry.key)
    }
    var isWhole = shown.isWhole
    if case .withdrawn = change { isWhole = false }
    return Shown(
      window: query.window(of: value), isWhole: isWhole || serverCache.isComplete, knewAll: false)
  }

  /// Whether a known child may be shown now. While a limited window loads, none takes the place of
  /// another unless it has changed itself: which ones come between them is not known (LIM-10).
  private func mayEnter(_ key: Key, after change: Change) -> Bool {
    guard query.limit != nil, !serverCache.isComplete else { return true }
    switch change {
    case .write, .data(.children, _), .accepted(isWhole: false), .withdrawn(.children):
      return !shown.window.node[key].isEmpty || change.children.contains(key)
    case .created, .accepted(isWhole: true), .data(.everything, _), .withdrawn(.everything):
      return true
    }
  }

  /// The children that the server or a pending write determines: those that are there, and others
  /// that are not.
  private func children(
    under writes: [(path: Path, node: Node)]
  ) -> (known: Children, absent: [Key]) {
    var known = serverCache.node.children
    var absent = serverCache.absent
    for write in writes {
      guard let key = write.path.keys.first, key != .priority else { continue }
      if write.path.count == 1 {
        known[key] = write.node
        absent = absent.filter { $0 != key } + (write.node.isEmpty ? [key] : [])
      } else if !known[key].isEmpty || absent.contains(key) {
        known[key] = known[key].setting(write.node, at: write.path.dropFirst())
        // WRT-13: a child whose last leaf a write took is known to be empty, and the next write
        // builds on that.
        if known[key].isEmpty, !absent.contains(key), policy.emptiedChildrenAreKnown {
          absent.append(key)
        }
      }
    }
    return (known, absent)
  }

  /// What of the window that was shown last counts until something else determines it.
  private func rest(after change: Change, _ writes: [(path: Path, node: Node)]) -> Node {
    // What was written below a child that was not there is a part of it as soon as there may be more.
    if shown.knewAll || change.replacesWindow(isComplete: serverCache.isComplete) { return .empty }
    var rest = shown.window.node
    if serverCache.isWindow {
      for key in shown.window.keys where !serverCache.knows(key) {
        let isPending = writes.contains { $0.path.keys.first == key }
        if isGone(isPending, after: change) { rest = rest.setting(.empty, at: key) }
      }
    }
    // PRI-8: pending priorities were put on what is shown, or were lost: on nothing they are, even
    // if a later write has put something there since.
    if case .accepted = change { return rest }
    for write in writes where write.path.keys.first == .priority {
      rest = rest.setting(write.node, at: .priority)
    }
    return rest
  }

  /// Whether a child that the window of the server lacks is shown no longer unless a pending write
  /// shows it (WRT-16): the window has room for it, or the server has said what the window is now, and
  /// nothing of what lies outside.
  private func isGone(_ isPending: Bool, after change: Change) -> Bool {
    let hasRoom = serverCache.holdsAll(of: query)
    if case .data(_, .query) = change { return !hasRoom || !isPending }
    return hasRoom && !isPending && policy.windowsWithRoomAreWhole
  }

  /// `value` after a change of a child of which nothing is known now.
  ///
  /// A child that is not there was shown to be empty if all of the location was shown; a query that
  /// filters shows no such thing (WRT-16).
  private func value(_ value: Node, after change: Change, atOpen key: Key) -> Node {
    guard case let .write(sets) = change else { return value.setting(.empty, at: key) }
    let filters = query.filters && policy.unknownChildrenStayHidden
    if value[key].isEmpty, !shown.isWhole || filters { return value }
    return sets.filter { $0.path.keys.first == key }
      .reduce(value) { $0.setting($1.node, at: $1.path) }
  }
}

extension View.Change {
  /// Whether nothing of what was shown counts any more.
  fileprivate func replacesWindow(isComplete: Bool) -> Bool {
    switch self {
    case .created, .withdrawn(.everything): true
    case .data(.everything, _), .accepted(isWhole: true): isComplete
    case .data, .write, .accepted, .withdrawn: false
    }
  }

  /// Whether the server has said what the priority is, or a pending one was taken back.
  fileprivate var concernsPriority: Bool {
    switch self {
    case let .data(.children(keys), _), let .withdrawn(.children(keys)): keys.contains(.priority)
    case .created, .write, .accepted, .data, .withdrawn: false
    }
  }

  /// The children that it concerns, other than by what is known of them then.
  fileprivate var children: [Key] {
    switch self {
    case let .data(.children(keys), _), let .withdrawn(.children(keys)): keys
    case let .write(sets): sets.compactMap { $0.path.keys.first }
    case .created, .accepted, .data(.everything, _), .withdrawn(.everything): []
    }
  }
}

extension [WindowChange] {
  /// The events that they owe to registrations with a query at a location: change by change, and for
  /// each change listener by listener in order of registration (EVT-17).
  func events(
    at path: Path, _ query: Query, to registrations: [Registration]
  ) -> [PendingEvent] {
    if isEmpty { return [] }
    var events: [PendingEvent] = []
    events.reserveCapacity(count * registrations.count)
    for change in self {
      let isValue = change.type == .value
      for registration in registrations where registration.events.contains(change.type) {
        let event = registration.listener.map {
          Event(
            change.type, to: $0, key: isValue ? path.key : change.key, previous: change.previous,
            value: change.node, order: isValue ? .sorted(query.ordering) : .unstated)
        }
        events.append(
          PendingEvent(
            token: registration.token, lifetime: registration.lifetime, path: path,
            output: event.map { .event($0) }))
      }
    }
    return events
  }
}
