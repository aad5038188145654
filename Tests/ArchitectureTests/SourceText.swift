/// A Swift file, and the same text with comments and string literals blanked out, line for line and
/// column for column, so that searches find code only.
struct SourceText {
  let file: String
  let lines: [String]
  let code: [String]

  init(file: String, text: String) {
    self.file = file
    lines = Self.lines(of: Array(text.utf8))
    var blanker = Blanker(Array(text.utf8))
    code = Self.lines(of: blanker.blanked())
  }

  private static func lines(of text: [UInt8]) -> [String] {
    text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self)
    }
  }
}

/// Replaces comments and string literals by blanks; keeps line breaks. It works on UTF-8, which in
/// tests is some times as fast as on characters.
private struct Blanker {
  private let text: [UInt8]
  private var position = 0
  private var result: [UInt8] = []

  init(_ text: [UInt8]) {
    self.text = text
    result.reserveCapacity(text.count)
  }

  mutating func blanked() -> [UInt8] {
    copyCode(untilParenthesis: false)
    return result
  }

  /// Copies code, inside an interpolation until the parenthesis that ends it.
  private mutating func copyCode(untilParenthesis: Bool) {
    var depth = 0
    while position < text.count {
      if starts(with: "//") {
        while position < text.count, text[position] != UInt8(ascii: "\n") { blank(1) }
      } else if starts(with: "/*") {
        while position < text.count, !starts(with: "*/") { blank(1) }
        blank(2)
      } else if let hashes = stringStart() {
        blankString(hashes: hashes)
      } else {
        if text[position] == UInt8(ascii: "(") { depth += 1 }
        if text[position] == UInt8(ascii: ")") {
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
    while end < text.count, text[end] == UInt8(ascii: "#") { end += 1 }
    return end < text.count && text[end] == UInt8(ascii: "\"") ? end - position : nil
  }

  private mutating func blankString(hashes: Int) {
    blank(hashes)
    let quotes = starts(with: "\"\"\"") ? "\"\"\"" : "\""
    blank(quotes.count)
    let marks = String(repeating: "#", count: hashes)
    let (end, escape) = (quotes + marks, "\\" + marks)
    let interpolation = escape + "("
    while position < text.count {
      if starts(with: end) { return blank(quotes.count + hashes) }
      if starts(with: interpolation) {
        blank(2 + hashes)
        copyCode(untilParenthesis: true)
      } else if starts(with: escape) {
        blank(2 + hashes)
      } else {
        blank(1)
      }
    }
  }

  private func starts(with marker: String) -> Bool {
    marker.utf8.first == text[position] && text[position...].starts(with: marker.utf8)
  }

  private mutating func blank(_ count: Int) {
    for _ in 0..<count where position < text.count {
      // Of a character with several bytes the first alone becomes a blank.
      let isContinuation = text[position] & 0xC0 == 0x80
      if text[position] == UInt8(ascii: "\n") {
        result.append(text[position])
      } else if !isContinuation {
        result.append(UInt8(ascii: " "))
      }
      position += 1
    }
  }
}
