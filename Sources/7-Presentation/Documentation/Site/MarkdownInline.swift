internal import Markup
internal import Text

/// A line of Markdown as HTML: code, links, images, emphasis.
struct MarkdownInline {
  /// Where a link leads to in the site; nil for what the site does not have.
  let address: (String) -> String?

  func html(_ text: String) -> String {
    var html = ""
    var rest = text[...]
    while let start = rest.firstIndex(where: { "`[*!<\\".contains($0) }) {
      html += Escaping.htmlLines(String(rest[..<start]))
      rest = rest[start...]
      if let (piece, length) = piece(rest) {
        html += piece
        rest = rest.dropFirst(length)
      } else {
        html += Escaping.htmlLines(String(rest.removeFirst()))
      }
    }
    return html + Escaping.htmlLines(String(rest))
  }

  /// What begins here, and how many characters it takes.
  private func piece(_ rest: Substring) -> (html: String, length: Int)? {
    switch rest.first {
    case "`": code(rest)
    case "[": link(rest)
    case "!": rest.dropFirst().first == "[" ? image(rest) : nil
    case "*": emphasis(rest)
    case "<": rest.hasPrefix("<http") ? bare(rest) : nil
    default: rest.dropFirst().first.map { (Escaping.htmlLines(String($0)), 2) }
    }
  }

  private func code(_ rest: Substring) -> (String, Int)? {
    let marks = rest.prefix { $0 == "`" }
    let inside = rest.dropFirst(marks.count)
    guard let end = inside.firstRange(of: marks) else { return nil }
    let text = inside[..<end.lowerBound].trimmed
    let length = 2 * marks.count + inside[..<end.lowerBound].count
    return ("<code>\(Escaping.htmlLines(text))</code>", length)
  }

  private func link(_ rest: Substring) -> (String, Int)? {
    guard let (words, target, length) = Self.parts(rest) else { return nil }
    let inside = html(String(words))
    guard let address = address(String(target)) else { return (inside, length) }
    return ("<a href=\"\(Escaping.htmlLines(address))\">\(inside)</a>", length)
  }

  private func image(_ rest: Substring) -> (String, Int)? {
    guard let (words, target, length) = Self.parts(rest.dropFirst()) else { return nil }
    let text = Escaping.htmlLines(String(words))
    guard let address = address(String(target)) else { return (text, length + 1) }
    return ("<img src=\"\(Escaping.htmlLines(address))\" alt=\"\(text)\">", length + 1)
  }

  /// The words and the target of `[words](target)`.
  private static func parts(_ rest: Substring) -> (Substring, Substring, Int)? {
    guard let middle = rest.firstRange(of: "]("),
      let end = rest[middle.upperBound...].firstIndex(of: ")")
    else { return nil }
    let words = rest[..<middle.lowerBound].dropFirst()
    // A bracket that closes before belongs to something else.
    var depth = 0
    for character in words where character == "[" || character == "]" {
      depth += character == "[" ? 1 : -1
      if depth < 0 { return nil }
    }
    let target = rest[middle.upperBound..<end]
    return (words, target, words.count + target.count + 4)
  }

  private func emphasis(_ rest: Substring) -> (String, Int)? {
    let marks = rest.prefix { $0 == "*" }
    let inside = rest.dropFirst(marks.count)
    guard marks.count <= 2, let first = inside.first, first != " ",
      let end = inside.firstRange(of: marks), end.lowerBound > inside.startIndex
    else { return nil }
    let name = marks.count == 2 ? "strong" : "em"
    let text = inside[..<end.lowerBound]
    return ("<\(name)>\(html(String(text)))</\(name)>", 2 * marks.count + text.count)
  }

  private func bare(_ rest: Substring) -> (String, Int)? {
    guard let end = rest.firstIndex(of: ">") else { return nil }
    let address = Escaping.htmlLines(String(rest[..<end].dropFirst()))
    return ("<a href=\"\(address)\">\(address)</a>", rest[...end].count)
  }
}
