import Glibc
import System

/// A line on standard error that shows how far some work is: rewritten on a terminal, else one of
/// several lines, or none.
package struct ProgressLine {
  /// How long a line stays at least, in nanoseconds; nil for no lines at all.
  private let pace: Int64?
  private let isTerminal: Bool
  private let width: Int
  private var last: Int64
  private var hasLine = false

  /// - Parameters:
  ///   - milliseconds: How long a line stays at least on a terminal that can write one again.
  ///   - seconds: How long it takes to the next line anywhere else; nil writes none there.
  package init(every milliseconds: Int64, elsewhere seconds: Int64?) {
    isTerminal = seconds == nil ? Console.isInteractive : isatty(STDERR_FILENO) == 1
    pace = isTerminal ? milliseconds * 1_000_000 : seconds.map { $0 * 1_000_000_000 }
    width = isTerminal ? max(20, Console.width - 1) : .max
    last = seconds == nil ? 0 : Measurement.now
  }

  /// Shows how far the work is, unless the last line is too new.
  package mutating func show(_ text: @autoclosure () -> String) {
    let now = Measurement.now
    guard let pace, now - last >= pace else { return }
    last = now
    Console.message(isTerminal ? "\r\u{1B}[K\(text().prefix(width))" : text() + "\n")
    hasLine = isTerminal
  }

  /// Leaves the line.
  package mutating func end() {
    if hasLine { Console.message("\r\u{1B}[K") }
    hasLine = false
  }
}
