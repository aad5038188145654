internal import ClientInterface
internal import RunModel
internal import Tree
internal import Wire

// What is judged of listens: each is made once, has a tag of its own, and is taken back as it was
// made.

extension WireMonitor {
  /// Judges a listen that is about to be in place.
  func judge(_ listen: Request.Listen, request: Int) -> [WireFinding] {
    var findings: [WireFinding] = []
    let described = Self.described(listen.path, listen.query)
    if let other = wire.listens.entry(at: listen.path, listen.query) {
      findings.append(
        WireFinding(
          .listensOnce,
          "request \(request) listens to \(described), which request \(other.request) "
            + "listens to already; one listen serves all listeners"))
    }
    if let tag = listen.tag, let path = wire.listens.path(ofTag: tag) {
      findings.append(
        WireFinding(
          .tagOnce,
          "request \(request) gives the listen to \(listen.path) the tag \(tag), which that to "
            + "\(path) has; a tag is given to another query when its listen has ended"))
    }
    if let query = listen.query, !query.filters {
      findings.append(
        WireFinding(
          .filters,
          "request \(request) listens to \(listen.path) with a query that leaves nothing out; "
            + "leave \"q\" and \"t\" out, it is the plain listen"))
    }
    return findings
  }

  /// Judges that a client takes a listen back that is still in place.
  func judgeTakingBack(
    _ path: Path, _ query: Query?, tag: Int?, request: Int
  ) -> WireFinding? {
    guard let entry = wire.listens.entry(at: path, query) else {
      if wire.listens.mayBeTakenBack(path, query) { return nil }
      return WireFinding(
        .takesBackOwn,
        "request \(request) takes back the listen to \(Self.described(path, query)), which is not "
          + "in place; take back only what was listened to and not refused or ended since")
    }
    guard entry.tag != tag else { return nil }
    return WireFinding(
      .takesBackTag,
      "request \(request) takes back the listen to \(Self.described(path, query)) with "
        + "\(tag.map { "tag \($0)" } ?? "no tag"), but it was made with "
        + "\(entry.tag.map { "tag \($0)" } ?? "none"); write the same \"q\" and \"t\" again")
  }

  /// Judges that data belong to a listen.
  func judgeData(at path: Path, _ tag: Int?) -> WireFinding? {
    if let tag {
      if wire.listens.mayReceive(tag: tag) { return nil }
      return WireFinding(
        .tagInUse, by: .server,
        "the server sends data of \(path) for the tag \(tag), which no listen of this connection has"
      )
    }
    if wire.listens.mayReceive(path) { return nil }
    return WireFinding(
      .askedFor, by: .server,
      "the server sends data of \(path), where no plain listen of this connection is at or above")
  }

  static func described(_ path: Path, _ query: Query?) -> String {
    query == nil ? "\(path)" : "a query at \(path)"
  }
}

/// The listens below one that covers them: allowed while a client goes from one to the other.
struct CoveredListens: Sendable {
  private struct Covered: Sendable {
    var entry: Listens.Entry
    var cover: Path
    var since: Instant
  }

  /// How long a covered listen may stay: clients let the one go right after they sent the other.
  private static let grace = Interval.seconds(2)
  private static let maxCount = 64

  private var covered: [Covered] = []

  /// Records a new listen that is covered, and those that it covers, to be looked at again.
  mutating func add(_ listen: Request.Listen, in listens: Listens, at now: Instant) {
    guard covered.count < Self.maxCount,
      let entry = listens.entry(at: listen.path, listen.query)
    else { return }
    let above = entry.query == nil ? entry.path.parent : entry.path
    if let cover = above.flatMap({ listens.plainListen(atOrAbove: $0) }) {
      covered.append(Covered(entry: entry, cover: cover, since: now))
    }
    guard entry.query == nil else { return }
    let below = listens.below(entry.path).filter { $0.isCovered(by: entry.path) }
    for other in below.prefix(Self.maxCount - covered.count) {
      covered.append(Covered(entry: other, cover: entry.path, since: now))
    }
  }

  /// Listens that have been covered for too long.
  mutating func takeOverdue(in listens: Listens, at now: Instant) -> [WireFinding] {
    guard let first = covered.first, now - first.since >= Self.grace else { return [] }
    let due = covered.prefix { now - $0.since >= Self.grace }
    covered.removeFirst(due.count)
    return due.compactMap { covered in
      let entry = covered.entry
      guard listens.entry(at: entry.path, entry.query)?.request == entry.request,
        listens.hasPlain(at: covered.cover)
      else { return nil }
      return WireFinding(
        .covered,
        "request \(entry.request) listens to \(WireMonitor.described(entry.path, entry.query)), "
          + "which the listen to \(covered.cover) covers; take it back, the other one brings its data"
      )
    }
  }
}
