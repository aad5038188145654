import ClientInterface
import Conformance
import Scenario
import ScenarioFiles
import TestKit
import Testing

@testable import MutationAnalysis

/// Of a scenario that was made small every step is needed.
///
/// The check knows nothing of how it was made small: it takes lines out of the file.
@Suite struct MinimalityTests {
  @Test(arguments: [
    "dropped-write", "no-refill", "wrong-twin-removed", "stale-is-final",
  ])
  func `without any one of its steps a small scenario does not show the defect`(
    name: String
  ) throws {
    let mutant = try Kit.mutant(name)
    var detector = Kit.detector([], hunting: 120)
    detector.scenarios = [try Kit.twins()]
    let shrunk = try #require(detector.examine(mutant).shrunk)
    let profile = try #require(Profile(named: shrunk.profile))
    let small = try #require(Self.read(shrunk.text))
    let runner = Detector.runner(mutant, seed: shrunk.seed)
    let reference = ScenarioRunner(seed: shrunk.seed, client: Kit.reference)
    #expect(runner.run(small, in: profile).signature == shrunk.signature)
    #expect(shrunk.isMinimal)

    for index in small.steps.indices where small.steps[index].isAct {
      var without = small
      without.steps.remove(at: index)
      // What cannot be read lacks something that a later step needs.
      guard let read = Self.read(without.yaml()),
        let expecting = reference.expecting(read, in: profile)
      else { continue }
      #expect(
        runner.run(expecting, in: profile).signature != shrunk.signature, "\(shrunk.text)")
    }
  }

  private static func read(_ text: String) -> Scenario? {
    let result = Kit.read(text, file: "Scenarios/found/small.yaml")
    return result.problems.isEmpty ? result.scenarios.first : nil
  }

}

extension Kit {
  /// What the hunt does not draw: two listeners that ask for the same.
  fileprivate static func twins() throws -> Scenario {
    try example(
      """
      clients: [alice, bob]
      data: {room: {a: 1}, other: {b: 2}}
      steps:
        - alice.listen: {path: room, event: value, as: first}
        - alice.listen: {path: room, event: value, as: second}
        - bob.listen: {path: other, event: value, as: other}
        - expect:
            alice.first: [{value: {a: 1}}]
            alice.second: [{value: {a: 1}}]
            bob.other: [{value: {b: 2}}]
        - bob.set: {path: other/b, value: 3}
        - alice.unlisten: second
        - expect: {bob.other: [{value: {b: 3}}]}
        - bob.set: {path: room/a, value: 2}
        - expect: {alice.first: [{value: {a: 2}}]}
      """, id: "twins")
  }
}

extension Step {
  fileprivate var isAct: Bool {
    switch action {
    case .expect, .settle: false
    default: true
    }
  }
}
