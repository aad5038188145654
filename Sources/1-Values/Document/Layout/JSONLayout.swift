internal import Tree

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
