internal import ClientInterface
internal import Tree
internal import Wire

/// The listens that one connection has in place, as the side knows them that is watched.
struct ActiveListens: Sendable {
  struct Entry: Hashable, Sendable {
    var path: Path
    /// `nil` for a plain listen.
    var query: Query?
    var tag: Int?
    /// The request that made it.
    var request: Int
  }

  /// A listen below one that covers it: allowed while a client goes from one to the other.
  private struct CoveredListen: Sendable {
    var entry: Entry
    var cover: Path
    var since: Instant
  }

  /// How long a covered listen may stay: clients let the one go right after they sent the other.
  private static let grace = Interval.seconds(2)
  private static let maxCovered = 64
  /// With listens at more locations, those below a new one are not looked for: it would take too
  /// long.
  private static let maxPaths = 256

  private var entries: [Path: [Entry]] = [:]
  private var tags: [Int: Path] = [:]
  private var coveredListens: [CoveredListen] = []
  /// Listens that ended, but whose end the other side may not know of.
  private(set) var late = EndedListens()

  mutating func clear() { self = ActiveListens() }

  func isListenedTo(_ path: Path) -> Bool {
    if entries.isEmpty { return false }
    if hasPlain(at: path) { return true }
    return path.lineage.contains { hasPlain(at: $0) }
  }

  func isInUse(_ tag: Int) -> Bool { tags[tag] != nil }

  mutating func add(_ entry: Entry, at now: Instant) -> [WireFinding] {
    let findings = judge(entry)
    coveredListen(entry, at: now)
    entries[entry.path, default: []].append(entry)
    if let tag = entry.tag { tags[tag] = entry.path }
    late.revive(entry)
    return findings
  }

  private func judge(_ entry: Entry) -> [WireFinding] {
    var findings: [WireFinding] = []
    let own = entries[entry.path] ?? []
    if let other = own.first(where: { $0.query == entry.query }) {
      findings.append(
        WireFinding(
          .listensOnce,
          "request \(entry.request) listens to \(entry.described), which request \(other.request) "
            + "listens to already; one listen serves all listeners"))
    }
    if let tag = entry.tag, let path = tags[tag] {
      findings.append(
        WireFinding(
          .tagOnce,
          "request \(entry.request) gives the listen to \(entry.path) the tag \(tag), which that to "
            + "\(path) has; a tag is given to another query when its listen has ended"))
    }
    if let query = entry.query, !query.filters {
      findings.append(
        WireFinding(
          .filters,
          "request \(entry.request) listens to \(entry.path) with a query that leaves nothing out; "
            + "leave \"q\" and \"t\" out, it is the plain listen"))
    }
    return findings
  }

  /// Records covered listens, to be looked at again.
  private mutating func coveredListen(_ entry: Entry, at now: Instant) {
    guard coveredListens.count < Self.maxCovered else { return }
    let lineage = entry.query == nil ? entry.path.lineage.dropLast() : entry.path.lineage[...]
    if let cover = lineage.first(where: { hasPlain(at: $0) }) {
      coveredListens.append(CoveredListen(entry: entry, cover: cover, since: now))
    }
    guard entry.query == nil, entries.count <= Self.maxPaths else { return }
    let below = entries.keys.filter { $0.starts(with: entry.path) }.sorted()
    for path in below.prefix(Self.maxCovered) {
      for other in entries[path] ?? [] where other.isCovered(by: entry.path) {
        if coveredListens.count == Self.maxCovered { return }
        coveredListens.append(CoveredListen(entry: other, cover: entry.path, since: now))
      }
    }
  }

  private func hasPlain(at path: Path) -> Bool {
    entries[path]?.contains { $0.query == nil } == true
  }

  /// Listens that have been covered for too long.
  mutating func covered(at now: Instant) -> [WireFinding] {
    guard let first = coveredListens.first, now - first.since >= Self.grace else { return [] }
    let due = coveredListens.prefix { now - $0.since >= Self.grace }
    coveredListens.removeFirst(due.count)
    var findings: [WireFinding] = []
    for coveredListen in due where isStillCovered(coveredListen) {
      findings.append(
        WireFinding(
          .covered,
          "request \(coveredListen.entry.request) listens to \(coveredListen.entry.described), which the listen "
            + "to \(coveredListen.cover) covers; take it back, the other one brings its data"))
    }
    return findings
  }

  private func isStillCovered(_ coveredListen: CoveredListen) -> Bool {
    entries[coveredListen.entry.path]?.contains(coveredListen.entry) == true
      && hasPlain(at: coveredListen.cover)
  }

  /// Ends a listen that its client takes back.
  mutating func takeBack(
    _ path: Path, _ query: Query?, tag: Int?, request: Int
  ) -> WireFinding? {
    guard let entry = entries[path]?.first(where: { $0.query == query }) else {
      if late.tolerates(path, query, takenBackBy: request) { return nil }
      return WireFinding(
        .takesBackOwn,
        "request \(request) takes back the listen to \(Entry.described(path, query)), which is not "
          + "in place; take back only what was listened to and not refused or ended since")
    }
    remove(entry)
    late.add(entry, endedBy: request)
    guard entry.tag != tag else { return nil }
    return WireFinding(
      .takesBackTag,
      "request \(request) takes back the listen to \(entry.described) with "
        + "\(tag.map { "tag \($0)" } ?? "no tag"), but it was made with "
        + "\(entry.tag.map { "tag \($0)" } ?? "none"); write the same \"q\" and \"t\" again")
  }

  /// Ends a listen that the server has refused.
  mutating func refuse(_ path: Path, request: Int, observedSide: WireMonitor.ObservedSide) {
    late.forgetCrossed(request)
    guard let entry = entries[path]?.first(where: { $0.request == request }) else { return }
    remove(entry)
    if observedSide == .server { late.tolerate(entry) }
  }

  /// Ends listens that the server has revoked; `nil` means the plain one.
  ///
  /// As the client sees it, a revocation is not about a listen that is not answered: it was sent
  /// before that arrived. The server may serve such a listen, and the client may have dropped it.
  mutating func revoke(
    _ path: Path, _ queries: [Query?], observedSide: WireMonitor.ObservedSide,
    isAnswered: (Int) -> Bool
  ) {
    for entry in entries[path] ?? [] where queries.contains(entry.query) {
      remove(entry)
      switch observedSide {
      case .server: late.tolerate(entry)
      case .client: if !isAnswered(entry.request) { late.cross(entry) }
      }
    }
  }

  /// The server knows that a listen ended.
  mutating func answered(_ request: Int) { late.answered(request) }

  private mutating func remove(_ entry: Entry) {
    entries[entry.path]?.removeAll { $0 == entry }
    if entries[entry.path]?.isEmpty == true { entries[entry.path] = nil }
    if let tag = entry.tag, tags[tag] == entry.path { tags[tag] = nil }
  }
}

extension ActiveListens.Entry {
  var described: String { Self.described(path, query) }

  static func described(_ path: Path, _ query: Query?) -> String {
    query == nil ? "\(path)" : "a query at \(path)"
  }

  func isCovered(by cover: Path) -> Bool { path != cover || query != nil }
}

/// Listens that have ended at one side while the other one may not know yet.
struct EndedListens: Sendable {
  /// How many are remembered at most.
  private static let maxCount = 1024

  /// Taken back by requests that have no answer: data for them may be on their way.
  private var takenBack: [(request: Int, entry: ActiveListens.Entry)] = []
  /// Ended by the server: the client may be taking them back at the same time.
  private var ended: [ActiveListens.Entry] = []
  /// On their way when a revocation arrived: in place at the server unless it refuses them.
  private var crossed: [ActiveListens.Entry] = []

  mutating func add(_ entry: ActiveListens.Entry, endedBy request: Int) {
    takenBack.append((request, entry))
    if takenBack.count > Self.maxCount { takenBack.removeFirst() }
  }

  mutating func answered(_ request: Int) {
    if takenBack.isEmpty { return }
    takenBack.removeAll { $0.request == request }
  }

  mutating func tolerate(_ entry: ActiveListens.Entry) {
    ended.append(entry)
    if ended.count > Self.maxCount { ended.removeFirst() }
  }

  mutating func cross(_ entry: ActiveListens.Entry) {
    crossed.append(entry)
    if crossed.count > Self.maxCount { crossed.removeFirst() }
  }

  /// The server has refused the listen of a request.
  mutating func forgetCrossed(_ request: Int) { crossed.removeAll { $0.request == request } }

  /// Whether a listen that is taken back was ended by the server, or crossed a revocation; once
  /// each.
  mutating func tolerates(_ path: Path, _ query: Query?, takenBackBy request: Int) -> Bool {
    if let index = crossed.firstIndex(where: { $0.path == path && $0.query == query }) {
      add(crossed.remove(at: index), endedBy: request)
      return true
    }
    guard let index = ended.firstIndex(where: { $0.path == path && $0.query == query }) else {
      return false
    }
    ended.remove(at: index)
    return true
  }

  mutating func revive(_ entry: ActiveListens.Entry) {
    if ended.isEmpty { return }
    ended.removeAll { $0.path == entry.path && $0.query == entry.query }
  }

  func has(_ tag: Int) -> Bool {
    takenBack.contains { $0.entry.tag == tag } || crossed.contains { $0.tag == tag }
  }

  func coversPlainly(_ path: Path) -> Bool {
    takenBack.contains { $0.entry.query == nil && path.starts(with: $0.entry.path) }
      || crossed.contains { $0.query == nil && path.starts(with: $0.path) }
  }
}
