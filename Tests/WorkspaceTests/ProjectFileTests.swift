import Document
import TestKit
import Testing
import Workspace

@Suite struct ProjectFileTests {
  @Test(arguments: try Mistake.files(of: "project-files"))
  func `mistakes in project files are told with their places`(mistake: Mistake) throws {
    let text = try mistake.text
    let problems = ProjectFile.read(file: "kennel.yaml", bytes: Array(text.utf8)).problems
    try mistake.check(problems.map { "\($0.position): \($0.message)" })
  }
}
