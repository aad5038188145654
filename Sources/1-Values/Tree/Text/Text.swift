/// Text as the database compares it: equal when the bytes are equal, ordered by UTF-16 code units.
///
/// Swift's `String` is wrong for both: it calls a composed and a decomposed "é" equal, and its
/// order is neither that of UTF-16 nor that of the bytes (KEY-5).
public struct Text: Sendable {
  /// The same text as a Swift string, unchanged: no Unicode normalisation takes place.
  public let string: String

  /// Wraps `string` unchanged, in O(1).
  @inlinable
  public init(_ string: String) {
    self.string = string
  }
}

extension Text: Hashable {
  @inlinable
  public static func == (a: Text, b: Text) -> Bool {
    a.sameBytes(as: b)
  }

  /// Compares where the bytes lie: walking through `String.utf8` takes ten times as long. Short
  /// texts, and those that share their storage, need not be looked at: they are the same bits.
  @usableFromInline
  func sameBytes(as other: Text) -> Bool {
    typealias Bits = (UInt64, UInt64)
    if unsafeBitCast(string, to: Bits.self) == unsafeBitCast(other.string, to: Bits.self) {
      return true
    }
    let count = string.utf8.count
    guard count == other.string.utf8.count else { return false }
    var a = string
    var b = other.string
    return a.withUTF8 { a in
      b.withUTF8 { b in
        for index in 0..<count where a[index] != b[index] { return false }
        return true
      }
    }
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(Fingerprint(of: string).bits) }

  public func _rawHashValue(seed: Int) -> Int { Fingerprint(of: string).hashValue(seed: seed) }
}

extension Text: Comparable {
  public static func < (a: Text, b: Text) -> Bool { a.order(to: b) < 0 }

  /// Negative when this text comes before `other`, zero when the bytes are equal.
  ///
  /// UTF-8 bytes already have the order of code points. UTF-16 differs in one location: code points
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

  /// The first eight bytes by rank, the first one as the highest; zeros where the text is shorter.
  /// Unequal ones have the order of their texts; equal ones say nothing.
  var beginning: UInt64 {
    var word: UInt64 = 0
    var missing = 8
    for byte in string.utf8.prefix(8) {
      word = word << 8 | UInt64(Self.rank(byte))
      missing -= 1
    }
    return missing == 8 ? 0 : word << (8 * UInt64(missing))
  }

  private static func rank(_ byte: UInt8) -> Int {
    byte == 0xEE || byte == 0xEF ? Int(byte) + 0x10 : Int(byte)
  }
}

extension Text: ExpressibleByStringLiteral, CustomStringConvertible {
  /// Makes a text of a literal, unchanged.
  public init(stringLiteral value: String) { self.init(value) }
  public var description: String { string }
}
