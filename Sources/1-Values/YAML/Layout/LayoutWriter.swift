internal import Document

/// Writes the tree of a YAML text in one layout: two blanks for each level, one within braces and
/// behind commas, what is in brackets or braces on one line where it fits and below each other
/// where it does not. Comments go in front of what they stood in front of.
struct LayoutWriter {
  static let width = lineWidth

  let source: LayoutSource
  private var nextComment = 0
  /// The last line of a text that keeps the empty lines at its end.
  private var keptLines = 0

  init(_ source: LayoutSource) { self.source = source }

  /// The whole text.
  mutating func text(of root: LayoutNode) -> String {
    var lines: [String]
    if case .scalar = root.content {
      lines = flush(before: root.start, 0, isFirst: true)
      lines += value(root, behind: "", 0, Parent(line: 0, column: 1), next: nil)
    } else {
      lines = block(root, 0, Parent(line: 0, column: .max), next: nil)
    }
    lines += flush(before: nil, 0, isFirst: lines.isEmpty)
    return lines.map { $0 + "\n" }.joined()
  }

  static func margin(_ indentation: Int) -> String { String(repeating: " ", count: indentation) }

  /// The key or dash to which a value belongs, where it stands in the text.
  private struct Parent {
    var line: Int
    var column: Int
  }

  /// A collection on lines of its own; `next` is where the next part of the text begins that is
  /// none of it.
  private mutating func block(
    _ node: LayoutNode, _ indentation: Int, _ parent: Parent, next: Position?
  ) -> [String] {
    var lines: [String] = []
    switch node.content {
    case .scalar: return value(node, behind: "", indentation, parent, next: next)
    case let .list(nodes):
      for (index, item) in nodes.enumerated() {
        let after = index + 1 < nodes.count ? nodes[index + 1].start : next
        lines += flush(before: item.start, indentation, isFirst: index == 0)
        lines += element(
          item, indentation, Parent(line: item.start.line, column: node.start.column), next: after)
      }
    case let .mapping(entries):
      for (index, entry) in entries.enumerated() {
        let after = index + 1 < entries.count ? entries[index + 1].key.start : next
        lines += flush(before: entry.key.start, indentation, isFirst: index == 0)
        let head = Self.margin(indentation) + (Self.line(of: entry.key) ?? "") + ":"
        let key = entry.key.start
        lines += value(
          entry.value, behind: head, indentation, Parent(line: key.line, column: key.column),
          next: after)
      }
    }
    return lines + tail(of: node, indentation, parent, next: next)
  }

  /// A value behind a dash.
  private mutating func element(
    _ node: LayoutNode, _ indentation: Int, _ parent: Parent, next: Position?
  ) -> [String] {
    let head = Self.margin(indentation) + "-"
    if isInline(node, behind: head) || node.anchor != nil {
      return value(node, behind: head, indentation, parent, next: next)
    }
    var lines = block(node, indentation + 2, parent, next: next)
    if let first = lines.first { lines[0] = head + " " + first.dropFirst(indentation + 2) }
    return lines
  }

  /// Whether a value goes on the line of its key or dash, or begins there.
  private func isInline(_ node: LayoutNode, behind head: String) -> Bool {
    if case .scalar = node.content { return true }
    guard let flow = Self.flow(node) else { return false }
    if node.firstPart == nil { return true }
    return node.isFlow && !hasComments(in: node) && head.count + 1 + flow.count <= Self.width
  }

  private mutating func value(
    _ node: LayoutNode, behind head: String, _ indentation: Int, _ parent: Parent,
    next: Position?
  ) -> [String] {
    if case let .scalar(lines, isBlock) = node.content {
      var result =
        isBlock
        ? Self.blockScalar(lines, behind: head, indentation, column: parent.column)
        : Self.scalar(lines, behind: head, indentation)
      if isBlock {
        if (lines.first ?? "").contains("+") { keptLines = node.end.line }
      } else {
        result[result.count - 1] += trailing(node.end, next: next)
      }
      return result
    }
    if isInline(node, behind: head), let flow = Self.flow(node) {
      return [head + (head.isEmpty ? "" : " ") + flow + trailing(node.end, next: next)]
    }
    let line = head + (node.anchor.map { " " + $0 } ?? "")
    let position = Position(line: parent.line, column: parent.column)
    let remark = trailing(position, next: node.firstPart)
    return [line + remark] + block(node, indentation + 2, parent, next: next)
  }
}

// Comments and empty lines.

extension LayoutWriter {
  private var comment: LayoutSource.Comment? {
    nextComment < source.comments.count ? source.comments[nextComment] : nil
  }

  private func hasComments(in node: LayoutNode) -> Bool {
    comment.map { $0.position < node.end } ?? false
  }

  /// The comments before a location, on lines of their own, with the empty lines above them.
  private mutating func flush(
    before position: Position?, _ indentation: Int, isFirst: Bool
  ) -> [String] {
    var lines: [String] = []
    while let comment, position == nil || comment.position < position ?? comment.position {
      let isAlone = source.line(comment.position.line, to: comment.position.column).isEmpty
      if isAlone, isApart(comment.position.line), !isFirst || !lines.isEmpty,
        comment.position.line > 1
      {
        lines.append("")
      }
      lines.append(Self.margin(indentation) + comment.text)
      nextComment += 1
    }
    guard let position, position.line > 1, !isFirst || !lines.isEmpty else { return lines }
    let before = source.line(position.line, to: position.column)
    let beginsLine = before.allSatisfy { $0 == " " || $0 == "-" }
    if beginsLine, isApart(position.line) { lines.append("") }
    return lines
  }

  /// The comments at the end of a collection that stand as far in as its parts.
  private mutating func tail(
    of node: LayoutNode, _ indentation: Int, _ parent: Parent, next: Position?
  ) -> [String] {
    var lines: [String] = []
    while let comment, next == nil || comment.position < next ?? comment.position {
      let isInside =
        node.isFlow ? comment.position < node.end : comment.position.column > parent.column
      guard isInside else { break }
      if isApart(comment.position.line) { lines.append("") }
      lines.append(Self.margin(indentation) + comment.text)
      nextComment += 1
    }
    return lines
  }

  /// Whether there is an empty line above a line that is no part of a text.
  private func isApart(_ line: Int) -> Bool {
    line - 1 > keptLines && source.isBlank(line - 1)
  }

  /// The comment behind a location on its line, with two blanks before it.
  private mutating func trailing(_ end: Position, next: Position?) -> String {
    guard let comment, comment.position.line == end.line, comment.position >= end,
      next.map({ $0.line > end.line }) ?? true
    else { return "" }
    nextComment += 1
    return "  " + comment.text
  }
}

extension LayoutWriter {
  /// A value on one line in brackets or braces; `nil` for what needs lines of its own.
  static func flow(_ node: LayoutNode) -> String? {
    let anchor = node.anchor.map { $0 + " " } ?? ""
    switch node.content {
    case .scalar: return line(of: node)
    case let .list(nodes):
      let texts = nodes.compactMap(flow)
      guard texts.count == nodes.count else { return nil }
      return anchor + "[" + texts.joined(separator: ", ") + "]"
    case let .mapping(entries):
      var texts: [String] = []
      for entry in entries {
        guard let key = line(of: entry.key), let value = flow(entry.value) else { return nil }
        texts.append(value.isEmpty ? key + ":" : key + ": " + value)
      }
      return anchor + "{" + texts.joined(separator: ", ") + "}"
    }
  }

  /// A scalar on one line; `nil` where that could change it.
  static func line(of node: LayoutNode) -> String? {
    guard case let .scalar(lines, isBlock) = node.content, !isBlock else { return nil }
    return joined(lines)
  }

  /// The lines of a scalar as YAML folds them into one; `nil` where there is more to it.
  private static func joined(_ lines: [String]) -> String? {
    if lines.count == 1 { return lines[0] }
    let trimmed = lines.map { String($0.drop { $0 == " " || $0 == "\t" }) }
    guard !trimmed.dropLast().contains(where: { $0.isEmpty || $0.hasSuffix("\\") }) else {
      return nil
    }
    return trimmed.joined(separator: " ")
  }

  /// A scalar behind its key or dash. One that had several lines and does not fit on one is broken
  /// again between its words.
  static func scalar(_ lines: [String], behind head: String, _ indentation: Int) -> [String] {
    let blank = head.isEmpty ? "" : " "
    guard let text = joined(lines) else {
      let rest = lines.dropFirst().map { line in
        let text = line.drop { $0 == " " || $0 == "\t" }
        return text.isEmpty ? "" : margin(indentation + 2) + text
      }
      return [head + blank + (lines.first ?? "")] + rest
    }
    if text.isEmpty { return [head] }
    let whole = head + blank + text
    if lines.count == 1 || whole.count <= width { return [whole] }
    var result = [head]
    var isFirst = true
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      let last = result.count - 1
      let isFull = result[last].count + 1 + word.count > width
      if isFull, !isFirst, !word.isEmpty, !word.hasPrefix("#"), !result[last].hasSuffix(" ") {
        result.append(margin(indentation + 2) + word)
      } else {
        result[last] += (isFirst ? blank : " ") + word
      }
      isFirst = false
    }
    return result
  }

  /// A scalar on lines of its own, behind `|` or `>`; `column` is where in the text its key or dash
  /// stands, from which a stated indentation is counted.
  static func blockScalar(
    _ lines: [String], behind head: String, _ indentation: Int, column: Int
  ) -> [String] {
    let first = lines.first ?? ""
    let header = first.prefix { $0 != "#" }
    let isStated = header.contains(where: \.isNumber) && header.first != "&"
    let keepsAll = header.contains("+")
    var body = Array(lines.dropFirst())
    if !keepsAll { while body.last?.isEmpty == true { body.removeLast() } }
    let margins = body.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }
    let old =
      isStated
      ? column - 1 : (body.first { !$0.isEmpty }).map { $0.prefix { $0 == " " }.count } ?? 0
    let new = isStated ? indentation : indentation + 2
    guard (margins.min() ?? old) >= old else { return [head + " " + first] + body }
    return [head + (head.isEmpty ? "" : " ") + first]
      + body.map { $0.isEmpty ? "" : margin(new) + $0.dropFirst(old) }
  }
}
