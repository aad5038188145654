import Recordings
import TestKit
import Testing

@Suite struct CaseErrorTests {
  @Test(arguments: try Mistake.files(of: "sync-point-cases"))
  func `mistakes in cases are told with their places`(mistake: Mistake) throws {
    try mistake.check(Self.messages(mistake.text))
  }

  private static func messages(_ text: String) -> [String] {
    do {
      _ = try CaseReader.read(Array(text.utf8), file: "cases.json")
      return []
    } catch {
      return ["\("\(error)".trimmingPrefix("cases.json:"))"]
    }
  }
}
