public import Document
internal import Tree

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
  static func unified(_ bytes: [UInt8]) -> String? {
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
  func isSame(as other: DocumentNode) -> Bool {
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

/// JSON as people write it: what fits on one line, the rest below each other.
enum JSONLayout {
  static func lines(of json: JSON, _ indentation: Int = 0, behind head: String = "") -> [String] {
    let margin = LayoutWriter.margin(indentation)
    let line = margin + head + flow(json)
    let parts = self.parts(of: json)
    // One more for the comma behind it.
    if parts.isEmpty || (indentation > 0 && line.count + 1 <= LayoutWriter.width) { return [line] }
    let (open, close) = json.members == nil ? ("[", "]") : ("{", "}")
    var lines = [margin + head + open]
    for (index, part) in parts.enumerated() {
      var inner = self.lines(of: part.value, indentation + 2, behind: part.head)
      if index + 1 < parts.count { inner[inner.count - 1] += "," }
      lines += inner
    }
    return lines + [margin + close]
  }

  private static func parts(of json: JSON) -> [(head: String, value: JSON)] {
    if let members = json.members {
      return members.map { (JSON.string($0.name).text + ": ", $0.value) }
    }
    return (json.elements ?? []).map { ("", $0) }
  }

  private static func flow(_ json: JSON) -> String {
    switch json {
    case .null, .bool, .number, .string: return json.text
    case .array, .object:
      let texts = parts(of: json).map { $0.head + flow($0.value) }.joined(separator: ", ")
      return json.members == nil ? "[\(texts)]" : "{\(texts)}"
    }
  }
}

/// Builds the tree of a YAML text from its events, with every location.
struct LayoutParser: ~Copyable {
  private var events: YAMLEvents
  private(set) var source: LayoutSource
  private var scalars: [(start: Position, end: Position)] = []

  init(_ buffer: UnsafeBufferPointer<UInt8>) {
    events = YAMLEvents(buffer)
    source = LayoutSource(String(decoding: buffer, as: UTF8.self))
  }

  /// - Throws: at the first mistake in the syntax.
  mutating func document() throws(DocumentError) -> LayoutNode {
    _ = try events.next()
    let root = try node(try events.next())
    source.findComments(outside: scalars)
    return root
  }

  private mutating func node(_ event: YAMLEvent) throws(DocumentError) -> LayoutNode {
    switch event.kind {
    case .listStart:
      var nodes: [LayoutNode] = []
      var last = try events.next()
      while !last.isEnd {
        nodes.append(try node(last))
        last = try events.next()
      }
      return collection(.list(nodes), event, end: last.end)
    case .mappingStart:
      var entries: [LayoutNode.Entry] = []
      var last = try events.next()
      while !last.isEnd {
        let key = try node(last)
        entries.append(.init(key: key, value: try node(try events.next())))
        last = try events.next()
      }
      return collection(.mapping(entries), event, end: last.end)
    case let .scalar(scalar):
      return self.scalar(event, isBlock: scalar.isBlock)
    case .alias: return scalar(event, isBlock: false)
    case .documentStart, .collectionEnd, .streamEnd, .other:
      throw DocumentError(at: event.position, "a value was expected here")
    }
  }

  private func collection(
    _ content: LayoutNode.Content, _ event: YAMLEvent, end: Position
  ) -> LayoutNode {
    LayoutNode(
      content: content, isFlow: event.isFlow, anchor: event.anchor.map { "&" + $0 },
      start: event.position, end: end)
  }

  private mutating func scalar(_ event: YAMLEvent, isBlock: Bool) -> LayoutNode {
    if event.position < event.end { scalars.append((event.position, event.end)) }
    return LayoutNode(
      content: .scalar(source.lines(from: event.position, to: event.end), isBlock: isBlock),
      start: event.position, end: event.end)
  }
}

extension YAMLEvent {
  fileprivate var isEnd: Bool {
    switch kind {
    case .collectionEnd, .streamEnd: true
    default: false
    }
  }
}
