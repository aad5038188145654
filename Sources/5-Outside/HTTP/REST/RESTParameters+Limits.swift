extension RESTParameters {
  /// How long a read may take at most, in minutes.
  private static let longestTimeout = 15.0
  /// How many bytes a write may have for each limit of its time: one megabyte is taken for a second.
  private static let writeSizes = [
    "tiny": 1_000_000, "small": 10_000_000, "medium": 30_000_000, "large": 60_000_000,
    "unlimited": Int.max,
  ]

  /// Checks `timeout`. Reads here are answered at once, so that no time is too short.
  ///
  /// - Throws: `Refused` for what is no time, and for more than 15 minutes.
  package func checkTimeout() throws(Refused) {
    guard let text = request.argument("timeout") else { return }
    let units = [("ms", 1.0 / 60_000), ("min", 1.0), ("s", 1.0 / 60)]
    guard let (unit, minutes) = units.first(where: { text.hasSuffix($0.0) }),
      let count = Double(String(text.dropLast(unit.count))), count > 0,
      count * minutes <= Self.longestTimeout
    else {
      throw Refused(
        400, "timeout must be a time up to 15min: a number with ms, s or min, such as 10s")
    }
  }

  /// Checks that a write is within `writeSizeLimit`.
  ///
  /// - Throws: `Refused` for a limit that is not known, and for a larger write.
  package func checkWriteSize() throws(Refused) {
    guard let name = request.argument("writeSizeLimit") else { return }
    guard let limit = Self.writeSizes[name] else {
      throw Refused(
        400, "writeSizeLimit must be one of tiny, small, medium, large and unlimited")
    }
    if request.body.count > limit {
      throw Refused(
        400, "the write has \(request.body.count) bytes; writeSizeLimit \(name) allows \(limit)")
    }
  }
}
