import ClientInterface
import Conformance
import Document
import Scenario
import ScenarioFiles
import Search
import TestKit
import Testing
import Tree

/// What is left of scenarios by questions that are answered without running them.
@Suite struct ShrinkerTests {
  private static let failure = Signature("failure")

  private func shrink(
    _ body: String, _ fails: @escaping ([ClientInterface.Operation], Scenario) -> Bool
  ) throws -> ShrinkResult {
    let scenario = try Kit.found(body)
    let result = Shrinker { candidate in
      let operations = candidate.steps.flatMap(\.operations)
      return fails(operations, candidate) ? Self.failure : nil
    }.shrink(scenario)
    return try #require(result)
  }

  private func steps(_ result: ShrinkResult) -> [Substring] {
    let lines = result.scenario.yaml().split(separator: "\n")
    return Array(lines[(lines.firstIndex(of: "steps:") ?? 0)...].dropFirst())
  }

  @Test(
    arguments: [
      (.event(.value), "EVT-3"), (.event(.childAdded), "EVT-4"), (.event(.childChanged), "EVT-5"),
      (.event(.childRemoved), "EVT-6"), (.event(.childMoved), "EVT-11"),
      (.cancelled("permission_denied"), "ACC-1"),
    ] as [(ExpectedEvent.Kind, String)])
  func `a find cites the rule about the event that is missing`(
    kind: ExpectedEvent.Kind, rule: String
  ) {
    let position = Position(line: 1, column: 1)
    let event = ExpectedEvent(position: position, kind: kind)
    for kind in [Divergence.Kind.missing(event, next: nil), .shadow(.missing(event, next: nil))] {
      #expect(FoundScenarioText.rules(Divergence(kind, of: .server, at: position)) == [rule])
    }
  }

  @Test func `a find cites the rule about what the client first did otherwise`() {
    let position = Position(line: 1, column: 1)
    let missing = Divergence.Kind.missing(
      ExpectedEvent(position: position, kind: .event(.value)), next: nil)
    let find = Divergence(missing, of: .server, at: position)

    let causes = ["missing-event value", "missing event on refusal"]
    #expect(FoundScenarioText.rules(find, causes: causes) == ["WRT-14"])
  }

  @Test func `a scenario that passes cannot be shrunk`() throws {
    let scenario = try Kit.found(
      "judge: invariants\nclients: [a]\nsteps: [a.set: {path: x, value: 1}]")
    let passing = Shrinker { _ in nil }.shrink(scenario)
    #expect(passing == nil)
    let other = Shrinker { _ in Self.failure }.shrink(scenario, to: Signature("other"))
    #expect(other == nil)
  }

  @Test func `only what the failure needs stays, with usual names and values`() throws {
    let result = try shrink(
      """
      judge: invariants
      clients: [zoe, yves]
      network: {latency: 3ms..9ms}
      data: {deep: {q: {n: 7}}, other: 1}
      security: [{path: secret, deny: [read]}]
      tokens: {t: {uid: ann, expires: 3s}}
      persistence: true
      steps:
        - zoe.listen: {path: deep/q, query: {orderBy: n, limitToLast: 3}}
        - yves.listen: deep
        - wait: 40ms
        - wait: 2s
        - yves.set: {path: deep/q/x, value: {n: 8, t: hello}}
        - network.cut: yves
        - yves.push: {path: deep, value: {k: 1}}
        - settle
      """
    ) { operations, scenario in
      operations.contains {
        if case let .listen(_, target, _) = $0 { target.query.limit != nil } else { false }
      }
        && operations.contains {
          if case let .set(path, node) = $0 { path.count > 1 && !node.isEmpty } else { false }
        }
    }

    #expect(
      steps(result) == [
        "  - alice.listen: {path: room, event: value, query: {limitToLast: 1}}",
        "  - bob.set: {path: room/a, value: 1}",
      ])
    #expect(result.scenario.data.isEmpty)
    #expect(result.isMinimal)
    #expect(result.signature == Self.failure)
    #expect(result.executions < 120)
  }

  @Test func `a scenario that fails in two ways keeps the first`() throws {
    let scenario = try Kit.found(
      """
      judge: invariants
      clients: [alice]
      steps:
        - alice.set: {path: room, value: 1}
        - alice.update: {path: room, value: {a: 1}}
        - alice.set: {path: room, value: 2}
      """)
    let shrinker = Shrinker { candidate in
      let operations = candidate.steps.flatMap(\.operations)
      let updates = operations.contains { if case .update = $0 { true } else { false } }
      return updates ? Self.failure : operations.isEmpty ? nil : Signature("another failure")
    }
    let result = try #require(shrinker.shrink(scenario))

    #expect(result.signature == Self.failure)
    #expect(steps(result).count == 1)
    #expect(steps(result).first?.contains("alice.update") == true)
  }

  @Test func `what needs something that is gone goes with it`() throws {
    let result = try shrink(
      """
      judge: invariants
      clients: [alice, bob]
      steps:
        - alice.listen: {path: a, as: feed}
        - bob.listen: {path: a, as: feed}
        - alice.unlisten: feed
        - alice.kill
        - alice.start
        - bob.unlisten: feed
        - bob.inspect: {snapshot: feed, ask: exists, as: x}
      """
    ) { operations, _ in
      operations.contains { if case .inspect = $0 { true } else { false } }
    }

    #expect(steps(result).count == 2)
    #expect(result.scenario.clients == ["alice"])
  }

  @Test func `steps that happen together are taken apart where that does`() throws {
    let body = """
      judge: invariants
      clients: [alice, bob]
      steps:
        - together:
            - alice.set: {path: a, value: 1}
            - bob.set: {path: a, value: 2}
            - bob.set: {path: b, value: 2}
      """
    let apart = try shrink(body) { operations, _ in operations.count > 1 }
    #expect(apart.scenario.steps.count == 2)

    let together = try shrink(body) { _, scenario in
      guard case let .together(members) = scenario.steps.first?.action else { return false }
      return members.count > 1
    }
    #expect(together.scenario.steps.count == 1)
    #expect(together.scenario.elementCount == 2)
  }

  @Test func `the search ends when nothing has helped for long, and says so`() throws {
    let scenario = try Kit.found(
      "judge: invariants\nclients: [a]\nsteps:\n"
        + (1...40).map { "  - a.set: {path: p/k\($0), value: {x: 5, y: 6}}" }
        .joined(separator: "\n"))
    var count = 0
    let text = scenario.yaml()
    var shrinker = Shrinker { candidate in
      count += 1
      return candidate.yaml() == text ? Self.failure : nil
    }
    shrinker.stallLimit = 10
    let result = try #require(shrinker.shrink(scenario))

    #expect(result.scenario.yaml() == text)
    #expect(result.executions == count)
    // Ten in vain, and then the proof that each of the forty steps is needed.
    #expect(count <= 1 + 10 + 40 + 5)
    #expect(result.isMinimal)
  }

  @Test func `the search ends after as many runs as it may take, and proves nothing then`() throws {
    let scenario = try Kit.found(
      "judge: invariants\nclients: [a]\nsteps:\n"
        + (1...40).map { "  - a.set: {path: p/k\($0), value: 1}" }.joined(separator: "\n"))
    var count = 0
    var shrinker = Shrinker { candidate in
      count += 1
      return candidate.steps.count >= 3 ? Self.failure : nil
    }
    shrinker.executionLimit = 5
    let result = try #require(shrinker.shrink(scenario))

    #expect(count == 5)
    #expect(result.executions == 5)
    #expect(result.scenario.steps.count < 40)
    #expect(!result.isMinimal)
  }

  private static let sets = "judge: invariants\nclients: [a]\nsteps:\n"

  @Test func `guesses are tried first, and the first that fails is gone on with`() throws {
    let scenario = try Kit.found(
      Self.sets
        + (1...40).map { "  - a.set: {path: p/k\($0), value: 1}" }.joined(separator: "\n"))
    let guesses = [7..<9, 17..<21, 0..<30].map { range in
      var guess = scenario
      guess.steps = Array(scenario.steps[range])
      return guess
    }
    var asked: [Int] = []
    var shrinker = Shrinker { candidate in
      asked.append(candidate.steps.count)
      return candidate.steps.count > 2 ? Self.failure : nil
    }
    shrinker.guesses = guesses
    let result = try #require(shrinker.shrink(scenario))

    #expect(asked.prefix(3) == [40, 2, 4])
    #expect(asked.dropFirst(3).allSatisfy { $0 <= 4 })
    #expect(result.scenario.steps.count == 3)
    #expect(result.isMinimal)
  }

  @Test func `what is not worthwhile is neither made nicer nor proved`() throws {
    let scenario = try Kit.found(
      Self.sets + (1...8).map { "  - a.set: {path: p/k\($0), value: 7}" }.joined(separator: "\n"))
    var texts: [String] = []
    var shrinker = Shrinker { candidate in
      texts.append(candidate.yaml())
      return candidate.steps.count > 1 ? Self.failure : nil
    }
    var offered: [Int] = []
    shrinker.isWorthwhile = {
      offered.append($0.steps.count)
      return false
    }

    #expect(shrinker.shrink(scenario) == nil)
    #expect(offered == [2])
    #expect(texts.allSatisfy { !$0.contains("value: 1") })
  }

  @Test func `a change that was in vain is not tried again when other steps are simpler`() throws {
    let scenario = try Kit.found(
      Self.sets + "  - a.set: {path: p/q, value: {x: 8, y: 7}}\n  - a.set: {path: p/r, value: 9}")
    var lastLines: [Substring] = []
    let result = Shrinker { candidate in
      let text = candidate.yaml()
      if candidate.steps.count == 2 { lastLines += text.split(separator: "\n").suffix(1) }
      return candidate.steps.count == 2 && text.contains("value: 9}") ? Self.failure : nil
    }.shrink(scenario)

    #expect(try #require(result).scenario.yaml().contains("value: 1}"))
    for value in 1...3 {
      #expect(lastLines.count { $0.hasSuffix("value: \(value)}") } == 1)
    }
  }

  @Test func `the same scenario comes down in the same way`() throws {
    let results = try (0..<2).map { _ in
      try shrink(SuspectTests.long) { operations, _ in operations.count > 3 }
    }
    #expect(results[0].scenario.yaml() == results[1].scenario.yaml())
    #expect(results[0].executions == results[1].executions)
  }
}

extension Step {
  /// The calls in it.
  fileprivate var operations: [ClientInterface.Operation] {
    switch action {
    case let .call(call): [call.operation]
    case let .together(steps): steps.flatMap(\.operations)
    default: []
    }
  }
}
