import ClientInterface
import Scenario
import ScenarioFiles
import Testing

/// What is left of a scenario for a client that cannot do everything.
@Suite struct LimitingTests {
  private func steps(_ steps: String, lacking: Set<String>) throws -> [String] {
    let reading = ScenarioReader.read(
      file: "Scenarios/test/a.yaml",
      bytes: Array(
        """
        kennel: 1
        title: T
        rules: [EVT-1]
        why: w
        judge: invariants
        clients: [alice]
        data: {room: {a: {.value: 1, .priority: 2}}}
        persistence: true
        steps:
        \(steps)
        """.utf8), load: { _ in nil })
    let scenario = try #require(reading.scenarios.first, "\(reading.problems)")
    let all: Set<String> = [
      "listen.value", "listen.child", "listen.query", "once", "set", "update", "priority", "push",
      "transaction", "on-disconnect", "offline", "info", "server-values", "inspect",
      "mutable-data", "persistence", "keep-synced", "auth", "callbacks", "get",
      "purge",
    ]
    let limited = scenario.limited(to: all.union(Feature.names).subtracting(lacking))
    #expect(Set(limited.capabilities).isDisjoint(with: lacking))
    return limited.yaml(comment: "").split(separator: "\n").map(String.init)
      .filter { $0.hasPrefix("  - ") || $0.hasPrefix("data:") || $0.hasPrefix("persistence:") }
  }

  @Test func `nothing is left out for a client that can do everything`() throws {
    let left = try steps("  - alice.push: {path: list, value: 1}\n  - settle", lacking: [])
    #expect(
      left == [
        "data: {room: {a: {.value: 1, .priority: 2}}}", "persistence: true",
        "  - alice.push: {path: list, value: 1}", "  - settle",
      ])
  }

  @Test func `calls that need what is lacking go, and what belongs to them`() throws {
    let left = try steps(
      """
        - alice.once: {path: room, as: read}
        - alice.listen: {path: room, event: value, as: l}
        - alice.unlisten: l
        - alice.transaction: {path: n, update: {increment: 1}}
        - alice.set: {path: n, value: 1}
      """, lacking: ["listen.value", "transaction", "once", "persistence", "priority"])
    #expect(left == ["data: {room: {a: 1}}", "  - alice.set: {path: n, value: 1}"])
  }

  @Test func `listeners receive what is left of their events, without their queries`() throws {
    let left = try steps(
      """
        - alice.listen: {path: room, query: {limitToFirst: 1}, as: l}
        - alice.listen: {path: room, event: child_added, as: m}
        - alice.unlisten: l
      """, lacking: ["listen.child", "listen.query", "priority", "persistence"])
    #expect(
      left == [
        "data: {room: {a: 1}}", "  - alice.listen: {path: room, event: value, as: l}",
        "  - alice.unlisten: l",
      ])
  }

  @Test func `values lose their priorities and what the server would fill in`() throws {
    let left = try steps(
      """
        - alice.update: {path: room, value: {a: {.value: 1, .priority: 1}, b: {.sv: timestamp}}}
        - alice.update: {path: room, value: {a/.priority: 1, b: 1}}
        - server.set: {path: room, value: {.value: 1, .priority: 1}}
      """, lacking: ["priority", "server-values", "persistence"])
    #expect(
      left == [
        "data: {room: {a: 1}}", "  - alice.update: {path: room, value: {a: 1, b: 0}}",
        "  - alice.update: {path: room, value: {b: 1}}", "  - server.set: {path: room, value: 1}",
      ])
  }

  @Test func `keys that are canonically equivalent get names that differ`() throws {
    let (composed, decomposed) = ("\u{E9}", "e\u{301}")
    let left = try steps(
      """
        - alice.set: {path: room/\(composed), value: {\(composed): 1, \(decomposed): 2}}
        - server.update: {path: room, value: {\(decomposed): 3, \(composed)_: 4}}
        - alice.transaction: {path: room, update: {merge: {\(composed): 5}}}
        - alice.listen: {path: room, event: value, query: {orderBy: .key, endAt: \(composed)}, as: l}
        - alice.inspect: {snapshot: l, of: \(composed), ask: value, as: i}
        - alice.inspect: {mutable: {\(composed): 1, \(decomposed): 2}, ask: value, as: j}
      """, lacking: ["keys.canonical-equivalence"])
    let expected = [
      "data: {room: {a: {.value: 1, .priority: 2}}}", "persistence: true",
      "  - alice.set: {path: room/\(composed)_, value: {'\(decomposed)': 2, \(composed)_: 1}}",
      "  - server.update: {path: room, value: {'\(decomposed)': 3, \(composed)__: 4}}",
      "  - alice.transaction: {path: room, update: {merge: {\(composed)_: 5}}}",
      "  - alice.listen: {path: room, event: value, query: {orderBy: .key, endAt: \(composed)_}, as: l}",
      "  - alice.inspect: {snapshot: l, of: \(composed)_, ask: value, as: i}",
    ]
    // Swift would take the two forms for equal.
    #expect(left.map { Array($0.utf8) } == expected.map { Array($0.utf8) }, "\(left)")
  }
}
