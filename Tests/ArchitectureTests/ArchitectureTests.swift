import Foundation
import Rules
import Testing

@Suite struct ArchitectureTests {
  @Test(arguments: ["Sources", "Tests"])
  func `files and functions fit a screen or a few`(directory: String) throws {
    for source in try SourceTree.swiftFiles(below: directory) {
      #expect(Tidy.length(of: source) == [])
      #expect(Tidy.functionLengths(in: source) == [])
    }
  }

  @Test func `nothing that is banned is used`() throws {
    for source in try SourceTree.swiftFiles(below: "Sources") {
      #expect(Tidy.bannedCode(in: source) == [])
    }
  }

  @Test func `modules import only what lies below them`() throws {
    for source in try SourceTree.swiftFiles(below: "Sources") {
      let module = source.file.split(separator: "/")[1]
      #expect(Tidy.imports(in: source, module: String(module)) == [])
    }
  }

  @Test func `the arrows of the table of modules lead one way`() {
    var known = [
      "CArgp", "CJansson", "CNettle", "CScheduling", "CWebsockets", "CYAML", "Glibc",
      "Synchronization",
    ]
    for (name, imports) in Modules.table {
      #expect(imports.filter { !known.contains($0) } == [], "\(name) imports a module below it")
      known.append(name)
    }
  }

  @Test func `the top level stays small`() throws {
    #expect(Tidy.topLevel(try SourceTree.entries(of: ".")) == [])
  }

  @Test func `the specification has no malformed rules`() throws {
    let files = try SourceTree.entries(of: "Specs").filter { $0.hasSuffix(".md") }.map {
      (name: "Specs/" + $0, text: try SourceTree.text(of: "Specs/" + $0))
    }
    let book = RuleBook(files: files)

    #expect(book.problems.map(\.description) == [])
    #expect(Set(book.rules.map(\.id)).count == book.rules.count)
  }

  @Test func `the map in the README names the modules in the order of the table`() throws {
    let readme = try SourceTree.text(of: "README.md")
    let modules = Modules.table.map(\.name)

    #expect(Tidy.mapRows(in: readme).filter { !Tidy.isSystemLibrary($0) } == modules)
  }

  @Test func `every rule that the code cites exists`() throws {
    let files = try SourceTree.entries(of: "Specs").filter { $0.hasSuffix(".md") }.map {
      (name: "Specs/" + $0, text: try SourceTree.text(of: "Specs/" + $0))
    }
    let book = RuleBook(files: files)
    for source in try SourceTree.swiftFiles(below: "Sources") {
      let unknown = Tidy.citedRules(in: source).filter { id in
        RuleID(id).map { book[$0] == nil } ?? true
      }
      #expect(unknown == [], "\(source.file) cites rules that Specs does not have")
    }
  }
}
