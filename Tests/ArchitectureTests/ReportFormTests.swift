import TestKit
import Testing

@Suite struct ReportFormTests {
  /// A new form of report is a file that writes it, and a case of the options.
  @Test(arguments: ["JUnitReport"])
  func `a form of report is a file of its own and a case of the options`(writer: String) throws {
    let users = try SourceTree.files(below: "Sources", ending: ["swift"]).filter { file in
      let text = try SourceTree.text(of: file)
      return text.contains(writer) && text.split { !$0.isLetter }.contains { $0 == writer }
    }

    #expect(users.count == 2, "\(users)")
    #expect(users.contains { $0.hasSuffix("/\(writer).swift") })
    #expect(users.contains { $0.hasSuffix("/ReportFiles.swift") })
  }
}
