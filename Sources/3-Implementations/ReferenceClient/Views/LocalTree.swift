internal import ClientInterface
internal import Tree

/// The local copy of the database: views and the writes laid over them.
///
/// Nothing here knows the network. Every operation returns the events it owes, in order; nothing is
/// raised from inside.
struct LocalTree {
  /// In order of creation: queries at one location are served oldest first (EVT-16).
  private(set) var views = PathList<View>()
  private var pending = Boxed(PendingWrites())
  /// What is kept of the server's data over the end of listeners and process; `nil` for nothing.
  var kept: PersistedData?
  /// What is known without the server or a listener, by locations of which none lies below another.
  private var own: [(path: Path, node: Node)] = []
  var policy = ClientPolicy()
  private var nextView = 1
  private var nextTag = 1
  private var nextWrite = 1
  private var nextToken = 1

  private(set) var writes: PendingWrites {
    get { pending.value }
    _modify { yield &pending.value }
  }
}

// MARK: - Listeners

extension LocalTree {
  /// Adds a registration, and the view if it is the first of its query.
  ///
  /// - Returns: The registration, and the events that show it what is already known.
  mutating func register(
    _ listener: ListenerID?, at path: Path, _ query: Query, events: Set<EventType>,
    _ lifetime: Registration.Lifetime
  ) -> (listening: Listening, events: [PendingEvent]) {
    let index = self.index(at: path, query) ?? create(path, query)
    let registration = Registration(
      token: nextToken, listener: listener, events: events, lifetime: lifetime)
    nextToken += 1
    views[index].registrations.append(registration)
    return (
      Listening(token: registration.token, path: path),
      views[index].initialEvents(for: registration)
    )
  }

  private mutating func create(_ path: Path, _ query: Query) -> Int {
    var view = View(
      id: nextView, path: path, query: query, tag: query.filters ? nextTag : nil,
      policy: policy.views)
    nextView += 1
    if query.filters { nextTag += 1 }
    if let data = serverData(at: path) {
      view.serverCache = ServerCache(data.node, .all, isRecalled: data.isRecalled)
    } else if let window = kept?.window(of: query, at: path) {
      view.serverCache = ServerCache(window, .window, isRecalled: true)
    } else {
      view.serverCache = ServerCache(Node(knownChildren(of: path)))
    }
    if let served = served(by: query, at: path).first {
      view.serverCache.share(claimOf: views[served].serverCache)
    }
    views.append(view, at: path)
    _ = refresh(views.count - 1, after: .created)
    return views.count - 1
  }

  /// Takes out the registrations at a location that `isRemoved` picks, and views that are left without
  /// any.
  ///
  /// - Returns: The views that are gone, and the listeners.
  mutating func removeRegistrations(
    at path: Path, where isRemoved: (View, Registration) -> Bool
  ) -> (views: [View], listeners: [ListenerID]) {
    var gone: (views: [View], listeners: [ListenerID]) = ([], [])
    var left: [Int] = []
    for index in views.allPositions(.at, path) {
      let view = views[index]
      views[index].registrations.removeAll { registration in
        guard isRemoved(view, registration) else { return false }
        if let listener = registration.listener { gone.listeners.append(listener) }
        return true
      }
      guard views[index].registrations.isEmpty else { continue }
      gone.views.append(view)
      left.append(index)
      kept?.retire(view)
    }
    for index in left.reversed() { views.remove(at: index) }
    return gone
  }
}

// MARK: - Writes

extension LocalTree {
  /// How a pending write ends.
  enum Settlement {
    case acknowledged
    case reverted
  }

  /// Adds a write to the pending ones.
  mutating func write(
    at path: Path, _ sets: [(path: Path, node: Node)], isVisible: Bool
  ) -> (id: Int, events: [PendingEvent]) {
    let write = PendingWrite(id: nextWrite, path: path, sets: sets, isVisible: isVisible)
    nextWrite += 1
    writes.append(write)
    return (write.id, isVisible ? refreshViews(reachedBy: write, settled: nil) : [])
  }

  /// Takes a write out of the pending ones, because the server answered it or it is given up.
  mutating func settle(_ id: Int, as settlement: Settlement) -> [PendingEvent] {
    guard let write = writes.remove(id) else { return [] }
    switch settlement {
    case .reverted:
      if let survives = policy.survives { writes.removeAll { !survives($0.path, write.path) } }
    case .acknowledged:
      if policy.keptDataFollowWrites, !isServed(write.path) { kept?.overwrite(write.sets) }
      for index in views.positions(.related, write.path) { accept(write, index) }
    }
    if !write.isVisible { return [] }
    if let cover = cover(of: write) {
      // A removal below a scalar covers nothing once the scalar is back.
      if cover.isOpen { return refreshWholes(around: write) }
      forgetLayers(around: write.path, below: cover.path)
      return []
    }
    return refreshViews(
      reachedBy: write, settled: policy.acceptedWritesStay ? settlement : .reverted)
  }

  /// Takes all pending writes out at once.
  mutating func withdrawAll() -> [PendingEvent] {
    if writes.isEmpty { return [] }
    writes = PendingWrites()
    var events: [PendingEvent] = []
    for index in visitOrder(of: .root) {
      events.add(refresh(index, after: .withdrawn(.everything)))
    }
    return events
  }

  /// Where a later write covers all of a write, if any does (WRT-24), and whether all that do set
  /// nothing there.
  private func cover(of write: PendingWrite) -> (path: Path, isOpen: Bool)? {
    func covers(_ other: PendingWrite) -> Bool {
      let (isLater, isVisible) = (other.id > write.id, other.isVisible)
      return policy.hides?(isLater, isVisible) ?? (isLater && isVisible)
    }
    func parts(of other: PendingWrite) -> [(path: Path, node: Node)] {
      other.sets.filter { write.path.starts(with: $0.path) }
    }
    guard let any = writes.last(covering: write.path, where: covers),
      let path = parts(of: any).first?.path
    else { return nil }
    let filling = writes.last(covering: write.path) { other in
      covers(other)
        && parts(of: other).contains { !$0.node[write.path.dropFirst($0.path.count)].isEmpty }
    }
    return (path, isOpen: filling == nil)
  }

  /// WRT-24: what a later write covers completely was not to be seen and leaves no trace, but where
  /// that write counts for more than what lies below it.
  private mutating func forgetLayers(around path: Path, below cover: Path) {
    let hasUsualLayers = policy.layers == nil && policy.survives == nil && policy.hides == nil
    for index in views.positions(.related, path) {
      if hasUsualLayers, let base = views[index].layers?.base,
        let below = cover.relative(to: views[index].path), !below.isRoot,
        scope(of: below, in: views[index].path, over: base, base) == below
      {
        continue
      }
      views[index].layers = nil
    }
  }

  /// Looks again at views of which all is known.
  private mutating func refreshWholes(around write: PendingWrite) -> [PendingEvent] {
    let change = View.Change.accepted(isWhole: false)
    var events: [PendingEvent] = []
    for index in visitOrder(of: write.path) {
      let touched = write.sets(seenFrom: views[index].path).map(\.path)
      guard let (laid, cover) = basis(of: index, after: change, touching: touched) else { continue }
      if case let .all(sets) = laid, !views[index].isWhole(under: cover, sets) { continue }
      events.add(views[index].refresh(after: change, over: laid, cover: cover))
    }
    return events
  }

  /// Whether an answered listen brings everything at `path`: then the server has said what came of a
  /// write there, for example of server values, and what is kept has learned it.
  private func isServed(_ path: Path) -> Bool {
    views.first(.atOrAbove, path) {
      !views[$0].query.filters && views[$0].serverCache.isComplete
        && !views[$0].serverCache.isRecalled
    } != nil
  }

  /// The server has accepted a write that a view may see.
  private mutating func accept(_ write: PendingWrite, _ index: Int) {
    let (path, query) = (views[index].path, views[index].query)
    // OFF-13: what is kept takes in what the server has accepted. Its answer says what came of that.
    if !isServed(write.path) {
      views[index].serverCache.accept(write.sets(seenFrom: path), for: query)
    }
    // LIM-13: of a child outside the window of a listen of its own the server says nothing.
    guard policy.writesOutsideAreForgotten, query.filters, !isCovered(path) else { return }
    for set in write.sets(seenFrom: path) {
      if let key = set.path.keys.first {
        views[index].serverCache.forget(outside: key, of: query)
      }
    }
  }

  /// Whether what else is shown goes with a withdrawn write where the server has not sent it.
  private func takesAllBack(_ write: PendingWrite, _ path: Path) -> Bool {
    !policy.updatesAreWithdrawnAlone && path.starts(with: write.path)
  }

  private mutating func refreshViews(
    reachedBy write: PendingWrite, settled: Settlement?
  ) -> [PendingEvent] {
    var events: [PendingEvent] = []
    for index in visitOrder(of: write.path) {
      let sets = write.sets(seenFrom: views[index].path)
      if sets.isEmpty { continue }
      let isWhole = sets.contains { $0.path.isRoot }
      let isAllOpen = isWhole || takesAllBack(write, views[index].path)
      let change: View.Change =
        switch settled {
        case nil: .write(sets)
        case .acknowledged: .accepted(isWhole: isWhole)
        case .reverted:
          .withdrawn(isAllOpen ? .everything : .children(sets.compactMap { $0.path.keys.first }))
        }
      events.add(refresh(index, after: change, touching: sets.map(\.path)))
    }
    return events
  }
}

// MARK: - Server data

extension LocalTree {
  /// The server sends `sets`, by absolute path, at `path` and below; with the position of a view,
  /// for that view alone.
  mutating func learn(
    _ sets: [(path: Path, node: Node)], at path: Path, as form: ServerCache.Form,
    only view: Int? = nil
  ) -> [PendingEvent] {
    let widens = form == .put && view == nil && !policy.windowsStayWindows
    return apply(at: path, only: view) { view, recipients in
      if let above = sets.last(where: { view.path.starts(with: $0.path) }) {
        let node = above.node[view.path.dropFirst(above.path.count)]
        return view.serverCache.put(node, for: view.query, recipients)
      }
      let changes = sets.compactMap { set in
        set.path.relative(to: view.path).map { (path: $0, node: set.node) }
      }
      if changes.isEmpty { return nil }
      if widens { view.serverCache.widen() }
      return view.serverCache.learn(changes, as: form, for: view.query, recipients)
    }
  }

  /// From now on a location is known without the server.
  mutating func know(_ node: Node, at path: Path) -> [PendingEvent] {
    if let index = own.firstIndex(where: { $0.path == path }) {
      own[index].node = node
    } else {
      own.append((path, node))
    }
    return views.isEmpty ? [] : learn([(path, node)], at: path, as: .put)
  }

  /// The server is about to be sent the hash of what is known for one listen.
  ///
  /// - Returns: What is hashed; `nil` when no view needs that listen any more.
  mutating func claim(at path: Path, _ query: Query?) -> Node? {
    let served = served(by: query ?? .all, at: path)
    for index in served { views[index].serverCache.claimNode() }
    return served.first.map { views[$0].serverCache.node }
  }

  /// The server answered a listen at `path` that has ended meanwhile, or its end: its data may have
  /// come, and are not those of listens that are still to be answered.
  mutating func passOver(listenAt path: Path) {
    for index in views.positions(.atOrBelow, path) { views[index].serverCache.awaitOwnData() }
  }

  /// The server answered a listen at `path`: what it did not send is as the client has it (WIR-2).
  ///
  /// With a view it was the listen of that filtered query; without one a plain listen, whose answer
  /// holds for everything at the location and below.
  mutating func completeListen(at path: Path, only: Int?) -> [PendingEvent] {
    var agreed: Node?
    for index in views.positions(.at, path)
    where only.map({ $0 == index }) ?? !views[index].query.filters {
      let settled = views[index].serverCache.settleClaim()
      agreed = agreed ?? settled
    }
    return apply(at: path, only: only) { view, recipients in
      guard let below = path.relative(to: view.path), let key = below.keys.first else {
        let inside = view.path.dropFirst(path.count)
        view.serverCache.complete(agreed: agreed.map { $0[inside] }, for: view.query, recipients)
        return .everything
      }
      return view.serverCache.knows(key) || below.count == 1 ? .children([key]) : nil
    }
  }

  /// Lets every view learn first, then looks at each again: one message is one change (EVT-14).
  private mutating func apply(
    at path: Path, only view: Int?, _ learn: (inout View, DataRecipients) -> ServerCache.Reach?
  ) -> [PendingEvent] {
    let recipients: DataRecipients = view == nil ? .everyone : .query
    var reached: [(index: Int, reach: ServerCache.Reach)] = []
    for index in view.map({ [$0] }) ?? visitOrder(of: path) {
      let reach = learn(&views[index], recipients)
      if let reach = reach ?? reachByCover(of: index, path) { reached.append((index, reach)) }
    }
    var events: [PendingEvent] = []
    for (index, reach) in reached {
      events.add(refresh(index, after: .data(reach, recipients), touching: []))
    }
    return events
  }

  /// What a change at `path` reaches in a view that itself knows no more than a window, though all
  /// is known from an unfiltered one.
  private func reachByCover(of index: Int, _ path: Path) -> ServerCache.Reach? {
    guard views[index].serverCache.isWindow, policy.coversReachWindows,
      cover(of: views[index].path) != nil
    else { return nil }
    let below = path.relative(to: views[index].path)
    return below?.keys.first.map { .children([$0]) } ?? .everything
  }
}

// MARK: - Recomputing

extension LocalTree {
  /// Looks at a view again. `touched` is where pending writes were added or taken out, seen from it;
  /// `nil` for anywhere.
  private mutating func refresh(
    _ index: Int, after change: View.Change, touching touched: [Path]? = nil
  ) -> [PendingEvent] {
    guard let (laid, cover) = basis(of: index, after: change, touching: touched) else { return [] }
    return views[index].refresh(after: change, over: laid, cover: cover)
  }

  /// What a view is looked at again with, as `View.refresh` has it; `nil` where a change changes
  /// nothing. Where nothing is changed, no view is copied.
  private func basis(
    of index: Int, after change: View.Change, touching touched: [Path]?
  ) -> (laid: View.Laid, cover: Node?)? {
    let cover = views[index].query.filters ? cover(of: views[index].path) : nil
    if policy.layers == nil, policy.survives == nil {
      switch change {
      case let .write(sets):
        if views[index].isUnchanged(under: cover) { return (.parts(sets, absent: []), cover) }
      case .data: if views[index].isUnchanged(under: cover) { return nil }
      case .created, .accepted, .withdrawn: break
      }
      if let touched, !writes.isEmpty,
        let parts = parts(of: index, touching: touched, under: cover)
      {
        return (.parts(parts, absent: absentBelowWrites(of: index)), cover)
      }
    }
    return (.all(visibleSets(of: index, after: change)), cover)
  }

  private func absentBelowWrites(of index: Int) -> [Key] {
    let path = views[index].path
    return views[index].serverCache.absent.filter { writes.isSeen(atOrBelow: path.appending($0)) }
  }

  /// What a view shows now where it may show something else, as long as that decides nothing
  /// elsewhere; `nil` where it may, or where not all is known.
  private func parts(
    of index: Int, touching touched: [Path], under cover: Node?
  ) -> [(path: Path, node: Node)]? {
    let path = views[index].path
    guard let old = views[index].layers?.base, let new = views[index].base(under: cover),
      writes.last(covering: path, where: { _ in true }) == nil
    else { return nil }
    var parts: [(path: Path, node: Node)] = []
    var scopes: Set<Path> = []
    for place in touched + new.differences(from: old) {
      let scope = scope(of: place, in: path, over: old, new)
      if scope.isRoot { return nil }
      guard scopes.insert(scope).inserted else { continue }
      parts.append((scope, laid(over: new[scope], at: path.appending(scope), under: \.isVisible)))
    }
    return parts
  }

  /// The outermost location on the way from a view to one below it where more than the children may
  /// decide what there is: a scalar, a priority, or a pending write. Without these, to add or to take
  /// out writes changes nothing but the locations that they set.
  private func scope(of below: Path, in path: Path, over old: Node, _ new: Node) -> Path {
    func isPlain(_ node: Node) -> Bool { !node.isScalar && node.priority == nil }
    var (scope, old, new) = (Path.root, old, new)
    for key in below.keys {
      if key.isPriority || !isPlain(old) || !isPlain(new) { break }
      if writes.hasAny(exactlyAt: path.appending(scope)) { break }
      (scope, old, new) = (scope.appending(key), old[key], new[key])
    }
    return scope
  }

  /// What the visible pending writes set at the location of a view and below it, in order of issue.
  ///
  /// What was written before a write that covers the location makes no difference, unless it is
  /// known that children are absent.
  private func visibleSets(
    of index: Int, after change: View.Change
  ) -> [(path: Path, node: Node)] {
    if writes.isEmpty { return [] }
    let path = views[index].path
    let needsAll = policy.layers != nil || !views[index].serverCache.absent.isEmpty
    let covering = needsAll ? nil : writes.last(covering: path, where: \.isVisible)
    var sets: [(path: Path, node: Node)] = []
    for write in writes.related(to: path, from: covering?.id ?? .min) where write.isVisible {
      let seen = write.sets(seenFrom: path)
      if sets.isEmpty { sets = seen } else { sets += seen }
    }
    guard let layers = policy.layers else { return sets }
    return if case .data = change { layers(sets, true) } else { layers(sets, false) }
  }
}

// MARK: - Looking
// What is known, without changing anything. Views are looked at where they are, by their
// positions: they are too large to be copied for a question that is asked with every input.

extension LocalTree {
  /// The position of the view of a query at a location.
  func index(at path: Path, _ query: Query) -> Int? {
    views.first(.at, path) { views[$0].query == query }
  }

  func view(at path: Path, _ query: Query) -> View? { index(at: path, query).map { views[$0] } }

  /// Where the view is that has a tag, which the server uses with the path of the view.
  func index(ofViewTagged tag: Int, at path: Path) -> Int? {
    views.first(.at, path) { views[$0].tag == tag }
      ?? views.indices.first { views[$0].tag == tag }
  }

  /// Whether a query that does not filter is listened to at `path` or above: its data cover
  /// everything below.
  func isCovered(_ path: Path) -> Bool {
    views.first(.atOrAbove, path) { !views[$0].query.filters } != nil
  }

  /// The views at a location that one listen serves together with `query`: they are equal, or neither
  /// filters.
  private func served(by query: Query, at path: Path) -> [Int] {
    views.allPositions(.at, path).filter {
      query.filters ? views[$0].query == query : !views[$0].query.filters
    }
  }

  /// What is found in the views at or above `path`, in the one nearest to the root first.
  private func first<Found>(above path: Path, _ find: (Int) -> Found?) -> Found? {
    var (first, depth): (Found?, Int) = (nil, .max)
    for index in views.positions(.atOrAbove, path) where views[index].path.count < depth {
      if let found = find(index) { (first, depth) = (found, views[index].path.count) }
    }
    return first
  }

  /// What the server has at `path`, if some view at or above it knows; the one nearest to the root
  /// is asked first. With whether that was kept, and the server has not answered yet.
  private func serverData(at path: Path) -> (node: Node, isRecalled: Bool)? {
    let depths = policy.depthsToAsk?(
      views.allPositions(.atOrAbove, path).map { views[$0].path.count })
    let known = first(above: path) { index in
      depths?.contains(views[index].path.count) ?? true
        ? completeData(of: index, at: path).map { ($0, views[index].serverCache.isRecalled) } : nil
    }
    if let known { return known }
    for known in own where path.starts(with: known.path) {
      return (known.node[path.dropFirst(known.path.count)], false)
    }
    return kept?.data(at: path).map { ($0, true) }
  }

  /// What a view at or above `path` knows of it, if that is all.
  private func completeData(of index: Int, at path: Path) -> Node? {
    let (query, cache) = (views[index].query, views[index].serverCache)
    let below = path.dropFirst(views[index].path.count)
    if policy.countsAsAll?(query, cache.isComplete) ?? false { return cache.node[below] }
    return cache.completeData(at: below, for: query)
  }

  /// The children of `path` that are known by themselves, because they are listened to or without that.
  private func knownChildren(of path: Path) -> Children {
    var children = Children()
    for known in own {
      if let key = known.path.key, known.path.parent == path { children[key] = known.node }
    }
    for index in views.positions(.atOrBelow, path) {
      let viewPath = views[index].path
      guard viewPath.count == path.count + 1, let key = viewPath.key, children[key].isEmpty,
        let data = views[index].serverCache.completeData(at: .root, for: views[index].query)
      else { continue }
      children[key] = data
    }
    return children
  }

  /// What a complete plain view at or above `path` knows of it; the one nearest to the root counts.
  func cover(of path: Path) -> Node? {
    first(above: path) { index in
      views[index].query.filters || !views[index].serverCache.isComplete
        ? nil : views[index].serverCache.node[path.dropFirst(views[index].path.count)]
    }
  }

  /// The state of `path` as the next transaction there finds it: what the server has, with all
  /// pending writes on top, hidden ones too, except `ignored` (TXN-2).
  func latest(at path: Path, ignoring ignored: [Int] = []) -> Node {
    known(at: path) {
      !ignored.contains($0.id) && ($0.isVisible || policy.functionsSeeHiddenWrites)
    }
  }

  /// What the server's data and the visible writes make of `path`, as far as it is known.
  func visible(at path: Path) -> Node { known(at: path, under: \.isVisible) }

  private func known(at path: Path, under isMeant: (PendingWrite) -> Bool) -> Node {
    laid(over: serverData(at: path)?.node ?? .empty, at: path, under: isMeant)
  }

  /// `node`, which is at `path`, with pending writes on top.
  private func laid(
    over node: Node, at path: Path, under isMeant: (PendingWrite) -> Bool
  ) -> Node {
    if writes.isEmpty { return node }
    var node = node
    let covering = writes.last(covering: path, where: isMeant)
    for write in writes.related(to: path, from: covering?.id ?? .min) where isMeant(write) {
      for set in write.sets(seenFrom: path) { node = node.setting(set.node, at: set.path) }
    }
    return node
  }

  /// The views that a change at `path` can reach, in the order in which they are raised (EVT-15):
  /// below it first, siblings in the order of their text, then the location, then upwards to the
  /// root. At one location the oldest query comes first.
  private func visitOrder(of path: Path) -> [Int] {
    var related = views.allPositions(.related, path)
    if related.count < 2 { return related }
    // Of the views alone: the tree would be copied.
    related.sort { [views] a, b in
      let (keysOfA, keysOfB) = (views[a].path.keys, views[b].path.keys)
      for (p, q) in zip(keysOfA, keysOfB) where p != q { return p.text < q.text }
      return keysOfA.count != keysOfB.count ? keysOfA.count > keysOfB.count : a < b
    }
    return related
  }
}

// MARK: - Listens

extension LocalTree {
  /// Where the views are that would need listens of their own if nothing covered `path`: at each
  /// location a plain one hides all others there and below.
  func outermostViews(at path: Path) -> [Int] {
    let plain = views.first(.at, path) { !views[$0].query.filters }
    return plain.map { [$0] } ?? outermostViews(below: path)
  }

  /// What a new plain listen at `path` makes superfluous: filtered listens there, and all below.
  func outermostViews(below path: Path) -> [Int] {
    var here: [Int] = []
    var keys: Set<Key> = []
    for index in views.positions(.atOrBelow, path) {
      let keysHere = views[index].path.keys
      if keysHere.count > path.count {
        keys.insert(keysHere[path.count])
      } else if views[index].query.filters {
        here.append(index)
      }
    }
    if keys.isEmpty { return here }
    return here + keys.sorted().flatMap { outermostViews(at: path.appending($0)) }
  }
}
