/// The one layout of YAML and JSON texts.
///
/// What a text means never changes: the result is read again and compared, and comments are counted.
public enum DocumentLayout {
  /// What came of a text.
  public enum Outcome: Sendable {
    /// The text as it should be laid out, which may be as it was.
    case text(String)
    /// It cannot be read.
    case problems([DocumentError])
    /// It cannot be laid out without a change to what it means. The text should stay as it is.
    case refused
  }

  /// Lays out the one document of a YAML text.
  public static func yaml(_ bytes: [UInt8]) -> Outcome {
    let before = DocumentReader.readYAML(bytes)
    guard before.problems.isEmpty, let root = before.root else {
      return .problems(before.problems)
    }
    guard let source = unified(bytes), let (text, comments) = laidOut(source) else {
      return .refused
    }
    let after = DocumentReader.readYAML(Array(text.utf8))
    guard after.problems.isEmpty, let again = after.root, again.isSame(as: root),
      let (_, kept) = laidOut(text), kept == comments
    else { return .refused }
    return .text(text)
  }

  /// Lays out a JSON text.
  public static func json(_ bytes: [UInt8]) -> Outcome {
    let before = DocumentReader.readJSON(bytes)
    guard before.problems.isEmpty, let root = before.root else {
      return .problems(before.problems)
    }
    let text = JSONLayout.lines(of: root.json).joined(separator: "\n") + "\n"
    guard let again = DocumentReader.readJSON(Array(text.utf8)).root, again.isSame(as: root) else {
      return .refused
    }
    return .text(text)
  }

  /// The text with line feeds only; `nil` where other breaks are in it.
  private static func unified(_ bytes: [UInt8]) -> String? {
    var text = String.UnicodeScalarView()
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      if scalar == "\n", text.last == "\r" { text.removeLast() }
      text.append(scalar)
    }
    if text.first == "\u{FEFF}" { text.removeFirst() }
    let breaks: [Unicode.Scalar] = ["\r", "\u{85}", "\u{2028}", "\u{2029}"]
    return text.contains(where: breaks.contains) ? nil : String(text)
  }

  /// The text in its layout, and the comments in it, sorted.
  private static func laidOut(_ text: String) -> (text: String, comments: [String])? {
    Array(text.utf8).withUnsafeBufferPointer { buffer in
      var parser = LayoutParser(buffer)
      guard let root = try? parser.document() else { return nil }
      var writer = LayoutWriter(parser.source)
      return (writer.text(of: root), parser.source.comments.map(\.text).sorted())
    }
  }
}

extension DocumentNode {
  /// Whether both mean the same: the same values in the same order, numbers to the bit.
  fileprivate func isSame(as other: DocumentNode) -> Bool {
    switch (content, other.content) {
    case (.null, .null): true
    case let (.bool(a), .bool(b)): a == b
    case let (.number(a), .number(b)): a.bitPattern == b.bitPattern
    case let (.string(a), .string(b)): a.utf8.elementsEqual(b.utf8)
    case let (.list(a), .list(b)): a.count == b.count && zip(a, b).allSatisfy { $0.isSame(as: $1) }
    case let (.mapping(a), .mapping(b)):
      a.count == b.count
        && zip(a, b).allSatisfy {
          $0.key.utf8.elementsEqual($1.key.utf8) && $0.value.isSame(as: $1.value)
        }
    default: false
    }
  }
}
