internal import Tree

extension Interval {
  /// The length in milliseconds, as traces and reports write it: `310 ms`, `0.25 ms`.
  public var millisecondText: String { canonicalText(of: milliseconds) + " ms" }

  /// The length in milliseconds to three digits behind the point: `310 ms`, `2070.296 ms`.
  package var shortText: String {
    let microseconds = (nanoseconds + (nanoseconds < 0 ? -500 : 500)) / 1000
    return Interval(nanoseconds: microseconds * 1000).millisecondText
  }

  /// The length in words for people: `12 s`, `1.5 s`, `310 ms`.
  public var text: String {
    nanoseconds >= 1_000_000_000
      ? canonicalText(of: Double(nanoseconds) / 1_000_000_000) + " s" : millisecondText
  }
}
