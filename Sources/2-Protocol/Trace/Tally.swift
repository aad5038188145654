package import Tree

/// How many runs passed, failed, were skipped, and failed as a list says.
public struct Tally: Hashable, Sendable {
  /// How many did what was demanded.
  public var passed: Int
  /// How many neither passed nor were skipped: divergences, crashes, hangs and the like.
  public var failed: Int
  /// How many could not be judged, for example because a capability was missing.
  public var skipped: Int
  /// How many failed as a list of known failures says, and count nowhere else.
  public var known: Int

  /// Starts from these counts; all are 0 unless given.
  public init(passed: Int = 0, failed: Int = 0, skipped: Int = 0, known: Int = 0) {
    self.passed = passed
    self.failed = failed
    self.skipped = skipped
    self.known = known
  }

  /// `109 passed, 2 failed, 1 skipped`, and `, 3 known` where there are known failures: the last line
  /// of every run, for programs to read.
  public var line: String {
    "\(passed) passed, \(failed) failed, \(skipped) skipped" + (known > 0 ? ", \(known) known" : "")
  }

  /// The counts as members of the summaries of reports in JSON.
  package var members: [JSON.Member] {
    [
      .init("passed", .number(Double(passed))), .init("failed", .number(Double(failed))),
      .init("skipped", .number(Double(skipped))),
    ]
  }

  /// Adds each of the counts on the right to its counterpart on the left.
  public static func += (left: inout Tally, right: Tally) {
    left.passed += right.passed
    left.failed += right.failed
    left.skipped += right.skipped
    left.known += right.known
  }
}
