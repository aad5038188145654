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
import TraceFiles

/// Runs to be put into pages.
enum Runs {
  static func trace(_ body: String, client: String? = nil) throws -> TraceFile {
    let text = "kennel: 1\ntitle: An </title> & \"example\"\nrules: [EVT-1]\n\(body)\n"
    let file = "Scenarios/test/example.yaml"
    let read = ScenarioReader.read(file: file, bytes: Array(text.utf8), load: { _ in nil })
    #expect(read.problems.map(\.description) == [])
    let result = run(try #require(read.scenarios.first), in: .firebase, client: client)
    return TraceFile(
      of: result, client: client ?? "reference", kit: "0.1.0",
      sources: [.init(file: file, text: text)])
  }

  static func run(
    _ scenario: Scenario, in profile: Profile, client: String? = nil
  ) -> ScenarioResult {
    let mutant = client.flatMap { Mutant(named: $0) }
    return ScenarioRunner { _, profile in
      mutant?.makeClient(profile) ?? ReferenceClient(profile: profile)
    }.run(scenario, in: profile)
  }

  /// All scenarios of this project, with their texts.
  static func all() throws -> [(scenario: Scenario, sources: [TraceFile.Source])] {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let folder = root.appending(path: "Scenarios").path
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder).sorted().filter {
      $0.hasSuffix(".yaml") && !$0.split(separator: "/").contains { $0.hasPrefix("_") }
    }
    return try names.flatMap { name -> [(scenario: Scenario, sources: [TraceFile.Source])] in
      let file = folder + "/" + name
      let text = try String(contentsOfFile: file, encoding: .utf8)
      let read = ScenarioReader.read(
        file: file, bytes: Array(text.utf8),
        load: { try? Array(String(contentsOfFile: $0, encoding: .utf8).utf8) })
      return read.scenarios.map { ($0, [.init(file: file, text: text)]) }
    }
  }
}
