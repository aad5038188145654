package import ClientInterface
package import Tree
internal import Wire

/// The listens that one connection has in place, as the side knows them that is watched, and what
/// the data rest on that came for them.
package struct Listens: Sendable {
  /// A listen of this connection.
  package struct Entry: Hashable, Sendable {
    package let path: Path
    /// As it was sent; `nil` for a plain listen.
    package let query: Query?
    package let tag: Int?
    /// The request that made it.
    package let request: Int
    /// The query as the server knows it; `nil` for a listen to everything (WIR-13).
    package let filter: Query?
    package fileprivate(set) var isAnswered = false
    /// Whether a revocation arrived before the answer: the server may serve it, and the client may
    /// have dropped it.
    package fileprivate(set) var isCrossed = false
    /// Whether the server sent what its window holds, for this listen or for one before it that
    /// ended with its connection.
    package fileprivate(set) var isReported = false
    /// Whether what is known rests on more than it received: on a write of the client deep inside
    /// what it took for empty, or on data for another listen, which may push out what the server
    /// still has.
    package fileprivate(set) var isMixed = false

    fileprivate init(_ listen: Request.Listen, request: Int) {
      path = listen.path
      query = listen.query?.acrossKinds
      tag = listen.tag
      self.request = request
      filter = listen.query?.onWire
    }

    /// Whether it is that of a target.
    package func isFor(_ target: Operation.Target) -> Bool {
      target.path == path && Query.isListen(filter, for: target.query.onWire)
    }
  }

  private var entries = PathTable<Entry>()
  /// Where the listens to everything are that the server has answered.
  package private(set) var answered: [Path] = []
  /// Where the listens are that have tags.
  private var tags: [Int: Path] = [:]
  /// Listens that ended, but whose end the other side may not know of.
  private var ended = EndedListens()

  /// The queries whose window the server has sent, by the last listen's end or since.
  private var reported: Set<Operation.Target> = []
  /// The listens of earlier connections, and those that were refused, that left what came from several,
  /// until they, or a plain one there or above, are answered.
  private var mixedBefore: [Operation.Target] = []

  package init() {}

  /// A connection begins or ends.
  mutating func clear() {
    for index in all where entries[index].isMixed { leave(entries[index]) }
    entries = PathTable()
    answered = []
    if !tags.isEmpty { tags = [:] }
    ended = EndedListens()
  }
}

// MARK: - What happens to listens

extension Listens {
  mutating func add(_ listen: Request.Listen, request: Int) {
    var entry = Entry(listen, request: request)
    if let filter = entry.filter {
      let target = Operation.Target(entry.path, filter)
      entry.isReported = !listen.hash.isEmpty && reported.contains(target)
    }
    if listen.query != nil { entry.isMixed = beginsMixed(at: entry.path) }
    entries.append(entry, at: entry.path)
    if let tag = entry.tag { tags[tag] = entry.path }
    ended.revive(entry)
  }

  /// Ends a listen that its client takes back.
  mutating func takeBack(_ path: Path, _ query: Query?, request: Int) {
    guard let index = position(at: path, query) else {
      ended.forget(path, query?.acrossKinds)
      return
    }
    ended.add(entries[index], endedBy: request)
    if let filter = entries[index].filter {
      reported.remove(Operation.Target(path, filter))
    }
    remove(at: index)
  }

  /// The server has answered a listen with "ok", or has refused it.
  mutating func answer(_ listen: Request.Listen, request: Int, isRefused: Bool, atServer: Bool) {
    let index = entries.positions(.at, listen.path).first { entries[$0].request == request }
    guard isRefused else {
      if let index, !entries[index].isAnswered {
        entries[index].isAnswered = true
        if entries[index].filter == nil { answered.append(entries[index].path) }
      }
      if !mixedBefore.isEmpty { settleMixed(listen) }
      return
    }
    guard let index else { return }
    leave(entries[index])
    if atServer { ended.tolerate(entries[index]) }
    remove(at: index)
  }

  private mutating func settleMixed(_ listen: Request.Listen) {
    let filter = listen.query?.onWire
    mixedBefore.removeAll { mixed in
      guard let filter else { return mixed.path.starts(with: listen.path) }
      return mixed == Operation.Target(listen.path, filter)
    }
  }

  /// The server has answered the request that took a listen back.
  mutating func answerTakingBack(_ request: Int) { ended.answered(request) }

  /// Ends listens that the server has revoked: those to these queries, or the plain one.
  ///
  /// As the client sees it, a revocation is not about a listen that is not answered: it was sent
  /// before that arrived.
  mutating func revoke(_ path: Path, _ queries: [Query]?, atServer: Bool) {
    if !atServer {
      // What was known there is no longer kept up to date.
      for index in entries.positions(.atOrAbove, path) where !entries[index].isAnswered {
        entries[index].isMixed = true
      }
    }
    let filters = queries?.map(\.onWire) ?? [nil]
    let revoked = entries.positions(.at, path).filter { filters.contains(entries[$0].filter) }
    for index in revoked.reversed() {
      if !atServer, !entries[index].isAnswered {
        entries[index].isCrossed = true
        forgetTag(of: entries[index])
      } else {
        if atServer { ended.tolerate(entries[index]) }
        remove(at: index)
      }
    }
  }

  /// The server sent data, for one query or for everybody.
  mutating func receive(_ paths: [Path], at path: Path, tag: Int?) {
    guard let tag else {
      for path in paths { cross(path) }
      return
    }
    let near = entries.positions(.atOrAbove, path).first { entries[$0].tag == tag }
    guard let index = near else { return }
    entries[index].isReported = true
    if let filter = entries[index].filter {
      reported.insert(Operation.Target(entries[index].path, filter))
    }
  }

  /// The application wrote at a location.
  package mutating func write(at path: Path) {
    for index in entries.positions(.atOrAbove, path)
    where entries[index].filter != nil && !entries[index].isReported
      && path.count > entries[index].path.count + 1
    {
      entries[index].isMixed = true
    }
  }

  /// Takes data at a location for everybody.
  private mutating func cross(_ path: Path) {
    for index in entries.positions(.atOrAbove, path)
    where path.count > entries[index].path.count
      && (entries[index].filter != nil || !entries[index].isAnswered)
    {
      entries[index].isMixed = true
    }
  }

  private mutating func remove(at index: Int) {
    let entry = entries[index]
    forgetTag(of: entry)
    if entry.filter == nil, entry.isAnswered, let own = answered.firstIndex(of: entry.path) {
      answered.remove(at: own)
    }
    entries.remove(at: index)
  }

  private mutating func forgetTag(of entry: Entry) {
    if let tag = entry.tag, tags[tag] == entry.path { tags[tag] = nil }
  }

  /// Remembers that what a listen leaves came from several.
  private mutating func leave(_ entry: Entry) {
    let target = Operation.Target(entry.path, entry.filter ?? .all)
    if !mixedBefore.contains(target) { mixedBefore.append(target) }
  }
}

// MARK: - Which listens there are

extension Listens {
  /// Where the first of the listens is that are picked, in the order in which they were made.
  package func firstPath(where isPicked: (Entry) -> Bool) -> Path? {
    all.first { isPicked(entries[$0]) }.map { entries[$0].path }
  }

  private var all: PathPositions { entries.positions(.atOrBelow, .root) }

  /// The listen to a query that is taken back next: rather one that no revocation has crossed.
  private func position(at path: Path, _ query: Query?) -> Int? {
    let query = query?.acrossKinds
    var crossed: Int?
    for index in entries.positions(.at, path) where entries[index].query == query {
      if !entries[index].isCrossed { return index }
      crossed = crossed ?? index
    }
    return crossed
  }

  /// The listen at a path to a query, as it is sent; `nil` for one that a revocation may have ended.
  package func entry(at path: Path, _ query: Query?) -> Entry? {
    position(at: path, query).map { entries[$0] }.flatMap { $0.isCrossed ? nil : $0 }
  }

  /// Whether a listen may be taken back although it is not in place, or may not be: the server ended
  /// it while the client did, or a revocation crossed it.
  package func mayBeTakenBack(_ path: Path, _ query: Query?) -> Bool {
    position(at: path, query) != nil || ended.tolerates(path, query?.acrossKinds)
  }

  /// Where the listen is that has a tag.
  package func path(ofTag tag: Int) -> Path? { tags[tag] }

  package func hasPlain(at path: Path) -> Bool {
    entries.positions(.at, path).contains { entries[$0].isPlain }
  }

  /// The nearest to the root of the plain listens at or above a path.
  package func plainListen(atOrAbove path: Path) -> Path? {
    var highest: Path?
    for index in entries.positions(.atOrAbove, path) where entries[index].isPlain {
      if entries[index].path.count < highest?.count ?? .max { highest = entries[index].path }
    }
    return highest
  }

  /// Whether a plain listen is at or above a path.
  package func isListenedTo(_ path: Path) -> Bool {
    entries.positions(.atOrAbove, path).contains { entries[$0].isPlain }
  }

  /// The listens in place that a plain one at a path makes needless.
  package func covered(by cover: Path) -> [Entry] {
    var found: [Entry] = []
    for index in entries.positions(.atOrBelow, cover)
    where !entries[index].isCrossed && (entries[index].path != cover || entries[index].query != nil)
    {
      found.append(entries[index])
    }
    return found
  }

  /// Whether data for a tag may still be on their way.
  package func mayReceive(tag: Int) -> Bool {
    tags[tag] != nil || ended.has(tag)
      || all.contains { entries[$0].isCrossed && entries[$0].tag == tag }
  }

  /// Whether data for everybody may still be on their way to a path.
  package func mayReceive(_ path: Path) -> Bool {
    isListenedTo(path) || ended.coversPlainly(path)
      || entries.positions(.atOrAbove, path).contains {
        entries[$0].isCrossed && entries[$0].query == nil
      }
  }
}

extension Listens.Entry {
  /// Whether it is in place and brings everything at its path.
  fileprivate var isPlain: Bool { query == nil && !isCrossed }
}

// MARK: - What data rest on

extension Listens {
  /// Whether everything that a listener wants to receive is raised.
  package func serves(_ target: Operation.Target) -> Bool {
    let query = target.query.onWire
    return entries.positions(.atOrAbove, target.path).contains { index in
      entries[index].filter == nil
        || entries[index].path == target.path && Query.isListen(entries[index].filter, for: query)
    }
  }

  /// Whether the server has answered a listen that contains everything about a listener.
  private func hasAnswer(for target: Operation.Target) -> Bool {
    answered.contains { target.path.starts(with: $0) }
  }

  /// Whether a client knows of a window no more than that the server found it empty, or what it
  /// knows comes from elsewhere too.
  ///
  /// What lies outside may then be taken for empty, and data of other listens for the whole of what
  /// they are a part of, as shipped clients do (EVT-19).
  package func isUnreported(_ target: Operation.Target) -> Bool {
    let query = target.query.onWire
    let own = entries.positions(.at, target.path).first { entries[$0].filter == query }
    guard let own else { return !hasAnswer(for: target) }
    return !entries[own].isReported || entries[own].isMixed
      || mixedBefore.contains(Operation.Target(target.path, query ?? .all))
  }

  /// Whether what is known at a listener may come from several listens: data below it came while its
  /// own listen was not answered, or to a window that it was first shown from.
  package func isMixed(_ target: Operation.Target) -> Bool {
    for index in entries.positions(.atOrAbove, target.path) where entries[index].isMixed {
      return true
    }
    return mixedBefore.contains { target.path.starts(with: $0.path) }
  }

  /// Whether a plain listen at or above it has no answer, and what is known there is mixed: a window
  /// that replaces it begins with that.
  private func beginsMixed(at path: Path) -> Bool {
    entries.positions(.atOrAbove, path).contains {
      entries[$0].filter == nil && entries[$0].isMixed && !entries[$0].isAnswered
    }
  }

  /// The first listen that an unfiltered one covers, with that one.
  package var superfluous: (entry: Entry, cover: Entry)? {
    if entries.count < 2 { return nil }
    for cover in all where entries[cover].filter == nil {
      let path = entries[cover].path
      for below in entries.positions(.atOrBelow, path)
      where entries[below].filter != nil || entries[below].path != path {
        return (entries[below], entries[cover])
      }
    }
    return nil
  }
}

/// Listens that have ended at one side while the other one may not know yet.
private struct EndedListens: Sendable {
  /// How many are remembered at most.
  private static let maxCount = 1024

  /// Taken back by requests that have no answer: data for them may be on their way.
  private var takenBack: [(request: Int, entry: Listens.Entry)] = []
  /// Ended by the server: the client may be taking them back at the same time.
  private var revoked: [Listens.Entry] = []

  mutating func add(_ entry: Listens.Entry, endedBy request: Int) {
    takenBack.append((request, entry))
    if takenBack.count > Self.maxCount { takenBack.removeFirst() }
  }

  mutating func answered(_ request: Int) {
    if takenBack.isEmpty { return }
    takenBack.removeAll { $0.request == request }
  }

  mutating func tolerate(_ entry: Listens.Entry) {
    revoked.append(entry)
    if revoked.count > Self.maxCount { revoked.removeFirst() }
  }

  /// Whether a listen that is taken back was ended by the server.
  func tolerates(_ path: Path, _ query: Query?) -> Bool {
    revoked.contains { $0.path == path && $0.query == query }
  }

  /// A listen that the server ended is taken back, which is tolerated once.
  mutating func forget(_ path: Path, _ query: Query?) {
    let index = revoked.firstIndex { $0.path == path && $0.query == query }
    if let index { revoked.remove(at: index) }
  }

  mutating func revive(_ entry: Listens.Entry) {
    if revoked.isEmpty { return }
    revoked.removeAll { $0.path == entry.path && $0.query == entry.query }
  }

  func has(_ tag: Int) -> Bool { takenBack.contains { $0.entry.tag == tag } }

  func coversPlainly(_ path: Path) -> Bool {
    takenBack.contains { $0.entry.query == nil && path.starts(with: $0.entry.path) }
  }
}

extension Query {
  /// The query as the server knows it; `nil` for one that only orders (WIR-13). The wire does not
  /// say how far ranges reach.
  package var onWire: Query? { filters ? acrossKinds : nil }

  /// The query without what the wire does not say: how far its ranges reach.
  package var acrossKinds: Query {
    var query = self
    query.reach = .acrossKinds
    return query
  }

  /// Whether a listen to one query shows what another asks for. A bound that is left out may be sent as the
  /// next one that is not, as clients do that are older than WIR-14.
  fileprivate static func isListen(_ sent: Query?, for wanted: Query?) -> Bool {
    guard let sent, let wanted, sent != wanted else { return sent == wanted }
    func mayBe(_ bound: Bound?, for other: Bound?) -> Bool {
      bound == other || bound != nil && other?.edge == .exclusive
    }
    return sent.ordering == wanted.ordering && sent.limit == wanted.limit
      && mayBe(sent.start, for: wanted.start) && mayBe(sent.end, for: wanted.end)
  }
}
