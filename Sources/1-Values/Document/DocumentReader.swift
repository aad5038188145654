/// What a text turned out to hold, and everything that is wrong with it.
///
/// With problems, `root` is what could be made out nevertheless, so that further checks can add
/// their own findings; it must not be used for anything else. It is `nil` when reading had to stop.
public struct ReadDocument: Sendable {
  /// What could be read, or `nil` when the last of the problems stopped the reader.
  public var root: DocumentNode?
  /// The mistakes that were found, in the order in which the reader noticed them.
  public var problems: [DocumentError]
}

/// Reads texts into values that know where they were written: JSON here, and YAML by the module `YAML`.
///
/// No input whatever makes a reader fail in another way than by problems. Both share these limits:
/// 64 MiB of UTF-8 (a byte order mark is skipped), collections nested 64 deep, finite numbers only,
/// and no key twice in a mapping.
public enum DocumentReader {
  /// How large a text may be, in bytes.
  public static let maxBytes = 64 << 20

  /// Reads a JSON text.
  ///
  /// Any value may be the root. Integers of any size become the nearest double.
  ///
  /// - Returns: the value, and all problems up to the first mistake in the syntax itself.
  public static func readJSON(_ bytes: [UInt8]) -> ReadDocument {
    read(bytes) { (text, problems) throws(DocumentError) in
      var scanner = JSONScanner(text)
      defer { problems = scanner.problems }
      return try scanner.document()
    }
  }

  /// Does what both formats have in common: the checks of the bytes, and the collection of problems.
  package static func read(
    _ bytes: [UInt8],
    with reader: (UnsafeBufferPointer<UInt8>, inout [DocumentError]) throws(DocumentError) ->
      DocumentNode
  ) -> ReadDocument {
    bytes.withUnsafeBufferPointer { buffer in
      var problems: [DocumentError] = []
      do throws(DocumentError) {
        let root = try reader(try Limits.checkedText(in: buffer), &problems)
        return ReadDocument(root: root, problems: problems)
      } catch {
        return ReadDocument(root: nil, problems: problems + [error])
      }
    }
  }
}
