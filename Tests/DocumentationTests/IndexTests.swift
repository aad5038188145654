import Documentation
import Scenario
import TestKit
import Testing

@Suite struct IndexTests {
  private let story = """
    title: A story
    clients: [alice, bob]
    data: {room: {a: 1, b: 2}}
    steps:
      - alice.listen: {path: room, query: {limitToFirst: 2}, as: first}
      - expect: {alice.first: [{child_added: a, value: 1, prev: null},
          {child_added: b, value: 2, prev: a}, {value: {a: 1, b: 2}}]}
      - network.cut: bob
      - bob.set: {path: room/a, value: 3}
      - alice.once: {path: room, query: {limitToFirst: 2}, as: now}
      - expect: {alice.now: [{value: {a: 1, b: 2}}]}
      - network.heal: bob
      - server.remove: other
      - expect: {alice.first: [{child_changed: a, value: 3, prev: null}, {value: {a: 3, b: 2}}]}
    """

  private func text(_ page: String) throws -> String {
    let book = try Kit.book(story)
    let found = try #require(book.pages.first { $0.id.path == page })
    return MarkdownWriter().text(of: found)
  }

  @Test func `an operation is found by what listens there`() throws {
    let text = try text("by-operation")
    let link = "\n\n* [A story](events/example.md)\n"

    #expect(text.contains("<a id=\"set\"></a>\n\n## `set`\n\n### ... under a limited query" + link))
    #expect(text.contains("### ... while there is no connection" + link))
    #expect(text.contains("## `once`\n\n### ... with a limit" + link))
    #expect(text.contains("## `server.remove`\n\n### ... where no client listens" + link))
    #expect(!text.contains("## `listen`"))
  }

  @Test func `an event is found by its occasion`() throws {
    let text = try text("by-event")

    #expect(text.contains("## `child_changed`\n\nA child has another value than before.\n"))
    #expect(text.contains("### With data from the server\n\n* [A story](events/example.md)\n"))
    #expect(text.contains("### Within the call that registers the listener\n"))
    #expect(!text.contains("## `child_moved`"))
  }

  @Test func `a fault is found by the name of its step`() throws {
    let text = try text("by-fault")

    #expect(text.contains("## `network.cut`\n\n* [A story](events/example.md)\n"))
    #expect(text.contains("## `network.heal`\n"))
    #expect(!text.contains("server.remove"))
  }

  @Test func `a rule leads to its pages, or to the scenarios that cite it`() throws {
    let entry = try Kit.entry(story)
    let other = try Kit.documented(
      """
      title: Another
      clients: [alice]
      steps: [expect: {}]
      """, id: "values/other")
    var citing = other
    citing.rules[0].id = "EVT-2"
    let book = DocumentationBook([entry], scenarios: [entry.scenario, citing], rules: Kit.rules)
    let page = try #require(book.pages.first { $0.id.path == "by-rule" })
    let text = MarkdownWriter().text(of: page)

    #expect(text.contains("<a id=\"EVT-1\"></a>\n\n### EVT-1 Quiet &amp; calm\n\nMUST\n"))
    #expect(text.contains("* [A story](events/example.md)\n"))
    #expect(text.contains("### EVT-2 Without a page\n\nMUST, firebase\n\nNobody shows this.\n"))
    #expect(text.contains("Differs: wilddog-1: it does not\n"))
    #expect(text.contains("* [`Scenarios/values/other.yaml`](../../Scenarios/values/other.yaml)\n"))
  }

  @Test func `rules that hold in some profiles are told with them`() throws {
    let text = try text("by-profile")

    #expect(text.contains("* [EVT-2](by-rule.md#EVT-2) Without a page: firebase only; wilddog-1:"))
    #expect(!text.contains("A story"))
  }

  @Test func `the front page counts and leads everywhere`() throws {
    let text = try text("index")

    #expect(text.contains("1 scenario, 3 runs in their profiles, "))
    #expect(text.contains(" orders explored, and every search was complete."))
    #expect(text.contains("* [By operation](by-operation.md): "))
    #expect(text.contains("## Events and their order\n\n* [A story](events/example.md)\n"))
  }
}
