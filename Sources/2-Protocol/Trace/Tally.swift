package import Tree

/// How many runs passed, failed and were skipped.
public struct Tally: Hashable, Sendable {
  public var passed: Int
  public var failed: Int
  public var skipped: Int

  public init(passed: Int = 0, failed: Int = 0, skipped: Int = 0) {
    self.passed = passed
    self.failed = failed
    self.skipped = skipped
  }

  /// `109 passed, 2 failed, 1 skipped`: the last line of every run, for programs to read.
  public var line: String { "\(passed) passed, \(failed) failed, \(skipped) skipped" }

  /// The same for the summaries of reports in JSON.
  package var members: [JSON.Member] {
    [
      .init("passed", .number(Double(passed))), .init("failed", .number(Double(failed))),
      .init("skipped", .number(Double(skipped))),
    ]
  }

  public static func += (left: inout Tally, right: Tally) {
    left.passed += right.passed
    left.failed += right.failed
    left.skipped += right.skipped
  }
}
