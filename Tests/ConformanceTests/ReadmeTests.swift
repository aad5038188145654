import Foundation
import Mutants
import ReferenceClient
import Reports
import Scenario
import TestKit
import Testing

/// What the README and the guide to clients in Swift show is what the kit does.
@Suite struct ReadmeTests {
  @Test func `the README is short`() throws {
    #expect(try SourceTree.text(of: "README.md").count { $0 == "\n" } < 200)
  }

  @Test(arguments: [
    "KennelTestingTests/Example/TinyClient.swift",
    "KennelTestingTests/Example/TinyClientTests.swift", "ExampleTests/GateInProcess.swift",
  ])
  func `the guide to clients in Swift shows the worked examples as they are`(file: String) throws {
    let guide = try SourceTree.text(of: "Specs/guides/swift-client.md")

    #expect(guide.contains("```swift\n\(try SourceTree.text(of: "Tests/\(file)"))```"))
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
