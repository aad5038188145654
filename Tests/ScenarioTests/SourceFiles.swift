import Foundation
import Scenario

/// The scenarios and specifications of this source tree.
enum SourceFiles {
  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  static func bytes(of file: String) -> [UInt8]? {
    (try? Data(contentsOf: root.appending(path: file))).map { Array($0) }
  }

  static func names(below directory: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: directory).path)
      .sorted().map { directory + "/" + $0 }
  }

  static func scenarios() throws -> [String] {
    try names(below: "Scenarios").filter { $0.hasSuffix(".yaml") || $0.hasSuffix(".json") }
  }

  static func rules() throws -> RuleBook {
    RuleBook(
      files: try names(below: "Specs").filter { $0.hasSuffix(".md") }.map {
        (name: $0, text: try String(contentsOf: root.appending(path: $0), encoding: .utf8))
      })
  }
}
