/// A set of seeds, as ranges.
public struct SeedRanges: Hashable, Sendable {
  /// Ascending, none next to another.
  public private(set) var ranges: [ClosedRange<UInt64>] = []

  /// Joins ranges in any order, also those that overlap or adjoin; takes quadratic time in their
  /// number.
  public init(_ ranges: [ClosedRange<UInt64>] = []) {
    for range in ranges { insert(range) }
  }

  /// How many seeds there are.
  public var count: Int { ranges.reduce(0) { $0 + Int($1.upperBound - $1.lowerBound) + 1 } }

  /// Whether it contains no seed.
  public var isEmpty: Bool { ranges.isEmpty }

  /// Adds a range.
  ///
  /// - Complexity: O(*n*) in the number of ranges.
  public mutating func insert(_ range: ClosedRange<UInt64>) {
    var (low, high) = (range.lowerBound, range.upperBound)
    let start = ranges.firstIndex { $0.upperBound.isAtLeast(low, less: 1) } ?? ranges.count
    var end = start
    while end < ranges.count, ranges[end].lowerBound.isAtMost(high, plus: 1) {
      low = min(low, ranges[end].lowerBound)
      high = max(high, ranges[end].upperBound)
      end += 1
    }
    ranges.replaceSubrange(start..<end, with: [low...high])
  }

  /// The seeds of a range that are not in here.
  public func missing(in range: ClosedRange<UInt64>) -> SeedRanges {
    var rest = SeedRanges()
    var next: UInt64? = range.lowerBound
    for known in ranges where known.overlaps(range) {
      if let low = next, low < known.lowerBound { rest.insert(low...(known.lowerBound - 1)) }
      next = known.upperBound < range.upperBound ? known.upperBound + 1 : nil
    }
    if let low = next, low <= range.upperBound { rest.insert(low...range.upperBound) }
    return rest
  }
}

extension UInt64 {
  fileprivate func isAtLeast(_ other: UInt64, less: UInt64) -> Bool {
    self >= (other < less ? 0 : other - less)
  }

  fileprivate func isAtMost(_ other: UInt64, plus: UInt64) -> Bool {
    self <= (other > .max - plus ? .max : other + plus)
  }
}

extension SeedRanges: CustomStringConvertible {
  /// `1..1000, 2001..3000`; `none` when there is nothing.
  public var description: String {
    let texts = ranges.map { Self.text(of: $0) }
    return texts.isEmpty ? "none" : texts.joined(separator: ", ")
  }

  /// `1..1000`, and `7` for a single seed.
  public static func text(of range: ClosedRange<UInt64>) -> String {
    range.lowerBound == range.upperBound
      ? "\(range.lowerBound)" : "\(range.lowerBound)..\(range.upperBound)"
  }

  /// Reads `1..1000` or `7`; `nil` for anything else.
  public static func range(from text: String) -> ClosedRange<UInt64>? {
    let dots = text.split(separator: "..", omittingEmptySubsequences: false)
    guard (1...2).contains(dots.count), let low = dots.first.flatMap({ UInt64($0) }),
      let high = dots.last.flatMap({ UInt64($0) }), low <= high
    else { return nil }
    return low...high
  }
}
