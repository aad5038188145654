internal import Document

/// What is around the content of a page of the site: name, search, sidebar, breadcrumbs, contents.
struct SiteShell {
  private let map: SiteMap
  private let file: String
  /// The way from the page to the folder of the site.
  private let root: String

  init(_ map: SiteMap, _ file: String) {
    self.map = map
    self.file = file
    root = String(repeating: "../", count: file.count { $0 == "/" })
  }

  private var isLanding: Bool { file == "index.html" }

  /// The whole file of a page.
  ///
  /// - Parameters:
  ///   - title: Its heading.
  ///   - body: The content below it, as HTML.
  ///   - headings: What the table of contents lists, the words as HTML.
  ///   - relations: Links to its neighbours, for the head.
  ///   - footer: What is below the content.
  /// - Returns: HTML, ending with a line feed.
  func text(
    title: String, _ body: String, _ headings: [(level: Int, id: String, words: String)],
    relations: String, footer: String
  ) -> String {
    let name = Escaping.htmlLines(title)
    let contents = contents(headings)
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>\(name == Site.name ? name : "\(name) - \(Site.name)")</title>
      <link rel="icon" href="data:,">
      <link rel="stylesheet" href="\(root)\(HTMLWriter.styleFile)">
      <script src="\(root)search.js" data-root="\(root)" defer></script>
      \(relations)</head>
      <body class="site\(isLanding ? " landing" : "")">
      <a class="skip" href="#content">Skip to the content</a>
      <header class="top"><a class="product" href="\(root)index.html" accesskey="h">\(Site.name)</a>
      <form id="site-search" role="search" hidden><input type="search" id="site-query" autocomplete="off"
      aria-label="Search the documentation" placeholder="Search  ( / )" aria-controls="site-results"></form>
      <ol id="site-results" aria-label="Found" hidden></ol><p id="site-found" class="skip" role="status"></p>
      </header>
      <div class="columns">
      <details class="side" open><summary>Contents of the site</summary>
      <nav aria-label="Site">\(sidebar)</nav></details>
      <main id="content" tabindex="-1">
      \(isLanding ? "" : crumbs)
      <h1>\(name)</h1>
      \(contents)\(body)<footer>\(footer)</footer></main>
      </div>
      </body>
      </html>

      """
  }

  private var sidebar: String {
    let top = map.top.map(item).joined()
    return "<ul>\(top)</ul>\n" + map.sections.map { section($0) }.joined()
  }

  /// A group, open where the page is in it. What is about event order has the pages of its chapter.
  private func section(_ section: SiteMap.Section) -> String {
    let isBook = section.title == SiteMap.book
    let chapter = isBook ? map.chapter(of: file) : nil
    let parts = section.parts + (chapter.map { [$0] } ?? [])
    let isOpen = map.trail(to: file).contains(section.title)
    let items = section.entries.map(item).joined()
    let list = items.isEmpty ? "" : "<ul>\(items)</ul>"
    return """
      <details\(isOpen ? " open" : "")><summary>\(Escaping.htmlLines(section.title))</summary>
      \(list)\(parts.map(self.section).joined())</details>

      """
  }

  private func item(_ entry: SiteMap.Entry) -> String {
    let current = entry.file == file ? " aria-current=\"page\"" : ""
    let title = Escaping.htmlLines(entry.title)
    return "<li><a href=\"\(root)\(Escaping.address(entry.file))\"\(current)>\(title)</a></li>"
  }

  private var crumbs: String {
    var parts = ["<a href=\"\(root)index.html\">\(Site.name)</a>"]
    parts += map.trail(to: file).map { title in
      title == SiteMap.book
        ? "<a href=\"\(root)\(Site.book)index.html\">\(title)</a>" : Escaping.htmlLines(title)
    }
    return "<nav class=\"crumbs\" aria-label=\"Breadcrumbs\">"
      + parts.joined(separator: " <span aria-hidden=\"true\">›</span> ") + "</nav>"
  }

  /// The table of contents, where there is something to choose from.
  private func contents(_ headings: [(level: Int, id: String, words: String)]) -> String {
    let listed = headings.filter { $0.level <= 3 }
    guard listed.count > 2 else { return "" }
    let shown = listed.count > 40 ? listed.filter { $0.level == 2 } : listed
    let items = shown.map { heading in
      "<li class=\"level\(heading.level)\"><a href=\"#\(Escaping.htmlLines(heading.id))\">"
        + "\(heading.words)</a></li>"
    }.joined()
    return
      "<details class=\"contents\" open><summary>On this page</summary><ul>\(items)</ul></details>\n"
  }
}
