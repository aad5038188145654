import Foundation
import TestKit
import Testing

/// Whether what the guides and the READMEs of the groups say of the tree is true.
@Suite struct GuideTests {
  /// The paths in code spans: words with a slash that begin with a folder of the top level.
  private static func paths(in text: String) -> [String] {
    text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 1 }.map { String($0.element) }
      .filter { word in
        ["Sources/", "Tests/", "Specs/", "Scenarios/", "tools/"].contains(where: word.hasPrefix)
          && !word.contains(" ")
      }
  }

  @Test func `the changelog begins with the version of the kit`() throws {
    let source = try SourceTree.text(of: "Sources/8-Hosts/System/KitVersion.swift")
    let version = try #require(source.firstMatch(of: #/"(\d+\.\d+\.\d+)"/#)?.1)
    let changelog = try SourceTree.text(of: "Specs/guides/changelog.md")

    #expect(changelog.firstMatch(of: #/\n## (\S+), /#)?.1 == version)
  }

  @Test func `the paths in the contributing guide exist`() throws {
    let paths = Self.paths(in: try SourceTree.text(of: "Specs/guides/contributing.md"))

    #expect(paths.count > 25)
    for path in paths {
      #expect(SourceTree.exists(path), "Specs/guides/contributing.md names \(path)")
    }
  }

  @Test func `every link between the pages of the specification leads to a file`() throws {
    let pages = try SourceTree.files(below: "Specs", ending: ["md"]) + ["README.md"]

    #expect(pages.count > 50)
    for page in pages where !page.hasPrefix("Specs/event-order/") {
      let folder = page.split(separator: "/").dropLast()
      for part in try SourceTree.text(of: page).components(separatedBy: "](").dropFirst() {
        let target = part.prefix { $0 != ")" && $0 != "#" }
        if target.isEmpty || target.contains(":") || target.contains(" ") { continue }
        var path = Array(folder)
        for name in target.split(separator: "/") {
          if name == ".." { _ = path.popLast() } else { path.append(name) }
        }
        #expect(SourceTree.exists(path.joined(separator: "/")), "\(page) links to \(target)")
      }
    }
  }

  @Test func `paths are found in code spans only`() {
    #expect(
      Self.paths(in: "Sources/A `Sources/B` `x` `tools/test it` `tools/c`") == [
        "Sources/B", "tools/c",
      ])
  }

  @Test func `each group of modules has a README that names its modules in order`() throws {
    let table = try Modules.ofThisPackage().table
    for group in Set(table.map(\.group)).sorted() {
      let readme = try SourceTree.text(of: "Sources/\(group)/README.md")
      let names = table.filter { $0.group == group }.map(\.name)

      #expect(Tidy.mapRows(in: readme) == names, "Sources/\(group)/README.md")
      #expect(
        readme.split(separator: "\n", omittingEmptySubsequences: false).count <= 31, "\(group)")
    }
  }
}
