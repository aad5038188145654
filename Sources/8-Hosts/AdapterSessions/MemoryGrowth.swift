package import Tree

/// How much more memory one process of an adapter has in use after many runs, where that does not fall
/// again.
package struct MemoryGrowth: Hashable {
  /// How many megabytes it had, at most, early on, and has since, at least.
  package let from: Int
  package let to: Int
  /// How many runs the process has made.
  package let runs: Int

  /// As one process hands it to another.
  package var json: JSON { ["from": .count(from), "to": .count(to), "runs": .count(runs)] }

  package init?(_ json: JSON) {
    guard let from = json["from"]?.integer, let to = json["to"]?.integer,
      let runs = json["runs"]?.integer
    else { return nil }
    (self.from, self.to, self.runs) = (from, to, runs)
  }

  fileprivate init(from: Int, to: Int, runs: Int) {
    (self.from, self.to, self.runs) = (from, to, runs)
  }

  /// The larger of two growths.
  package static func larger(_ first: MemoryGrowth?, _ second: MemoryGrowth?) -> MemoryGrowth? {
    guard let first, let second else { return first ?? second }
    return second.to - second.from > first.to - first.from ? second : first
  }

  /// A sentence without a full stop.
  package var sentence: String {
    "the memory of the adapter grew from \(from) to \(to) MB in \(runs) runs of one process, and does not "
      + "fall again: see what its reset leaves behind"
  }
}

/// Follows the memory of a process from run to run.
package struct MemoryLog {
  /// How many runs lie between two looks, and how many looks it takes to say anything. Memory that is
  /// collected now and then goes up and down, and what a program loads at first stays.
  package static let interval = 15, least = 16
  /// By how many megabytes memory may grow, and by which part of what it was.
  private static let slack = 16, part = 4

  private var runs = 0
  private var looks: [Int] = []

  package init() {}

  /// Notes that a run has ended.
  ///
  /// - Parameter memory: How many bytes are in use, where that is asked.
  package mutating func endRun(_ memory: () -> Int) {
    runs += 1
    if runs.isMultiple(of: Self.interval) { looks.append(memory() >> 20) }
  }

  /// How it has grown: the least of the last quarter of all looks against the most of the second; nil
  /// where that is little.
  package var growth: MemoryGrowth? {
    guard looks.count >= Self.least else { return nil }
    let quarter = looks.count / 4
    guard let from = looks[quarter..<2 * quarter].max(), let to = looks.suffix(quarter).min(),
      to - from >= max(Self.slack, from / Self.part)
    else { return nil }
    return MemoryGrowth(from: from, to: to, runs: runs)
  }
}
