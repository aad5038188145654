import ClientInterface
import Conformance
import Diagrams
import Document
import Foundation
import Mutants
import ReferenceClient
import Scenario
import ScenarioFiles
import Testing

/// Runs to be pictured.
enum Runs {
  static let refill = """
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

  static let cut = """
    clients: [alice]
    judge: invariants
    steps:
      - alice.set: {path: n, value: 1, as: w}
      - network.cut: alice
      - wait: 2s
      - network.heal: alice
      - settle
    """

  static func result(_ body: String, client: String? = nil) throws -> ScenarioResult {
    let text = "kennel: 1\ntitle: An <example> & \"more\"\nrules: [EVT-1]\n\(body)\n"
    let read = ScenarioReader.read(
      file: "Scenarios/test/example.yaml", bytes: Array(text.utf8), load: { _ in nil })
    #expect(read.problems.map(\.description) == [])
    return run(try #require(read.scenarios.first), client: client)
  }

  static func result(of file: URL, client: String) throws -> ScenarioResult {
    let bytes = [UInt8](try Data(contentsOf: file))
    let read = ScenarioReader.read(file: file.path, bytes: bytes, load: { _ in nil })
    return run(try #require(read.scenarios.first), client: client)
  }

  private static func run(_ scenario: Scenario, client: String?) -> ScenarioResult {
    let mutant = client.flatMap { Mutant(named: $0) }
    let runner = ScenarioRunner { _, profile in
      mutant?.makeClient(profile) ?? ReferenceClient(profile: profile)
    }
    return runner.run(scenario, in: .firebase)
  }

  static func picture(_ body: String, client: String? = nil) throws -> SpaceTime {
    SpaceTime(of: PicturedRun(try result(body, client: client)))
  }

  /// The runs of all scenarios of this project.
  static func all() throws -> [ScenarioResult] {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Scenarios")
    let load = { (file: String) in (try? Data(contentsOf: URL(filePath: file))).map { [UInt8]($0) }
    }
    let names = try FileManager.default.subpathsOfDirectory(atPath: root.path).sorted()
    return names.filter { $0.hasSuffix(".yaml") && !$0.contains("/_") }.flatMap { name in
      let file = root.appending(path: name).path
      let read = ScenarioReader.read(file: file, bytes: load(file) ?? [], load: load)
      return read.scenarios.map { run($0, client: nil) }
    }
  }
}
