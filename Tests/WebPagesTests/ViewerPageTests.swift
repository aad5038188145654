import Foundation
import TestKit
import Testing
import TraceFiles
import Tree

@testable import WebPages

/// The page of the viewer.
@Suite struct ViewerPageTests {
  private static func page(_ body: String, client: String? = nil) throws -> String {
    let trace = try Kit.trace(body, title: "An </title> & \"example\"", client: client)
    return ViewerPage(of: trace, name: "trace.jsonl").html
  }

  @Test func `the data of a page have every event and what it changes`() throws {
    let data = try embeddedData(of: Self.page(Kit.refill))
    let events = try #require(data["events"]?.elements)
    let changes = events.flatMap { $0["d"]?.elements ?? [] }.map(\.text)

    #expect(data["columns"]?.text == #"["alice","server","bob"]"#)
    #expect(data["columnOf"]?.text == "[0,2]")
    #expect(data["start"]?.text == #"{"room":{"a":1,"b":2,"c":3}}"#)
    #expect(
      data["views"]?.text
        == #"[{"client":0,"name":"first","place":"/room limitToFirst(2)"}]"#)
    #expect(
      changes == [
        #"["c",0,"asking"]"#, #"["c",1,"asking"]"#, #"["c",0,"connected"]"#,
        #"["c",1,"connected"]"#, #"["b",1]"#, #"["t",1,[],{"a":1}]"#, #"["t",1,["b"],2]"#,
        ##"["w",1,"#1","remove /room/a   as #1"]"##, #"["t",0,["room","a"],null]"#,
        #"["t",1,["a"],null]"#, #"["t",1,["c"],3]"#, ##"["d",1,"#1"]"##,
      ])
    #expect(data["failures"]?.text == "[]")
  }

  @Test func `what was wrong is told side by side, with a link to the event`() throws {
    let html = try Self.page(Kit.refill, client: "no-refill")
    let data = try embeddedData(of: html)
    let event = try #require(data["failures"]?.elements?.first?["event"]?.integer)

    #expect(html.contains("expected child_added /room/c, but the client raised value /room"))
    #expect(html.contains("<a href=\"#step=\(event)\">"))
    #expect(html.contains("<tr class=\"expected\"><td>expected</td>"))
    #expect(html.contains("<tr class=\"observed\"><td>observed</td>"))
  }

  @Test func `within a page that shows them, title, first sentence and texts are left out`() throws
  {
    let trace = try Kit.trace(Kit.refill, title: "An example", client: "no-refill")
    let pages = [false, true].map {
      ViewerPage(of: trace, name: "trace.jsonl", isWithinPage: $0).html
    }

    for part in ["<h1>", "<p class=\"sentence\"", "<summary>\(trace.header.sources[0].file)"] {
      #expect(pages[0].contains(part))
      #expect(!pages[1].contains(part))
    }
    #expect(pages[1].contains("<tr class=\"expected\">"))
  }

  @Test func `what is missing is shown behind its event, and in the picture`() throws {
    var trace = try Kit.trace(Kit.refill, title: "An example", client: "no-refill")
    trace.end.divergences = [
      [
        "sentence": "wrong", "event": .null, "clues": .strings(["a clue"]),
        "missing": [
          "after": .count(7), "t": .number(30), "client": "alice", "text": "raises child_added c",
        ],
      ]
    ]
    let html = ViewerPage(of: trace, name: "trace.jsonl").html
    let events = try #require(embeddedData(of: html)["events"]?.elements)

    #expect(events[7]["m"] == "raises child_added c")
    #expect(html.contains("<p class=\"clue\" dir=\"ltr\">a clue</p>"))
    #expect(html.contains("missing: raises child_added c"))
    #expect(html.contains("class=\"wrong missing\""))
  }

  @Test func `nothing that a run carried ends an element or begins one`() throws {
    let hostile = #"</script><script>alert(1)</script><!--<img src=x onerror=alert(2)>"#
    let html = try Self.page(
      """
      clients: [alice]
      judge: invariants
      steps:
        - alice.listen: {path: n, event: value, as: feed}
        - alice.set: {path: n, value: '\(hostile)', as: w}
        - settle
      """)

    #expect(html.ranges(of: "<script").count == 4)
    #expect(html.ranges(of: "</script>").count == 4)
    #expect(!html.contains("<img"))
    #expect(!html.contains("<!--<"))
    #expect(html.contains("<title>An &lt;/title&gt; &amp; &quot;example&quot; - firebase</title>"))
    #expect(try embeddedData(of: html)["events"]?.text.contains(hostile) == true)
  }

  @Test func `a page asks the network for nothing`() throws {
    let html = try Self.page(Kit.refill)
    let addresses = html.ranges(of: "://").map { html[$0.lowerBound...].prefix(40) }
    let others = addresses.filter { !$0.hasPrefix("://www.w3.org/2000/svg") }

    #expect(others == [])
    #expect(html.contains("default-src &#39;none&#39;"))
    for word in ["src=", "@import", "url(", "fetch(", "XMLHttpRequest", "import("] {
      #expect(!html.contains(word) || word == "src=" && !html.contains("<img"), "\(word)")
    }
  }

  @Test func `the data cannot end their element`() {
    #expect(HTMLPage.embedded(.string("</script><!--")) == #""\u003c/script>\u003c!--""#)
  }
}
