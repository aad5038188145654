import ClientInterface
import Conformance
import Foundation
import Mutants
import ReferenceClient
import Reports
import Rules
import Scenario
import ScenarioFiles
import Testing

/// What the README shows is what the kit does.
@Suite struct ReadmeTests {
  @Test(arguments: ["TinyClient.swift", "TinyClientTests.swift"])
  func `the README shows the worked example as it is`(file: String) throws {
    let example = try text("Tests/KennelTestingTests/Example/\(file)")

    #expect(try text("README.md").contains("```swift\n\(example)```"))
  }

  @Test func `the README shows a report as it is`() throws {
    let file = "Scenarios/limits/refill-after-foreign-removal.yaml"
    let scenario = try #require(
      ScenarioReader.read(file: file, bytes: Array(try text(file).utf8), load: { _ in nil })
        .scenarios.first)
    let specs = ["limits.md"]
    let rules = RuleBook(
      files: try specs.map { ("Specs/rules/" + $0, try text("Specs/rules/" + $0)) })
    var report = TextReport(rules: rules)
    report.client = Mutant.noRefill.name
    report.reference = { ReferenceClient(profile: $0) }

    let result = ScenarioRunner { _, profile in
      Mutant.noRefill.makeClient(profile)
    }.run(scenario, in: .firebase)

    let shown = report.text(of: result).trimmingCharacters(in: .newlines)
    #expect(try text("README.md").contains("```\n\(shown)\n```"))
  }

  private func text(_ path: String) throws -> String {
    try String(contentsOf: repository.appendingPathComponent(path), encoding: .utf8)
  }

  private let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
}
