/// Text as the database compares it: equal when the bytes are equal, ordered by UTF-16 code units.
///
/// Swift's `String` is wrong for both: it calls a composed and a decomposed "é" equal, and its
/// order is neither that of UTF-16 nor that of the bytes (KEY-5).
public struct Text: Sendable {
  public let string: String

  @inlinable
  public init(_ string: String) {
    self.string = string
  }
}

extension Text: Hashable {
  @inlinable
  public static func == (a: Text, b: Text) -> Bool {
    // Canonically different strings have different bytes, so only "equal" needs a second look.
    guard a.string == b.string else { return false }
    return a.string.utf8.count == b.string.utf8.count && a.sameBytes(as: b)
  }

  @usableFromInline
  func sameBytes(as other: Text) -> Bool {
    string.utf8.elementsEqual(other.string.utf8)
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(string) }
}

extension Text: Comparable {
  public static func < (a: Text, b: Text) -> Bool { a.order(to: b) < 0 }

  /// Negative when this text comes before `other`, zero when the bytes are equal.
  ///
  /// UTF-8 bytes already have the order of code points. UTF-16 differs in one place: code points
  /// above U+FFFF (first byte F0 and up) are written with surrogates D800–DFFF and so come before
  /// U+E000–U+FFFF (first bytes EE and EF).
  func order(to other: Text) -> Int {
    var a = string
    var b = other.string
    return a.withUTF8 { a in
      b.withUTF8 { b in
        let shorter = min(a.count, b.count)
        var index = 0
        while index < shorter {
          let x = a[index]
          let y = b[index]
          if x != y { return Self.rank(x) - Self.rank(y) }
          index += 1
        }
        return a.count - b.count
      }
    }
  }

  private static func rank(_ byte: UInt8) -> Int {
    byte == 0xEE || byte == 0xEF ? Int(byte) + 0x10 : Int(byte)
  }
}

extension Text: ExpressibleByStringLiteral, CustomStringConvertible {
  public init(stringLiteral value: String) { self.init(value) }
  public var description: String { string }
}
