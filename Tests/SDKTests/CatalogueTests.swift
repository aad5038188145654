import Foundation
import TestKit
import Testing

/// The pages of the documentation of both editions: every code block compiles, as a program of another
/// package, in both modes of the language.
@Suite struct CatalogueTests {
  static let folder = "Sources/3-Implementations"
  static let guides = ["Errors", "Offline", "Presence", "Start", "Testing", "Transactions"]

  static func pages(of module: String) throws -> [String] {
    try SourceTree.entries(of: "\(folder)/\(module)/\(module).docc").sorted()
  }

  @Test(arguments: ["Wilddog", "WilddogSync"], [5, 6])
  func `every code block of the pages compiles`(module: String, mode: Int) throws {
    var files: [String: String] = [:]
    for page in try Self.pages(of: module) {
      let blocks = CodeBlocks(
        try SourceTree.text(of: "\(Self.folder)/\(module)/\(module).docc/\(page)"))
      if !blocks.isEmpty {
        files[page.replacing(".md", with: ".swift")] = blocks.program(importing: module)
      }
    }

    #expect(Set(Self.guides).subtracting(files.keys.map { $0.replacing(".swift", with: "") }) == [])
    #expect(try ProgramCompiler(mode: mode).complaints(about: files) == [])
  }

  @Test func `a block that does not compile is noticed with its page and line`() throws {
    let blocks = CodeBlocks("# A\n\n```swift\nlet a = 1\n```\n\n```swift\nprint(a, b)\n```\n")
    let complaints = try ProgramCompiler(mode: 6).complaints(
      about: ["A.swift": blocks.program(importing: "WilddogSync")])

    #expect(complaints == ["A.swift:8: error: cannot find 'b' in scope"])
  }

  @Test(arguments: ["Wilddog", "WilddogSync"])
  func `every member of a class that has groups is in one of them`(module: String) throws {
    let symbols = try DeclaredSymbol.all(of: module).map { $0.path.components(separatedBy: ".") }
    var ungrouped: [String] = []
    for page in try Self.pages(of: module) {
      let text = try SourceTree.text(of: "\(Self.folder)/\(module)/\(module).docc/\(page)")
      let title = text.prefix { $0 != "\n" }
      guard let name = title.firstMatch(of: /# ``\w+\/(\w+)``/)?.output.1 else { continue }
      ungrouped += symbols.filter { $0.count == 2 && $0[0] == name }.map { $0[1] }
        .filter { !text.contains("\n- ``\($0)``\n") }
    }

    #expect(ungrouped == [])
  }

  @Test(arguments: [
    ("README.md", "WilddogSync"),
    ("\(folder)/WilddogSync/WilddogSync.docc/Start.md", "WilddogSync"),
    ("\(folder)/Wilddog/Wilddog.docc/Start.md", "Wilddog"),
  ])
  func `the manifest to copy is that of the example application`(
    page: String, product: String
  ) throws {
    let manifest = try SourceTree.text(of: "Tests/ExampleApplication/Package.swift")
    let copied = CodeBlocks.all(in: try SourceTree.text(of: page))
      .map { $0.lines.joined(separator: "\n") }.filter { $0.hasPrefix("// swift-tools-version") }

    #expect(
      copied == [
        manifest.trimmingCharacters(in: .newlines).replacing("\n\nimport", with: "\nimport")
          .replacing("../..", with: "../kennel").replacing("WilddogSync", with: product)
      ])
  }
}

/// The blocks of Swift in a page, in order; later ones use what earlier ones have.
struct CodeBlocks {
  var blocks: [(start: Int, lines: [String])]
  var isEmpty: Bool { blocks.isEmpty }

  /// Those of a page that are no manifest.
  init(_ text: String) {
    blocks = Self.all(in: text).filter { $0.lines.first?.hasPrefix("// swift-tools") != true }
  }

  /// All of them, with the number of their first line.
  static func all(in text: String) -> [(start: Int, lines: [String])] {
    var found: [(start: Int, lines: [String])] = []
    var isOpen = false
    for (index, line) in text.components(separatedBy: "\n").enumerated() {
      if isOpen, line == "```" {
        isOpen = false
      } else if isOpen {
        found[found.count - 1].lines.append(line)
      } else if line == "```swift" {
        isOpen = true
        found.append((index + 2, []))
      }
    }
    return found
  }

  /// A program of one function, in which each line has the number that it has in the page.
  func program(importing module: String) -> String {
    var lines = ["import Dispatch; import \(module); private func guide() async throws {"]
    for block in blocks {
      lines += Array(repeating: "", count: block.start - 1 - lines.count)
      lines += block.lines.map { $0.hasPrefix("import ") ? "" : $0 }
    }
    return (lines + ["}"]).joined(separator: "\n")
  }
}
