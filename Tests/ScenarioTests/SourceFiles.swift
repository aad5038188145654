import Foundation

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

  static func ruleIDs() throws -> Set<String> {
    var ids: Set<String> = []
    for file in try names(below: "Specs") where file.hasSuffix(".md") {
      let text = try String(contentsOf: root.appending(path: file), encoding: .utf8)
      for line in text.split(separator: "\n") where line.hasPrefix("## ") {
        if let id = line.split(separator: " ").dropFirst().first { ids.insert(String(id)) }
      }
    }
    return ids
  }
}
