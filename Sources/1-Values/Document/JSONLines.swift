package import Tree

/// Files with a JSON value in each line, the first of which says what the file is.
package enum JSONLines {
  /// The value in the first line of a text, where that is one.
  package static func header(of text: String) -> JSON? {
    try? JSON(parsing: Array(firstLine(of: text)))
  }

  /// Whether the first line has a member of this name. A line that begins with it has, even if it is
  /// cut off or has a mistake further on.
  package static func header(of text: String, has name: String) -> Bool {
    firstLine(of: text).starts(with: "{\"\(name)\":".utf8) || header(of: text)?[name] != nil
  }

  /// The value in one line of a file.
  ///
  /// A line that cannot be read is read again with what stands above it left empty, so that the
  /// message names positions in the file.
  ///
  /// - Parameters:
  ///   - line: The bytes of the line, without its end.
  ///   - number: Which line it is, from 1.
  ///   - file: The name that errors give to the file.
  /// - Returns: It.
  /// - Throws: `SourceError` with the first mistake, at this line.
  package static func value(
    of line: ArraySlice<UInt8>, number: Int, in file: String
  ) throws(SourceError) -> JSON {
    if let json = try? JSON(parsing: Array(line)) { return json }
    let above = [UInt8](repeating: UInt8(ascii: "\n"), count: number - 1)
    do throws(DocumentError) {
      return try JSON(parsing: above + line)
    } catch {
      let column = error.position.line == number ? error.position.column : 1
      throw SourceError(
        FileLocation(file: file, line: number, column: column), error.message)
    }
  }

  /// The column of a value in a line that can be read, or of the last of these keys that it has.
  ///
  /// - Parameters:
  ///   - keys: The names that lead to the value, from the outside.
  ///   - line: The bytes of the line.
  /// - Returns: It, from 1.
  package static func column(of keys: [String], in line: some Sequence<UInt8>) -> Int {
    // Read again, for the locations that values do not have.
    guard !keys.isEmpty, var node = DocumentReader.readJSON(Array(line)).root else { return 1 }
    for key in keys {
      guard let next = node[key] else { break }
      node = next
    }
    return node.position.column
  }

  private static func firstLine(of text: String) -> String.UTF8View.SubSequence {
    text.utf8.prefix { $0 != UInt8(ascii: "\n") }
  }
}
