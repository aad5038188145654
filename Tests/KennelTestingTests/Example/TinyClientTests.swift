import ClientInterface
import Conformance
import Foundation
import Reports
import Rules
import Scenario
import ScenarioFiles
import Testing

@Suite struct TinyClientTests {
  @Test(arguments: ["writes/tiny-client", "values/empty-place", "guides/posts-child-added"])
  func `the client does what the scenarios say`(id: String) throws {
    let file = "Scenarios/\(id).yaml"
    let reading = ScenarioReader.read(
      file: file, bytes: try bytes(of: file), load: { try? bytes(of: $0) })
    try #require(reading.problems.isEmpty, "\(reading.problems)")
    let runner = ScenarioRunner { _, _ in TinyClient() }
    let report = TextReport(rules: try rules())

    for scenario in reading.scenarios {
      for profile in scenario.profiles {
        let result = runner.run(scenario, in: profile)
        if result.verdict.count == .failed { Issue.record("\(report.text(of: result))") }
      }
    }
  }

  /// Kennel's folder. Here the tests are part of it; elsewhere KENNEL_HOME names it.
  private let home =
    ProcessInfo.processInfo.environment["KENNEL_HOME"].map { URL(filePath: $0) }
    ?? URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL

  private func bytes(of file: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: home.appending(path: file)))
  }

  private func rules() throws -> RuleBook {
    let folder = home.appending(path: "Specs/rules").path
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    return RuleBook(
      files: try names.filter { $0.hasSuffix(".md") }.map { name in
        (
          "Specs/rules/\(name)",
          String(decoding: try bytes(of: "Specs/rules/\(name)"), as: UTF8.self)
        )
      })
  }
}
