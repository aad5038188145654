import ClientInterface
import Conformance
import Scenario
import TestKit
import Testing
import Tree
import Wire

/// Runs in which the server words what it conveys in several forms.
@Suite struct FormTests {
  private static let story = """
    clients: [alice, bob]
    judge: invariants
    data: {room: {a: {x: 1, y: 2}, b: 2, c: 3}}
    steps:
      - alice.listen: {path: room, query: {limitToFirst: 2}}
      - alice.listen: {path: room, query: {limitToLast: 1}}
      - bob.listen: room
      - settle
      - server.set: {path: room/a/x, value: 5}
      - server.update: {path: room, value: {a/y: 4, b: 5}}
      - server.remove: room/a/y
      - server.set: {path: room/a/x, value: 6}
      - settle
      - server.revoke: room
      - settle
    """

  @Test func `each form changes the run, and is drawn by some seed`() throws {
    var scenario = try Kit.scenario(Self.story)
    let runner = Kit.runner()
    let first = runner.run(scenario, in: .firebase)
    for form in WireForm.allCases {
      scenario.form = form
      let hash = runner.run(scenario, in: .firebase).hash
      #expect((hash == first.hash) == (form == .asWritten))
    }
    scenario.form = nil
    var drawn: Set<WireForm> = []
    for seed in 1...20 as ClosedRange<UInt64> {
      let runner = ScenarioRunner(seed: seed, client: Kit.reference)
      for case let .form(_, _, form) in runner.run(scenario, in: .firebase).choices {
        drawn.insert(form)
      }
    }
    #expect(drawn == Set(WireForm.allCases).subtracting([.asWritten]))
  }

  @Test func `forms that are stated make a run go the same way again`() throws {
    var scenario = try Kit.scenario(Self.story)
    let drawn = ScenarioRunner(seed: 9, client: Kit.reference)
      .run(scenario, in: .firebase)
    scenario.choices = drawn.choices

    let stated = Kit.runner()
      .run(scenario, in: .firebase)

    #expect(stated.hash == drawn.hash)
    #expect(stated.choices == drawn.choices)
    #expect(stated.unusedChoices == [])
  }

  /// A client that cannot receive one of the forms, and how many seeds it takes to notice it.
  @Test(
    arguments: [
      { message in
        if case let .merge(path, parts, tag) = message {
          .merge(path, parts.filter { $0.path.count == 1 }, tag: tag)
        } else {
          message
        }
      },
      { message in
        if case let .put(path, _, _?) = message, path.count > 1 { nil } else { message }
      },
      { message in
        if case let .merge(path, parts, tag) = message, parts.count > 1 {
          .merge(path, Array(parts.prefix(1)), tag: tag)
        } else {
          message
        }
      },
    ] as [@Sendable (ServerMessage) -> ServerMessage?])
  func `a client that cannot receive a form fails`(
    read: @escaping @Sendable (ServerMessage) -> ServerMessage?
  ) throws {
    let scenario = try Kit.scenario(Self.story)
    let seeds = (1...20 as ClosedRange<UInt64>).filter { seed in
      let runner = ScenarioRunner(seed: seed) { _, profile in
        ChangedClient(
          profile,
          input: { input in
            guard case let .frame(message) = input else { return input }
            return read(message).map { .frame($0) }
          })
      }
      return runner.run(scenario, in: .firebase).verdict == .fail
    }
    #expect(seeds.count > 2)
  }
}
