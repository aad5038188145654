import Scenario
import ScenarioFiles
import Testing

/// What is written is read as what it was.
@Suite struct RoundTripTests {
  private func reread(_ text: String) -> ScenarioReader.Result {
    ScenarioReader.read(file: "Scenarios/s.yaml", bytes: Array(text.utf8), load: { _ in nil })
  }

  @Test func `every scenario of the project can be written and read again`() throws {
    var differences: [String] = []
    var count = 0
    for file in try SourceFiles.scenarios() {
      let bytes = try #require(SourceFiles.bytes(of: file))
      for scenario in ScenarioReader.read(file: file, bytes: bytes, load: SourceFiles.bytes)
        .scenarios
      {
        let text = scenario.yaml(comment: "Found.")
        let result = reread(text)
        count += 1
        differences += result.problems.map { "\(scenario.id): \($0)\n\(text)" }
        guard let second = result.scenarios.first else { continue }
        if substance(of: scenario) != substance(of: second) {
          differences.append(
            "\(scenario.id)\n\(text)\n\(substance(of: scenario))\n\(substance(of: second))")
        }
        // A line with a word that fills it, such as a path at the limit of its length, stays long.
        let isTooLong = { (line: Substring) in
          line.count > 100 && line.split(separator: " ").allSatisfy { $0.count <= 80 }
        }
        if let line = text.split(separator: "\n").first(where: isTooLong) {
          differences.append("\(scenario.id): \(line)")
        }
        #expect(second.yaml(comment: "Found.") == text)
      }
    }
    #expect(differences.prefix(3) == [])
    #expect(count > 300)
  }
}
