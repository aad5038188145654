import Foundation
import Scenario
import Testing

@testable import Documentation

/// The site of all documents.
@Suite struct WholeSiteTests {
  private static let documents = [
    Site.Document(
      path: "README.md",
      text: """
        # Specification

        See [rules](rules/limits.md#lim-1-refill).

        ## Hunt a race
        | You want to | Read |
        |---|---|
        | describe | [Writing](guides/writing.md) |
        ## Document what clients do
        [Events](event-order/README.md)
        ### Rules
        [LIM](rules/limits.md)
        ### Nothing to read

        """),
    Site.Document(path: "guides/writing.md", text: "# Writing a scenario\n"),
    Site.Document(path: "guides/other.md", text: "# Not in the contents\n"),
    Site.Document(
      path: "rules/limits.md",
      text: """
        # Limits

        ## LIM-1 Refill
        - level: MUST
        - differs: firebase: it asks

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

  private static let readme = """
    # Kennel

    Kennel shows [what](Specs/rules/limits.md) clients do.

    A picture: ![a run](Specs/pictures/a.svg)

    ## Hunt a race
    Write `what` happened. More stands below.
    ```
    a command
    ```
    Read [Writing](Specs/guides/writing.md), [again](Specs/guides/writing.md), [outside](Tests/x).
    ## Build it
    Nobody comes to the site for this.

    """

  private static func file(_ path: String, readme: String? = readme) throws -> String {
    let book = DocumentationBook([], scenarios: [], rules: RuleBook(files: []))
    let site = Site(documents, readme: readme, book)
    return try #require(site.files.first { $0.path == path }?.text)
  }

  /// What stands between the first of each in a text.
  private static func part(of text: String, from start: String, to end: String) throws -> String {
    let rest = text[try #require(text.firstRange(of: start)).upperBound...]
    return String(rest[..<(try #require(rest.firstRange(of: end)).lowerBound)])
  }

  @Test func `links lead to the same document as in the folder, and what is not there is text`()
    throws
  {
    let front = try Self.file("specification.html")
    let limits = try Self.file("rules/limits.html")

    #expect(front.contains("<a href=\"rules/limits.html#lim-1-refill\">rules</a>"))
    #expect(limits.contains("<h2 id=\"lim-1-refill\">LIM-1 Refill</h2>"))
    #expect(
      limits.contains(
        "<a href=\"../specification.html\">up</a>, <a href=\"../index.html\">outside</a>, <a href=\"https://example.test\">web</a>, "
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

  @Test func `the first page is what the README says, with a way in for each group`() throws {
    let text = try Self.file("index.html")
    let ways = try Self.part(of: text, from: "<div class=\"ways\">\n", to: "</div>")

    #expect(text.contains("<title>Kennel</title>"))
    #expect(
      text.contains(
        "<div class=\"lead\"><p>Kennel shows <a href=\"rules/limits.html\">what</a> clients do.</p>"
      ))
    #expect(text.contains("A picture: <img src=\"pictures/a.svg\" alt=\"a run\">"))
    #expect(
      ways == """
        <section><h2 id="hunt-a-race">Hunt a race</h2>
        <p>Write <code><bdi>what</bdi></code> happened.</p>
        <ul>
        <li><a href="guides/writing.html">Writing a scenario</a></li>
        </ul>
        </section>

        """)
    #expect(!text.contains("Nobody comes"))
  }

  @Test func `without a README the first page leads to the documents`() throws {
    let text = try Self.file("index.html", readme: nil)

    #expect(
      text.contains("<a href=\"specification.html\">Specification</a>, <a href=\"event-order/"))
    #expect(!text.contains("class=\"ways\""))
  }

  @Test func `the sidebar has the groups of the contents, and whatever these do not name`() throws {
    let text = try Self.file("rules/limits.html")
    let side = try Self.part(of: text, from: "<nav aria-label=\"Site\">", to: "</nav>")
    let groups = side.components(separatedBy: "<details").dropFirst().map {
      let words = $0.matches(of: #/<(?:summary|a [^>]*)>([^<]+)</#).map { String($0.1) }
      return ($0.hasPrefix(" open") ? "open " : "") + words.joined(separator: ": ")
    }

    #expect(
      groups == [
        "Hunt a race: Writing a scenario", "open Document what clients do",
        "Event order: Event order: By operation: By event: By rule: By fault: By profile",
        "open Rules: Limits", "More: Not in the contents",
      ])
    #expect(side.hasPrefix("<ul><li><a href=\"../index.html\">Overview</a></li>"))
    #expect(side.components(separatedBy: "aria-current").count == 2)
    #expect(
      text.contains("Kennel</a> <span aria-hidden=\"true\">›</span> Document what clients do <span")
    )
  }

  @Test func `the search has the sentences of each part, and where it is`() throws {
    let data = try Self.file("search-data.js")
    let json = try JSONSerialization.jsonObject(with: Data(data.dropFirst(14).dropLast(2).utf8))
    let pages = try #require(json as? [[Any]])
    let limits = try #require(pages.first { $0[0] as? String == "rules/limits.html" })

    #expect(data.hasPrefix("const PAGES = [[\"index.html\",\"Kennel\",\"Kennel\""))
    #expect(limits[1...2].map { $0 as? String } == ["Limits", "Rules"])
    #expect(
      limits[3] as? [[String]] == [
        ["", "", ""],
        [
          "lim-1-refill", "LIM-1 Refill",
          "differs: firebase: it asks\none a|b with more\ninner bold\ntwo <script>, [a] and b\nx: y | z",
        ],
        ["others", "Others", "up, outside, web, here"], ["last", "Last", "A picture"],
      ])
  }

  @Test func `each page has the name, a trail, the sections, its headings and the search`() throws {
    let text = try Self.file("rules/limits.html")

    #expect(text.contains("<title>Limits - Kennel</title>"))
    #expect(text.contains("aria-label=\"Breadcrumbs\"><a href=\"../index.html\">Kennel</a>"))
    #expect(text.contains("<a href=\"../rules/limits.html\" aria-current=\"page\">Limits</a>"))
    #expect(text.contains("<a href=\"#others\">Others</a></li>"))
    #expect(text.contains("<script src=\"../search.js\" data-root=\"../\" defer></script>"))
    #expect(try Self.file("event-order/index.html").contains("aria-label=\"Site\""))
    #expect(!(try Self.file("search.js") + Self.file("search-data.js")).contains("http"))
  }

  @Test func `each heading of a page has an id of its own`() throws {
    let writer = HTMLWriter(
      SiteMap(
        [], contents: [], SiteLinks([]),
        DocumentationBook([], scenarios: [], rules: RuleBook(files: []))))
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
