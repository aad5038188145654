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

  init(_ documents: [(path: String, title: String)], _ book: DocumentationBook) {
    let entries = documents.map { Entry(file: Site.file(of: $0.path), title: $0.title) }
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
        entries: indexes.map {
          Entry(file: Site.book + HTMLWriter.file(of: $0.id), title: $0.title)
        }),
      section("Reference") { !$0.contains("/") && $0 != "index.html" },
      section("Clients") { $0.hasPrefix("clients/") },
    ].filter { !$0.entries.isEmpty }
    for page in book.pages {
      guard let folder = Self.chapter(of: page.id) else { continue }
      let entry = Entry(file: Site.book + HTMLWriter.file(of: page.id), title: page.title)
      if chapters.last?.title == Chapter.title(of: folder) {
        chapters[chapters.count - 1].entries.append(entry)
      } else {
        chapters.append(Section(title: Chapter.title(of: folder), entries: [entry]))
      }
    }
  }

  private static func chapter(of id: PageID) -> String? {
    id.path.contains("/") ? id.path.split(separator: "/").first.map(String.init) : nil
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
