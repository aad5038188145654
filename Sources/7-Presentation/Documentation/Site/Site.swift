internal import Document
internal import Tree

/// The documentation as one site: all documents of `Specs`, and the pages about event order.
///
/// It mirrors the folder, so links between documents lead to the same page in both. It needs no
/// network; without a script everything but the search works.
public struct Site {
  /// A document or a picture, by its path below `Specs`.
  public struct Document: Sendable {
    /// The path below `Specs`, such as `guides/hosting.md`.
    public var path: String
    /// What the file holds.
    public var text: String

    /// Takes a file as it is.
    public init(path: String, text: String) {
      self.path = path
      self.text = text
    }
  }

  /// The files of the site, by their paths in it, in the order of the pages.
  public private(set) var files: [(path: String, text: String)] = []

  /// Where the pages about event order are.
  static let book = "event-order/"
  /// What the site is called.
  static let name = "Kennel"

  /// - Parameters:
  ///   - documents: The documents, and the pictures that they show.
  ///   - book: The pages about event order.
  public init(_ documents: [Document], _ book: DocumentationBook) {
    let hasFront = documents.contains { $0.path == "README.md" }
    let documents = hasFront ? documents : [Self.front] + documents
    let known = Set(documents.map(\.path))
    let texts = documents.filter { $0.path.hasSuffix(".md") && !$0.path.hasPrefix(Self.book) }
    let pages = texts.map { Self.page(of: $0) }
    let map = SiteMap(pages, book)
    var entries: [JSON] = []
    for (document, page) in zip(texts, pages) {
      let writer = HTMLWriter(map, folder: "") { Self.address($0, from: document.path, known) }
      files.append((writer.file(of: page), writer.text(of: page)))
      let headings = writer.content(of: page).headings.map(\.words.plain)
      entries.append(Self.entry(writer.file(of: page), page, headings, map))
    }
    let writer = HTMLWriter(map)
    for page in book.pages {
      files.append((writer.file(of: page), writer.text(of: page)))
      entries.append(Self.entry(writer.file(of: page), page, [], map))
    }
    files += documents.filter { $0.path.hasSuffix(".svg") }.map { ($0.path, $0.text) }
    files.append((HTMLWriter.styleFile, SiteStyle.sheet))
    files.append(("search.js", SiteStyle.search))
    files.append(("search-data.js", "const PAGES = \(JSON.array(entries).text);\n"))
  }

  /// The first page where the documents have none.
  private static let front = Document(
    path: "README.md", text: "# \(name)\n\n[Event order](\(book)README.md)\n")

  /// The page of a document: `README.md` is the index of its folder.
  private static func page(of document: Document) -> DocumentationPage {
    let content = MarkdownReader(document.text)
    let path = withIndex(document.path.dropLast(3))
    return DocumentationPage(PageID(path), title: content.title, content.blocks)
  }

  /// A path without its suffix, where `README` is `index`.
  private static func withIndex(_ path: Substring) -> String {
    path == "README" || path.hasSuffix("/README") ? path.dropLast(6) + "index" : String(path)
  }

  /// Where a link of a document leads to in the site; nil for files that it does not have.
  private static func address(_ link: String, from path: String, _ known: Set<String>) -> String? {
    if link.hasPrefix("http") || link.hasPrefix("#") { return link }
    let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    var folders = path.split(separator: "/").dropLast().map(String.init)
    for part in parts[0].split(separator: "/") where part != "." {
      if part != ".." {
        folders.append(String(part))
      } else if folders.popLast() == nil {
        return nil
      }
    }
    let target = folders.joined(separator: "/")
    let isBook = target.hasPrefix(book) && target.hasSuffix(".md")
    guard known.contains(target) || isBook else { return nil }
    let fragment = parts.count > 1 ? "#" + parts[1] : ""
    guard target.hasSuffix(".md") else { return link }
    return withIndex(parts[0].dropLast(3)) + ".html" + fragment
  }

  /// What the search knows of a page: its file, title, section, headings and text.
  private static func entry(
    _ file: String, _ page: DocumentationPage, _ headings: [String], _ map: SiteMap
  ) -> JSON {
    let words = page.blocks.map(\.plain).joined(separator: " ")
    let text = words.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return .array([
      .string(file), .string(page.title), .string(map.section(of: file)),
      .string(headings.joined(separator: " · ")),
      .string(Truncation.middle(of: text, toBytes: 4000)),
    ])
  }
}

/// All pages of the site in sections, as its sidebar lists them.
public struct SiteMap: Sendable {
  /// A page with its title.
  struct Entry: Hashable, Sendable {
    var file: String
    var title: String
  }

  /// A part of the sidebar.
  struct Section: Hashable, Sendable {
    var title: String
    var entries: [Entry]
  }

  private(set) var sections: [Section] = []
  /// The chapters about event order; the sidebar lists the pages of the current one.
  private(set) var chapters: [Section] = []

  /// The documents that a reader begins with, in this order; others follow by their titles.
  private static let first = [
    "guides/first-client.html", "guides/writing-an-adapter.html", "guides/writing-a-scenario.html",
    "guides/hunting-for-failures.html", "guides/continuous-integration.html",
  ]

  init(_ documents: [DocumentationPage], _ book: DocumentationBook) {
    let entries = documents.map { Entry(file: HTMLWriter.file(of: $0.id), title: $0.title) }
    func section(_ title: String, _ isMember: (String) -> Bool) -> Section {
      let members = entries.filter { isMember($0.file) }
      let rank = { (entry: Entry) in Self.first.firstIndex(of: entry.file) ?? Self.first.count }
      return Section(
        title: title,
        entries: members.sorted {
          (rank($0), $0.title, $0.file) < (rank($1), $1.title, $1.file)
        })
    }
    let indexes = book.pages.filter { !$0.id.path.contains("/") }
    sections = [
      Section(title: "Kennel", entries: [Entry(file: "index.html", title: "Overview")]),
      section("Guides") { $0.hasPrefix("guides/") },
      section("Rules") { $0.hasPrefix("rules/") },
      Section(
        title: "Event order",
        entries: indexes.map(Self.entry)),
      section("Reference") { !$0.contains("/") && $0 != "index.html" },
      section("Clients") { $0.hasPrefix("clients/") },
    ].filter { !$0.entries.isEmpty }
    let pages = book.pages.filter { $0.id.path.contains("/") }
    chapters = pages.grouped { $0.id.path.prefix { $0 != "/" } }.map { pages in
      Section(
        title: Chapter.title(of: String(pages[0].id.path.prefix { $0 != "/" })),
        entries: pages.map(Self.entry))
    }
  }

  private static func entry(of page: DocumentationPage) -> Entry {
    Entry(file: Site.book + HTMLWriter.file(of: page.id), title: page.title)
  }

  /// The chapter that a page is in.
  func chapter(of file: String) -> Section? {
    chapters.first { $0.entries.contains { $0.file == file } }
  }

  /// The title of the section that a page is in.
  func section(of file: String) -> String {
    if let chapter = chapter(of: file) { return chapter.title }
    return sections.first { $0.entries.contains { $0.file == file } }?.title ?? Site.name
  }
}
