import ClientInterface
import Document
import Scenario
import ScenarioFiles
import Testing
import Tree

/// How scenarios are written.
@Suite struct WritingTests {
  private func written(_ body: String, comment: String = "") throws -> String {
    let text = scenarioHead + body + "\n"
    return try #require(read(text).scenarios.first).yaml(comment: comment)
  }

  /// Reads the text of a file and expects the very same text back.
  private func expectKept(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) throws
  {
    let result = read(text)
    #expect(result.problems.map(\.description) == [], sourceLocation: sourceLocation)
    #expect(result.scenarios.first?.yaml() == text, sourceLocation: sourceLocation)
  }

  private func expectKept(
    steps: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let head = "kennel: 1\ntitle: T\nrules: [EVT-1]\nclients: [alice, bob]\nsteps:\n"
    try expectKept(head + steps + "\n", sourceLocation: sourceLocation)
  }

  @Test func `what stands beside the steps is written in the order of the documentation`() throws {
    try expectKept(
      """
      kennel: 1
      title: A title, with a comma
      rules: [EVT-1]
      profiles: [firebase]
      needs: [listen.child]
      tags: [smoke, reconnect]
      why: |
        Because it matters.

        Twice.
      clients: [alice, bob]
      start: opening
      network: {latency: 20ms, bob: {latency: 10ms..1.5s}}
      quiet: 5s
      data: {'a b:': {1: x}, room: {a: 1, .priority: 2}}
      security: [{path: secret, deny: [read, write], unless: {uid: ann}, status: not_yours}]
      tokens: {ticket: {uid: ann, expires: 30s}, worn: {uid: bob}}
      persistence: {bob: {cache: 64KB}}
      without: [{invariant: INV-9, because: 'it is not one, not at all'}]
      steps:
        - settle

      """)
  }

  @Test func `a comment comes first, line by line`() throws {
    let text = try written("steps: [settle]", comment: "Found by hunting.\n\nSeed 7.")
    #expect(text.hasPrefix("# Found by hunting.\n#\n# Seed 7.\nkennel: 1\n"))
  }

  @Test func `each kind of step is written as people write it`() throws {
    try expectKept(
      steps: """
          - alice.listen: room
          - alice.listen: {path: room, event: value, query: {limitToLast: 2}, as: feed}
          - alice.unlisten: feed
          - alice.set: {path: room/a, value: {b: [1]}, priority: 3}
          - alice.update: {path: /, value: {a/b: 1, c: null}}
          - alice.push: {path: list, value: {a: 1}}
          - alice.transaction: {path: n, update: {increment: 1}, localEvents: false}
          - alice.go-offline
          - alice.go-online: {}
            expect-now: {}
          - alice.kill
          - alice.start: {storage: rolled-back}
          - network.latency: {bob: 5ms}
          - network.cut: bob
          - server.set: {path: x, value: 1}
          - server.reject: {path: x, deny: [write]}
          - wait: 2m
          - together:
              - alice.set: {path: a, value: 1}
              - bob.set: {path: a, value: 2}
        """.replacing("{b: [1]}", with: "{b: {0: 1}}"))
  }

  @Test func `what takes back all that waits is a plain word`() throws {
    try expectKept(
      steps: """
          - network.cut: {client: alice, when: {after: 10ms}}
          - disarm
          - server.stale: {writes: 0}
          - disarm: {}
            expect: {}
        """)
  }

  @Test func `what does not fit on a line stands below its key`() throws {
    let long = String(repeating: "x", count: 70)
    try expectKept(
      steps: """
          - alice.set:
              path: room/a
              value: {first: \(long)}
          - alice.listen: {path: room, event: value, as: feed}
            expect:
              alice.feed:
                - value:
                    first: \(long)
                    second: \(long)
        """)
  }

  @Test func `expectations stand on one line when they are about one thing`() throws {
    try expectKept(
      steps: """
          - alice.listen: {path: room, as: feed}
          - alice.set: {path: room, value: 1, as: w}
          - bob.set: {path: room, value: 1, as: w}
          - expect: {alice.feed: [{child_added: a, value: 1, prev: null}, {value: {$subset: {a: 1}}}]}
          - expect:
              alice.w: {ok: true, within: [0ms, 1s]}
              bob.w: {error: permission_denied}
              server: {room: 1}
              frames: {alice: {put: 1, listen: 0}}
              order: [alice.w < bob.w]
              converged: true
          - expect:
              one-of:
                - {server: {a: {$exactly: $any}}}
                - {server: {a: {$type: [null, number]}}}
        """)
  }

  @Test(arguments: [
    "", " ", "a b", "1", "1e3", "0x1F", "true", "Null", "~", "-", "- a", "a: b", "a #b", "#a",
    "'a'",
    "\"", "a\\b", "\n", "\t", "\u{7F}", "\u{85}", "\u{FEFF}", "é", "$x", "[a]", "{", "a,b", "a:",
    "e\u{301}", "👩‍👩‍👧", "\u{2028}", ".inf", ".x", "..", "%", "@a", "`", "&a", "*a", "!a", "|", ">",
    "?",
    "? a", "2026-11-21", "=", "<<", "a'b",
  ])
  func `any text comes back as it was`(text: String) throws {
    var scenario = Scenario(id: "s", file: "s.yaml", title: text + "x", clients: ["alice"])
    scenario.data = Node(json: ["a": .string(text), "b": ["c": .string("x" + text)]])
    scenario.why = text
    scenario.rules = [.init(id: "EVT-1", position: .init(line: 1, column: 1))]
    let call = Action.Call(
      client: "alice", id: "#1", isNamed: false, operation: .set("a", Node(.string(Text(text)))))
    scenario.steps = [
      Step(file: "", position: .init(line: 1, column: 1), text: "", action: .call(call))
    ]

    let result = read(scenario.yaml())
    #expect(result.problems.map(\.description) == [])
    let second = try #require(result.scenarios.first)
    #expect(second.title == scenario.title)
    #expect(second.data == scenario.data)
    #expect(second.why == scenario.why)
    guard case let .call(call) = second.steps.first?.action else {
      Issue.record("no call")
      return
    }
    #expect(call.operation == .set("a", Node(.string(Text(text)))))
  }

  @Test func `a length of time is written in the largest unit that people would take`() throws {
    let lengths: [(Int64, String)] = [
      (0, "0ms"), (1, "0.000001ms"), (1_500_000, "1.5ms"), (999_000_000, "999ms"),
      (1_500_000_000, "1.5s"), (60_000_000_000, "1m"), (90_000_000_000, "90s"),
      (7_200_000_000_000, "2h"),
    ]
    for (count, text) in lengths {
      var scenario = Scenario(id: "s", file: "s.yaml", title: "T", clients: ["alice"])
      scenario.quiet = Interval(nanoseconds: count)
      #expect(scenario.yaml().contains("\nquiet: \(text)\n"), "\(text)")
    }
  }
}
