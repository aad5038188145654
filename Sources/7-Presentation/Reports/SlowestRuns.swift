internal import Text

/// Which runs took longest by the clock on the wall.
public enum SlowestRuns {
  /// A line for each of the slowest runs, the slowest first, below a heading; nothing for none.
  public static func text(of records: [RunRecord], _ count: Int) -> String {
    guard count > 0, !records.isEmpty else { return "" }
    let slowest = records.enumerated().sorted {
      ($1.element.milliseconds, $0.offset) < ($0.element.milliseconds, $1.offset)
    }.prefix(count).map(\.element)
    var columns = TextTable([.right, .left, .left])
    for record in slowest {
      let tenths = Int((record.milliseconds * 10).rounded())
      columns.append(
        ["\(tenths / 10).\(tenths % 10) ms", ascii(record.scenario), record.profile])
    }
    return (["slowest"] + columns.lines.map { "  " + $0 } + [""]).map { $0 + "\n" }.joined()
  }
}
