extension JSON {
  /// The value over several lines, for people: what fits into a line of 100 columns stays in one.
  public var indentedText: String { indented(width: 100) + "\n" }

  /// The value over several lines, indented by two spaces a level; only scalars and what is empty
  /// stay in one.
  package var prettyText: String { indented(width: 0) }

  private func indented(width: Int) -> String {
    var text = ""
    writeIndented(to: &text, by: 0, after: 0, width)
    return text
  }

  /// The line is indented by `margin`, and `length` more bytes stand in it before the value.
  private func writeIndented(
    to text: inout String, by margin: Int, after length: Int, _ width: Int
  ) {
    if width > 0 {
      let line = self.text
      if margin + length + line.utf8.count < width { return text += line }
    }
    let end = "\n" + String(repeating: " ", count: margin)
    var separator = ""
    if let elements, !elements.isEmpty {
      for element in elements {
        text += (separator.isEmpty ? "[" : separator) + end + "  "
        element.writeIndented(to: &text, by: margin + 2, after: 0, width)
        separator = ","
      }
      text += end + "]"
    } else if let members, !members.isEmpty {
      for member in members {
        let name = JSON.string(member.name).text + ": "
        text += (separator.isEmpty ? "{" : separator) + end + "  " + name
        member.value.writeIndented(to: &text, by: margin + 2, after: name.utf8.count, width)
        separator = ","
      }
      text += end + "}"
    } else {
      text += self.text
    }
  }
}
