internal import Document

/// Writes pages in HTML, as parts of the site.
public struct HTMLWriter {
  /// The site that the pages are part of.
  private let site: SiteMap
  /// Where the pages are in the site: in the folder of the book, or at its root.
  private let folder: String
  /// Where a link of a document leads to in the site; nil for what the site does not have.
  private let resolve: (String) -> String?

  init(
    _ site: SiteMap, folder: String = Site.book, resolve: @escaping (String) -> String? = { $0 }
  ) {
    self.site = site
    self.folder = folder
    self.resolve = resolve
  }

  /// The name of the file of a page.
  public static func file(of id: PageID) -> String { id.path + ".html" }

  /// The name of the file of the style sheet.
  public static let styleFile = "style.css"

  /// The file of a page in the site.
  func file(of page: DocumentationPage) -> String { folder + Self.file(of: page.id) }

  /// A heading that a table of contents lists.
  struct Heading: Hashable {
    var level: Int
    var id: String
    var words: [Inline]
  }

  /// The whole HTML file of a page, with links relative to it, ending with a line feed.
  func text(of page: DocumentationPage) -> String {
    let (body, headings) = content(of: page)
    return SiteShell(site, file(of: page)).text(
      title: page.title, body,
      headings.map { ($0.level, $0.id, line($0.words, on: page.id, hasLinks: false)) },
      relations: relations(of: page), footer: folder.isEmpty ? "" : navigation(of: page))
  }

  /// What is below the heading of level 1, and the headings in it that a table of contents lists.
  func content(of page: DocumentationPage) -> (body: String, headings: [Heading]) {
    var anchors = Anchors(of: page.blocks)
    let body = page.blocks.map { text(of: $0, on: page.id, &anchors) }.joined()
    return (body, anchors.headings)
  }

  private func relations(of page: DocumentationPage) -> String {
    [("prev", page.previous), ("next", page.next)].map { name, id in
      id.map { "<link rel=\"\(name)\" href=\"\(address($0, nil, on: page.id))\">\n" } ?? ""
    }.joined()
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
    let file = folder + Self.file(of: id)
    return site.title(of: file).map { "\(word): \(Escaping.htmlLines($0))" } ?? word
  }

  /// What of a page has an id, each once.
  private struct Anchors {
    private var ids: HeadingIDs
    private var figures = 0
    var headings: [Heading] = []

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
      anchors.headings.append(Heading(level: level, id: id, words: words))
      return "<h\(level) id=\"\(Escaping.htmlLines(id))\">\(text)</h\(level)>\n"
    case let .paragraph(words): return "<p>\(line(words, on: page))</p>\n"
    case let .items(items, isNumbered):
      let name = isNumbered ? "ol" : "ul"
      let inside = items.map { item in
        let blocks = item.blocks.map { text(of: $0, on: page, &anchors) }.joined()
        return "<li>\(line(item.words, on: page))\(blocks)</li>\n"
      }
      return "<\(name)>\n\(inside.joined())</\(name)>\n"
    case let .table(table): return text(of: table, on: page)
    case let .code(code):
      return "<pre tabindex=\"0\"><code>\(Escaping.htmlLines(code))</code></pre>\n"
    case let .sequence(sequence):
      return figure(sequence.svg(id: anchors.figure("sequence")), "Sequence of the run")
    case let .order(diagram):
      return figure(diagram.svg(id: anchors.figure("order")), "Order of the events")
    case let .drawing(summary, svg): return details(summary, figure(svg, summary))
    case let .folded(summary, blocks):
      // What is shown on request is in no table of contents.
      let headings = anchors.headings
      let inside = blocks.map { text(of: $0, on: page, &anchors) }.joined()
      anchors.headings = headings
      return details(summary, inside)
    }
  }

  private func details(_ summary: String, _ inside: String) -> String {
    "<details>\n<summary>\(Escaping.htmlLines(summary))</summary>\n\(inside)</details>\n"
  }

  /// Wide content scrolls on its own, also by keyboard, so that the page is as wide as the
  /// screen.
  private func figure(_ element: String, _ label: String) -> String {
    let label = Escaping.htmlLines(label)
    return "<figure class=\"wide\" tabindex=\"0\" aria-label=\"\(label)\">\n\(element)\n</figure>\n"
  }

  private func text(of table: Table, on page: PageID) -> String {
    let head = table.head.map { "<th scope=\"col\">\(line($0, on: page))</th>" }.joined()
    let rows = table.rows.map { cells in
      "<tr>" + cells.map { "<td>\(line($0, on: page))</td>" }.joined() + "</tr>\n"
    }.joined()
    let label = Escaping.htmlLines(table.caption ?? "Table")
    return """
      <div class="wide" tabindex="0" role="group" aria-label="\(label)">
      <table>
      \(table.caption == nil ? "" : "<caption>\(label)</caption>\n")<thead><tr>\(head)</tr></thead>
      <tbody>
      \(rows)</tbody>
      </table>
      </div>

      """
  }

  private func line(_ words: [Inline], on page: PageID, hasLinks: Bool = true) -> String {
    words.map { inline in
      switch inline {
      case let .text(text): return Escaping.htmlLines(text)
      case let .marked(mark, words):
        let name = mark == .strong ? "strong" : "em"
        return "<\(name)>\(line(words, on: page, hasLinks: hasLinks))</\(name)>"
      // What is written from right to left must not turn what stands around it.
      case let .code(text):
        return text.isEmpty ? "" : "<code><bdi>\(Escaping.htmlLines(text))</bdi></code>"
      case let .reference(words, target):
        let inside = line(words, on: page, hasLinks: hasLinks)
        let address = hasLinks ? address(of: target, on: page) : nil
        return address.map { "<a href=\"\($0)\">\(inside)</a>" } ?? inside
      case let .image(text, address):
        let text = Escaping.htmlLines(text)
        return resolve(address).map { "<img src=\"\(Escaping.htmlLines($0))\" alt=\"\(text)\">" }
          ?? text
      case let .file(path): return "<code>\(Escaping.htmlLines(path))</code>"
      }
    }.joined()
  }

  private func address(of target: Inline.Target, on page: PageID) -> String? {
    switch target {
    case let .page(id, anchor): address(id, anchor, on: page)
    case let .address(address): resolve(address).map(Escaping.htmlLines)
    }
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
