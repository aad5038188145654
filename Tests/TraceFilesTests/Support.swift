import ClientInterface
import Conformance
import Document
import Foundation
import Mutants
import ReferenceClient
import Reports
import Scenario
import ScenarioFiles
import Testing
import Trace
import TraceFiles

/// Runs scenarios and keeps their traces.
enum Runs {
  static let file = "Scenarios/test/example.yaml"

  static func text(_ body: String) -> String {
    "kennel: 1\ntitle: An example\nrules: [EVT-1]\n" + body + "\n"
  }

  static func scenario(_ body: String) throws -> Scenario {
    let read = ScenarioReader.read(file: file, bytes: Array(text(body).utf8), load: { _ in nil })
    #expect(read.problems.map(\.description) == [])
    return try #require(read.scenarios.first)
  }

  static func trace(
    _ body: String, profile: Profile = .firebase, seed: UInt64 = 0
  ) throws -> TraceFile {
    let result = ScenarioRunner(seed: seed, client: reference).run(
      try scenario(body), in: profile)
    return TraceFile(
      of: result, client: "reference", kit: "0.1.0",
      sources: [.init(file: file, text: text(body))])
  }

  static func reference(_ name: String, _ profile: Profile) -> any SyncClient {
    ReferenceClient(profile: profile)
  }

  static let race = """
    clients: [alice, bob]
    network: {latency: 5ms..30ms}
    judge: invariants
    steps:
      - bob.listen: {path: n, event: value, as: feed}
      - together:
          - alice.set: {path: n, value: 1, as: w}
          - bob.set: {path: n, value: 2, as: w}
      - settle
    """

  /// Every so many of the scenarios of this project.
  static func some(every stride: Int) throws -> [(scenario: Scenario, source: TraceFile.Source)] {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let folder = root.appending(path: "Scenarios").path
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder).sorted().filter {
      $0.hasSuffix(".yaml") && !$0.split(separator: "/").contains { $0.hasPrefix("_") }
    }
    return try names.enumerated().filter { $0.offset.isMultiple(of: stride) }.compactMap {
      let file = folder + "/" + $0.element
      let text = try String(contentsOfFile: file, encoding: .utf8)
      let read = ScenarioReader.read(
        file: file, bytes: Array(text.utf8),
        load: { try? Array(String(contentsOfFile: $0, encoding: .utf8).utf8) })
      return read.scenarios.first.map { ($0, .init(file: file, text: text)) }
    }
  }
}
