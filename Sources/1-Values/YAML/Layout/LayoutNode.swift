internal import Document

/// A value of a YAML text as it is written: what a layout keeps and what it changes.
struct LayoutNode {
  enum Content {
    /// As it stands in the text: the first line from its beginning, the others whole.
    case scalar([String], isBlock: Bool)
    case list([LayoutNode])
    case mapping([Entry])
  }

  struct Entry {
    var key: LayoutNode
    var value: LayoutNode
  }

  var content: Content
  /// Whether a collection is written in brackets or braces.
  var isFlow = false
  /// `&name`, for a collection that has one.
  var anchor: String?
  var start: Position
  var end: Position

  /// Where the first part of a collection begins.
  var firstPart: Position? {
    switch content {
    case .scalar: nil
    case let .list(nodes): nodes.first?.start
    case let .mapping(entries): entries.first?.key.start
    }
  }
}

/// The text of a YAML document by lines and columns, and its comments.
struct LayoutSource {
  struct Comment {
    var position: Position
    var text: String
  }

  private let lines: [[Unicode.Scalar]]
  private(set) var comments: [Comment] = []

  /// - Precondition: The text has no other line breaks than line feeds.
  init(_ text: String) {
    lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
      .map { Array($0) }
  }

  /// A line from a column on, without blanks at its end; empty beyond the text.
  func line(_ number: Int, from column: Int = 1, to end: Int? = nil) -> String {
    guard number >= 1, number <= lines.count else { return "" }
    let line = lines[number - 1]
    let upper = min(end.map { $0 - 1 } ?? line.count, line.count)
    guard column - 1 < upper else { return "" }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: line[(column - 1)..<upper])
    while let last = text.last, last == " " || last == "\t" { text.removeLast() }
    return String(text)
  }

  func isBlank(_ number: Int) -> Bool { line(number).isEmpty }

  /// The lines between two locations, the first and the last cut.
  func lines(from start: Position, to end: Position) -> [String] {
    if start.line == end.line { return [line(start.line, from: start.column, to: end.column)] }
    let middle = (start.line + 1..<end.line).map { line($0) }
    let last = end.column > 1 ? [line(end.line, from: 1, to: end.column)] : []
    return [line(start.line, from: start.column)] + middle + last
  }

  /// Records all comments: what begins with `#` behind nothing or a blank and is within no scalar.
  mutating func findComments(outside scalars: [(start: Position, end: Position)]) {
    var next = 0
    for (index, line) in lines.enumerated() {
      for column in line.indices where line[column] == "#" {
        let isApart = column == 0 || line[column - 1] == " " || line[column - 1] == "\t"
        guard isApart else { continue }
        let position = Position(line: index + 1, column: column + 1)
        while next < scalars.count, scalars[next].end <= position { next += 1 }
        if next < scalars.count, scalars[next].start <= position { continue }
        comments.append(
          Comment(position: position, text: self.line(index + 1, from: column + 1)))
        break
      }
    }
  }
}
