/// Lines of cells, each column as wide as its widest cell; the last column is as long as it likes.
package struct TextTable {
  package var alignments: [ColumnAlignment]
  package private(set) var rows: [[String]] = []

  package init(_ alignments: [ColumnAlignment]) {
    self.alignments = alignments
  }

  package mutating func append(_ cells: [String]) { rows.append(cells) }

  /// The rows as text, cells two blanks apart, without blanks at the ends of lines.
  package var lines: [String] {
    let widths = alignments.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      let cells = row.enumerated().map { column, cell in
        column == row.count - 1 ? cell : padded(cell, to: widths[column], alignments[column])
      }
      return trimmedEnd(cells.joined(separator: "  "))
    }
  }
}
