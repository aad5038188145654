internal import ClientInterface
internal import Trace

/// Lines of cells, each column as wide as its widest cell; the last column is as long as it likes.
struct Columns {
  enum Alignment {
    case left
    case right
  }

  var alignments: [Alignment]
  private(set) var rows: [[String]] = []

  init(_ alignments: [Alignment]) {
    self.alignments = alignments
  }

  mutating func append(_ cells: [String]) { rows.append(cells) }

  /// The rows as text, cells two blanks apart, without blanks at the ends of lines.
  var lines: [String] {
    let widths = alignments.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      let cells = row.enumerated().map { column, cell in
        column == row.count - 1 ? cell : padded(cell, to: widths[column], alignments[column])
      }
      return trimmedEnd(cells.joined(separator: "  "))
    }
  }
}

func padded(_ text: String, to width: Int, _ alignment: Columns.Alignment = .left) -> String {
  let padding = String(repeating: " ", count: max(0, width - text.count))
  return alignment == .right ? padding + text : text + padding
}

func trimmedEnd(_ text: String) -> String {
  var text = text
  while text.last == " " { text.removeLast() }
  return text
}

/// "1 later difference", "4 later differences".
func counted(_ count: Int, _ noun: String) -> String {
  "\(count) \(noun)\(count == 1 ? "" : "s")"
}

extension Interval {
  /// The length in milliseconds to three digits behind the point: `310 ms`, `2070.296 ms`.
  var shortText: String {
    let microseconds = (nanoseconds + (nanoseconds < 0 ? -500 : 500)) / 1000
    return Interval(nanoseconds: microseconds * 1000).millisecondText
  }
}
