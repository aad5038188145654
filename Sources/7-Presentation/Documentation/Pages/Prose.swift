internal import Text

/// Texts of rules and scenarios, which are written in a little Markdown, as blocks.
enum Prose {
  /// Paragraphs are separated by empty lines or, in rules, by the line breaks of lists and tables.
  static func blocks(_ text: String) -> [Block] {
    var blocks: [Block] = []
    var paragraph: [Substring] = []
    var items: [[Inline]] = []
    var rows: [[[Inline]]] = []
    func finish() {
      if !paragraph.isEmpty { blocks.append(.paragraph(inlines(paragraph.joined(separator: " ")))) }
      if !items.isEmpty { blocks.append(.list(items)) }
      if let head = rows.first {
        blocks.append(
          .table(Table("Table", head: head.map(\.plain), rows: Array(rows.dropFirst()))))
      }
      (paragraph, items, rows) = ([], [], [])
    }
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let words = line.drop { $0 == " " }
      if words.isEmpty {
        finish()
      } else if words.hasPrefix("- ") || words.hasPrefix("* ") {
        if !paragraph.isEmpty || !rows.isEmpty { finish() }
        items.append(inlines(String(words.dropFirst(2))))
      } else if words.hasPrefix("|") {
        if !paragraph.isEmpty || !items.isEmpty { finish() }
        let cells = words.split(separator: "|").map { inlines($0.trimmed) }
        if !cells.allSatisfy({ $0.plain.allSatisfy { $0 == "-" || $0 == ":" } }) {
          rows.append(cells)
        }
      } else {
        if !items.isEmpty || !rows.isEmpty { finish() }
        paragraph.append(words)
      }
    }
    finish()
    return blocks
  }

  /// A line with `code` and *emphasis*; a link becomes its words.
  static func inlines(_ text: String) -> [Inline] {
    var result: [Inline] = []
    var rest = withoutLinks(text)[...]
    while let start = rest.firstIndex(where: { $0 == "`" || $0 == "*" }) {
      let mark = rest[start]
      let after = rest.index(after: start)
      let isOpening = after < rest.endIndex && rest[after] != " " && rest[after] != mark
      guard isOpening, let end = rest[after...].firstIndex(of: mark) else {
        append(.text(String(rest[...start])), to: &result)
        rest = rest[after...]
        continue
      }
      append(.text(String(rest[..<start])), to: &result)
      let inside = String(rest[after..<end])
      result.append(mark == "`" ? .code(inside) : .strong(inside))
      rest = rest[rest.index(after: end)...]
    }
    append(.text(String(rest)), to: &result)
    return result
  }

  private static func append(_ inline: Inline, to result: inout [Inline]) {
    guard case let .text(text) = inline, !text.isEmpty else { return }
    if case let .text(before)? = result.last {
      result[result.count - 1] = .text(before + text)
    } else {
      result.append(inline)
    }
  }

  private static func withoutLinks(_ text: String) -> String {
    var result = ""
    var rest = text[...]
    while let middle = rest.firstRange(of: "]("),
      let start = rest[..<middle.lowerBound].lastIndex(of: "["),
      let end = rest[middle.upperBound...].firstIndex(of: ")")
    {
      result += rest[..<start] + rest[rest.index(after: start)..<middle.lowerBound]
      rest = rest[rest.index(after: end)...]
    }
    return result + rest
  }
}
