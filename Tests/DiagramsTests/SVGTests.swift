import Documentation
import Foundation
import FoundationXML
import TestKit
import Testing

/// Space-time pictures as SVG.
@Suite struct SVGTests {
  @Test func `a picture is well-formed and told in words`() throws {
    let svg = try Kit.picture(Kit.refill).svg(id: "p")
    let elements = try Elements(of: svg)

    #expect(elements.count(of: "svg") == 1)
    #expect(svg.contains("role=\"img\""))
    #expect(svg.contains("aria-labelledby=\"p-title p-desc\""))
    #expect(svg.contains("<title id=\"p-title\">An &lt;example&gt; &amp; &quot;more&quot;</title>"))
    #expect(
      svg.contains(
        "Lines for alice, bob and the server, time from top to bottom. 8 messages; "
          + "listeners receive 6 events."))
  }

  @Test func `the picture in the description is that of the run`() throws {
    let scenario = try Kit.projectScenario("limits/refill-after-foreign-removal")
    let result = Kit.run(scenario, client: "no-refill")

    #expect(
      try SourceTree.text(of: "Specs/pictures/refill.svg") == SpaceTime.svg(of: result) + "\n",
      "kennel show -o writes it again from the trace of the run")
  }

  @Test func `the same run gives the same picture`() throws {
    #expect(try Kit.picture(Kit.refill).svg() == Kit.picture(Kit.refill).svg())
  }

  @Test func `what went wrong is marked and told at the foot`() throws {
    let right = try Kit.picture(Kit.refill).svg()
    let wrong = try Kit.picture(Kit.refill, client: "no-refill").svg()

    #expect(!right.contains("class=\"ring\""))
    #expect(!right.contains("class=\"verdict\""))
    #expect(wrong.contains("class=\"ring\""))
    #expect(wrong.contains("✗ expected child_added /room/c, but the client raised value /room"))
    #expect(wrong.contains(" led\""))
  }

  @Test func `a message that is lost ends in a cross, and a cut is shaded`() throws {
    let svg = try Kit.picture(Kit.cut).svg()

    #expect(svg.contains("class=\"message lost\""))
    #expect(svg.contains("class=\"cross\""))
    #expect(svg.contains("<title>cut</title>"))
    // Two connections, and the mark in the legend.
    #expect(svg.ranges(of: "class=\"band\"").count == 3)
  }

  @Test func `no value becomes markup or changes the direction of reading`() throws {
    let hostile = #"</title><script>alert(1)</script>&\"' \u202e\u0000 שלום"#
    let svg = try Kit.picture(
      """
      clients: [alice]
      judge: invariants
      steps:
        - alice.listen: {path: n, event: value, as: feed}
        - alice.set: {path: n, value: "\(hostile)", as: w}
        - settle
      """
    ).svg()

    _ = try Elements(of: svg)
    #expect(!svg.contains("<script"))
    #expect(svg.contains("&lt;/title&gt;&lt;script&gt;"))
    #expect(svg.contains("\\u{202e}"))
    #expect(!svg.unicodeScalars.contains("\u{202e}"))
  }

  @Test func `a value of a megabyte is cut`() throws {
    let long = String(repeating: "é", count: 500_000)
    let svg = try Kit.picture(
      """
      clients: [alice]
      judge: invariants
      steps:
        - alice.set: {path: n, value: "\(long)", as: w}
        - settle
      """
    ).svg()

    #expect(svg.utf8.count < 40_000)
  }

  @Test func `of a long run that failed only what led there is shown`() throws {
    let steps = (0..<120).map { "  - alice.set: {path: other, value: \($0)}\n  - settle" }
    let body = Kit.refill.replacing(
      "  - bob.remove", with: steps.joined(separator: "\n") + "\n  - bob.remove")

    let svg = try Kit.picture(body, client: "no-refill").svg()
    let all = try Kit.picture(body).svg()

    #expect(svg.contains("Only what led to the failure; "))
    #expect(svg.contains("remove /room/a"))
    #expect(!svg.contains("value: 77}"))
    #expect(all.contains("The beginning; "))
  }
}

/// The names of the elements of a document that is well-formed.
private final class Elements: NSObject, XMLParserDelegate {
  private var names: [String] = []

  init(of text: String) throws {
    super.init()
    let parser = XMLParser(data: Data(text.utf8))
    parser.delegate = self
    try #require(parser.parse(), "\(String(describing: parser.parserError))")
  }

  func count(of name: String) -> Int { names.count { $0 == name } }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String] = [:]
  ) {
    names.append(name)
  }
}
