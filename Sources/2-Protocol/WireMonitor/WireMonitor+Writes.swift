internal import RunModel
internal import Tree
internal import Wire

extension WireMonitor {
  /// Judges a put with a hash: one of a transaction.
  func judgeHash(_ hash: String, at path: Path, _ number: Int) -> [WireFinding] {
    if path.key == .priority {
      return [
        WireFinding(
          .hashAllowed,
          "request \(number) writes the priority \(path) with a hash; only transactions have one, and "
            + "they write whole locations; leave \"h\" out")
      ]
    }
    if !reportsAdvice || wire.listens.isListenedTo(path) { return [] }
    return [
      WireFinding(
        .hashWatched,
        "request \(number) writes \(path) with a hash, but no plain listen is at or above it; only "
          + "transactions have a hash, and they listen while they run")
    ]
  }

  func judgeMerge(
    _ assignments: [Assignment], at path: Path, hash: String?, _ number: Int
  ) -> [WireFinding] {
    var findings: [WireFinding] = []
    if hash != nil {
      findings.append(
        WireFinding(
          .hashAllowed,
          "request \(number) merges at \(path) with a hash; only transactions have one, and they put; "
            + "leave \"h\" out"))
    }
    guard assignments.count > 1 else { return findings }
    let paths = assignments.map(\.path).sorted()
    for (first, second) in zip(paths, paths.dropFirst()) where second.starts(with: first) {
      let what = first == second ? "the same location" : "a location within the other"
      findings.append(
        WireFinding(
          .apart,
          "request \(number) merges \"\(first.relativeText)\" and \"\(second.relativeText)\" at "
            + "\(path), \(what); write each location once"))
    }
    return findings
  }
}
