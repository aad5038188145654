import Foundation
import TestKit

/// The table of modules, read from Package.swift.
struct Modules {
  /// A row of the table: `module("1-Values/Document", "CJansson CYAML Tree")`.
  struct Module: Equatable {
    var group: String
    var name: String
    var imports: [String]
  }

  let table: [Module]

  init(manifest: String) {
    table = manifest.components(separatedBy: "\n  module(").dropFirst().compactMap { row in
      let end = row.range(of: "),\n")?.lowerBound ?? row.endIndex
      let quoted = row[..<end].split(separator: "\"", omittingEmptySubsequences: false)
      let folder = quoted.count > 1 ? quoted[1].split(separator: "/").map(String.init) : []
      guard folder.count == 2 else { return nil }
      return Module(group: folder[0], name: folder[1], imports: Self.imports(in: quoted))
    }
  }

  /// The words of the second literal and of those joined to it by `+`.
  private static func imports(in quoted: [Substring]) -> [String] {
    var words: [String] = []
    for index in stride(from: 3, to: quoted.count, by: 2) {
      if index > 3, quoted[index - 1].contains(",") { break }
      words += quoted[index].split(separator: " ").map(String.init)
    }
    return words
  }

  static func ofThisPackage() throws -> Modules {
    Modules(manifest: try SourceTree.text(of: "Package.swift"))
  }

  subscript(name: String) -> Module? { table.first { $0.name == name } }

  /// The modules and groups that may use the system's own libraries: `Tree` for powers of numbers,
  /// `Document` for numbers as text, `Hosting` for threads that it has to hold, `8-Hosts` and
  /// `9-CommandLine` for all the rest.
  static let system = [
    "Tree": ["Glibc"], "Document": ["Glibc"], "Hosting": ["Glibc", "Synchronization"],
    "3-SDK": ["Dispatch", "Glibc", "Synchronization"],
    "8-Hosts": ["Glibc"], "ServerHost": ["Dispatch", "Glibc", "Synchronization"],
    "AdapterSessions": ["Dispatch", "Glibc"],
    "Chat": ["Dispatch", "Glibc"], "KennelTesting": ["Testing"],
    "Benchmarks": ["Dispatch", "Glibc", "Synchronization"],
    "9-CommandLine": ["Dispatch", "Glibc"],
  ]
}
