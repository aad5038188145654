import Foundation

/// Compares what came back with what was expected.
enum TranscriptPattern {
  /// Whether these lines are as expected, where `...` is any lines of output and `[..]` any text in a
  /// line. No pattern but their own stands for messages and for an exit code.
  static func matches(_ expected: [String], _ lines: [String]) -> Bool {
    // Which ends of `lines` what is left of the expected lines can begin at.
    var starts: Set<Int> = [0]
    for pattern in expected {
      if pattern == "..." {
        starts = extended(starts, over: lines) { !isMessageOrCode($0) }
      } else if pattern == "! ..." {
        starts = extended(starts, over: lines) { $0.hasPrefix("!") }
      } else {
        starts = Set(
          starts.filter { $0 < lines.count && isLike(lines[$0], pattern) }.map { $0 + 1 })
      }
    }
    return starts.contains(lines.count)
  }

  /// The starts, and all that any number of such lines behind them lead to.
  private static func extended(
    _ starts: Set<Int>, over lines: [String], while isPart: (String) -> Bool
  ) -> Set<Int> {
    var all = starts
    for start in starts {
      for index in start..<lines.count {
        guard isPart(lines[index]) else { break }
        all.insert(index + 1)
      }
    }
    return all
  }

  /// What output is never written like.
  static func isMessageOrCode(_ line: String) -> Bool {
    line.hasPrefix("! ") || line == "!" || line.wholeMatch(of: #/\[\d+\]/#) != nil
  }

  /// Each piece is looked for behind the one before, which finds a way if there is one.
  static func isLike(_ line: String, _ pattern: String) -> Bool {
    let pieces = pattern.components(separatedBy: "[..]")
    guard let first = pieces.first, let last = pieces.last, pieces.count > 1 else {
      return line == pattern
    }
    guard line.hasPrefix(first) else { return false }
    var rest = line.dropFirst(first.count)
    for piece in pieces.dropFirst().dropLast() where !piece.isEmpty {
      guard let range = rest.range(of: piece) else { return false }
      rest = rest[range.upperBound...]
    }
    return rest.hasSuffix(last)
  }
}
