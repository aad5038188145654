import Document
import ScenarioFiles
import TestKit
import Testing

@Suite struct MistakeTests {
  @Test(arguments: try Mistake.files(of: "scenarios"))
  func `mistakes in scenarios are told with their places`(mistake: Mistake) throws {
    try mistake.check(read(mistake.text).problems.map { "\($0.position): \($0.message)" })
  }
}
