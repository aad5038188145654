import Document
package import Tree

extension Kit {
  /// What the Firebase JavaScript SDK 12.18 answered to chosen inputs, by topic.
  package static var vectors: JSON {
    get throws {
      try JSON(parsing: SourceTree.text(of: "Tests/TreeTests/Vectors/firebase-js.json"))
    }
  }
}
