/// A Swift file, and the same text with comments and string literals blanked out, line for line and
/// column for column, so that searches find code only.
struct SourceText {
  let file: String
  let lines: [String]
  let code: [String]

  init(file: String, text: String) {
    self.file = file
    lines = Self.lines(of: Array(text))
    var blanker = Blanker(Array(text))
    code = Self.lines(of: blanker.blanked())
  }

  private static func lines(of characters: [Character]) -> [String] {
    characters.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
  }
}

/// Replaces comments and string literals by blanks; keeps line breaks.
private struct Blanker {
  private let text: [Character]
  private var position = 0
  private var result: [Character] = []

  init(_ text: [Character]) { self.text = text }

  mutating func blanked() -> [Character] {
    copyCode(untilParenthesis: false)
    return result
  }

  /// Copies code, inside an interpolation until the parenthesis that ends it.
  private mutating func copyCode(untilParenthesis: Bool) {
    var depth = 0
    while position < text.count {
      if starts(with: "//") {
        while position < text.count, text[position] != "\n" { blank(1) }
      } else if starts(with: "/*") {
        while position < text.count, !starts(with: "*/") { blank(1) }
        blank(2)
      } else if let hashes = stringStart() {
        blankString(hashes: hashes)
      } else {
        if text[position] == "(" { depth += 1 }
        if text[position] == ")" {
          if untilParenthesis, depth == 0 { return blank(1) }
          depth -= 1
        }
        result.append(text[position])
        position += 1
      }
    }
  }

  /// The number of `#` of a string literal that begins here, or nil when none does.
  private func stringStart() -> Int? {
    var end = position
    while end < text.count, text[end] == "#" { end += 1 }
    return end < text.count && text[end] == "\"" ? end - position : nil
  }

  private mutating func blankString(hashes: Int) {
    blank(hashes)
    let quotes = starts(with: "\"\"\"") ? "\"\"\"" : "\""
    blank(quotes.count)
    let marks = String(repeating: "#", count: hashes)
    while position < text.count {
      if starts(with: quotes + marks) { return blank(quotes.count + hashes) }
      if starts(with: "\\" + marks + "(") {
        blank(2 + hashes)
        copyCode(untilParenthesis: true)
      } else if starts(with: "\\" + marks) {
        blank(2 + hashes)
      } else {
        blank(1)
      }
    }
  }

  private func starts(with marker: String) -> Bool {
    text[position...].starts(with: marker)
  }

  private mutating func blank(_ count: Int) {
    for _ in 0..<count where position < text.count {
      result.append(text[position] == "\n" ? "\n" : " ")
      position += 1
    }
  }
}
