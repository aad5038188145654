import Document
import Scenario
import TestKit
import Testing

@Suite struct ArchitectureTests {
  @Test(arguments: ["Sources", "Tests"])
  func `files and functions fit a screen or a few`(directory: String) throws {
    for source in try SourceTree.swiftFiles(below: directory) {
      #expect(Tidy.length(of: source) == [])
      #expect(Tidy.functionLengths(in: source) == [])
    }
  }

  @Test func `every public declaration is documented`() throws {
    for source in try SourceTree.swiftFiles(below: "Sources") {
      #expect(Tidy.undocumented(in: source) == [])
    }
  }

  @Test func `nothing that is banned is used`() throws {
    for source in try SourceTree.swiftFiles(below: "Sources") {
      #expect(Tidy.bannedCode(in: source) == [])
      #expect(Tidy.unexplained(in: source) == [])
    }
  }

  @Test func `modules import only what lies below them`() throws {
    let modules = try Modules.ofThisPackage()
    for source in try SourceTree.swiftFiles(below: "Sources") {
      let folders = source.file.split(separator: "/")
      #expect(Tidy.imports(in: source, module: String(folders[2]), of: modules) == [])
      #expect(modules[String(folders[2])]?.group == String(folders[1]))
    }
  }

  @Test func `what Package.swift declares is imported`() throws {
    let modules = try Modules.ofThisPackage()
    for module in modules.table + modules.tests {
      let root = module.group == "Tests" ? "Tests" : "Sources"
      let folder =
        root == "Tests" ? "Tests/\(module.name)/" : "Sources/\(module.group)/\(module.name)/"
      let sources = try SourceTree.swiftFiles(below: root).filter { $0.file.hasPrefix(folder) }
      #expect(Tidy.unused(of: module, in: sources) == [])
    }
  }

  @Test func `the executable is thin and no module is too large`() throws {
    let sources = try SourceTree.swiftFiles(below: "Sources")
    for module in try Modules.ofThisPackage().table {
      let folder = "Sources/\(module.group)/\(module.name)/"
      let lines = sources.filter { $0.file.hasPrefix(folder) }.reduce(0) { $0 + $1.lines.count - 1 }
      #expect(Tidy.size(of: module, lines: lines) == [])
    }
  }

  @Test func `the table of modules is in dependency order`() throws {
    var known = try SourceTree.entries(of: "Sources/0-CLibraries")
    var group = ""
    for module in try Modules.ofThisPackage().table {
      let unknown = module.imports.filter { !known.contains($0) }
      #expect(unknown == [], "\(module.name) imports a module below it")
      #expect(module.group >= group, "\(module.name) is listed after a later group")
      known.append(module.name)
      group = module.group
    }
    #expect(known.count > 30)
  }

  @Test func `the top level stays small`() throws {
    #expect(Tidy.topLevel(try SourceTree.entries(of: ".")) == [])
  }

  @Test func `the specification has no malformed rules`() throws {
    let book = try Kit.projectRules()

    #expect(book.problems.map(\.description) == [])
    #expect(Set(book.rules.map(\.id)).count == book.rules.count)
  }

  @Test func `every rule that the code cites exists`() throws {
    let book = try Kit.projectRules()
    for source in try SourceTree.swiftFiles(below: "Sources") {
      let unknown = Tidy.citedRules(in: source).filter { id in
        RuleID(id).map { book[$0] == nil } ?? true
      }
      #expect(unknown == [], "\(source.file) cites rules that Specs does not have")
    }
  }
}
