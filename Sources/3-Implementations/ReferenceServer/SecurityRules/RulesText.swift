internal import Document

/// The text of rules: JSON with comments, and with texts that go on in the next line.
enum RulesText {
  /// What may stand before the first word.
  static let blanks: [UInt8] = [0x20, 0x09, 0x0A, 0x0D]

  /// The text as JSON: comments and line ends inside strings become spaces, byte for byte.
  static func withoutComments(_ bytes: [UInt8]) -> [UInt8] {
    var result = bytes
    var index = 0
    var isInString = false
    while index < bytes.count {
      let byte = bytes[index]
      let next = index + 1 < bytes.count ? bytes[index + 1] : 0
      if isInString {
        if byte == UInt8(ascii: "\\") { index += 1 }
        if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\t") {
          result[index] = UInt8(ascii: " ")
        }
        if byte == UInt8(ascii: "\"") { isInString = false }
      } else if byte == UInt8(ascii: "\"") {
        isInString = true
      } else if byte == UInt8(ascii: "/"), next == byte {
        let end = bytes[index...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
        blank(index..<end, in: &result)
        index = end
      } else if byte == UInt8(ascii: "/"), next == UInt8(ascii: "*") {
        let end = endOfComment(in: bytes, from: index + 2)
        blank(index..<end, in: &result)
        index = end - 1
      }
      index += 1
    }
    return result
  }

  private static func endOfComment(in bytes: [UInt8], from start: Int) -> Int {
    var index = start
    while index + 1 < bytes.count {
      if bytes[index] == UInt8(ascii: "*"), bytes[index + 1] == UInt8(ascii: "/") {
        return index + 2
      }
      index += 1
    }
    return bytes.count
  }

  private static func blank(_ range: Range<Int>, in bytes: inout [UInt8]) {
    for index in range where bytes[index] != UInt8(ascii: "\n") {
      bytes[index] = UInt8(ascii: " ")
    }
  }

  /// Where a character of a string is in the text.
  ///
  /// - Parameters:
  ///   - start: Where the reader says that the string begins: line ends in strings before it are
  ///     spaces to it.
  ///   - offset: How many Unicode scalars of the string come before.
  ///   - bytes: The text as it was written.
  /// - Returns: The line and the column, or the end where the text is shorter.
  static func position(inString start: Position, at offset: Int, of bytes: [UInt8]) -> Position {
    var index = byteOffset(of: start, in: withoutComments(bytes)) + 1
    var left = offset
    while left > 0, index < bytes.count {
      index = nextCharacter(after: index, in: bytes)
      left -= 1
    }
    return position(of: index, in: bytes)
  }

  private static func byteOffset(of position: Position, in bytes: [UInt8]) -> Int {
    var (line, column) = (1, 1)
    var index = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    while index < bytes.count, (line, column) != (position.line, position.column) {
      advance(&line, &column, over: index, in: bytes)
      index += 1
      // The next character begins behind the last byte of this one.
      while index < bytes.count, bytes[index] & 0xC0 == 0x80 { index += 1 }
    }
    return index
  }

  private static func position(of offset: Int, in bytes: [UInt8]) -> Position {
    var (line, column) = (1, 1)
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    for index in start..<max(start, min(offset, bytes.count)) {
      advance(&line, &column, over: index, in: bytes)
    }
    return Position(line: line, column: column)
  }

  private static func advance(
    _ line: inout Int, _ column: inout Int, over index: Int, in bytes: [UInt8]
  ) {
    let next = index + 1 < bytes.count ? bytes[index + 1] : 0
    if bytes[index] == UInt8(ascii: "\n")
      || bytes[index] == UInt8(ascii: "\r") && next != UInt8(ascii: "\n")
    {
      (line, column) = (line + 1, 1)
    } else if bytes[index] & 0xC0 != 0x80 {
      column += 1
    }
  }

  /// Where the next character of a string begins: an escape counts as one.
  private static func nextCharacter(after index: Int, in bytes: [UInt8]) -> Int {
    guard bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.count else {
      var next = index + 1
      while next < bytes.count, bytes[next] & 0xC0 == 0x80 { next += 1 }
      return next
    }
    guard bytes[index + 1] == UInt8(ascii: "u") else { return index + 2 }
    // Two halves make one character.
    let isHalf =
      index + 3 < bytes.count && (bytes[index + 2] | 32) == UInt8(ascii: "d")
      && "89abAB".utf8.contains(bytes[index + 3])
    return min(bytes.count, index + (isHalf ? 12 : 6))
  }
}
