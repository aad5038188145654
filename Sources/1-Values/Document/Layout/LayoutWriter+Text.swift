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
