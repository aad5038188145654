extension [UInt8] {
  /// The bytes of a base64 text, in the usual alphabet or in the one for addresses, with `=`, `.` or
  /// nothing at the end; `nil` for any other text.
  ///
  /// - Complexity: O(*n*).
  public init?(base64 text: some StringProtocol) {
    self = []
    reserveCapacity(text.utf8.count / 4 * 3)
    var (bits, count, padding) = (UInt32(0), 0, 0)
    for byte in text.utf8 {
      if byte == UInt8(ascii: "=") || byte == UInt8(ascii: ".") {
        padding += 1
        continue
      }
      guard padding == 0, let value = Self.value(ofBase64: byte) else { return nil }
      bits = bits << 6 | UInt32(value)
      count += 1
      guard count % 4 == 0 else { continue }
      append(UInt8(truncatingIfNeeded: bits >> 16))
      append(UInt8(truncatingIfNeeded: bits >> 8))
      append(UInt8(truncatingIfNeeded: bits))
    }
    guard padding <= 2, padding == 0 || (count + padding) % 4 == 0 else { return nil }
    switch count % 4 {
    case 0: break
    case 2: append(UInt8(truncatingIfNeeded: bits >> 4))
    case 3:
      append(UInt8(truncatingIfNeeded: bits >> 10))
      append(UInt8(truncatingIfNeeded: bits >> 2))
    default: return nil
    }
  }

  private static func value(ofBase64 byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
    case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
    default: nil
    }
  }
}
