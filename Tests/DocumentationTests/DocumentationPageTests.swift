import Documentation
import Foundation
import TestKit
import Testing

@Suite struct PageTests {
  static let race = """
    title: A race
    why: So that *nobody* is surprised.
    clients: [alice, bob]
    data: {doc: 0}
    steps:
      - alice.listen: {path: doc, event: value, as: feed}
      - expect: {alice.feed: [{value: 0}]}
      - together:
          - alice.set: {path: doc, value: 1, as: w}
          - bob.set: {path: doc, value: 2}
      - expect:
          one-of:
            - {alice.w: {ok: true}, alice.feed: [{value: 1}, {value: 2}]}
            - {alice.w: {ok: true}, alice.feed: [{value: 1}]}
            - {alice.w: {ok: true}, alice.feed: [{value: 2}, {value: 1}]}
    """

  @Test func `a page tells what may vary`() throws {
    let text = MarkdownWriter().text(of: try Kit.page(Self.race))

    #expect(text.contains("3 orders explored; the search was complete. The events come in 3 ways"))
    #expect(text.contains("### Always\n\n* `alice.w` ends the same: done.\n"))
    #expect(text.contains("* `alice.feed` value = 0 comes before `alice.feed`") == false)
    #expect(text.contains("* In the end the server may have `{\"doc\":2}` or `{\"doc\":1}`.\n"))
    #expect(text.contains("* `alice.feed` value = 2 comes in 2 of 3 orders.\n"))
    #expect(text.contains("* No other event comes in any order.\n"))
    #expect(text.contains("Events in dashed boxes do not come in every order."))
    #expect(text.contains("**Way 3 of 3**, in 1 order of 3:"))
    #expect(text.contains("tools/kennel explore 'events/example' --deliveries --profile "))
  }

  @Test func `a page tells the story from the start`() throws {
    let text = MarkdownWriter().text(of: try Kit.page(Self.race))

    #expect(text.contains("# A race\n\n[All pages](../README.md)\n"))
    #expect(text.contains("(../../../Scenarios/events/example.yaml) · all profiles\n"))
    #expect(text.contains("## Why it matters\n\nSo that **nobody** is surprised.\n"))
    #expect(text.contains("[EVT-1](../by-rule.md#EVT-1) **Quiet &amp; calm** (MUST)\n"))
    #expect(text.contains("What `a < b` says, **always**, holds; see there.\n"))
    #expect(text.contains("* one thing\n* another\n"))
    #expect(text.contains("| Name | Means |\n| --- | --- |\n| `x` | nothing |\n"))
    #expect(text.contains("```\n{\"doc\":0}\n```"))
    #expect(text.contains("1. `alice.listen: {path: doc, event: value, as: feed}`\n"))
    #expect(text.contains("| 60 ms | 2 | `value` |  |  | `0` |\n"))
    #expect(text.contains("| 80 ms | 4 | `alice.w` | done |\n"))
  }

  @Test func `a listener that receives nothing says so, and so does one that is refused`() throws {
    let text = MarkdownWriter().text(
      of: try Kit.page(
        """
        title: Silence
        clients: [alice]
        security: [{path: secret, deny: [read, write]}]
        persistence: {alice: true}
        steps:
          - alice.listen: {path: room, events: [child_added, child_removed], as: quiet}
          - alice.listen: {path: secret, event: value, as: shut}
          - alice.listen: {path: 'a.b', event: value, as: bad}
          - expect: {alice.shut: [{cancelled: permission_denied}], alice.bad: {threw: invalid_path}}
        """))

    #expect(text.contains("`alice.quiet` listens to `/room` for child\\_removed, child\\_added\n"))
    #expect(text.contains("It receives nothing.\n"))
    #expect(text.contains("| 60 ms | 4 | `cancelled` |  |  | `permission_denied` |\n"))
    #expect(text.contains("| refused at once |  |  | `invalid_path` |"))
    #expect(text.contains("* The server refuses to read and write at `/secret`.\n"))
    #expect(text.contains("* `alice` keeps its data and writes over its end.\n"))
  }

  @Test func `profiles that show something else have parts of their own`() throws {
    let page = try Kit.page(
      """
      title: Bounds of two kinds
      clients: [alice]
      data: {room: {a: 1, b: x}}
      steps:
        - alice.listen: {path: room, query: {orderBy: .value, startAt: 0}, event: value, as: L}
        - expect: {alice.L: [{value: $any}]}
      """)
    let text = MarkdownWriter().text(of: page)

    #expect(text.contains(" · wilddog-1, wilddog-2, firebase, which differ\n"))
    #expect(text.contains("\n## Events in wilddog-1\n"))
    #expect(text.contains("\n## Messages in wilddog-2, firebase\n"))
  }

  @Test func `events come before steps, queries are the application's, and what is fixed is short`()
    throws
  {
    let text = MarkdownWriter().text(
      of: try Kit.page(
        """
        title: A window
        clients: [alice]
        data: {room: {a: 1, b: 2}}
        steps:
          - alice.listen: {path: room, query: {limitToFirst: 1}, event: value, as: L}
          - expect: {alice.L: [{value: {a: 1}}]}
        """))
    let headings = text.components(separatedBy: "\n## ").dropFirst().map {
      String($0.prefix { $0 != "\n" })
    }

    #expect(
      headings == ["Events", "Why it matters", "At the start", "Steps", "Messages", "Rules"]
        || headings == ["Events", "At the start", "Steps", "Messages", "Rules"])
    #expect(text.contains("1 order explored; the search was complete. Nothing varies"))
    #expect(text.contains("p0->>p1: listen /room limitToFirst(1)\n"))
    #expect(text.contains("p1->>p0: data /room {#34;a#34;:1}\n"))
    #expect(!text.contains("What may vary"))
    #expect(!text.contains("Note over p0,p1: step 2"))
  }

  @Test func `another client makes another page`() throws {
    let body = """
      title: Refill
      clients: [alice, bob]
      data: {room: {a: 1, b: 2, c: 3}}
      steps:
        - alice.listen: {path: room, query: {limitToFirst: 2}, as: first}
        - expect:
            alice.first: [{child_added: a, value: 1, prev: null},
              {child_added: b, value: 2, prev: a}, {value: {a: 1, b: 2}}]
        - bob.remove: room/a
        - expect:
            alice.first: [{child_removed: a, value: 1}, {child_added: c, value: 3, prev: b},
              {value: {b: 2, c: 3}}]
      """
    let (right, wrong) = (try Kit.book(body), try Kit.book(body, mutant: "no-refill"))

    #expect(right.problems == [])
    #expect(right.pages.last != wrong.pages.last)
    #expect(
      wrong.problems.first == "events/example in wilddog-1: the run is judged as fail")
    #expect(wrong.problems.contains("events/example in wilddog-1: 1 order of 1 diverge"))
  }

  @Test func `pages are in reading order and know their neighbours`() throws {
    let first = try Kit.entry(Self.race)
    let body = Self.race.replacingOccurrences(of: "A race", with: "Another")
    let second = DocumentedScenario(try Kit.documented(body, id: "queries/other"), first.accounts)
    let third = DocumentedScenario(
      try Kit.documented(body, id: "unheard/of[x=1/2]"), first.accounts)
    let book = DocumentationBook([third, second, first], scenarios: [], rules: Kit.rules)
    let pages = book.pages.suffix(3)

    #expect(pages.map(\.id.path) == ["events/example", "queries/other", "unheard/of-x-1-2"])
    #expect(pages.map(\.previous?.path) == [nil, "events/example", "queries/other"])
    #expect(pages.map(\.next?.path) == ["queries/other", "unheard/of-x-1-2", nil])
  }
}
