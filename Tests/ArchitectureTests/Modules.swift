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
  /// The rows of tests: `test("WireTests", "Tree Wire")`, in the group `Tests`.
  let tests: [Module]

  init(manifest: String) {
    table = Self.rows(of: "module", in: manifest)
    tests = Self.rows(of: "test", in: manifest)
  }

  private static func rows(of word: String, in manifest: String) -> [Module] {
    manifest.components(separatedBy: "\n  \(word)(").dropFirst().compactMap { row in
      let end = row.range(of: "),\n")?.lowerBound ?? row.endIndex
      let quoted = row[..<end].split(separator: "\"", omittingEmptySubsequences: false)
      guard quoted.count > 1 else { return nil }
      let folder = quoted[1].split(separator: "/").map(String.init)
      let group = folder.count == 2 ? folder[0] : word == "test" ? "Tests" : ""
      guard let name = folder.last, !group.isEmpty else { return nil }
      return Module(group: group, name: name, imports: imports(in: quoted))
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

  /// The modules and groups that may use the system's own libraries: `Document` for numbers as text,
  /// `Hosting` for threads that it has to hold, the SDK for its callers' threads and for the texts of its
  /// errors, `8-Hosts` and `9-Programs` for all the rest.
  static let system = [
    "Document": ["Glibc"], "Hosting": ["Glibc", "Synchronization"],
    "ClientEngine": ["Dispatch", "FoundationEssentials", "Glibc", "Synchronization"],
    "ClientMachine": ["Dispatch", "Glibc", "Synchronization"],
    "HostedSDKs": ["Dispatch", "Glibc", "Synchronization"], "Wilddog": ["Dispatch"],
    "WilddogSync": ["Dispatch"],
    "8-Hosts": ["Glibc"], "ServerHost": ["Dispatch", "Glibc", "Synchronization"],
    "AdapterSessions": ["Dispatch", "Glibc"], "KennelTesting": ["Testing"],
    "WilddogTesting": ["Glibc", "Synchronization", "Testing"],
    "Benchmarks": ["Dispatch", "Glibc", "Synchronization"],
    "9-Programs": ["Dispatch", "Glibc"],
  ]
}
