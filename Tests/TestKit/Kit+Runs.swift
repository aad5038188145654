package import ClientInterface
package import Conformance
package import Scenario
import ScenarioFiles
package import Testing
package import TraceFiles

/// Runs of scenarios, and their traces.
extension Kit {
  /// Two listeners' windows, of which one has to be filled again.
  package static let refill = """
    clients: [alice, bob]
    data: {room: {a: 1, b: 2, c: 3}}
    steps:
      - alice.listen: {path: room, query: {limitToFirst: 2}, as: first}
      - expect: {alice.first: [{child_added: a, value: 1, prev: null}, {child_added: b, value: 2, prev: a},
                              {value: {a: 1, b: 2}}]}
      - bob.remove: room/a
      - expect: {alice.first: [{child_removed: a, value: 1}, {child_added: c, value: 3, prev: b},
                              {value: {b: 2, c: 3}}]}
    """

  /// A listener that gets a child and then the value.
  package static let feed = """
    clients: [alice]
    data: {room: {a: 1}}
    steps:
      - alice.listen: {path: room, as: feed}
      - expect:
          alice.feed:
            - {child_added: a, value: 1, prev: null}
            - {value: {a: 1}}
    """

  /// All scenarios of this project, in the order of their files.
  package static func projectScenarios() throws -> [Scenario] {
    try projectFiles().flatMap(\.scenarios)
  }

  /// The scenario of this project with this id.
  package static func projectScenario(
    _ id: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Scenario {
    let file = "Scenarios/\(id).yaml"
    let bytes = Array(try SourceTree.text(of: file).utf8)
    let read = ScenarioReader.read(
      file: file, bytes: bytes, load: SourceTree.bytes, rules: try projectRules())
    return try #require(
      read.scenarios.first, "\(read.problems)", sourceLocation: sourceLocation)
  }

  /// Runs a scenario with the reference client, or with a mutant by its name.
  package static func run(
    _ scenario: Scenario, in profile: Profile = .firebase, client: String? = nil, seed: UInt64 = 0
  ) -> ScenarioResult {
    var runner = runner(client: client)
    runner.seed = seed
    return runner.run(scenario, in: profile)
  }

  /// The trace of a run with the reference client, or with a mutant by its name.
  package static func trace(
    of scenario: Scenario, text: String, in profile: Profile = .firebase, client: String? = nil,
    seed: UInt64 = 0
  ) -> TraceFile {
    TraceFile(
      of: run(scenario, in: profile, client: client, seed: seed), client: client ?? "reference",
      kit: "0.1.0", sources: [.init(file: scenario.file, text: text)])
  }

  /// The trace of a run of the scenario with this body.
  package static func trace(
    _ body: String, title: String = "An example", in profile: Profile = .firebase,
    client: String? = nil, seed: UInt64 = 0
  ) throws -> TraceFile {
    let text = text(body, title: title)
    return trace(of: try scenario(whole: text), text: text, in: profile, client: client, seed: seed)
  }
}
