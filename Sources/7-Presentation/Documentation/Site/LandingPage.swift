internal import Document

/// The first page of the site, made from the README of the repository so that it cannot differ from it:
/// its first screen, and a way in for each of its sections that is also a group of the sidebar.
struct LandingPage {
  private let title: String
  /// What is above the first heading.
  private var screen: [Block] = []
  private var ways: [Way] = []
  private let map: SiteMap
  private let writer: HTMLWriter

  /// What one kind of reader begins with.
  private struct Way {
    var title: String
    var sentence: [Inline]
    var pages: [[Inline]]
  }

  init(_ readme: String, _ map: SiteMap, _ links: SiteLinks) {
    self.map = map
    writer = HTMLWriter(map, folder: "") { links.address($0, from: "README.md") }
    let content = MarkdownReader(readme)
    title = content.title
    let parts = content.blocks.split(omittingEmptySubsequences: false) { block in
      if case .heading(2, _, _) = block { true } else { false }
    }
    screen = Array(parts[0])
    let headings = content.blocks.compactMap { block -> String? in
      if case let .heading(2, words, _) = block { words.plain } else { nil }
    }
    for (heading, blocks) in zip(headings, parts.dropFirst())
    where map.sections.contains(where: { $0.title == heading }) {
      ways.append(way(heading, blocks, links))
    }
  }

  private func way(_ title: String, _ blocks: ArraySlice<Block>, _ links: SiteLinks) -> Way {
    var sentence: [Inline] = []
    if case let .paragraph(words)? = blocks.first { sentence = words.firstSentence }
    var pages: [[Inline]] = []
    var known: Set<String> = []
    for link in blocks.flatMap(\.links) {
      guard let file = links.file(link.address, from: "README.md"), known.insert(file).inserted
      else { continue }
      let words = map.title(of: file).map { [Inline.text($0)] } ?? link.words
      pages.append([.reference(words, .address(link.address))])
    }
    return Way(title: title, sentence: sentence, pages: pages)
  }

  /// The whole file.
  var text: String {
    let lead = html(Array(screen.prefix(1)))
    return SiteShell(map, "index.html").text(
      title: title,
      "<div class=\"lead\">\(lead)</div>\n\(cards)\(html(Array(screen.dropFirst())))", [],
      relations: "", footer: "")
  }

  private var cards: String {
    if ways.isEmpty { return "" }
    let cards = ways.map { way in
      "<section>\(html([.heading(2, [.text(way.title)]), .paragraph(way.sentence), .list(way.pages)]))"
        + "</section>\n"
    }
    return "<div class=\"ways\">\n\(cards.joined())</div>\n"
  }

  private func html(_ blocks: [Block]) -> String {
    writer.content(of: DocumentationPage(.front, title: title, blocks)).body
  }

  /// What the search knows of it.
  var entry: SearchEntry {
    SearchEntry(DocumentationPage(.front, title: title, screen), "index.html", map)
  }
}

extension [Inline] {
  /// The words up to the end of the first sentence.
  fileprivate var firstSentence: [Inline] {
    var result: [Inline] = []
    for inline in self {
      guard case let .text(text) = inline, let end = text.firstRange(of: ". ") else {
        result.append(inline)
        continue
      }
      return result + [.text(String(text[..<end.lowerBound]) + ".")]
    }
    return result
  }
}
