import TestKit

extension SourceTree {
  /// All Swift files below `Sources` or `Tests`, in order, named relative to the tree. They are read
  /// once for all tests.
  static func swiftFiles(below directory: String) throws -> [SourceText] {
    try (directory == "Sources" ? sources : tests).get()
  }

  private static let sources = Result { try readSwiftFiles(below: "Sources") }
  private static let tests = Result { try readSwiftFiles(below: "Tests") }

  private static func readSwiftFiles(below directory: String) throws -> [SourceText] {
    try files(below: directory, ending: ["swift"]).map {
      SourceText(file: $0, text: try text(of: $0))
    }
  }
}
