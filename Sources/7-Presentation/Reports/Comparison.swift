internal import Conformance
internal import Document

/// Expected and observed side by side, down to the end of the first difference.
struct Comparison {
  enum Extent {
    /// The first difference with a few lines around it; later ones are counted.
    case first
    case everything
  }

  private(set) var lines: [String] = []
  /// How many later differences are not shown.
  private(set) var omitted = 0

  /// How many unchanged lines are shown before and behind a difference.
  private static let context = (before: 4, behind: 2)

  init(_ divergence: Divergence, _ extent: Extent, _ palette: Palette) {
    guard !divergence.rows.isEmpty else { return }
    let names = EventText(path: divergence.subject.path)
    let rows = divergence.rows.map { Row($0, names) }
    var shown = rows[...]
    if extent == .first, !divergence.isAboutOrder { shown = firstDifference(in: rows) }
    let hidden = shown.startIndex
    if hidden > 0 { lines.append("      ... \(hidden) as expected") }
    lines += Self.lines(of: shown, palette)
    lines.append("      (- expected, + observed)")
    omitted = Self.differences(in: rows[shown.endIndex...])
  }

  private func firstDifference(in rows: [Row]) -> ArraySlice<Row> {
    let first = rows.firstIndex { $0.side != .same } ?? 0
    let next = rows[first...].firstIndex { $0.side == .same } ?? rows.endIndex
    let behind = rows[next...].prefix { $0.side == .same }.prefix(Self.context.behind)
    // Leaving out a single line would save nothing.
    let start = first - Self.context.before <= 1 ? 0 : first - Self.context.before
    return rows[start..<behind.endIndex]
  }

  /// A line that is missing and one that is too much at the same location are one difference.
  private static func differences(in rows: ArraySlice<Row>) -> Int {
    var count = 0
    for group in rows.split(whereSeparator: { $0.side == .same }) {
      count += max(group.count { $0.side == .expected }, group.count { $0.side == .observed })
    }
    return count
  }

  /// One line of either side.
  struct Row {
    var side: Divergence.Row.Side
    var number: Int
    var text: String

    init(_ row: Divergence.Row, _ names: EventText) {
      (side, number, text) = (row.side, row.number, ascii(names.text(row.entry)))
    }
  }

  private static func lines(of rows: ArraySlice<Row>, _ palette: Palette) -> [String] {
    let digits = rows.map { String($0.number).count }.max() ?? 1
    let width = TextReport.width - digits - 8
    let sides = rows.map(\.side)
    let texts = Truncation.middle(
      ofLines: rows.map(\.text), first: sides.indices.filter { sides[$0] == .expected },
      second: sides.indices.filter { sides[$0] == .observed }, to: width)
    return zip(rows, texts).map { row, text in
      let number = padded(String(row.number), to: digits, .right)
      switch row.side {
      case .same: return "      \(number)  \(text)"
      case .expected: return palette.paint("    - \(number)  \(text)", .good)
      case .observed: return palette.paint("    + \(number)  \(text)", .bad)
      }
    }
  }
}

extension Divergence {
  fileprivate var isAboutOrder: Bool {
    if case .misordered = kind { true } else { false }
  }
}
