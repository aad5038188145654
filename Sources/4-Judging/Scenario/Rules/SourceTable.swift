internal import Document

/// Where the documents state what the rules state: a table with a row for each of their headings.
///
/// The file is read for its rows alone. A row begins with the heading; its last cell names rules,
/// or says `excluded:` and why. Whatever else stands in the file is for people.
public struct SourceTable: Sendable {
  /// One heading of a document.
  public struct Entry: Hashable, Sendable {
    /// The heading of the file under which the row stands: the name of the document.
    public let document: String
    /// The first cell of the row, without the spaces around it: a heading of `document`.
    public let heading: String
    /// The rules that its last cell names, as written there; whether they exist is not asked.
    public let rules: [RuleID]
    /// Whether the row says that the heading needs no rule.
    public let isExcluded: Bool
    /// The line of the row, from 1.
    public let line: Int
  }

  /// The rows, in the order of the file.
  public let entries: [Entry]

  /// Reads the text of a file.
  public init(_ text: String) {
    var entries: [Entry] = []
    var document = ""
    var header: Entry?
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, line) in lines.enumerated() {
      if line.hasPrefix("#") { document = line.drop(while: { $0 == "#" }).trimmed }
      guard line.hasPrefix("|") else { continue }
      let cells = Self.cells(of: line)
      if cells.allSatisfy({ $0.allSatisfy { $0 == "-" || $0 == ":" } }) {
        // What is above a row of hyphens are titles.
        if let header, entries.last == header { entries.removeLast() }
        continue
      }
      let entry = Entry(cells, document: document, line: index + 1)
      header = entry
      entries.append(entry)
    }
    self.entries = entries
  }

  private static func cells(of line: Substring) -> [String] {
    var cells = [""]
    var isEscaped = false
    for character in line.dropFirst() {
      if character == "|", !isEscaped {
        cells.append("")
      } else {
        cells[cells.count - 1].append(character)
      }
      isEscaped = character == "\\"
    }
    if let last = cells.last, last.allSatisfy(\.isWhitespace) { cells.removeLast() }
    return cells.map(\.trimmed)
  }
}

extension SourceTable.Entry {
  fileprivate init(_ cells: [String], document: String, line: Int) {
    self.document = document
    self.line = line
    heading = cells.first ?? ""
    let last = cells.count > 1 ? cells[cells.count - 1] : ""
    isExcluded = last.lowercased().hasPrefix("excluded")
    rules = last.split { !($0.isASCII && ($0.isLetter || $0.isNumber) || $0 == "-") }
      .compactMap { RuleID(String($0)) }
  }
}
