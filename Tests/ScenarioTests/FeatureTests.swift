import ClientInterface
import Document
import Scenario
import ScenarioFiles
import Testing

/// What interfaces may lack of their capabilities.
@Suite struct FeatureTests {
  private static let needs: [(steps: [String], feature: Feature)] = [
    (
      ["alice.listen: {path: a, query: {orderBy: .key, startAfter: b}, as: l}"],
      .exclusiveBounds
    ),
    (["alice.inspect: {path: a, query: [{endBefore: 3}], ask: valid, as: i}"], .exclusiveBounds),
    (["alice.set: {path: a, value: {b: {.sv: {increment: 1}}}}"], .increment),
    (["alice.unlisten-all: {path: a}"], .unlistenAll),
    (["alice.once: {path: a, as: l}", "alice.unlisten: l"], .unlistenOnce),
    (
      ["alice.once: {path: a, as: l}", "alice.on: {listener: l, do: [{unlisten: l}]}"],
      .unlistenOnce
    ),
    (["alice.once: {path: a, event: child_added, as: l}"], .onceChild),
    (
      ["alice.transaction: {path: a, update: {increment: 1}, localEvents: false}"],
      .hiddenTransaction
    ),
    (["alice.push: {path: a, as: p}"], .pushWithoutValue),
    (["alice.inspect: {path: a, ask: url, as: i}"], .address),
    (
      ["alice.remove: {path: a, as: w}", "alice.inspect: {completion: w, ask: ref, as: i}"],
      .completionReference
    ),
    (["alice.auth: {token: t, as: s}", "expect: {alice.s: {ok: true}}"], .authEnds),
    (["alice.on-disconnect-update: {path: a, value: {c: 1, b: 2}}"], .orderOfUpdate),
    (["alice.set: {path: a, value: {b: {\(composed): 1, \(decomposed): 2}}}"], .equivalentKeys),
    (["alice.update: {path: a, value: {\(composed): 1, \(decomposed): null}}"], .equivalentKeys),
    (
      ["alice.transaction: {path: a, update: {set: {\(composed): 1, \(decomposed): 2}}}"],
      .equivalentKeys
    ),
    (
      ["alice.inspect: {mutable: {\(composed): 1, \(decomposed): 2}, ask: value, as: i}"],
      .equivalentKeys
    ),
    (
      [
        "alice.listen: {path: a, event: value, as: l}",
        "expect: {alice.l: [{value: {b: {\(composed): 1, \(decomposed): $any}}}]}",
      ], .equivalentKeys
    ),
    (
      [
        "alice.set: {path: a/\(composed), value: 1}",
        "server.set: {path: a/\(decomposed), value: 2}",
      ],
      .equivalentKeys
    ),
  ]

  /// The two forms of a key that Unicode takes for equal.
  private static let (composed, decomposed) = ("\u{E9}", "e\u{301}")

  @Test(arguments: needs)
  func `a scenario needs what it does`(steps: [String], feature: Feature) throws {
    let scenario = try scenario(steps)

    #expect(scenario.capabilities.filter(Feature.names.contains) == [feature.rawValue])
  }

  @Test(arguments: [
    ["alice.listen: {path: a, query: {orderBy: .key, startAt: b}, as: l}", "alice.unlisten: l"],
    ["alice.listen: {path: a, query: {orderBy: .value, equalTo: true}, as: l}"],
    ["alice.set: {path: a, value: {.sv: timestamp}}", "alice.once: {path: a, as: l}"],
    ["alice.transaction: {path: a, update: {increment: 1}}", "alice.push: {path: a, value: 1}"],
    ["alice.on-disconnect-update: {path: a, value: {b: 1, c/d: 2, e: 3}}"],
    ["alice.on-disconnect-update: {path: a, value: {c/d: 1, c: 2}}"],
    ["alice.on-disconnect-update: {path: a, value: {c: 1, 'b#': 2}}"],
    ["alice.auth: {token: t}", "alice.inspect: {path: a, ask: key, as: i}"],
    ["alice.set: {path: a, value: {\(composed): 1, \u{FB01}: 2, fi: 3}}"],
    [
      "alice.set: {path: a/\(composed), value: 1}", "alice.set: {path: a/\(decomposed), value: 2}",
      "expect: {server: {a: {\(composed): 1, \(decomposed): 2}}}",
    ],
  ])
  func `what every interface has is no feature`(steps: [String]) throws {
    #expect(try scenario(steps).capabilities.filter(Feature.names.contains) == [])
  }

  @Test func `the name of a priority in an update needs priorities, as one in a value does`() throws
  {
    for value in ["{a/.priority: 1}", "{a: {.value: 1, .priority: 1}}"] {
      for call in ["update", "on-disconnect-update"] {
        #expect(
          try scenario(["alice.\(call): {path: room, value: \(value)}"]).capabilities
            .contains("priority"))
      }
    }
    #expect(
      try !scenario(["alice.update: {path: room, value: {a: 1}}"]).capabilities.contains("priority")
    )
  }

  private func scenario(_ steps: [String]) throws -> Scenario {
    let isJudged = steps.contains { $0.hasPrefix("expect") }
    let text =
      "kennel: 1\ntitle: T\nrules: [EVT-1]\nclients: [alice]\ntokens: {t: {uid: ann}}\n"
      + (isJudged ? "" : "judge: invariants\n") + "steps:\n" + steps.map { "  - \($0)\n" }.joined()
    let read = ScenarioReader.read(file: "s.yaml", bytes: Array(text.utf8), load: { _ in nil })
    #expect(read.problems.map(\.description) == [])
    return try #require(read.scenarios.first)
  }
}
