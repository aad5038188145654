/// Parts of a document in Markdown. Words in them are escaped already.
package enum Markdown {
  /// How the line below the head of a table is written.
  package enum Ruler {
    case tight
    case spaced
  }

  /// A table; each line ends with a line feed.
  package static func table(
    _ head: [String], _ rows: some Sequence<[String]>, ruler: Ruler = .tight
  ) -> String {
    let line =
      switch ruler {
      case .tight: "|" + head.map { _ in "---|" }.joined() + "\n"
      case .spaced: row(head.map { _ in "---" })
      }
    return row(head) + line + rows.map(row).joined()
  }

  package static func row(_ cells: [String]) -> String {
    "| " + cells.joined(separator: " | ") + " |\n"
  }

  /// The unchanged text, in a fence that is longer than any within it.
  package static func fenced(_ text: String, _ language: String = "") -> String {
    let fence = String(repeating: "`", count: max(3, longestRun(of: "`", in: text) + 1))
    return "\(fence)\(language)\n\(text)\(text.hasSuffix("\n") ? "" : "\n")\(fence)\n"
  }

  /// A code span; its marks are longer than any in it.
  package static func code(_ text: String) -> String {
    let mark = String(repeating: "`", count: longestRun(of: "`", in: text) + 1)
    let padding = text.hasPrefix("`") || text.hasSuffix("`") ? " " : ""
    return mark + padding + text + padding + mark
  }

  /// Something that is shown on request. The summary is HTML, the content Markdown.
  package static func details(_ summary: String, _ content: String) -> String {
    "<details>\n<summary>\(summary)</summary>\n\n\(content)</details>\n"
  }

  /// How many of a character stand side by side at most.
  private static func longestRun(of character: Character, in text: String) -> Int {
    var (longest, run) = (0, 0)
    for other in text {
      run = other == character ? run + 1 : 0
      longest = max(longest, run)
    }
    return longest
  }
}
