package import Foundation

/// The files of this very source tree.
package enum SourceTree {
  /// The top of the tree.
  package static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The files below a directory with one of these endings, in order, named relative to the tree.
  package static func files(below directory: String, ending endings: [String]) throws -> [String] {
    let base = root.appending(path: directory).path
    let names = try FileManager.default.subpathsOfDirectory(atPath: base)
    return names.sorted().filter { name in endings.contains { name.hasSuffix("." + $0) } }
      .map { directory + "/" + $0 }
  }

  /// The names in a directory, in order.
  package static func entries(of directory: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: root.appending(path: directory).path)
      .sorted()
  }

  /// Whether there is such a file or directory.
  package static func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: root.appending(path: path).path)
  }

  /// The text of a file.
  package static func text(of file: String) throws -> String {
    try String(contentsOf: root.appending(path: file), encoding: .utf8)
  }

  /// The contents of a file, if there is one; absolute paths lead to where they lead.
  package static func bytes(of file: String) -> [UInt8]? {
    let url = file.hasPrefix("/") ? URL(filePath: file) : root.appending(path: file)
    return (try? Data(contentsOf: url)).map { Array($0) }
  }

  /// Writes a text into the tree, which only an update of expected texts does.
  package static func write(_ text: String, to file: String) throws {
    try text.write(to: root.appending(path: file), atomically: true, encoding: .utf8)
  }

  /// Whether expected texts are to be written instead of compared: `tools/test --rewrite`.
  package static let isRewriting =
    ProcessInfo.processInfo.environment["KENNEL_REWRITE"] != nil
}
