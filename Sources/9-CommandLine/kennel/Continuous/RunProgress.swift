import Commands
import Reports
import System

/// Tells on a terminal how far a run is: one line on standard error that is written anew.
///
/// Nothing at all where standard error is no terminal, or one that cannot go back in a line.
struct RunProgress {
  private let total: Int
  private let isShown: Bool
  private var last: Int64 = 0
  private var hasLine = false

  /// How long a line stays at least, in nanoseconds.
  private static let pace: Int64 = 100_000_000

  init(total: Int) {
    self.total = total
    isShown = Console.isInteractive
  }

  /// Shows how many runs are done, how many of them failed, and what comes next.
  mutating func show(_ records: [RunRecord], next: String) {
    guard isShown else { return }
    let now = Measurement.now
    guard now - last >= Self.pace else { return }
    last = now
    let failed = records.count { $0.outcome == .failed }
    let red = failed > 0 ? "   \(failed) failed" : ""
    let line = "\(records.count) of \(total)\(red)   \(next)"
    let width = max(20, Console.width - 1)
    Console.message("\r\u{1B}[K\(String(line.prefix(width)))")
    hasLine = true
  }

  /// Leaves the line.
  mutating func end() {
    if hasLine { Console.message("\r\u{1B}[K") }
    hasLine = false
  }
}
