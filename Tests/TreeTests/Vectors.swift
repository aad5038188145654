import Document
import Foundation
import Tree

/// What the Firebase JavaScript SDK 12.18 answered to chosen inputs.
enum Vectors {
  static func read(_ name: String) throws -> JSON {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Vectors/firebase-js.json")
    let json = try JSON(parsing: Array(try Data(contentsOf: file)))
    return json[name] ?? .null
  }
}
