package import ClientInterface
package import Tree
internal import Wire

/// The listens that one connection has in place, as the side knows them that is watched, and what
/// the data rest on that came for them.
package struct Listens: Sendable {
  /// A listen of this connection.
  package struct Entry: Sendable {
    /// What was asked for: one object, because an entry is copied more often than looked at.
    private let asked: Asked
    package fileprivate(set) var isAnswered = false
    /// Whether a revocation arrived before the answer, or one that was about a listen at its location
    /// that had ended: the server may serve it, and the client may have dropped it (ACC-10).
    package fileprivate(set) var isCrossed = false
    /// Whether the server sent what its window holds, for this listen or for one before it that
    /// ended with its connection.
    package fileprivate(set) var isReported = false
    /// Whether what is known rests on more than it received: on a write of the client deep inside
    /// what it took for empty, or on data for another listen, which may push out what the server
    /// still has.
    package fileprivate(set) var isMixed = false
    /// What the client has of it by what the server sent, where that is certain.
    package internal(set) var data: Node?
    /// What it claims to have, as long as the server has neither sent anything nor answered.
    var claimed: Node?
    /// Whether data came before the answer that may be those of other listens.
    var isDisturbed = false

    fileprivate mutating func answer() {
      if isAnswered { return }
      isAnswered = true
      claimed = nil
      if isDisturbed { data = nil }
    }

    fileprivate mutating func mix(where isMixed: (Entry) -> Bool) {
      if isMixed(self) { self.isMixed = true }
    }

    private final class Asked: Sendable {
      let path: Path
      let query: Query?
      let tag: Int?
      let request: Int
      let filter: Query?
      /// Whether it is to everything at its path.
      let isWhole: Bool
      /// Whether the client says with it that it has something.
      let claims: Bool

      init(_ listen: Request.Listen, request: Int) {
        path = listen.path
        query = listen.query?.acrossKinds
        tag = listen.tag
        self.request = request
        filter = listen.query?.onWire
        isWhole = filter == nil
        claims = !listen.hash.isEmpty
      }
    }

    fileprivate init(_ listen: Request.Listen, request: Int) {
      asked = Asked(listen, request: request)
    }

    package var path: Path { asked.path }
    /// As it was sent; `nil` for a plain listen.
    package var query: Query? { asked.query }
    package var tag: Int? { asked.tag }
    /// The request that made it.
    package var request: Int { asked.request }
    /// The query as the server knows it; `nil` for a listen to everything (WIR-13).
    package var filter: Query? { asked.filter }
    fileprivate var isWhole: Bool { asked.isWhole }
    /// Whether the client has something of it that nobody keeps up to date.
    fileprivate var isStale: Bool { asked.claims && !isAnswered }

    /// Whether it is that of a target.
    package func isFor(_ target: Operation.Target) -> Bool {
      target.path == path && Query.isListen(filter, for: target.query.onWire)
    }

    /// Whether it is in place and brings everything at its path.
    fileprivate var isPlain: Bool { query == nil && !isCrossed }

    fileprivate func isTo(_ query: Query?, at path: Path) -> Bool {
      self.path == path && self.query == query
    }
  }

  package internal(set) var entries = PathTable<Entry>()
  /// Where the listens are that have tags.
  private var tags: [Int: Path] = [:]
  /// Listens that are taken back by requests without an answer: data for them may be on their way.
  private(set) var takenBack: [(request: Int, entry: Entry)] = []
  /// Listens that the server ended: the client may be taking them back at the same time.
  private var revoked: [Entry] = []
  /// How many of each are remembered at most.
  private static let maxEnded = 1024

  /// The queries whose window the server has sent, by the last listen's end or since.
  private var reported: Set<Operation.Target> = []
  /// The listens of earlier connections, and those that were taken back or refused, that left what came
  /// from several, until they, or a plain one there or above, are answered.
  private(set) var mixedBefore: [Operation.Target] = []
  /// Listens that ended with their connection, of which it is certain what the client has of them.
  var lost: [Entry] = []
  /// Whether messages are seen where the server is, and not where the client is.
  let isAtServer: Bool

  package init(atServer isAtServer: Bool = false) { self.isAtServer = isAtServer }

  /// A connection begins or ends.
  mutating func clear() {
    if entries.count > 0 {
      for index in all where entries[index].isMixed { leave(entries[index]) }
      if !isAtServer { lose() }
      entries = PathTable()
    }
    (takenBack, revoked) = ([], [])
    if !tags.isEmpty { tags = [:] }
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
    entry.isMixed = listen.query == nil ? beginsStale(entry.path) : beginsMixed(entry.path)
    if !isAtServer { claim(&entry, hash: listen.hash) }
    entries.append(entry, at: entry.path)
    if let tag = entry.tag { tags[tag] = entry.path }
    if !revoked.isEmpty { revoked.removeAll { $0.isTo(entry.query, at: entry.path) } }
  }

  /// Whether a window at a path replaces what is known of a plain listen without an answer.
  private func beginsMixed(_ path: Path) -> Bool {
    entries.first(.atOrAbove, path) {
      entries[$0].isWhole && entries[$0].isMixed && !entries[$0].isAnswered
    } != nil
  }

  /// Whether a plain listen at a path begins with what listens there and below have, which the client has
  /// asked for again.
  private func beginsStale(_ path: Path) -> Bool {
    entries.first(.atOrBelow, path) { entries[$0].isStale } != nil
      || takenBack.contains { $0.entry.isStale && $0.entry.path.starts(with: path) }
  }

  /// Ends a listen that its client takes back. Of one that the server ended that is tolerated once.
  mutating func takeBack(_ path: Path, _ query: Query?, request: Int) {
    guard let index = position(at: path, query) else {
      let query = query?.acrossKinds
      let ended = revoked.firstIndex { $0.isTo(query, at: path) }
      if let ended { revoked.remove(at: ended) }
      return
    }
    takenBack.append((request, entries[index]))
    if takenBack.count > Self.maxEnded { takenBack.removeFirst() }
    // A listen that takes its place begins with what it leaves.
    if entries[index].isMixed { leave(entries[index]) }
    if let filter = entries[index].filter {
      reported.remove(Operation.Target(path, filter))
    }
    remove(at: index)
  }

  /// The server has answered a listen with "ok", or has refused it.
  mutating func answer(_ listen: Request.Listen, request: Int, isRefused: Bool) {
    let index = entries.first(.at, listen.path) { entries[$0].request == request }
    if isRefused {
      doubt(listen.path)
      guard let index else { return }
      leave(entries[index])
      end(at: index)
      return
    }
    if let index { entries[index].answer() }
    if mixedBefore.isEmpty { return }
    let filter = listen.query?.onWire
    mixedBefore.removeAll { mixed in
      guard let filter else { return mixed.path.starts(with: listen.path) }
      return mixed == Operation.Target(listen.path, filter)
    }
  }

  /// The server has answered the request that took a listen back.
  mutating func answerTakingBack(_ request: Int) {
    if !takenBack.isEmpty { takenBack.removeAll { $0.request == request } }
  }

  /// Ends listens that the server has revoked: those to these queries, or the plain one.
  ///
  /// As the client sees it, a revocation is not about a listen that is not answered: it was sent
  /// before that arrived. What else it ends where it crosses the end of its listen is left open.
  mutating func revoke(_ path: Path, _ queries: [Query]?) {
    if !isAtServer {
      // What was known there is no longer kept up to date.
      mix(path) { !$0.isAnswered }
      doubt(path)
    }
    let filters = queries?.map(\.onWire) ?? [nil]
    let revoked = entries.positions(.at, path).filter { filters.contains(entries[$0].filter) }
    for index in revoked.reversed() {
      if isAtServer || entries[index].isAnswered { end(at: index) } else { cross(index) }
    }
    if !isAtServer, revoked.isEmpty { entries.positions(.at, path).forEach { cross($0) } }
  }

  private mutating func cross(_ index: Int) {
    entries[index].isCrossed = true
    forgetTag(of: entries[index])
  }

  /// The server sent data at a path or below it, for one query or for everybody.
  mutating func receive(_ sets: [(path: Path, node: Node)], at path: Path, tag: Int?) {
    guard let tag else {
      for set in sets {
        mix(set.path) { set.path.count > $0.path.count && (!$0.isWhole || !$0.isAnswered) }
        if !isAtServer { learn(set.path, set.node) }
      }
      return
    }
    let near = entries.first(.atOrAbove, path) { entries[$0].tag == tag }
    guard let index = near else { return }
    entries[index].isReported = true
    if !isAtServer { for set in sets { entries[index].learn(set.path, set.node) } }
    if let filter = entries[index].filter {
      reported.insert(Operation.Target(entries[index].path, filter))
    }
  }

  /// The application wrote at a location.
  package mutating func write(at path: Path) {
    mix(path) { !$0.isWhole && !$0.isReported && path.count > $0.path.count + 1 }
  }

  /// What is known of some listens at or above a path rests on more than they received.
  private mutating func mix(_ path: Path, where isMixed: (Entry) -> Bool) {
    entries.update(.atOrAbove, path) { $0?.mix(where: isMixed) }
  }

  /// The server ends a listen, which the client may not know.
  private mutating func end(at index: Int) {
    if isAtServer {
      revoked.append(entries[index])
      if revoked.count > Self.maxEnded { revoked.removeFirst() }
    }
    remove(at: index)
  }

  private mutating func remove(at index: Int) {
    let entry = entries[index]
    forgetTag(of: entry)
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
  /// The positions of all, in the order in which they were made.
  private var all: PathPositions { entries.positions(.atOrBelow, .root) }

  /// The listen to a query that is taken back next: rather one that no revocation has crossed.
  private func position(at path: Path, _ query: Query?) -> Int? {
    let query = query?.acrossKinds
    var crossed: Int?
    let present = entries.first(.at, path) { index in
      if entries[index].query != query { return false }
      if entries[index].isCrossed { crossed = crossed ?? index }
      return !entries[index].isCrossed
    }
    return present ?? crossed
  }

  /// The listen at a path to a query, as it is sent; `nil` for one that a revocation may have ended.
  package func entry(at path: Path, _ query: Query?) -> Entry? {
    position(at: path, query).map { entries[$0] }.flatMap { $0.isCrossed ? nil : $0 }
  }

  /// Whether a listen may be taken back although it is not in place, or may not be: the server ended
  /// it while the client did, or a revocation crossed it.
  package func mayBeTakenBack(_ path: Path, _ query: Query?) -> Bool {
    if position(at: path, query) != nil { return true }
    let query = query?.acrossKinds
    return revoked.contains { $0.isTo(query, at: path) }
  }

  /// Where the listen is that has a tag.
  package func path(ofTag tag: Int) -> Path? { tags[tag] }

  /// The nearest to the root of the plain listens at or above a path.
  package func plainListen(atOrAbove path: Path) -> Path? {
    var highest: Path?
    entries.forEach(.atOrAbove, path) { index in
      if entries[index].isPlain, entries[index].path.count < highest?.count ?? .max {
        highest = entries[index].path
      }
    }
    return highest
  }

  /// The listens in place at and below a path that a plain one there makes needless.
  package func covered(by path: Path) -> [Entry] {
    var found: [Entry] = []
    entries.forEach(.atOrBelow, path) { index in
      if !entries[index].isCrossed, !entries[index].isTo(nil, at: path) {
        found.append(entries[index])
      }
    }
    return found
  }

  /// The first listen that an unfiltered one covers, with that one.
  package var superfluous: (entry: Entry, cover: Entry)? {
    for cover in all where entries[cover].filter == nil {
      let path = entries[cover].path
      for below in entries.positions(.atOrBelow, path)
      where entries[below].filter != nil || entries[below].path != path {
        if entries[below].isCrossed { continue }
        return (entries[below], entries[cover])
      }
    }
    return nil
  }

  /// Whether data for a tag may still be on their way.
  package func mayReceive(tag: Int) -> Bool {
    tags[tag] != nil || takenBack.contains { $0.entry.tag == tag }
      || all.contains { entries[$0].isCrossed && entries[$0].tag == tag }
  }

  /// Whether data for everybody may still be on their way to a path.
  package func mayReceive(_ path: Path) -> Bool {
    entries.first(.atOrAbove, path) { entries[$0].query == nil } != nil
      || takenBack.contains { $0.entry.query == nil && path.starts(with: $0.entry.path) }
  }
}

// MARK: - What data rest on

extension UnsafePointer<Listens> {
  // Asked where they are: to ask the value itself would copy it.

  /// Whether the server has answered a listen to everything at a path or above it.
  package func isAnswered(at path: Path) -> Bool {
    pointee.entries.first(.atOrAbove, path) {
      pointee.entries[$0].isWhole && pointee.entries[$0].isAnswered
    } != nil
  }

  /// Whether everything that a listener wants to receive is raised.
  package func serves(_ target: Operation.Target) -> Bool {
    let query = target.query.onWire
    let serving = pointee.entries.first(.atOrAbove, target.path) { index in
      pointee.entries[index].isWhole
        || pointee.entries[index].path == target.path
          && Query.isListen(pointee.entries[index].filter, for: query)
    }
    return serving != nil
  }

  /// Whether a client knows of a window no more than that the server found it empty, or what it
  /// knows comes from elsewhere too.
  ///
  /// What lies outside may then be taken for empty, and data of other listens for the whole of what
  /// they are a part of, as shipped clients do (EVT-19).
  package func isUnreported(_ target: Operation.Target) -> Bool {
    let query = target.query.onWire
    let own = pointee.entries.first(.at, target.path) { pointee.entries[$0].filter == query }
    guard let own else { return !isAnswered(at: target.path) }
    return !pointee.entries[own].isReported || pointee.entries[own].isMixed
      || pointee.mixedBefore.contains(Operation.Target(target.path, query ?? .all))
  }

  /// Whether the server has sent the window of a listener, and nothing else lies in it.
  package func hasWindow(of target: Operation.Target) -> Bool {
    serves(target) && !isUnreported(target)
  }

  /// Whether what is known at a listener may come from several listens: data below it came while its
  /// own listen was not answered, or to a window that it was first shown from.
  package func isMixed(_ target: Operation.Target) -> Bool {
    pointee.entries.first(.atOrAbove, target.path) { pointee.entries[$0].isMixed } != nil
      || pointee.mixedBefore.contains { target.path.starts(with: $0.path) }
  }
}
