extension JSON {
  /// The canonical text: no spaces, members in the order they have, numbers as JavaScript writes
  /// them (`0.1`, `1e+21`, `5`), only the escapes that JSON demands.
  ///
  /// - Complexity: O(*n*) in the length of the text.
  public var text: String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(64)
    write(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the canonical text as UTF-8.
  public func write(to bytes: inout [UInt8]) {
    switch self {
    case .null: bytes.append(contentsOf: "null".utf8)
    case let .bool(bool): bytes.append(contentsOf: (bool ? "true" : "false").utf8)
    case let .number(number): bytes.append(contentsOf: canonicalText(of: number).utf8)
    case let .string(text): writeQuoted(text, to: &bytes)
    case let .array(elements):
      bytes.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        element.write(to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case let .object(members):
      bytes.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        writeQuoted(member.name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        member.value.write(to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }
}

/// Appends `text` as a JSON string, quotes included.
func writeQuoted(_ text: String, to bytes: inout [UInt8]) {
  bytes.append(UInt8(ascii: "\""))
  var text = text
  text.withUTF8 { text in
    if text.contains(where: { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }) {
      for byte in text { writeEscaped(byte, to: &bytes) }
    } else {
      bytes.append(contentsOf: text)
    }
  }
  bytes.append(UInt8(ascii: "\""))
}

private func writeEscaped(_ byte: UInt8, to bytes: inout [UInt8]) {
  switch byte {
  case UInt8(ascii: "\""): bytes.append(contentsOf: #"\""#.utf8)
  case UInt8(ascii: "\\"): bytes.append(contentsOf: #"\\"#.utf8)
  case 0x08: bytes.append(contentsOf: #"\b"#.utf8)
  case 0x09: bytes.append(contentsOf: #"\t"#.utf8)
  case 0x0A: bytes.append(contentsOf: #"\n"#.utf8)
  case 0x0C: bytes.append(contentsOf: #"\f"#.utf8)
  case 0x0D: bytes.append(contentsOf: #"\r"#.utf8)
  case 0..<0x20:
    bytes.append(contentsOf: #"\u00"#.utf8)
    for digit in [byte >> 4, byte & 15] {
      bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    }
  default: bytes.append(byte)
  }
}

/// The shortest text that reads back as `number`, laid out as JavaScript lays it out.
///
/// Swift's own description has the same digits but another layout (`5.0`, `1e+16`, `1e-07`), so
/// only its digits and exponent are used. Negative zero is `-0`: JSON can carry it and the node
/// hash distinguishes it (HSH-4), although JavaScript's own text would drop the sign.
public func canonicalText(of number: Double) -> String {
  // Up to 2^53 all digits of a whole number count; beyond, JavaScript writes zeros for those that
  // do not (2^59 is 576460752303423500, not …488).
  if let whole = Int64(exactly: number), whole.magnitude <= 1 << 53 {
    return whole == 0 && number.sign == .minus ? "-0" : String(whole)
  }
  guard number.isFinite else { return "null" }
  let (digits, exponent) = decimalDigits(of: abs(number))
  let sign = number < 0 ? "-" : ""
  let point = exponent + 1  // how many digits stand before the decimal point
  if point > 21 || point < -5 {
    let fraction = digits.dropFirst()
    let mantissa = fraction.isEmpty ? "\(digits.prefix(1))" : "\(digits.prefix(1)).\(fraction)"
    return "\(sign)\(mantissa)e\(exponent < 0 ? "-" : "+")\(abs(exponent))"
  }
  if point <= 0 { return sign + "0." + String(repeating: "0", count: -point) + digits }
  if digits.count <= point {
    return sign + digits + String(repeating: "0", count: point - digits.count)
  }
  return "\(sign)\(digits.prefix(point)).\(digits.dropFirst(point))"
}

/// The significant digits of a positive finite number and the decimal exponent of the first one.
private func decimalDigits(of number: Double) -> (digits: String, exponent: Int) {
  let parts = number.description.utf8.split(separator: UInt8(ascii: "e"))
  let written = parts.count > 1 ? Int(Substring(parts[1])) ?? 0 : 0
  let all = parts[0].filter { $0 != UInt8(ascii: ".") }
  let wholeCount = parts[0].prefix { $0 != UInt8(ascii: ".") }.count
  let significant = all.drop { $0 == UInt8(ascii: "0") }
  let digits = String(decoding: significant, as: UTF8.self)
  let trailingZeros = significant.reversed().prefix { $0 == UInt8(ascii: "0") }.count
  let exponent = written + wholeCount - 1 - (all.count - significant.count)
  return (digits.isEmpty ? "0" : String(digits.dropLast(trailingZeros)), exponent)
}
