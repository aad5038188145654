import Foundation
import TestKit
import Testing

@Suite struct DependenciesTests {
  /// The names in backquotes of the column *Where*.
  private static func names() throws -> [String] {
    let text = try SourceTree.text(of: "Specs/dependencies.md")
    let table = text.components(separatedBy: "## Written by hand").last ?? ""
    return table.split(separator: "\n").filter { $0.hasPrefix("| ") }.flatMap { row in
      let cells = row.split(separator: "|")
      return cells.count < 5
        ? []
        : cells[1].split(separator: "`", omittingEmptySubsequences: false).enumerated()
          .filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }
  }

  @Test func `the files that the dependencies name exist`() throws {
    let root = SourceTree.root.appending(path: "Sources").path
    let paths = try FileManager.default.subpathsOfDirectory(atPath: root).map { "/" + $0 }
    let names = try Self.names()
    #expect(names.count > 30)

    for name in names {
      #expect(
        paths.contains { $0.hasSuffix("/" + name) },
        "Specs/dependencies.md names \(name), which is not below Sources; name where it is now")
    }
  }

  /// What `tools/prepare` installs, and what other tools take from PyPI.
  private static func packages() throws -> [String] {
    let needed = try SourceTree.text(of: "tools/prepare").split(separator: "\n")
      .filter { $0.hasPrefix("  '") || $0.hasPrefix("    '") }
      .compactMap { $0.split(separator: "'").dropFirst().first?.split(separator: ":").first }
    let required = try ["campaign", "compare"].flatMap { tool in
      try SourceTree.text(of: "tools/\(tool)/requirements.txt").split(separator: "\n")
        .compactMap { $0.split(separator: ">").first }
    }
    return (needed + required).map(String.init)
  }

  @Test func `every package that a script installs has its reason`() throws {
    let text = try SourceTree.text(of: "Specs/dependencies.md")
    let packages = try Self.packages()
    #expect(packages.contains("libjansson-dev") && packages.contains("simpy"))

    // What needs no reason.
    for name in packages where !["pkg-config", "python3"].contains(name) {
      #expect(text.contains("`\(name)`"), "Specs/dependencies.md does not name \(name)")
    }
  }
}
