internal import ClientInterface
internal import Tree
internal import Wire

extension ReferenceServer {
  /// Keeps the write until the connection ends (OND-1). Rules are looked at now, and again then.
  mutating func storeOnDisconnect(_ write: Write, of index: Int, at now: Instant) -> Answer {
    if let status = refusal(of: write, by: connections[index], at: now) {
      return .refused(status)
    }
    connections[index].onDisconnects.append(write)
    return .ok
  }

  /// Does what a session that has ended left for its end, each write if the rules allow it by now to
  /// whom was signed in at the end (OND-5).
  mutating func doOnDisconnects(
    of ended: ServerSession, at now: Instant, into out: inout [Outgoing]
  ) {
    for write in onDisconnects(of: ended)
    where defect == .trustsOnDisconnects || refusal(of: write, by: ended, at: now) == nil {
      apply(write, at: now, into: &out)
    }
  }
}

extension ServerSession {
  /// Forgets what was to be done at `path` and below (OND-7), of a merge the parts that lie there.
  mutating func cancelOnDisconnects(at path: Path) {
    onDisconnects = onDisconnects.compactMap { $0.without(path) }
  }
}

extension ReferenceServer.Write {
  /// What is left of the write without its effects at or below `path`; `nil` when nothing is.
  ///
  /// A write above `path` is left whole.
  fileprivate func without(_ path: Path) -> Self? {
    switch self {
    case let .put(target, _): return target.starts(with: path) ? nil : self
    case let .merge(base, assignments):
      let rest = assignments.filter { !base.appending($0.path).starts(with: path) }
      return rest.isEmpty ? nil : .merge(base, rest)
    }
  }
}
