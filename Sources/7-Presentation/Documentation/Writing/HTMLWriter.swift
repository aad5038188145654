internal import Diagrams
internal import Markup

/// Writes pages about event order as a part of the site, in HTML.
public struct HTMLWriter {
  /// The site that the pages are part of.
  private let site: SiteMap

  init(_ site: SiteMap) { self.site = site }

  /// The name of the file of a page.
  public static func file(of id: PageID) -> String { id.path + ".html" }

  /// The name of the file of the style sheet.
  public static let styleFile = "style.css"

  /// The whole HTML file of a page, with links relative to it, ending with a line feed.
  func text(of page: DocumentationPage) -> String {
    let (body, headings) = content(of: page)
    return SiteShell(site, Site.book + Self.file(of: page.id)).text(
      title: page.title, body, headings, relations: relations(of: page),
      footer: navigation(of: page))
  }

  /// What is below the heading of level 1, and the headings in it that a table of contents lists.
  func content(of page: DocumentationPage) -> (body: String, headings: [MarkdownPage.Heading]) {
    var anchors = Anchors(of: page.blocks)
    let body = page.blocks.map { text(of: $0, on: page.id, &anchors) }.joined()
    return (body, anchors.headings)
  }

  private func relations(of page: DocumentationPage) -> String {
    var text = ""
    if let previous = page.previous {
      text += "<link rel=\"prev\" href=\"\(address(previous, nil, on: page.id))\">\n"
    }
    if let next = page.next {
      text += "<link rel=\"next\" href=\"\(address(next, nil, on: page.id))\">\n"
    }
    return text
  }

  /// Links to the front page and the neighbours, which have keys.
  private func navigation(of page: DocumentationPage) -> String {
    func item(_ words: String, _ id: PageID, _ more: String = "") -> String {
      let current = id == page.id ? " aria-current=\"page\"" : ""
      return "<li><a href=\"\(address(id, nil, on: page.id))\"\(more)\(current)>\(words)</a></li>"
    }
    var items = item("Event order", .front)
    if let previous = page.previous {
      items += item(title("Previous", previous), previous, " accesskey=\"p\" rel=\"prev\"")
    }
    if let next = page.next {
      items += item(title("Next", next), next, " accesskey=\"n\" rel=\"next\"")
    }
    return "<nav aria-label=\"Neighbours\"><ul>\(items)</ul></nav>"
  }

  /// The word, with the title of the page where the site knows it.
  private func title(_ word: String, _ id: PageID) -> String {
    let file = Site.book + Self.file(of: id)
    let entry = site.chapter(of: file)?.entries.first { $0.file == file }
    return entry.map { "\(word): \(Escaping.htmlLines($0.title))" } ?? word
  }

  /// What of a page has an id, each once.
  private struct Anchors {
    private var ids: HeadingIDs
    private var figures = 0
    /// The headings that a table of contents lists.
    var headings: [MarkdownPage.Heading] = []

    init(of blocks: [Block]) { ids = HeadingIDs(taken: Set(blocks.flatMap(\.anchors))) }

    /// The id of a heading: its anchor, or one made of the words of a heading of level 2.
    mutating func heading(_ level: Int, _ words: [Inline], _ anchor: String?) -> String? {
      anchor ?? (level == 2 ? ids.next(for: words.plain) : nil)
    }

    mutating func figure(_ word: String) -> String {
      figures += 1
      return "\(word)\(figures)"
    }
  }

  private func text(of block: Block, on page: PageID, _ anchors: inout Anchors) -> String {
    switch block {
    case let .heading(level, words, anchor):
      let text = line(words, on: page)
      guard let id = anchors.heading(level, words, anchor) else {
        return "<h\(level)>\(text)</h\(level)>\n"
      }
      anchors.headings.append(.init(level: level, id: id, text: text))
      return "<h\(level) id=\"\(Escaping.htmlLines(id))\">\(text)</h\(level)>\n"
    case let .paragraph(words): return "<p>\(line(words, on: page))</p>\n"
    case let .list(items): return "<ul>\n\(self.items(items, on: page))</ul>\n"
    case let .steps(items): return "<ol>\n\(self.items(items, on: page))</ol>\n"
    case let .table(table): return text(of: table, on: page)
    case let .code(code):
      return "<pre tabindex=\"0\"><code>\(Escaping.htmlLines(code))</code></pre>\n"
    case let .sequence(sequence):
      return figure(sequence.svg(id: anchors.figure("sequence")), "Sequence of the run")
    case let .order(diagram):
      return figure(diagram.svg(id: anchors.figure("order")), "Order of the events")
    case let .drawing(summary, svg):
      let figure = figure(svg, summary)
      return "<details>\n<summary>\(Escaping.htmlLines(summary))</summary>\n\(figure)</details>\n"
    case let .folded(summary, blocks):
      // What is shown on request is in no table of contents.
      let headings = anchors.headings
      let inside = blocks.map { text(of: $0, on: page, &anchors) }.joined()
      anchors.headings = headings
      return "<details>\n<summary>\(Escaping.htmlLines(summary))</summary>\n\(inside)</details>\n"
    }
  }

  private func items(_ items: [[Inline]], on page: PageID) -> String {
    items.map { "<li>\(line($0, on: page))</li>\n" }.joined()
  }

  /// Wide content scrolls on its own, also by keyboard, so that the page is as wide as the
  /// screen.
  private func figure(_ element: String, _ label: String) -> String {
    let label = Escaping.htmlLines(label)
    return "<figure class=\"wide\" tabindex=\"0\" aria-label=\"\(label)\">\n\(element)\n</figure>\n"
  }

  private func text(of table: Table, on page: PageID) -> String {
    let head = table.head.map { "<th scope=\"col\">\(Escaping.htmlLines($0))</th>" }.joined()
    let rows = table.rows.map { cells in
      "<tr>" + cells.map { "<td>\(line($0, on: page))</td>" }.joined() + "</tr>\n"
    }.joined()
    let caption = Escaping.htmlLines(table.caption)
    return """
      <div class="wide" tabindex="0" role="region" aria-label="\(caption)">
      <table>
      <caption>\(caption)</caption>
      <thead><tr>\(head)</tr></thead>
      <tbody>
      \(rows)</tbody>
      </table>
      </div>

      """
  }

  private func line(_ words: [Inline], on page: PageID) -> String {
    words.map { inline in
      switch inline {
      case let .text(text): Escaping.htmlLines(text)
      case let .strong(text): "<strong>\(Escaping.htmlLines(text))</strong>"
      // What is written from right to left must not turn what stands around it.
      case let .code(text):
        text.isEmpty ? "" : "<code><bdi>\(Escaping.htmlLines(text))</bdi></code>"
      case let .link(text, id, anchor):
        "<a href=\"\(address(id, anchor, on: page))\">\(Escaping.htmlLines(text))</a>"
      case let .file(path): "<code>\(Escaping.htmlLines(path))</code>"
      }
    }.joined()
  }

  private func address(_ id: PageID, _ anchor: String?, on page: PageID) -> String {
    page.pathToRoot + Escaping.address(Self.file(of: id))
      + (anchor.map { "#" + Escaping.address($0) } ?? "")
  }
}

extension Block {
  /// The anchors of its headings, which links from other pages name.
  fileprivate var anchors: [String] {
    switch self {
    case let .heading(_, _, anchor): anchor.map { [$0] } ?? []
    case let .folded(_, blocks): blocks.flatMap(\.anchors)
    default: []
    }
  }
}
