internal import Diagrams
internal import Markup
internal import Text

/// Writes pages as Markdown that code hosts show.
public struct MarkdownWriter {
  /// What is at the top of every file.
  static let notice = "<!-- Made by `kennel docs` from runs of the scenarios. Do not edit. -->"
  /// The relative path from the folder of the documentation to that of the repository.
  private let pathToRepository: String

  /// - Parameter folder: The folder of the documentation, from that of the repository.
  public init(folder: String = DocumentationBook.folder) {
    let depth = folder.utf8.split(separator: UInt8(ascii: "/")).count
    pathToRepository = String(repeating: "../", count: depth)
  }

  /// The name of the file of a page. The front page is what code hosts show for a folder.
  public static func file(of id: PageID) -> String {
    (id == .front ? "README" : id.path) + ".md"
  }

  /// The whole Markdown file of a page, the notice first; drawings are left out.
  public func text(of page: DocumentationPage) -> String {
    var text = "\(Self.notice)\n# \(markdownText(page.title))\n\n"
    let way = navigation(of: page)
    if !way.isEmpty { text += way + "\n\n" }
    for block in page.blocks {
      let part = self.text(of: block, on: page.id)
      if !part.isEmpty { text += part + "\n" }
    }
    return text
  }

  private func navigation(of page: DocumentationPage) -> String {
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
      let mark = anchor.map { "<a id=\"\(Escaping.htmlLines($0))\"></a>\n\n" } ?? ""
      return mark + String(repeating: "#", count: level) + " \(line(words, on: page))\n"
    case let .paragraph(words): return line(words, on: page) + "\n"
    case let .list(items): return items.map { "* \(line($0, on: page))\n" }.joined()
    case let .steps(items):
      return items.enumerated().map { "\($0.offset + 1). \(line($0.element, on: page))\n" }.joined()
    case let .table(table): return text(of: table, on: page)
    case let .code(code): return Markdown.fenced(code)
    case let .sequence(sequence): return Markdown.fenced(sequence.mermaid, "mermaid")
    case let .order(diagram): return Markdown.fenced(diagram.mermaid, "mermaid")
    case .drawing: return ""
    case let .folded(summary, blocks):
      let inside = blocks.map { text(of: $0, on: page) + "\n" }.joined()
      return Markdown.details(Escaping.htmlLines(summary), inside)
    }
  }

  private func text(of table: Table, on page: PageID) -> String {
    let rows = table.rows.map { $0.map { line($0, on: page, inTable: true) } }
    return Markdown.table(table.head.map(markdownText), rows, ruler: .spaced)
  }

  private func line(_ words: [Inline], on page: PageID, inTable: Bool = false) -> String {
    words.map { inline in
      switch inline {
      case let .text(text): return markdownText(text)
      case let .strong(text): return "**\(markdownText(text))**"
      case let .code(text): return code(text, inTable: inTable)
      case let .link(text, id, anchor): return link(text, id, anchor, on: page)
      case let .file(path):
        return "[`\(path)`](\(page.pathToRoot)\(pathToRepository)\(Escaping.address(path)))"
      }
    }.joined()
  }

  private func link(_ text: String, _ id: PageID, _ anchor: String?, on page: PageID) -> String {
    let fragment = anchor.map { "#" + Escaping.address($0) } ?? ""
    return
      "[\(markdownText(text))](\(page.pathToRoot)\(Escaping.address(Self.file(of: id)))\(fragment))"
  }

  /// A code span holds anything if its marks are longer than any in it.
  private func code(_ text: String, inTable: Bool) -> String {
    guard !text.isEmpty else { return "" }
    var text = visible(text)
    if inTable { text = text.replacing("|", with: "\\|") }
    return Markdown.code(text)
  }
}

/// Words with everything escaped that Markdown or HTML reads as something else.
func markdownText(_ text: String) -> String { Escaping.markdown(visible(text), also: "$") }
