import Foundation

/// The files of this very source tree.
enum SourceTree {
  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// All Swift files below a directory of the tree, in order, named relative to the tree.
  static func swiftFiles(below directory: String) throws -> [SourceText] {
    let base = root.appending(path: directory).path
    let names = try FileManager.default.subpathsOfDirectory(atPath: base)
    return try names.sorted().filter { $0.hasSuffix(".swift") }.map { name in
      let file = directory + "/" + name
      return SourceText(file: file, text: try text(of: file))
    }
  }

  static func entries(of directory: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: root.appending(path: directory).path)
      .sorted()
  }

  static func text(of file: String) throws -> String {
    try String(contentsOf: root.appending(path: file), encoding: .utf8)
  }
}
