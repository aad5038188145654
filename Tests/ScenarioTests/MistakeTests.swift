import Document
import Foundation
import ScenarioFiles
import TestKit
import Testing

@Suite struct MistakeTests {
  @Test(arguments: try Mistake.files(of: "scenarios"))
  func `mistakes in scenarios are told with their places`(mistake: Mistake) throws {
    try mistake.check(read(mistake.text).problems.map { "\($0.position): \($0.message)" })
  }

  @Test(.enabled(if: !SourceTree.isRewriting))
  func `another message than the one that is written down is noticed`() throws {
    let mistake = try #require(try Mistake.files(of: "scenarios/calls").first)

    withKnownIssue { try mistake.check(["6:5: another message"]) }
    withKnownIssue { try mistake.check([]) }
  }

  @Test(.enabled(if: !SourceTree.isRewriting))
  func `every file with mistakes has its messages, and there are no others`() throws {
    func names(ending endings: [String]) throws -> [String] {
      try SourceTree.files(below: "Tests/Mistakes", ending: endings)
        .map { NSString(string: $0).deletingPathExtension }.sorted()
    }

    #expect(try names(ending: ["txt"]) == names(ending: ["yaml", "json", "jsonl"]))
  }
}
