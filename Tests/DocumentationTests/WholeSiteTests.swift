import Foundation
import Scenario
import Testing

@testable import Documentation

/// The site of all documents.
@Suite struct WholeSiteTests {
  private static let documents = [
    Site.Document(
      path: "README.md", text: "# Specification\n\nSee [rules](rules/limits.md#lim-1-refill).\n"),
    Site.Document(
      path: "rules/limits.md",
      text: """
        # Limits

        ## LIM-1 Refill
        * one `a|b`
          with more
          1. inner **bold**
        * two <script>, [a] and [b](limits.md)

        | A | B |
        |---|---|
        | `x` | y \\| z |

        ```
        <code> & more
        ```

        ## Others
        [up](../README.md), [outside](../../README.md), [web](https://example.test), [here](#others)
        ## Last
        ![A picture](../pictures/a.svg)
        """),
    Site.Document(path: "pictures/a.svg", text: "<svg/>"),
  ]

  private static func file(_ path: String) throws -> String {
    let book = DocumentationBook([], scenarios: [], rules: RuleBook(files: []))
    let site = Site(documents, book)
    return try #require(site.files.first { $0.path == path }?.text)
  }

  @Test func `links lead to the same document as in the folder, and what is not there is text`()
    throws
  {
    let (front, limits) = (try Self.file("index.html"), try Self.file("rules/limits.html"))

    #expect(front.contains("<a href=\"rules/limits.html#lim-1-refill\">rules</a>"))
    #expect(limits.contains("<h2 id=\"lim-1-refill\">LIM-1 Refill</h2>"))
    #expect(
      limits.contains(
        "<a href=\"../index.html\">up</a>, outside, <a href=\"https://example.test\">web</a>, "
          + "<a href=\"#others\">here</a>"))
    #expect(limits.contains("<img src=\"../pictures/a.svg\" alt=\"A picture\">"))
    #expect(try Self.file("pictures/a.svg") == "<svg/>")
  }

  @Test func `lists, tables and code keep their form, and nothing becomes markup`() throws {
    let text = try Self.file("rules/limits.html")

    #expect(
      text.contains(
        "<li>one <code><bdi>a|b</bdi></code> with more<ol>\n<li>inner <strong>bold</strong>"))
    #expect(text.contains("<li>two &lt;script&gt;, [a] and <a href=\"limits.html\">b</a></li>"))
    #expect(text.contains("<td><code><bdi>x</bdi></code></td><td>y | z</td>"))
    #expect(text.contains("<code>&lt;code&gt; &amp; more</code></pre>"))
  }

  @Test func `each page has the name, a trail, the sections, its headings and the search`() throws {
    let text = try Self.file("rules/limits.html")
    let data = try Self.file("search-data.js")

    #expect(text.contains("<title>Limits - Kennel</title>"))
    #expect(text.contains("aria-label=\"Breadcrumbs\"><a href=\"../index.html\">Kennel</a>"))
    #expect(text.contains("<a href=\"../rules/limits.html\" aria-current=\"page\">Limits</a>"))
    #expect(text.contains("<a href=\"#others\">Others</a></li>"))
    #expect(text.contains("<script src=\"../search.js\" data-root=\"../\" defer></script>"))
    #expect(data.hasPrefix("const PAGES = [[\"index.html\",\"Specification\""))
    #expect(try Self.file("event-order/index.html").contains("aria-label=\"Site\""))
    #expect(!(try Self.file("search.js") + data).contains("http"))
  }

  @Test func `each heading of a page has an id of its own`() throws {
    let writer = HTMLWriter(
      SiteMap([], DocumentationBook([], scenarios: [], rules: RuleBook(files: []))))
    let page = DocumentationPage(
      PageID("a"), title: "A",
      [
        .heading(2, [.text("Events")]), .heading(2, [.text("Events")]),
        .folded("more", [.heading(2, [.text("Rules")])]),
        .heading(3, [.text("Others")], anchor: "events-1"), .heading(2, [.text("Rules")]),
      ])

    let (body, headings) = writer.content(of: page)

    #expect(headings.map(\.id) == ["events", "events-2", "events-1", "rules-1"])
    #expect(body.contains("<h2 id=\"events-2\">Events</h2>"))
    #expect(body.contains("<h2 id=\"rules\">Rules</h2>"))
  }
}
