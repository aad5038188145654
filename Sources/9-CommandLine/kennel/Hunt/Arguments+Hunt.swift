import Hunting
import System

extension Arguments {
  /// The whole number that an option gives, or nil.
  ///
  /// - Throws: `Failure.usage` for one out of bounds, and for anything else.
  func number(of name: String, from least: Int, through most: Int) throws(Failure) -> Int? {
    guard let value = value(of: name) else { return nil }
    if let number = Int(value), (least...most).contains(number) { return number }
    throw failure("--\(name) needs a whole number from \(least) to \(most), not \"\(value)\"")
  }

  /// The seeds asked for, or nil.
  ///
  /// - Throws: `Failure.usage` for anything but `A..B`.
  func seedRange() throws(Failure) -> ClosedRange<UInt64>? {
    guard let value = value(of: "seeds") else { return nil }
    if let range = SeedRanges.range(from: value) { return range }
    throw failure(
      "--seeds needs two whole numbers, the smaller first, such as 1..1000, not \"\(value)\"")
  }

  /// The minutes asked for, or nil.
  ///
  /// - Throws: `Failure.usage` for anything but a positive number.
  func minutes() throws(Failure) -> Double? {
    guard let value = value(of: "minutes") else { return nil }
    if let minutes = Double(value), minutes > 0, minutes < 1_000_000 { return minutes }
    throw failure("--minutes needs a positive number, not \"\(value)\"")
  }
}
