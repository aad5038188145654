internal import Document

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
    let links =
      [Inline.link("All pages", .front)] + (page.previous.map { [.link("Previous", $0)] } ?? [])
      + (page.next.map { [.link("Next", $0)] } ?? [])
    return links.map { line([$0], on: page.id) }.joined(separator: " · ")
  }

  /// The block, ending with a line break.
  private func text(of block: Block, on page: PageID) -> String {
    switch block {
    case let .heading(level, words, anchor):
      let mark = anchor.map { "<a id=\"\(Escaping.htmlLines($0))\"></a>\n\n" } ?? ""
      return mark + String(repeating: "#", count: level) + " \(line(words, on: page))\n"
    case let .paragraph(words): return line(words, on: page) + "\n"
    case let .items(items, isNumbered):
      return items.enumerated().map { index, item in
        let inside = item.blocks.map { text(of: $0, on: page) }.joined()
        let mark = isNumbered ? "\(index + 1)." : "*"
        return "\(mark) \(line(item.words, on: page))\n"
          + inside.split(separator: "\n").map { "   \($0)\n" }.joined()
      }.joined()
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
    let head = table.head.map { line($0, on: page, inTable: true) }
    return Markdown.table(head, rows, ruler: .spaced)
  }

  private func line(_ words: [Inline], on page: PageID, inTable: Bool = false) -> String {
    words.map { inline in
      switch inline {
      case let .text(text): return markdownText(text)
      case let .marked(mark, words):
        let sign = mark == .strong ? "**" : "*"
        return sign + line(words, on: page, inTable: inTable) + sign
      case let .code(text): return code(text, inTable: inTable)
      case let .reference(words, target):
        return "[\(line(words, on: page, inTable: inTable))](\(address(target, on: page)))"
      case let .image(text, address): return "![\(markdownText(text))](\(address))"
      case let .file(path):
        return "[`\(path)`](\(page.pathToRoot)\(pathToRepository)\(Escaping.address(path)))"
      }
    }.joined()
  }

  private func address(_ target: Inline.Target, on page: PageID) -> String {
    switch target {
    case let .page(id, anchor):
      page.pathToRoot + Escaping.address(Self.file(of: id))
        + (anchor.map { "#" + Escaping.address($0) } ?? "")
    case let .address(address): address
    }
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
