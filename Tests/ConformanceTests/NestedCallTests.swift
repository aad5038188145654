import ClientInterface
import Conformance
import ReferenceClient
import Scenario
import TestKit
import Testing
import Trace

/// Calls from inside callbacks, as runs show and judge them.
@Suite struct NestedCallTests {
  private func scenario(_ steps: String, judge: String = "invariants") throws -> Scenario {
    try Kit.scenario(
      """
      judge: \(judge)
      clients: [alice]
      data: {room: {a: 1, b: 2}}
      steps:
        - alice.listen: {path: room, as: feed}
        - settle
      \(steps.split(separator: "\n").map { "  - " + $0 }.joined(separator: "\n"))
        - settle
      """)
  }

  private func broken(_ result: ScenarioResult) -> [String] {
    result.divergences.compactMap { divergence -> String? in
      if case let .broken(invariant, _) = divergence.kind { invariant.id } else { nil }
    }
  }

  private static let sets = """
    alice.on: {listener: feed, event: child_changed, do: [{set: {path: room/c, value: 3}}]}
    server.update: {path: room, value: {a: 2, b: 3}}
    """

  @Test(arguments: Profile.all)
  func `a call from inside a callback is an input that the callback has caused`(
    profile: Profile
  ) throws {
    let result = Kit.run(try scenario(Self.sets), in: profile)

    let events = result.trace.events
    let first = events.first { $0.isNestedCall }
    let nested = try #require(first)
    let mark = events[try #require(nested.cause)]
    let callback = events[try #require(mark.cause)]
    #expect(nested.text == "set /room/c 3   as #1   in a callback")
    #expect(mark.text == "calls #1 from inside the callback")
    #expect(callback.text == "raised child_changed a = 2, after (first)   on feed")
    #expect(result.divergences.isEmpty)
  }

  @Test func `a client that does not call where a reaction says so breaks an invariant`() throws {
    let careless = ScenarioRunner {
      ChangedClient($1, input: { if case .call(_, .on) = $0 { nil } else { $0 } })
    }
    let result = careless.run(try scenario(Self.sets), in: .firebase)

    #expect(broken(result) == ["INV-52"])
  }

  @Test(arguments: [
    sets,
    """
    alice.on: {listener: feed, event: child_changed, do: [{unlisten: feed}]}
    server.update: {path: room, value: {a: 2, b: 3}}
    """,
    """
    alice.on: {listener: feed, event: child_added, do: [{push: {path: room, value: 3}}]}
    alice.push: {path: room, value: 1}
    """,
    """
    alice.on: {listener: feed, event: child_changed, do: [go-offline, {remove: room/a}]}
    server.update: {path: room, value: {a: 2, b: 3}}
    alice.go-online
    """,
  ])
  func `a shadow follows what callbacks do`(steps: String) throws {
    for profile in Profile.all {
      var runner = Kit.runner()
      runner.shadows = ReferenceClient.shadows(in:)

      let result = runner.run(try scenario(steps), in: profile)

      #expect(result.divergences.isEmpty, "\(result.divergences)")
    }
  }
}
