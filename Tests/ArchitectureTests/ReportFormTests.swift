import TestKit
import Testing

@Suite struct ReportFormTests {
  /// A new form of report is a file that writes it, and a case of the options.
  @Test(arguments: ["JUnitReport", "MarkdownReport"])
  func `a form of report is a file of its own and a case of the options`(writer: String) throws {
    let files = try SourceTree.files(below: "Sources", ending: ["swift"])
    let users = try files.filter { file in
      let text = try SourceTree.text(of: file)
      return !file.hasPrefix("Sources/7-Presentation/Reports/") && text.contains(writer)
        && text.split { !$0.isLetter }.contains { $0 == writer }
    }

    #expect(files.contains { $0.hasSuffix("/\(writer).swift") })
    #expect(users == ["Sources/9-Programs/Runs/ReportFiles.swift"])
  }
}
