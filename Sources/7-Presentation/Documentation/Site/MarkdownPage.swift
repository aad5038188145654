internal import Markup
internal import Text

/// A document in Markdown as a part of an HTML page: what this project's documents use, and no more.
struct MarkdownPage {
  /// A heading that a table of contents lists.
  struct Heading: Hashable {
    var level: Int
    var id: String
    /// As HTML.
    var text: String
  }

  /// The heading of level 1, without marks.
  private(set) var title = ""
  /// The content below it.
  private(set) var html = ""
  private(set) var headings: [Heading] = []
  private var lines: [Substring]
  private var index = 0
  private var ids = HeadingIDs()
  private let inline: MarkdownInline

  /// - Parameters:
  ///   - text: The document.
  ///   - address: Where a link leads to in the site; nil for what the site does not have.
  init(_ text: String, address: @escaping (String) -> String?) {
    lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    inline = MarkdownInline(address: address)
    html = blocks(indent: 0)
  }

  /// The blocks from here on that are indented as far, or further.
  private mutating func blocks(indent: Int) -> String {
    var html = ""
    while index < lines.count {
      let line = lines[index]
      let words = line.drop { $0 == " " }
      if words.isEmpty || words.hasPrefix("<!--") {
        index += 1
        continue
      }
      let depth = line.count - words.count
      if depth < indent { return html }
      if words.hasPrefix("```") {
        html += code(depth)
      } else if let level = Self.headingLevel(words) {
        html += heading(level, words)
      } else if words.hasPrefix("|") {
        html += table()
      } else if let marker = Self.marker(words) {
        html += list(depth, isNumbered: marker.isNumbered)
      } else {
        html += "<p>\(inline.html(paragraph(depth)))</p>\n"
      }
    }
    return html
  }

  private static func headingLevel(_ words: Substring) -> Int? {
    let level = words.prefix { $0 == "#" }.count
    return (1...6).contains(level) && words.dropFirst(level).first == " " ? level : nil
  }

  private mutating func heading(_ level: Int, _ words: Substring) -> String {
    index += 1
    let text = String(words.dropFirst(level + 1))
    if level == 1, title.isEmpty {
      title = text.filter { $0 != "`" && $0 != "*" }
      return ""
    }
    let id = ids.next(for: text)
    headings.append(Heading(level: level, id: id, text: inline.html(text)))
    return "<h\(level) id=\"\(Escaping.htmlLines(id))\">\(inline.html(text))</h\(level)>\n"
  }

  private mutating func code(_ depth: Int) -> String {
    index += 1
    var content: [Substring] = []
    while index < lines.count, !lines[index].drop(while: { $0 == " " }).hasPrefix("```") {
      let spaces = lines[index].prefix { $0 == " " }.count
      content.append(lines[index].dropFirst(min(spaces, depth)))
      index += 1
    }
    index += 1
    let text = Escaping.htmlLines(content.joined(separator: "\n"))
    return "<pre tabindex=\"0\"><code>\(text)</code></pre>\n"
  }

  private mutating func table() -> String {
    var rows: [[String]] = []
    while index < lines.count {
      let words = lines[index].drop { $0 == " " }
      guard words.hasPrefix("|") else { break }
      rows.append(Self.cells(words))
      index += 1
    }
    let isRule = { (row: [String]) in row.allSatisfy { $0.allSatisfy { "-: ".contains($0) } } }
    let body = rows.dropFirst(rows.count > 1 && isRule(rows[1]) ? 2 : 1)
    let head = (rows.first ?? []).map { "<th scope=\"col\">\(inline.html($0))</th>" }.joined()
    let cells = body.map { row in
      "<tr>" + row.map { "<td>\(inline.html($0))</td>" }.joined() + "</tr>\n"
    }.joined()
    return """
      <div class="wide" tabindex="0" role="region" aria-label="Table">
      <table>
      <thead><tr>\(head)</tr></thead>
      <tbody>
      \(cells)</tbody>
      </table>
      </div>

      """
  }

  /// The cells of a row; a bar behind a backslash, or in code, separates nothing.
  private static func cells(_ words: Substring) -> [String] {
    var cells = [""]
    var isEscaped = false
    for character in words.dropFirst() {
      if character == "|", !isEscaped {
        cells.append("")
      } else {
        if character == "|" { cells[cells.count - 1].removeLast() }
        cells[cells.count - 1].append(character)
      }
      isEscaped = character == "\\"
    }
    if cells.last?.allSatisfy({ $0 == " " }) == true { cells.removeLast() }
    return cells.map(\.trimmed)
  }

  private static func marker(_ words: Substring) -> (width: Int, isNumbered: Bool)? {
    if words.hasPrefix("* ") || words.hasPrefix("- ") { return (2, false) }
    let digits = words.prefix { $0.isASCII && $0.isNumber }.count
    guard digits > 0, words.dropFirst(digits).hasPrefix(". ") else { return nil }
    return (digits + 2, true)
  }

  private mutating func list(_ depth: Int, isNumbered: Bool) -> String {
    var items = ""
    while index < lines.count {
      let words = lines[index].drop { $0 == " " }
      if words.isEmpty {
        // A list goes on behind an empty line when what follows belongs to it.
        let next = lines[index...].first { $0.contains { $0 != " " } } ?? ""
        let isItem = Self.marker(next.drop { $0 == " " })?.isNumbered == isNumbered
        guard isItem, next.prefix(while: { $0 == " " }).count == depth else { break }
        index += 1
        continue
      }
      guard lines[index].count - words.count == depth, let marker = Self.marker(words),
        marker.isNumbered == isNumbered
      else { break }
      let first = String(words.dropFirst(marker.width))
      index += 1
      let rest = paragraph(depth + 1, isContinuation: true)
      let text = inline.html(rest.isEmpty ? first : first + " " + rest)
      items += "<li>\(text)\(blocks(indent: depth + 1))</li>\n"
    }
    let name = isNumbered ? "ol" : "ul"
    return "<\(name)>\n\(items)</\(name)>\n"
  }

  /// The lines of a paragraph, joined.
  private mutating func paragraph(_ depth: Int, isContinuation: Bool = false) -> String {
    var text: [Substring] = []
    while index < lines.count {
      let words = lines[index].drop { $0 == " " }
      let isOther =
        words.hasPrefix("```") || words.hasPrefix("|") || Self.headingLevel(words) != nil
        || Self.marker(words) != nil
      let isIndented = lines[index].count - words.count >= depth
      if words.isEmpty || (isOther && !text.isEmpty) || !isIndented { break }
      if isOther, isContinuation { break }
      text.append(words)
      index += 1
    }
    return text.joined(separator: " ")
  }
}

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

/// Ids for the headings of a page, each once.
struct HeadingIDs {
  private var taken: Set<String>

  /// - Parameter taken: Ids that are given to something else on the page.
  init(taken: Set<String> = []) { self.taken = taken }

  /// The id of the next heading with these words: that by which GitHub knows it, so that links
  /// between documents work in both; repeated words are numbered.
  mutating func next(for words: String) -> String {
    let slug = Self.slug(words)
    var id = slug
    var count = 0
    while !taken.insert(id).inserted {
      count += 1
      id = "\(slug)-\(count)"
    }
    return id
  }

  private static func slug(_ words: String) -> String {
    let kept = words.lowercased().unicodeScalars.filter {
      $0.properties.isAlphabetic || ("0"..."9").contains($0) || " -_".unicodeScalars.contains($0)
    }
    return String(String.UnicodeScalarView(kept)).replacing(" ", with: "-")
  }
}
