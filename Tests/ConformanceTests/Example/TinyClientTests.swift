import ClientInterface
import Conformance
import Foundation
import Scenario
import Testing

@Suite struct TinyClientTests {
  @Test(arguments: ["writes/tiny-client"])
  func `the worked example passes`(id: String) throws {
    let file = "Scenarios/\(id).yaml"
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file, relativeTo: repository)))
    let scenarios = ScenarioReader.read(file: file, bytes: bytes, load: { _ in nil }).scenarios
    let runner = ScenarioRunner { _, _ in TinyClient() }

    for scenario in scenarios {
      for profile in scenario.profiles {
        #expect(runner.run(scenario, in: profile).divergences.isEmpty, "\(scenario.id)")
      }
    }
  }

  private let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
}
