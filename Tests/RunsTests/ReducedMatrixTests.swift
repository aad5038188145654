import AdapterSessions
import ClientInterface
import Scenario
import TestKit
import Testing
import Tree
import Wire

@testable import Runs

/// Whether a matrix finds the same with fewer runs.
@Suite struct ReducedMatrixTests {
  /// What clients of the old version have written in the run that is made.
  private final class Notes {
    var paths: Set<Path> = []
  }

  /// The old version, whose writes the new one does not show.
  private struct Old: SyncClient {
    var client: any SyncClient
    let notes: Notes

    mutating func handle(
      _ input: ClientInput, at now: Instant, into outputs: inout [ClientOutput]
    ) {
      client.handle(input, at: now, into: &outputs)
      for case let .send(.request(_, .put(path, _, _))) in outputs { notes.paths.insert(path) }
    }
  }

  private struct New: SyncClient {
    var client: any SyncClient
    let notes: Notes

    mutating func handle(
      _ input: ClientInput, at now: Instant, into outputs: inout [ClientOutput]
    ) {
      if case let .frame(.put(path, _, nil)) = input, notes.paths.contains(path) { return }
      client.handle(input, at: now, into: &outputs)
    }
  }

  private func matrix(isReduced: Bool) -> FleetMatrix {
    let notes = Notes()
    let old = ClientUnderTest { profile in
      notes.paths = []
      return Old(client: Kit.reference("", profile), notes: notes)
    }
    let new = ClientUnderTest { profile in
      notes.paths = []
      return New(client: Kit.reference("", profile), notes: notes)
    }
    return FleetMatrix(
      [.init(name: "old", subject: old), .init(name: "new", subject: new)], isReduced: isReduced)
  }

  /// Two that read and two that write alike.
  private static let alike = """
    clients: [alice, bob, carol, dave]
    steps:
      - alice.listen: {path: room, event: value, as: a}
      - bob.listen: {path: room, event: value, as: b}
      - expect: {bob.b: [{value: null}], alice.a: [{value: null}]}
      - together: [carol.set: {path: room/x, value: 1}, dave.set: {path: room/x, value: 1}]
      - expect: {alice.a: [{value: {x: 1}}], bob.b: [{value: {x: 1}}]}
    """

  private func scenarios() throws -> [Scenario] {
    try Kit.projectScenarios().filter { $0.id.hasPrefix("races/") || $0.id.hasPrefix("events/") }
      + [Kit.scenario(Self.alike)]
  }

  @Test func `a reduced matrix finds the same pairs as a full one`() throws {
    let full = matrix(isReduced: false)
    let reduced = matrix(isReduced: true)
    var (leftOut, found, foundReduced) = (0, 0, 0)
    for scenario in try scenarios() {
      let all = full.row(scenario, in: scenario.profiles[0], seed: 0)
      let some = reduced.row(scenario, in: scenario.profiles[0], seed: 0)
      #expect(all.pairs == some.pairs && all.failingAlone == some.failingAlone, "\(scenario.id)")
      #expect(all.leftOut == 0 && all.runs.count == some.runs.count + some.leftOut)
      leftOut += some.leftOut
      found += all.pairs.count
      if some.leftOut > 0 { foundReduced += some.pairs.count }
    }
    #expect(leftOut > 3 && found > 1 && foundReduced > 0, "\(leftOut) \(found) \(foundReduced)")
  }
}
