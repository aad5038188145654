internal import Document

/// All pages of the site in the groups of its sidebar.
///
/// The document of contents makes the groups: a heading of level 2 begins one, a heading of level 3 a part
/// of it, and what either links to belongs there. So that page and the sidebar cannot differ.
public struct SiteMap: Sendable {
  /// A page with its title.
  struct Entry: Hashable, Sendable {
    var file: String
    var title: String
  }

  /// A group of the sidebar, or a part of one.
  struct Section: Hashable, Sendable {
    var title: String
    var entries: [Entry] = []
    var parts: [Section] = []

    /// Whether a page is listed in it, at any depth.
    func contains(_ file: String) -> Bool {
      entries.contains { $0.file == file } || parts.contains { $0.contains(file) }
    }

    /// The titles that lead to a page.
    func trail(to file: String) -> [String] {
      guard contains(file) else { return [] }
      return [title] + (parts.first { $0.contains(file) }?.trail(to: file) ?? [])
    }

    /// What is listed first, at any depth.
    var first: Entry? { entries.first ?? parts.lazy.compactMap(\.first).first }

    /// The entry of a page.
    func entry(of file: String) -> Entry? {
      entries.first { $0.file == file } ?? parts.lazy.compactMap { $0.entry(of: file) }.first
    }
  }

  private(set) var sections: [Section] = []
  /// The chapters about event order; the sidebar lists the pages of the current one.
  private(set) var chapters: [Section] = []
  /// What stands above all groups.
  private(set) var top = [Entry(file: "index.html", title: "Overview")]

  private static let contentsFile = SiteLinks.page(of: Site.contents) + ".html"
  /// The title of the group for what the document of contents does not name.
  static let rest = "More"
  /// The title of the part with the pages about event order.
  static let book = "Event order"

  init(
    _ documents: [DocumentationPage], contents: [Block], _ links: SiteLinks,
    _ book: DocumentationBook
  ) {
    let indexes = book.pages.filter { !$0.id.path.contains("/") }.map(Self.entry)
    var left = documents.map { Entry(file: HTMLWriter.file(of: $0.id), title: $0.title) }
    if let index = left.firstIndex(where: { $0.file == Self.contentsFile }) {
      left.remove(at: index)
      top.append(Entry(file: Self.contentsFile, title: "All documents"))
    }
    var isBookListed = indexes.isEmpty
    for block in contents {
      if case let .heading(level, words, _) = block {
        open(Section(title: words.plain), level: level)
        continue
      }
      for link in block.links {
        guard !sections.isEmpty, let file = links.file(link.address, from: "Specs/README.md")
        else { continue }
        if file == indexes.first?.file, !isBookListed {
          sections[sections.count - 1].parts.append(Section(title: Self.book, entries: indexes))
          isBookListed = true
        } else if let index = left.firstIndex(where: { $0.file == file }) {
          add(left.remove(at: index))
        }
      }
    }
    let rest = Section(
      title: Self.rest, entries: left,
      parts: isBookListed ? [] : [Section(title: Self.book, entries: indexes)])
    sections = (sections + [rest]).map(Self.withoutEmptyParts).filter { $0.first != nil }
    let pages = book.pages.filter { $0.id.path.contains("/") }
    chapters = pages.grouped { $0.id.path.prefix { $0 != "/" } }.map { pages in
      Section(
        title: Chapter.title(of: String(pages[0].id.path.prefix { $0 != "/" })),
        entries: pages.map(Self.entry))
    }
  }

  private mutating func open(_ section: Section, level: Int) {
    if level == 2 {
      sections.append(section)
    } else if !sections.isEmpty {
      sections[sections.count - 1].parts.append(section)
    }
  }

  /// Adds a page to the last part of the last group.
  private mutating func add(_ entry: Entry) {
    let last = sections.count - 1
    let part = sections[last].parts.lastIndex { $0.title != Self.book }
    if let part {
      sections[last].parts[part].entries.append(entry)
    } else {
      sections[last].entries.append(entry)
    }
  }

  private static func withoutEmptyParts(_ section: Section) -> Section {
    var section = section
    section.parts.removeAll { $0.first == nil }
    return section
  }

  private static func entry(of page: DocumentationPage) -> Entry {
    Entry(file: Site.book + HTMLWriter.file(of: page.id), title: page.title)
  }

  /// The chapter that a page is in.
  func chapter(of file: String) -> Section? { chapters.first { $0.contains(file) } }

  /// The group, the part and the chapter that a page is in, from the outside in.
  func trail(to file: String) -> [String] {
    guard let chapter = chapter(of: file) else {
      return sections.first { $0.contains(file) }?.trail(to: file) ?? []
    }
    return trail(to: Site.book + "index.html") + [chapter.title]
  }

  /// The title of a page, where the sidebar has it.
  func title(of file: String) -> String? {
    (top.first { $0.file == file }
      ?? (sections + chapters).lazy.compactMap { $0.entry(of: file) }.first)?.title
  }
}
