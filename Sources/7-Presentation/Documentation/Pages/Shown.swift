internal import Text
internal import Tree

/// Values and names as pages show them: on one line, not too long, and without characters that
/// cannot be seen or that change how others are read.
enum Shown {
  /// How much of a value a table shows, in characters.
  static let valueLimit = 160

  /// The canonical text of a value, cut in the middle where it is long.
  static func value(_ node: Node) -> String { text(node.description) }

  /// A name of a location, cut in the middle where it is long.
  static func key(_ key: String) -> String { text(key) }

  private static func text(_ text: String) -> String {
    visible(Truncation.countedMiddle(of: text, retention: valueLimit))
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
      return [Self.text(text)]
    }
    var result = ["{"]
    for (index, member) in members.enumerated() {
      var child = lines(of: member.value, indent: indent + "  ", width: width - 2)
      let name = Self.text(JSON.string(member.name).text)
      child[0] = "\(name): \(child[0])"
      if index < members.count - 1 { child[child.count - 1] += "," }
      result += child.map { "  " + $0 }
    }
    return result + ["}"]
  }
}
