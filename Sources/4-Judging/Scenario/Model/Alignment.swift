/// Two lists laid side by side so that as much as possible agrees.
///
/// A client that leaves out one event has one difference, not one at every later position.
package struct Alignment: Equatable {
  /// What stands side by side: positions in both lists that agree, or a position in one of them.
  package struct Row: Equatable {
    package var expected: Int?
    package var observed: Int?

    package var isSame: Bool { expected != nil && observed != nil }
  }

  package let rows: [Row]

  /// Aligns two lists of which `matches` says whether two of their positions agree.
  ///
  /// - Complexity: O(*n* · *m*) behind the first and before the last difference.
  package init(expected: Int, observed: Int, matches: (_ expected: Int, _ observed: Int) -> Bool) {
    var head = 0
    while head < min(expected, observed), matches(head, head) { head += 1 }
    var tail = 0
    while tail < min(expected, observed) - head, matches(expected - 1 - tail, observed - 1 - tail) {
      tail += 1
    }
    let middle = Self.middle(head..<(expected - tail), head..<(observed - tail), matches)
    rows =
      (0..<head).map { Row(expected: $0, observed: $0) } + middle
      + (0..<tail).reversed().map { Row(expected: expected - 1 - $0, observed: observed - 1 - $0) }
  }

  private static func middle(
    _ expected: Range<Int>, _ observed: Range<Int>, _ matches: (Int, Int) -> Bool
  ) -> [Row] {
    let lengths = commonLengths(expected, observed, matches)
    var rows: [Row] = []
    var (i, j) = (0, 0)
    while i < expected.count || j < observed.count {
      let (e, o) = (expected.lowerBound + i, observed.lowerBound + j)
      if i < expected.count, j < observed.count, matches(e, o),
        lengths[i][j] == lengths[i + 1][j + 1] + 1
      {
        rows.append(Row(expected: e, observed: o))
        (i, j) = (i + 1, j + 1)
      } else if i < expected.count, j == observed.count || lengths[i + 1][j] >= lengths[i][j + 1] {
        rows.append(Row(expected: e))
        i += 1
      } else {
        rows.append(Row(observed: o))
        j += 1
      }
    }
    return rows
  }

  /// At [i][j] how much the rests of both lists from there on have in common.
  private static func commonLengths(
    _ expected: Range<Int>, _ observed: Range<Int>, _ matches: (Int, Int) -> Bool
  ) -> [[Int]] {
    let row = [Int](repeating: 0, count: observed.count + 1)
    var lengths = [[Int]](repeating: row, count: expected.count + 1)
    for i in (0..<expected.count).reversed() {
      for j in (0..<observed.count).reversed() {
        lengths[i][j] =
          matches(expected.lowerBound + i, observed.lowerBound + j)
          ? lengths[i + 1][j + 1] + 1 : max(lengths[i + 1][j], lengths[i][j + 1])
      }
    }
    return lengths
  }
}
