internal import Text
public import Tree

extension JSON {
  /// The value over several lines, for people: what fits into a line stays in one.
  public var indentedText: String { indented(by: 0) + "\n" }

  private func indented(by margin: Int, after length: Int = 0) -> String {
    let line = text
    if margin + length + line.utf8.count < lineWidth { return line }
    let space = String(repeating: " ", count: margin + 2)
    let end = "\n" + String(repeating: " ", count: margin)
    if let elements, !elements.isEmpty {
      let items = elements.map { space + $0.indented(by: margin + 2) }
      return "[\n" + items.joined(separator: ",\n") + end + "]"
    }
    guard let members, !members.isEmpty else { return line }
    let items = members.map { member in
      let name = JSON.string(member.name).text + ": "
      return space + name + member.value.indented(by: margin + 2, after: name.utf8.count)
    }
    return "{\n" + items.joined(separator: ",\n") + end + "}"
  }
}
