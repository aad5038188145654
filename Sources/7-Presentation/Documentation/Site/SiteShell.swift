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
      <title>\(name) - \(Site.name)</title>
      <link rel="icon" href="data:,">
      <link rel="stylesheet" href="\(root)\(HTMLWriter.styleFile)">
      <script src="\(root)search.js" data-root="\(root)" defer></script>
      \(relations)</head>
      <body class="site">
      <a class="skip" href="#content">Skip to the content</a>
      <header class="top"><a class="product" href="\(root)index.html" accesskey="h">\(Site.name)</a>
      <form id="site-search" role="search" hidden><input type="search" id="site-query" autocomplete="off"
      aria-label="Search the documentation" placeholder="Search  ( / )" aria-controls="site-results"></form>
      </header>
      <ol id="site-results" aria-live="polite" hidden></ol>
      <div class="columns">
      <details class="side" open><summary>Contents of the site</summary>
      <nav aria-label="Site">\(sidebar)</nav></details>
      <main id="content" tabindex="-1">
      <nav class="crumbs" aria-label="Breadcrumbs">\(crumbs(name))</nav>
      <h1>\(name)</h1>
      \(contents)\(body)<footer>\(footer)</footer></main>
      </div>
      </body>
      </html>

      """
  }

  private var sidebar: String {
    let current = map.section(of: file)
    return map.sections.map { section in
      let isBook = section.title == "Event order"
      let chapter = isBook ? map.chapter(of: file) : nil
      let isOpen = section.title == current || chapter != nil || section.entries.count < 2
      return self.section(section, isOpen: isOpen, chapter)
    }.joined()
  }

  private func section(
    _ section: SiteMap.Section, isOpen: Bool, _ chapter: SiteMap.Section?
  ) -> String {
    let inner = chapter.map { self.section($0, isOpen: true, nil) } ?? ""
    return """
      <details\(isOpen ? " open" : "")><summary>\(Escaping.htmlLines(section.title))</summary>
      <ul>\(section.entries.map(item).joined())</ul>\(inner)</details>

      """
  }

  private func item(_ entry: SiteMap.Entry) -> String {
    let current = entry.file == file ? " aria-current=\"page\"" : ""
    let title = Escaping.htmlLines(entry.title)
    return "<li><a href=\"\(root)\(Escaping.address(entry.file))\"\(current)>\(title)</a></li>"
  }

  private func crumbs(_ name: String) -> String {
    var parts = ["<a href=\"\(root)index.html\">\(Site.name)</a>"]
    if let chapter = map.chapter(of: file) {
      parts.append("<a href=\"\(root)\(Site.book)index.html\">Event order</a>")
      parts.append(Escaping.htmlLines(chapter.title))
    } else if file != "index.html" {
      parts.append(Escaping.htmlLines(map.section(of: file)))
    }
    return parts.joined(separator: " <span aria-hidden=\"true\">›</span> ")
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
