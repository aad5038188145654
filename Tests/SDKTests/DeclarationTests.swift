import Foundation
import TestKit
import Testing

@Suite struct DeclarationTests {
  private static func page() throws -> DeclarationPage {
    DeclarationPage(try SourceTree.text(of: "Specs/sdk.md"))
  }

  @Test(arguments: ["Wilddog", "WilddogSync"])
  func `the page has what is declared, and nothing else is`(module: String) throws {
    let symbols = try DeclaredSymbol.all(of: module)

    #expect(symbols.count > 60)
    #expect(try Self.page().complaints(about: module, declaring: symbols) == [])
    #expect(symbols.filter { !$0.isDocumented } == [])
  }

  @Test func `every printed signature has a row`() throws {
    let page = try Self.page()

    #expect(page.printedSignatures == 187)
  }

  @Test(arguments: ["000", "003"])
  func `the headings are those of the documents, in their order`(document: String) throws {
    let sources = try SourceTree.text(of: "Specs/sources.md")
    let section = sources.components(separatedBy: "## \(document) ")[1]
      .components(separatedBy: "\n## ")[0]
    let headings = section.components(separatedBy: "\n").filter { $0.hasPrefix("| ") }
      .map { String($0.dropFirst(2).components(separatedBy: " | ")[0]) }
    let listed = try Self.page().rows.filter { $0.document == document }.map(\.heading)

    #expect(listed.filter { !headings.contains($0) } == [])
    #expect(headings.filter { headings.contains($0) && listed.contains($0) } == listed)
  }

  @Test func `what differs is reported in both directions`() {
    let page = DeclarationPage(
      """
      ## 000, module `A`

      | class | printed | declared in | declaration |
      |---|---|---|---|
      | `C` | `– f` | `C` | `func f()` |
      | `C` | `– g:` | `C` | `func g(_ a: Int)` |
      """)
    let symbols = [
      DeclaredSymbol(path: "C.f()", declaration: "func f()"),
      DeclaredSymbol(path: "C.g(_:)", declaration: "func g(_ a: Double)"),
      DeclaredSymbol(path: "C.h()", declaration: "func h()", isAddition: true),
    ]

    #expect(
      page.complaints(about: "A", declaring: symbols) == [
        "A has no func g(_ a: Int) in C", "Specs/sdk.md does not have A.C.g(_:)",
      ])
  }
}
