internal import Tree

/// Values and names as pages show them: on one line, not too long, and without characters that
/// cannot be seen or that change how others are read.
enum Shown {
  /// How much of a value a table shows, in characters.
  static let valueLimit = 160
  /// How much of a value a diagram shows.
  static let labelLimit = 40

  /// The canonical text of a value, cut in the middle where it is long.
  static func value(_ node: Node, limit: Int = valueLimit) -> String {
    visible(cut(node.description, to: limit))
  }

  /// A name of a place, cut in the middle where it is long.
  static func key(_ key: String, limit: Int = valueLimit) -> String {
    visible(cut(key, to: limit))
  }

  /// `text` with its middle left out and counted where it is longer than `limit` characters.
  static func cut(_ text: String, to limit: Int) -> String {
    guard text.utf8.count > limit, text.count > limit else { return text }
    let mark = " ... \(text.count - limit) more ... "
    return text.prefix(limit * 2 / 3) + mark + text.suffix(limit - limit * 2 / 3)
  }

  /// `text` with what cannot be seen written as `\u{202e}`: control characters, and marks that turn
  /// the direction of reading.
  static func visible(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isHidden) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      if isHidden(scalar) {
        result += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// The same, of a text that may have several lines.
  static func visibleLines(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isHidden) else { return text }
    return text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { visible(String($0)) }.joined(separator: "\n")
  }

  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F...0x9F, 0xAD, 0x61C, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F,
      0xFEFF, 0xFFF9...0xFFFB, 0xFFFE...0xFFFF:
      true
    default: false
    }
  }

  /// How many lines of a tree are shown.
  private static let treeLines = 60

  /// A tree on several lines: a child that fits stays on the line of its key.
  static func tree(_ node: Node) -> String {
    let lines = lines(of: node.json, indent: "", width: 76)
    if lines.count <= treeLines { return lines.joined(separator: "\n") }
    return (lines.prefix(treeLines) + ["... \(lines.count - treeLines) more lines"])
      .joined(separator: "\n")
  }

  private static func lines(of json: JSON, indent: String, width: Int) -> [String] {
    let text = json.text
    guard let members = json.members, !members.isEmpty, text.utf8.count > width else {
      return [visible(cut(text, to: valueLimit))]
    }
    var result = ["{"]
    for (index, member) in members.enumerated() {
      var child = lines(of: member.value, indent: indent + "  ", width: width - 2)
      let name = visible(cut(JSON.string(member.name).text, to: valueLimit))
      child[0] = "\(name): \(child[0])"
      if index < members.count - 1 { child[child.count - 1] += "," }
      result += child.map { "  " + $0 }
    }
    return result + ["}"]
  }
}

/// `1 order`, `2 orders`.
func counted(_ count: Int, _ noun: String) -> String {
  "\(count) \(noun)\(count == 1 ? "" : "s")"
}
