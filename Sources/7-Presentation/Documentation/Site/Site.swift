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
  /// The document whose headings and links are the sidebar.
  static let contents = "README.md"

  /// - Parameters:
  ///   - documents: The documents, and the pictures that they show.
  ///   - readme: What stands beside their folder; the first page is made from it.
  ///   - book: The pages about event order.
  public init(_ documents: [Document], readme: String? = nil, _ book: DocumentationBook) {
    let texts = documents.filter { $0.path.hasSuffix(".md") && !$0.path.hasPrefix(Self.book) }
    let links = SiteLinks(documents.map(\.path))
    let pages = texts.map { document in
      let content = MarkdownReader(document.text)
      return DocumentationPage(
        PageID(SiteLinks.page(of: document.path)), title: content.title, content.blocks)
    }
    let contents = pages.first { $0.id.path == SiteLinks.page(of: Self.contents) }
    let map = SiteMap(pages, contents: contents?.blocks ?? [], links, book)
    let landing = LandingPage(readme ?? Self.front, map, links)
    files.append(("index.html", landing.text))
    var entries = [landing.entry]
    for (document, page) in zip(texts, pages) {
      let writer = HTMLWriter(map, folder: "") { links.address($0, from: "Specs/" + document.path) }
      files.append((writer.file(of: page), writer.text(of: page)))
      entries.append(SearchEntry(page, writer.file(of: page), map))
    }
    let writer = HTMLWriter(map)
    for page in book.pages {
      files.append((writer.file(of: page), writer.text(of: page)))
      entries.append(SearchEntry(page, writer.file(of: page), map))
    }
    files += documents.filter { $0.path.hasSuffix(".svg") }.map { ($0.path, $0.text) }
    files.append((HTMLWriter.styleFile, SiteStyle.sheet))
    files.append(("search.js", SiteStyle.search))
    let data = JSON.array(entries.map(\.json)).text
    files.append(("search-data.js", "const PAGES = \(data);\n"))
  }

  /// What the first page is made from where nothing stands beside the documents.
  private static let front =
    "# \(name)\n\n[Specification](Specs/README.md), [Event order](Specs/\(book)README.md)\n"
}
