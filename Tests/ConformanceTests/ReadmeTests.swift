import Foundation
import Mutants
import ReferenceClient
import Reports
import Rules
import TestKit
import Testing

/// What the README shows is what the kit does.
@Suite struct ReadmeTests {
  @Test(arguments: ["TinyClient.swift", "TinyClientTests.swift"])
  func `the README shows the worked example as it is`(file: String) throws {
    let example = try SourceTree.text(of: "Tests/KennelTestingTests/Example/\(file)")

    #expect(try SourceTree.text(of: "README.md").contains("```swift\n\(example)```"))
  }

  @Test func `the README shows a report as it is`() throws {
    let scenario = try Kit.projectScenario("limits/refill-after-foreign-removal")
    let file = "Specs/rules/limits.md"
    let rules = RuleBook(files: [(file, try SourceTree.text(of: file))])
    var report = TextReport(rules: rules)
    report.options = {
      ["--profile", $0.profile, "--seed", "\($0.seed)", "--client", Mutant.noRefill.name]
    }
    report.reference = { ReferenceClient(profile: $0) }

    let result = Kit.run(scenario, client: Mutant.noRefill.name)
    let shown = report.text(of: result).trimmingCharacters(in: .newlines)
    #expect(try SourceTree.text(of: "README.md").contains("```\n\(shown)\n```"))
  }
}
