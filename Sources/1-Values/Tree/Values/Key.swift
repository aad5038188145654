/// The name of a child.
///
/// Keys are ordered as the database orders them (KEY-2 to KEY-5): those that are 32-bit integers
/// first, by value, then all others by UTF-16 code units. Of two spellings of one integer the
/// shorter comes first, and of two as long the one without a sign, so that the order is total.
///
/// Any text can be a key here, also one that the database would refuse: a client under test must be
/// handed bad keys to show that it refuses them. `problem` says what is wrong with one.
public struct Key: Hashable, Sendable {
  /// A key is one reference: keys are copied with everything that is raised about a child. What is
  /// asked of a key again and again is computed once.
  @usableFromInline
  final class Box: Sendable {
    @usableFromInline let text: Text
    @usableFromInline let integer: Int32?
    @usableFromInline let fingerprint: Fingerprint
    /// The beginning of the text as a number: unequal ones have the order of their texts.
    let beginning: UInt64
    /// The length in bytes of UTF-8.
    let byteCount: Int
    /// Whether the database certainly takes the key.
    let isHarmless: Bool
    /// Whether this is `Key.priority`.
    let isPriority: Bool

    init(_ string: String) {
      text = Text(string)
      integer = Key.integer(of: string)
      fingerprint = Fingerprint(of: string)
      beginning = text.beginning
      byteCount = string.utf8.count
      isHarmless = byteCount > 0 && string.utf8.allSatisfy(Key.isHarmless)
      isPriority = string == ".priority"
    }

    /// Compares the texts of keys with equal digests. Up to eight bytes are all in `beginning`.
    @usableFromInline
    func hasText(of other: Box) -> Bool {
      byteCount == other.byteCount && beginning == other.beginning
        && (byteCount <= 8 || text == other.text)
    }
  }

  @usableFromInline let box: Box

  /// Makes a key of any text, also of one that the database would refuse; O(*n*) in its length.
  public init(_ string: String) { box = Box(string) }

  /// The key as text that compares by bytes; its order is by UTF-16 code units only (KEY-5).
  @inlinable public var text: Text { box.text }
  /// The value of a key that counts as a 32-bit integer, else `nil`.
  @inlinable public var integer: Int32? { box.integer }
  /// A digest of the text.
  @inlinable public var fingerprint: Fingerprint { box.fingerprint }

  @inlinable
  public static func == (a: Key, b: Key) -> Bool {
    a.box === b.box || a.fingerprint == b.fingerprint && a.box.hasText(of: b.box)
  }

  @inlinable
  public func hash(into hasher: inout Hasher) { hasher.combine(fingerprint.bits) }

  @inlinable
  public func _rawHashValue(seed: Int) -> Int { fingerprint.hashValue(seed: seed) }

  /// The name under which a write addresses the priority of a node.
  public static let priority = Key(".priority")
  /// The local tree in which a client reports about itself.
  public static let info = Key(".info")

  /// Whether this is the name of a priority; quicker than to compare with it.
  package var isPriority: Bool { box.isPriority }

  /// The key as a Swift string, without percent escapes.
  public var string: String { text.string }

  /// Reads `-?0*[0-9]{1,10}` within the range of a 32-bit integer.
  private static func integer(of string: String) -> Int32? {
    var bytes = string.utf8[...]
    guard let first = bytes.first, first == UInt8(ascii: "-") || Self.isDigit(first) else {
      return nil
    }
    let negative = first == UInt8(ascii: "-")
    if negative { bytes = bytes.dropFirst() }
    guard !bytes.isEmpty, bytes.allSatisfy(Self.isDigit) else { return nil }
    let digits = bytes.drop { $0 == UInt8(ascii: "0") }
    guard digits.count <= 10 else { return nil }
    let magnitude = digits.reduce(Int64(0)) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
    return Int32(exactly: negative ? -magnitude : magnitude)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }
}

extension Key: Comparable {
  public static func < (a: Key, b: Key) -> Bool { a.order(to: b) < 0 }

  /// Negative when this key comes before `other`, zero when they are the same key.
  public func order(to other: Key) -> Int {
    if box === other.box { return 0 }
    return switch (integer, other.integer) {
    case let (a?, b?) where a != b: a < b ? -1 : 1
    case (_?, _?):
      // The same number: shorter first, then unsigned before signed ("00" before "-0").
      string.utf8.count != other.string.utf8.count
        ? string.utf8.count - other.string.utf8.count : other.text.order(to: text)
    case (_?, nil): -1
    case (nil, _?): 1
    case (nil, nil):
      box.beginning != other.box.beginning
        ? box.beginning < other.box.beginning ? -1 : 1 : text.order(to: other.text)
    }
  }
}

extension Key: ExpressibleByStringLiteral, CustomStringConvertible {
  /// Makes a key of a literal; a slash in it becomes part of the key and splits nothing.
  public init(stringLiteral value: String) { self.init(value) }
  public var description: String { string }
}

extension Key {
  /// Why the database would refuse this key, or `nil` when it is fine (KEY-1).
  public var problem: KeyProblem? {
    if box.isHarmless { return nil }
    if string.isEmpty { return .empty }
    for scalar in string.unicodeScalars {
      switch scalar {
      case ".", "#", "$", "[", "]", "/": return .forbidden(scalar, in: string)
      case "\u{0}"..."\u{1F}", "\u{7F}": return .control(scalar, in: string)
      default: continue
      }
    }
    return nil
  }
}

extension Key {
  /// The length of the text in bytes of UTF-8; O(1).
  var byteCount: Int { box.byteCount }

  /// Everything that is forbidden is one byte.
  private static func isHarmless(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "."), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "["),
      UInt8(ascii: "]"), UInt8(ascii: "/"), 0x7F:
      false
    default: byte >= 0x20
    }
  }
}

/// What is wrong with a key.
public enum KeyProblem: Error, Hashable, Sendable, CustomStringConvertible {
  case empty
  case forbidden(Unicode.Scalar, in: String)
  case control(Unicode.Scalar, in: String)

  public var description: String {
    switch self {
    case .empty: "a key is empty; a key has at least one character"
    case let .forbidden(scalar, key):
      "key \"\(key)\" contains \"\(scalar)\"; keys may not contain . # $ [ ] /"
    case let .control(scalar, key):
      "key \"\(key.unicodeScalars.filter { $0.value >= 32 && $0.value != 127 }.map(String.init).joined())\""
        + " contains the control character U+\(hex(scalar.value)); keys may not contain control characters"
    }
  }

  private func hex(_ value: UInt32) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
