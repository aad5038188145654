/// A location in a text: line and column, both counted from 1.
///
/// A column is a count of Unicode scalars, not of bytes and not of what is seen on the screen; so
/// an editor that counts grapheme clusters may show a smaller number behind an emoji. A byte order
/// mark at the start of the text counts for nothing.
public struct Position: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The number of the line, from 1; a line ends with LF, CR LF or CR.
  public var line: Int
  /// The number of the Unicode scalar in its line, from 1.
  public var column: Int

  /// Makes a position from numbers that count from 1; they are not checked.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// Reading order: by line, then by column.
  public static func < (left: Position, right: Position) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }

  /// `LINE:COLUMN`, as compilers write it.
  public var description: String { "\(line):\(column)" }
}

extension Position {
  /// Where every text begins.
  package static var start: Position { Position(line: 1, column: 1) }

  /// Moves over one byte of UTF-8.
  ///
  /// A line ends with LF, CR LF or CR, so CR counts only when no LF follows.
  mutating func advance(over byte: UInt8, before next: UInt8?) {
    if byte == UInt8(ascii: "\n") || (byte == UInt8(ascii: "\r") && next != UInt8(ascii: "\n")) {
      line += 1
      column = 1
    } else if byte & 0xC0 != 0x80 {
      column += 1
    }
  }

  /// The location of the byte at `offset`.
  ///
  /// - Complexity: O(`offset`); for messages only.
  package init(ofByte offset: Int, in text: UnsafeBufferPointer<UInt8>) {
    self = .start
    for index in 0..<min(offset, text.count) {
      advance(over: text[index], before: index + 1 < text.count ? text[index + 1] : nil)
    }
  }
}
