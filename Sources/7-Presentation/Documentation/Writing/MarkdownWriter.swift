internal import Text

/// Writes pages as Markdown that code hosts show.
public struct MarkdownWriter {
  /// What stands at the top of every file.
  static let notice = "<!-- Made by `kennel docs` from runs of the scenarios. Do not edit. -->"
  /// The way from the folder of the documentation to that of the repository.
  private let wayHome: String

  /// - Parameter folder: The folder of the documentation, from that of the repository.
  public init(folder: String = Book.folder) {
    let depth = folder.utf8.split(separator: UInt8(ascii: "/")).count
    wayHome = String(repeating: "../", count: depth)
  }

  /// The name of the file of a page. The front page is what code hosts show for a folder.
  public static func file(of id: PageID) -> String {
    (id == .front ? "README" : id.path) + ".md"
  }

  public func text(of page: Page) -> String {
    var text = "\(Self.notice)\n# \(markdownText(page.title))\n\n"
    let way = navigation(of: page)
    if !way.isEmpty { text += way + "\n\n" }
    for block in page.blocks {
      let part = self.text(of: block, on: page.id)
      if !part.isEmpty { text += part + "\n" }
    }
    return text
  }

  private func navigation(of page: Page) -> String {
    guard page.id != .front else { return "" }
    var parts = [link("All pages", .front, nil, on: page.id)]
    if let previous = page.previous { parts.append(link("Previous", previous, nil, on: page.id)) }
    if let next = page.next { parts.append(link("Next", next, nil, on: page.id)) }
    return parts.joined(separator: " · ")
  }

  /// The block, ending with a line break.
  private func text(of block: Block, on page: PageID) -> String {
    switch block {
    case let .heading(level, words, anchor):
      let mark = anchor.map { "<a id=\"\(htmlText($0))\"></a>\n\n" } ?? ""
      return mark + String(repeating: "#", count: level) + " \(line(words, on: page))\n"
    case let .paragraph(words): return line(words, on: page) + "\n"
    case let .list(items): return items.map { "* \(line($0, on: page))\n" }.joined()
    case let .steps(items):
      return items.enumerated().map { "\($0.offset + 1). \(line($0.element, on: page))\n" }.joined()
    case let .table(table): return text(of: table, on: page)
    case let .code(code): return fenced(code, "")
    case let .sequence(sequence): return fenced(sequence.mermaid, "mermaid")
    case let .order(diagram): return fenced(diagram.mermaid, "mermaid")
    case .drawing: return ""
    case let .folded(summary, blocks):
      let inside = blocks.map { text(of: $0, on: page) + "\n" }.joined()
      return "<details>\n<summary>\(htmlText(summary))</summary>\n\n\(inside)</details>\n"
    }
  }

  private func text(of table: Table, on page: PageID) -> String {
    func row(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |\n" }
    var text = row(table.head.map(markdownText)) + row(table.head.map { _ in "---" })
    for cells in table.rows { text += row(cells.map { line($0, on: page, inTable: true) }) }
    return text
  }

  private func fenced(_ code: String, _ language: String) -> String {
    let fence = String(repeating: "`", count: max(3, longestRun(of: "`", in: code) + 1))
    return "\(fence)\(language)\n\(code)\(code.hasSuffix("\n") ? "" : "\n")\(fence)\n"
  }

  private func line(_ words: [Inline], on page: PageID, inTable: Bool = false) -> String {
    words.map { inline in
      switch inline {
      case let .text(text): return markdownText(text)
      case let .strong(text): return "**\(markdownText(text))**"
      case let .code(text): return code(text, inTable: inTable)
      case let .link(text, id, anchor): return link(text, id, anchor, on: page)
      case let .file(path):
        return "[`\(path)`](\(page.wayUp)\(wayHome)\(addressText(path)))"
      }
    }.joined()
  }

  private func link(_ text: String, _ id: PageID, _ anchor: String?, on page: PageID) -> String {
    let fragment = anchor.map { "#" + addressText($0) } ?? ""
    return "[\(markdownText(text))](\(page.wayUp)\(addressText(Self.file(of: id)))\(fragment))"
  }

  /// A code span holds anything if its marks are longer than any in it.
  private func code(_ text: String, inTable: Bool) -> String {
    guard !text.isEmpty else { return "" }
    var text = visible(text)
    if inTable { text = text.replacing("|", with: "\\|") }
    let mark = String(repeating: "`", count: longestRun(of: "`", in: text) + 1)
    let padding = text.hasPrefix("`") || text.hasSuffix("`") ? " " : ""
    return mark + padding + text + padding + mark
  }
}

/// How many of a character stand side by side at most.
private func longestRun(of character: Character, in text: String) -> Int {
  var (longest, run) = (0, 0)
  for other in text {
    run = other == character ? run + 1 : 0
    longest = max(longest, run)
  }
  return longest
}

/// Words with everything escaped that Markdown or HTML reads as something else.
func markdownText(_ text: String) -> String {
  var result = ""
  for character in visible(text) {
    switch character {
    case "\\", "`", "*", "_", "[", "]", "|", "#", "~", "$": result += "\\\(character)"
    case "<": result += "&lt;"
    case ">": result += "&gt;"
    case "&": result += "&amp;"
    default: result.append(character)
    }
  }
  return result
}

/// A path as part of an address.
func addressText(_ path: String) -> String {
  var result = ""
  for byte in path.utf8 {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "-"),
      UInt8(ascii: "_"), UInt8(ascii: "."):
      result.unicodeScalars.append(Unicode.Scalar(byte))
    default:
      let digits = String(byte, radix: 16, uppercase: true)
      result += "%" + (digits.count < 2 ? "0" : "") + digits
    }
  }
  return result
}
