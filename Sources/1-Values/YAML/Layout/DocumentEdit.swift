public import Document
internal import Tree

/// A change of one part of a YAML text; everything else stays as it stands.
public enum DocumentEdit: Sendable {
  /// The mapping that is the value of the key at a position gets these members, each with its value on
  /// one line: those that it has and that mean the same stay as they are written, the others are
  /// replaced, added or removed.
  case mapping(keyAt: Position, members: [(key: String, value: String)])
  /// The list that is the value of this key of the document has one more element, on one line.
  case element(ofList: String, String)
}

extension DocumentLayout {
  /// Changes parts of a YAML text, and lays it out. No comment is lost.
  ///
  /// - Returns: The text; `refused` where a part is not there.
  public static func yaml(_ bytes: [UInt8], _ edits: [DocumentEdit]) -> Outcome {
    let before = DocumentReader.readYAML(bytes)
    guard before.problems.isEmpty else { return .problems(before.problems) }
    guard let source = unified(bytes), let text = EditedText(source, edits)?.text else {
      return .refused
    }
    return yaml(Array(text.utf8))
  }
}

/// A text in which parts are replaced.
private struct EditedText {
  private var scalars: [Unicode.Scalar]
  private var lineStarts = [0]
  private var source: LayoutSource
  private var changes: [(range: Range<Int>, text: String)] = []

  /// `nil` where a part is not there.
  init?(_ text: String, _ edits: [DocumentEdit]) {
    scalars = Array(text.unicodeScalars)
    for (index, scalar) in scalars.enumerated() where scalar == "\n" {
      lineStarts.append(index + 1)
    }
    let bytes = Array(text.utf8)
    let read = bytes.withUnsafeBufferPointer { buffer -> (LayoutNode, LayoutSource)? in
      var parser = LayoutParser(buffer)
      guard let root = try? parser.document() else { return nil }
      return (root, parser.source)
    }
    guard let (root, source) = read else { return nil }
    self.source = source
    for edit in edits {
      guard take(edit, root) else { return nil }
    }
  }

  var text: String {
    var scalars = scalars
    // From the end; what is put in front of something comes after what replaces that.
    let order = changes.sorted {
      ($0.range.lowerBound, $0.range.upperBound) > ($1.range.lowerBound, $1.range.upperBound)
    }
    for change in order {
      scalars.replaceSubrange(change.range, with: change.text.unicodeScalars)
    }
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }

  private mutating func take(_ edit: DocumentEdit, _ root: LayoutNode) -> Bool {
    switch edit {
    case let .mapping(position, members):
      guard let entry = root.entry(at: position) else { return false }
      change(entry, to: members)
      return true
    case let .element(key, text):
      guard let entry = root.entries.first(where: { plain($0.key) == key }) else { return false }
      return append(text, to: entry.value)
    }
  }

  private mutating func change(
    _ entry: LayoutNode.Entry, to members: [(key: String, value: String)]
  ) {
    let old = entry.value.isFlow ? [] : entry.value.entries
    let kept = old.filter { entry in members.contains { $0.key == plain(entry.key) } }
    guard !kept.isEmpty else {
      let texts = members.map { "\($0.key): \($0.value)" }
      let flow = "{" + texts.joined(separator: ", ") + "}" + (entry.value.endsLine ? "\n" : "")
      let remarks = comments(in: entry.key.end, entry.value.contentEnd)
      let isEmpty = entry.value.start == entry.value.contentEnd
      replace(entry.value.start, entry.value.contentEnd, (isEmpty ? " " : "") + flow)
      if !remarks.isEmpty { insert(remarks, before: entry.key.start) }
      return
    }
    for entry in old {
      guard let member = members.first(where: { $0.key == plain(entry.key) }) else {
        remove(entry)
        continue
      }
      if means(entry.value, member.value) { continue }
      let remarks = comments(in: entry.key.end, entry.value.contentEnd)
      let margin = LayoutWriter.margin(entry.key.start.column - 1)
      let lines = remarks + ["\(member.key): \(member.value)"]
      let end = entry.value.endsLine ? "\n" : ""
      replace(entry.key.start, entry.value.contentEnd, lines.joined(separator: "\n" + margin) + end)
    }
    add(members, to: kept)
  }

  /// Adds the members that there are not, each behind the one that it follows.
  private mutating func add(
    _ members: [(key: String, value: String)], to old: [LayoutNode.Entry]
  ) {
    var last: LayoutNode.Entry?
    var first: [String] = []
    var added: [(LayoutNode.Entry, lines: [String])] = []
    for member in members {
      if let entry = old.first(where: { plain($0.key) == member.key }) {
        last = entry
      } else if let last {
        if added.last?.0.key.start != last.key.start { added.append((last, [])) }
        added[added.count - 1].lines.append("\(member.key): \(member.value)")
      } else {
        first.append("\(member.key): \(member.value)")
      }
    }
    if let entry = old.first, !first.isEmpty { insert(first, before: entry.key.start) }
    for (entry, lines) in added {
      let margin = LayoutWriter.margin(entry.key.start.column - 1)
      insert(lines.map { margin + $0 }, behind: entry.value)
    }
  }

  private mutating func append(_ element: String, to list: LayoutNode) -> Bool {
    guard case let .list(nodes) = list.content, let last = nodes.last else { return false }
    if list.isFlow {
      let end = last.contentEnd
      replace(end, end, ", {" + element + "}")
    } else {
      insert([LayoutWriter.margin(list.start.column - 1) + "- " + element], behind: last)
    }
    return true
  }
}

// Where changes are made.

extension EditedText {
  private func offset(_ position: Position) -> Int {
    position.line > lineStarts.count
      ? scalars.count : min(lineStarts[position.line - 1] + position.column - 1, scalars.count)
  }

  private mutating func replace(_ start: Position, _ end: Position, _ text: String) {
    changes.append((offset(start)..<max(offset(start), offset(end)), text))
  }

  /// Puts lines in front of what begins a line, or stands behind the dash that does.
  private mutating func insert(_ lines: [String], before position: Position) {
    let margin = LayoutWriter.margin(position.column - 1)
    replace(position, position, lines.map { $0 + "\n" + margin }.joined())
  }

  /// Puts whole lines behind the line on which a value ends.
  private mutating func insert(_ lines: [String], behind node: LayoutNode) {
    let end = offset(node.contentEnd)
    let text = lines.joined(separator: "\n")
    if node.endsLine { return changes.append((end..<end, text + "\n")) }
    let lineEnd = scalars[end...].firstIndex(of: "\n") ?? scalars.count
    changes.append((lineEnd..<lineEnd, "\n" + text))
  }

  /// Removes an entry with its lines, but for the comments in them.
  private mutating func remove(_ entry: LayoutNode.Entry) {
    let start = lineStarts[entry.key.start.line - 1]
    let end = offset(entry.value.contentEnd)
    let lineEnd =
      entry.value.endsLine ? end : (scalars[end...].firstIndex(of: "\n") ?? scalars.count - 1) + 1
    let margin = LayoutWriter.margin(entry.key.start.column - 1)
    let next = Position(line: entry.value.contentEnd.line, column: .max)
    let remarks = comments(in: entry.key.start, next).map { margin + $0 + "\n" }
    changes.append((start..<max(start, lineEnd), remarks.joined()))
  }

  private func comments(in start: Position, _ end: Position) -> [String] {
    source.comments.filter { $0.position >= start && $0.position < end }.map(\.text)
  }

  /// A key as it is meant.
  private func plain(_ key: LayoutNode) -> String {
    read(source.lines(from: key.start, to: key.end).joined(separator: "\n"))?.json.string
      ?? source.line(key.start.line, from: key.start.column, to: key.end.column)
  }

  private func means(_ node: LayoutNode, _ text: String) -> Bool {
    let end = node.contentEnd
    var lines = source.lines(from: node.start, to: end)
    lines[0] = LayoutWriter.margin(node.start.column - 1) + lines[0]
    guard let old = read(lines.joined(separator: "\n")), let new = read(text) else { return false }
    return old.isSame(as: new)
  }

  private func read(_ text: String) -> DocumentNode? {
    let document = DocumentReader.readYAML(Array(text.utf8))
    return document.problems.isEmpty ? document.root : nil
  }
}

extension LayoutNode {
  fileprivate var entries: [Entry] {
    if case let .mapping(entries) = content { entries } else { [] }
  }

  /// The entry whose key begins there, at any depth.
  fileprivate func entry(at position: Position) -> Entry? {
    switch content {
    case .scalar: return nil
    case let .list(nodes): return nodes.lazy.compactMap { $0.entry(at: position) }.first
    case let .mapping(entries):
      return entries.first { $0.key.start == position }
        ?? entries.lazy.compactMap { $0.value.entry(at: position) }.first
    }
  }

  /// Where the last of it ends: a collection on lines of its own ends for YAML where the next thing
  /// begins.
  fileprivate var contentEnd: Position {
    if isFlow { return end }
    switch content {
    case .scalar: return end
    case let .list(nodes): return nodes.last?.contentEnd ?? end
    case let .mapping(entries): return entries.last?.value.contentEnd ?? end
    }
  }

  /// Whether it ends with a text whose last line break is part of it.
  fileprivate var endsLine: Bool {
    switch content {
    case let .scalar(_, isBlock): isBlock
    case let .list(nodes): !isFlow && nodes.last?.endsLine == true
    case let .mapping(entries): !isFlow && entries.last?.value.endsLine == true
    }
  }
}
