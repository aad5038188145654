internal import Document

/// A document in Markdown as values: what this project's documents use, and no more.
struct MarkdownReader {
  /// The words of the heading of level 1.
  private(set) var title = ""
  /// What is below it.
  private(set) var blocks: [Block] = []
  private var lines: [Substring]
  private var index = 0
  private var ids = HeadingIDs()

  init(_ text: String) {
    lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    blocks = blocks(indent: 0)
  }

  /// A text of a rule or a scenario: words stand out in one way only, and links are their words.
  static func prose(_ text: String) -> [Block] {
    MarkdownReader(text).blocks.map(\.withoutLinks)
  }

  /// The blocks from here on that are indented as far, or further.
  private mutating func blocks(indent: Int) -> [Block] {
    var blocks: [Block] = []
    while index < lines.count {
      let line = lines[index]
      let words = line.drop { $0 == " " }
      if words.isEmpty || words.hasPrefix("<!--") {
        index += 1
        continue
      }
      let depth = line.count - words.count
      if depth < indent { return blocks }
      if words.hasPrefix("```") {
        blocks.append(code(depth))
      } else if let level = Self.headingLevel(words) {
        if let heading = heading(level, words) { blocks.append(heading) }
      } else if words.hasPrefix("|") {
        blocks.append(table())
      } else if let marker = Self.marker(words) {
        blocks.append(list(depth, isNumbered: marker.isNumbered))
      } else {
        blocks.append(.paragraph(MarkdownLine.words(of: paragraph(depth))))
      }
    }
    return blocks
  }

  private static func headingLevel(_ words: Substring) -> Int? {
    let level = words.prefix { $0 == "#" }.count
    return (1...6).contains(level) && words.dropFirst(level).first == " " ? level : nil
  }

  private mutating func heading(_ level: Int, _ words: Substring) -> Block? {
    index += 1
    let words = MarkdownLine.words(of: String(words.dropFirst(level + 1)))
    if level == 1, title.isEmpty {
      title = words.plain
      return nil
    }
    return .heading(level, words, anchor: ids.next(for: words.plain))
  }

  private mutating func code(_ depth: Int) -> Block {
    index += 1
    var content: [Substring] = []
    while index < lines.count, !lines[index].drop(while: { $0 == " " }).hasPrefix("```") {
      let spaces = lines[index].prefix { $0 == " " }.count
      content.append(lines[index].dropFirst(min(spaces, depth)))
      index += 1
    }
    index += 1
    return .code(content.joined(separator: "\n"))
  }

  private mutating func table() -> Block {
    var rows: [[String]] = []
    while index < lines.count {
      let words = lines[index].drop { $0 == " " }
      guard words.hasPrefix("|") else { break }
      rows.append(Self.cells(words))
      index += 1
    }
    let isRule = { (row: [String]) in row.allSatisfy { $0.allSatisfy { "-: ".contains($0) } } }
    let body = rows.dropFirst(rows.count > 1 && isRule(rows[1]) ? 2 : 1)
    return .table(
      Table(
        head: (rows.first ?? []).map(MarkdownLine.words),
        rows: body.map { $0.map(MarkdownLine.words) }))
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

  private mutating func list(_ depth: Int, isNumbered: Bool) -> Block {
    var items: [Block.Item] = []
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
      let line = MarkdownLine.words(of: rest.isEmpty ? first : first + " " + rest)
      items.append(Block.Item(line, blocks(indent: depth + 1)))
    }
    return .items(items, isNumbered: isNumbered)
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

/// The words of a line of Markdown: code, links, images, emphasis.
private enum MarkdownLine {
  static func words(of text: String) -> [Inline] {
    var words: [Inline] = []
    var plain = ""
    var rest = text[...]
    func finish() {
      if !plain.isEmpty { words.append(.text(plain)) }
      plain = ""
    }
    while let start = rest.firstIndex(where: { "`[*!<\\".contains($0) }) {
      plain += rest[..<start]
      rest = rest[start...]
      if let (piece, length) = piece(rest) {
        finish()
        words.append(piece)
        rest = rest.dropFirst(length)
      } else {
        plain.append(rest.removeFirst())
      }
    }
    plain += rest
    finish()
    return words
  }

  /// What begins here, and how many characters it takes.
  private static func piece(_ rest: Substring) -> (words: Inline, length: Int)? {
    switch rest.first {
    case "`": code(rest)
    case "[": link(rest)
    case "!": rest.dropFirst().first == "[" ? image(rest) : nil
    case "*": emphasis(rest)
    case "<": rest.hasPrefix("<http") ? bare(rest) : nil
    default: rest.dropFirst().first.map { (.text(String($0)), 2) }
    }
  }

  private static func code(_ rest: Substring) -> (Inline, Int)? {
    let marks = rest.prefix { $0 == "`" }
    let inside = rest.dropFirst(marks.count)
    guard let end = inside.firstRange(of: marks) else { return nil }
    let text = inside[..<end.lowerBound]
    return (.code(text.trimmed), 2 * marks.count + text.count)
  }

  private static func link(_ rest: Substring) -> (Inline, Int)? {
    parts(rest).map { words, target, length in
      (.reference(self.words(of: String(words)), .address(String(target))), length)
    }
  }

  private static func image(_ rest: Substring) -> (Inline, Int)? {
    parts(rest.dropFirst()).map { words, target, length in
      (.image(String(words), address: String(target)), length + 1)
    }
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

  private static func emphasis(_ rest: Substring) -> (Inline, Int)? {
    let marks = rest.prefix { $0 == "*" }
    let inside = rest.dropFirst(marks.count)
    guard marks.count <= 2, let first = inside.first, first != " ",
      let end = inside.firstRange(of: marks), end.lowerBound > inside.startIndex
    else { return nil }
    let text = inside[..<end.lowerBound]
    let mark: Inline.Mark = marks.count == 2 ? .strong : .emphasis
    return (.marked(mark, words(of: String(text))), 2 * marks.count + text.count)
  }

  private static func bare(_ rest: Substring) -> (Inline, Int)? {
    guard let end = rest.firstIndex(of: ">") else { return nil }
    let address = String(rest[..<end].dropFirst())
    return (.reference([.text(address)], .address(address)), rest[...end].count)
  }
}

extension Block {
  fileprivate var withoutLinks: Block {
    switch self {
    case let .paragraph(words): .paragraph(words.withoutLinks)
    case let .items(items, isNumbered):
      .items(
        items.map { Item($0.words.withoutLinks, $0.blocks.map(\.withoutLinks)) },
        isNumbered: isNumbered)
    case let .table(table):
      .table(
        Table(
          head: table.head.map { [.text($0.plain)] },
          rows: table.rows.map { $0.map(\.withoutLinks) }))
    case .heading, .code, .sequence, .order, .drawing, .folded: self
    }
  }
}

extension [Inline] {
  fileprivate var withoutLinks: [Inline] {
    flatMap { inline -> [Inline] in
      switch inline {
      case let .marked(_, words): [.strong(words.plain)]
      case let .reference(words, _): words.withoutLinks
      case .text, .code, .image, .file: [inline]
      }
    }
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
