import TestKit
import Testing

/// The list of the documents' code examples and the scenarios that run them.
@Suite struct ExamplesTests {
  /// Of each row the ids in its last column.
  private static func rows(of text: String) -> [[String]] {
    text.split(separator: "\n").filter { $0.first == "|" }.dropFirst(2).map { row in
      row.split(separator: "|")[2].split(separator: "`").map(String.init)
        .filter { $0.contains("/") }
    }
  }

  @Test func `each of the 58 examples has scenarios, and all of them exist`() throws {
    let rows = Self.rows(of: try SourceTree.text(of: "Specs/examples.md"))

    #expect(rows.count == 58)
    for ids in rows {
      #expect(!ids.isEmpty)
      for id in ids { #expect(SourceTree.exists("Scenarios/\(id).yaml"), "\(id)") }
    }
  }

  @Test func `a row without a scenario is noticed`() {
    #expect(Self.rows(of: "| a | b | c |\n|---|---|---|\n| x | y | |\n") == [[]])
  }
}
