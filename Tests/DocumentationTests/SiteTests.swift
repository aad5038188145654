import Documentation
import Foundation
import TestKit
import Testing

@Suite struct SiteTests {
  private func html() throws -> String {
    try Kit.html(
      """
      title: A cut
      clients: [alice, bob]
      data: {doc: 0}
      steps:
        - alice.listen: {path: doc, event: value, as: feed}
        - expect: {alice.feed: [{value: 0}]}
        - alice.set: {path: doc, value: 1, as: w}
        - wait: 5ms
        - network.drop: alice
        - expect: {alice.w: {ok: true}, alice.feed: [{value: 1}]}
      """)
  }

  @Test func `a page needs no network and no script`() throws {
    let text = try html() + SiteStyle.sheet

    for word in ["<script", "http:", "https:", "url(http", "@import", "javascript:"] {
      let found = text.replacingOccurrences(of: "http://www.w3.org/2000/svg", with: "")
      #expect(!found.contains(word), "\(word)")
    }
    #expect(text.contains("<link rel=\"stylesheet\" href=\"../../style.css\">"))
  }

  @Test func `a page can be read without seeing it and without a mouse`() throws {
    let text = try html()

    #expect(text.contains("<html lang=\"en\">"))
    #expect(text.contains("<a class=\"skip\" href=\"#content\">Skip to the content</a>"))
    #expect(text.contains("<main id=\"content\" tabindex=\"-1\">"))
    #expect(text.contains("<a class=\"product\" href=\"../../index.html\" accesskey=\"h\">"))
    #expect(text.components(separatedBy: "accesskey=\"h\"").count == 2)
    #expect(text.contains("role=\"img\" aria-labelledby=\"sequence1-title\""))
    #expect(text.contains("between alice, server, bob</title>"))
    #expect(text.contains("<caption>Events of alice.feed</caption>"))
    #expect(text.contains("<th scope=\"col\">Previous key</th>"))
    #expect(SiteStyle.sheet.contains(":focus-visible{outline:3px"))
    #expect(SiteStyle.sheet.contains("@media print"))
  }

  @Test func `an order that varies is drawn, with words for those who do not see it`() throws {
    let text = try Kit.html(PageTests.race)

    #expect(text.contains("<title id=\"order2-title\">Order of "))
  }

  @Test func `the site has the run in space and time, and ids that are told apart`() throws {
    let text = try html()
    let ids = text.components(separatedBy: " id=\"").dropFirst().map { $0.prefix { $0 != "\"" } }

    #expect(text.contains("<summary>In space and time</summary>"))
    #expect(text.contains("<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"spacetime\""))
    #expect(ids.count > 4)
    #expect(Set(ids).count == ids.count)
  }

  @Test func `a lost message ends in a cross`() throws {
    let text = try html()

    #expect(text.contains("<line class=\"cross\""))
    #expect(text.contains("<line class=\"message lost\""))
    #expect(text.contains("<rect class=\"fault\""))
  }

  @Test(arguments: [SiteStyle.light, SiteStyle.dark])
  func `colours have the contrast of WCAG AA`(colours: SiteStyle.Colours) throws {
    for pair in colours.pairs {
      let (a, b) = (try luminance(pair.ink), try luminance(pair.paper))
      #expect((max(a, b) + 0.05) / (min(a, b) + 0.05) >= 4.5, "\(pair)")
    }
  }

  @Test func `both appearances and the choice between them are in the style sheet`() {
    #expect(SiteStyle.sheet.contains("@media (prefers-color-scheme:dark)"))
    #expect(SiteStyle.sheet.contains("--paper:\(SiteStyle.light.paper)"))
    #expect(SiteStyle.sheet.contains("--paper:\(SiteStyle.dark.paper)"))
  }

  private func luminance(_ colour: String) throws -> Double {
    let number = try #require(Int(colour.dropFirst(), radix: 16))
    let parts = [number >> 16, number >> 8 & 255, number & 255].map { part in
      let share = Double(part) / 255
      return share <= 0.04045 ? share / 12.92 : power((share + 0.055) / 1.055)
    }
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
  }

  /// To the power of 2.4: the fifth root of the twelfth power.
  private func power(_ base: Double) -> Double {
    var target = 1.0
    for _ in 0..<12 { target *= base }
    var root = base
    for _ in 0..<60 {
      let fourth = root * root * root * root
      root -= (fourth * root - target) / (5 * fourth)
    }
    return root
  }
}
