import Document
import Scenario
import ScenarioFiles
import Testing

struct AllScenariosTests {
  @Test func `every scenario of the project can be read`() throws {
    let rules = try SourceFiles.rules()
    var problems: [String] = []
    var ids: [String] = []

    for file in try SourceFiles.scenarios() {
      let bytes = try #require(SourceFiles.bytes(of: file))
      let result = ScenarioReader.read(
        file: file, bytes: bytes, load: SourceFiles.bytes, rules: rules)
      problems += result.problems.map(\.description)
      ids += result.scenarios.map(\.id)
    }

    #expect(problems == [])
    #expect(ids.count > 100)
    #expect(Set(ids).count == ids.count)
  }
}
