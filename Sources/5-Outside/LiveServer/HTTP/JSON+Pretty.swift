internal import Tree

extension JSON {
  /// The text over several lines, indented by two spaces a level.
  var prettyText: String {
    var text = ""
    writePretty(to: &text, indentation: "\n")
    return text
  }

  private func writePretty(to text: inout String, indentation: String) {
    let inner = indentation + "  "
    if let members, !members.isEmpty {
      var separator = "{"
      for member in members {
        text += separator + inner + JSON.string(member.name).text + ": "
        member.value.writePretty(to: &text, indentation: inner)
        separator = ","
      }
      text += indentation + "}"
    } else if let elements, !elements.isEmpty {
      var separator = "["
      for element in elements {
        text += separator + inner
        element.writePretty(to: &text, indentation: inner)
        separator = ","
      }
      text += indentation + "]"
    } else {
      text += self.text
    }
  }
}
