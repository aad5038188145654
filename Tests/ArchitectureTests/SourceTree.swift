import Foundation

/// The files of this very source tree.
enum SourceTree {
  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// All Swift files below `Sources` or `Tests`, in order, named relative to the tree. They are read
  /// once for all tests.
  static func swiftFiles(below directory: String) throws -> [SourceText] {
    try (directory == "Sources" ? sources : tests).get()
  }

  private static let sources = Result { try readSwiftFiles(below: "Sources") }
  private static let tests = Result { try readSwiftFiles(below: "Tests") }

  private static func readSwiftFiles(below directory: String) throws -> [SourceText] {
    let base = root.appending(path: directory).path
    let names = try FileManager.default.subpathsOfDirectory(atPath: base)
    return try names.sorted().filter { $0.hasSuffix(".swift") }.map { name in
      let file = directory + "/" + name
      return SourceText(file: file, text: try text(of: file))
    }
  }

  /// The files below a directory with one of these endings, in order, named relative to the tree.
  static func files(below directory: String, ending endings: [String]) throws -> [String] {
    let base = root.appending(path: directory).path
    let names = try FileManager.default.subpathsOfDirectory(atPath: base)
    return names.sorted().filter { name in endings.contains { name.hasSuffix("." + $0) } }
      .map { directory + "/" + $0 }
  }

  static func entries(of directory: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: root.appending(path: directory).path)
      .sorted()
  }

  static func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: root.appending(path: path).path)
  }

  static func text(of file: String) throws -> String {
    try String(contentsOf: root.appending(path: file), encoding: .utf8)
  }
}
