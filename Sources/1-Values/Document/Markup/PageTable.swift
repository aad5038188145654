/// A table of a page that is made from values and stands between two marks; the rest of the page is
/// written by hand.
package struct PageTable: Sendable {
  /// By what it is found on the page.
  private let name: String
  private let head: [String]
  private let rows: [[String]]

  package init(_ name: String, head: [String], rows: [[String]]) {
    (self.name, self.head, self.rows) = (name, head, rows)
  }

  /// What it begins with on the page, and what it ends with.
  private var marks: (start: String, end: String) {
    ("<!-- \(name): written by `kennel docs`. -->\n\n", "\n<!-- end of \(name) -->\n")
  }

  /// The page with these tables as they should be; one for which it has no marks is left out.
  package static func updated(_ page: String, with tables: [PageTable]) -> String {
    var page = page
    for table in tables {
      let (start, end) = table.marks
      guard let first = page.firstRange(of: start),
        let last = page[first.upperBound...].firstRange(of: end)
      else { continue }
      page.replaceSubrange(
        first.upperBound..<last.lowerBound, with: Markdown.table(table.head, table.rows))
    }
    return page
  }
}
