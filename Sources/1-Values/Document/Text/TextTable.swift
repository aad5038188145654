/// Lines of cells, each column as wide as its widest cell; the last column is as long as it likes.
package struct TextTable {
  package let rows: [[String]]
  private let rightColumns: Set<Int>

  /// - Parameters:
  ///   - rows: The cells of each row; all rows have the same number of them.
  ///   - rightColumns: The columns whose cells are on the right, counted from 0.
  package init(_ rows: some Sequence<[String]>, right rightColumns: Set<Int> = []) {
    self.rows = Array(rows)
    self.rightColumns = rightColumns
  }

  /// The rows as text, cells two blanks apart, without blanks at the ends of lines.
  package var lines: [String] {
    let widths = (rows.first ?? []).indices.map { column in
      rows.map { $0[column].count }.max() ?? 0
    }
    return rows.map { row in
      let cells = row.enumerated().map { column, cell in
        column == row.count - 1
          ? cell : padded(cell, to: widths[column], rightColumns.contains(column) ? .right : .left)
      }
      return trimmedEnd(cells.joined(separator: "  "))
    }
  }
}
