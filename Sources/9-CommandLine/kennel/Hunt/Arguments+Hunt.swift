import Commands
import Hunting
import System

extension Arguments {
  /// The seeds asked for, or nil.
  ///
  /// - Throws: `Failure.usage` for anything but `A..B`.
  func seedRange() throws(Failure) -> ClosedRange<UInt64>? {
    guard let value = value(of: "seeds") else { return nil }
    if let range = SeedRanges.range(from: value) { return range }
    throw failure(
      "--seeds needs two whole numbers, the smaller first, such as 1..1000, not \"\(value)\"")
  }
}
