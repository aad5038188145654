public import Document

extension DocumentReader {
  /// Reads the one document of a YAML stream.
  ///
  /// Plain scalars follow the core schema of YAML 1.2, so `no`, `on` and `1_000` are strings.
  /// A key that is a number or a truth value becomes its text. Anchors and aliases work as long as
  /// aliases do not blow up the document to more than 100,000 further values; tags other than `!!str`,
  /// merge keys and further documents are problems.
  ///
  /// - Returns: the value, and all problems up to the first mistake in the syntax itself.
  public static func readYAML(_ bytes: [UInt8]) -> ReadDocument {
    read(bytes) { (text, problems) throws(DocumentError) in
      var composer = YAMLComposer(text)
      defer { problems = composer.problems }
      return try composer.document()
    }
  }
}
