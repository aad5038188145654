/// A 64-bit digest that is the same in every process and on every machine.
///
/// It names values in trace hashes and distinguishes unequal trees quickly. It is not `hashValue`,
/// which Swift seeds differently in each process, and not the node hash of the protocol (HSH-2).
public struct Fingerprint: Hashable, Sendable {
  /// The digest of all that was combined so far, in the order in which it was.
  public var bits: UInt64

  /// Starts from `bits`: without an argument a new digest, otherwise one that was computed before.
  @inlinable
  public init(bits: UInt64 = 0xCBF2_9CE4_8422_2325) {
    self.bits = bits
  }

  /// The digest of a text.
  public init(of text: String) {
    self.init()
    combine(text)
  }

  /// Stirs `word` in; the order of calls matters.
  @inlinable
  public mutating func combine(_ word: UInt64) {
    bits = Self.mixed(bits ^ word)
  }

  /// Stirs the two's complement bits of `word` in; the order of calls matters.
  @inlinable
  public mutating func combine(_ word: Int) { combine(UInt64(bitPattern: Int64(word))) }

  /// Stirs the bytes and the length of `text` in.
  ///
  /// - Complexity: O(*n*) in the length of the text.
  public mutating func combine(_ text: String) {
    combine(Self.digest(of: text))
  }

  private static func digest(of text: String) -> UInt64 {
    digest(ofShort: text) ?? digest(ofLong: text)
  }

  /// Reads the bytes where they lie: a copy of the text would be counted, and given up again.
  @inline(never)
  private static func digest(ofLong text: String) -> UInt64 {
    if let digest = text.utf8.withContiguousStorageIfAvailable({
      digest(of: UnsafeRawBufferPointer($0))
    }) {
      return digest
    }
    var text = text
    return text.withUTF8 { digest(of: UnsafeRawBufferPointer($0)) }
  }

  /// Takes eight bytes at a time, the first one as the highest, and then those that are left.
  private static func digest(of bytes: UnsafeRawBufferPointer) -> UInt64 {
    var digest = UInt64(bytes.count)
    var offset = 0
    while offset + 8 <= bytes.count {
      let word = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      digest = mixed(digest ^ word)
      offset += 8
    }
    var word: UInt64 = 0
    while offset < bytes.count {
      word = word << 8 | UInt64(bytes[offset])
      offset += 1
    }
    return mixed(digest ^ word)
  }

  /// The same for nearly every text: up to 15 bytes are the text itself, in their order, with their
  /// count in the last byte, of which bit 5 says that it is so. `nil` for a longer text.
  @inline(__always)
  private static func digest(ofShort text: String) -> UInt64? {
    let (first, second) = unsafeBitCast(text, to: (UInt64, UInt64).self)
    guard second >> 61 & 1 == 1 else { return nil }
    let count = second >> 56 & 15
    let word = first.bigEndian
    if count < 8 { return mixed(count ^ word >> (64 - 8 * count)) }
    return mixed(mixed(count ^ word) ^ second.bigEndian >> (128 - 8 * count))
  }

  /// The finalizer of SplitMix64: every bit of the input reaches every bit of the output.
  @inlinable
  public static func mixed(_ value: UInt64) -> UInt64 {
    var z = value &+ 0x9E37_79B9_7F4A_7C15
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

extension Fingerprint {
  /// What dictionaries and sets ask keys for that have a digest, in place of the general hash, which
  /// takes ten times as long. `seed` differs from table to table and from process to process.
  @inlinable
  public func hashValue(seed: Int) -> Int {
    Int(truncatingIfNeeded: Self.mixed(bits ^ UInt64(truncatingIfNeeded: seed)))
  }
}

extension Fingerprint: CustomStringConvertible {
  /// Sixteen hexadecimal digits.
  public var description: String {
    String(unsafeUninitializedCapacity: 16) { text in
      for index in 0..<16 {
        let digit = UInt8(truncatingIfNeeded: bits >> UInt64(60 - 4 * index)) & 15
        text[index] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
      }
      return 16
    }
  }
}

extension Scalar {
  /// Equal scalars have equal fingerprints: −0 counts as 0.
  func combine(into fingerprint: inout Fingerprint) {
    switch self {
    case let .bool(bool): fingerprint.combine(bool ? 1 : 2)
    case let .number(number):
      fingerprint.combine(3)
      fingerprint.combine(number == 0 ? 0 : number.bitPattern)
    case let .string(text):
      fingerprint.combine(4)
      fingerprint.combine(text.string)
    case .serverValue(.timestamp): fingerprint.combine(5)
    case let .serverValue(.increment(delta)):
      fingerprint.combine(6)
      fingerprint.combine(delta.bitPattern)
    }
  }
}
