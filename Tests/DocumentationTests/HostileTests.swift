import Documentation
import TestKit
import Testing

/// Values that are made to break pages.
@Suite struct HostileTests {
  private static let body = """
    title: 'A </script><script>alert(1)</script> "title" | with `marks` & more'
    why: 'Because <b>bold</b> "quotes" and </details> | pipes'
    clients: [alice]
    data:
      room:
        markup: '</script><img src=x onerror="alert(1)">'
        marks: 'a | b `` c *d* _e_ [f](g) # h'
        lines: "one\\ntwo\\r\\nthree\\u2028four"
        right: 'שלום עולם'
        turned: "abc\\u202Edcba"
        'k<y>"x': 1
    steps:
      - alice.listen: {path: room, as: 'feed'}
      - alice.set: {path: room/new, value: '"; p0->>p1: lie %% end'}
      - expect: {}
    """

  @Test func `markup in values is text in HTML`() throws {
    let html = try Kit.html(Self.body)

    #expect(!html.contains("<script"))
    #expect(!html.contains("</script"))
    #expect(!html.contains("<img"))
    #expect(!html.contains("<b>"))
    #expect(html.contains("&lt;/script&gt;&lt;img src=x onerror=\\&quot;alert(1)\\&quot;&gt;"))
    #expect(html.contains("<bdi>&quot;שלום עולם&quot;</bdi>"))
    #expect(html.contains("abc\\u{202e}dcba"))
    #expect(!html.unicodeScalars.contains("\u{202E}"))
    #expect(!html.unicodeScalars.contains("\u{2028}"))
  }

  @Test func `marks in values are text in Markdown`() throws {
    let text = MarkdownWriter().text(of: try Kit.page(Self.body))

    #expect(!text.contains("<script"))
    #expect(text.contains("# A &lt;/script&gt;&lt;script&gt;alert(1)"))
    #expect(text.contains(#"with \`marks\` &amp; more"#))
    #expect(text.contains(#"```"a \| b `` c *d* _e_ [f](g) # h"```"#))
    // Rows of tables and lines of diagrams stay what they are.
    for line in text.split(separator: "\n") where line.hasPrefix("|") {
      #expect(line.hasSuffix("|"))
    }
    #expect(text.contains("#34;#59; p0-#62;#62;p1: lie #37;#37; end#34;"))
  }

  @Test func `a text of a megabyte is shortened, and its middle counted`() throws {
    let body = """
      title: Large
      clients: [alice]
      data: {room: {big: '\(String(repeating: "x", count: 1_000_000))'}}
      steps:
        - alice.listen: {path: room, as: feed}
        - expect: {}
      """
    let page = try Kit.page(body)

    for text in [try Kit.html(body), MarkdownWriter().text(of: page)] {
      #expect(text.utf8.count < 120_000)
      #expect(text.contains(" ... 999842 more ... "))
    }
  }

  @Test func `a thousand keys stay scrollable and short`() throws {
    let keys = (0..<1000).map { "k\($0): \($0)" }.joined(separator: ", ")
    let body = """
      title: Many
      clients: [alice]
      data: {room: {\(keys)}}
      steps:
        - alice.listen: {path: room, event: value, as: feed}
        - expect: {}
      """
    let html = try Kit.html(body)

    #expect(html.utf8.count < 120_000)
    #expect(html.contains("... 944 more lines</code></pre>"))
    #expect(html.contains("<pre tabindex=\"0\">"))
    #expect(SiteStyle.sheet.contains("pre{background:var(--box);padding:.8rem;overflow:auto"))
  }
}
