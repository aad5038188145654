/// A JSON value: what messages, scenario files and adapter lines are made of.
///
/// Numbers are IEEE doubles, as in the database itself. Members keep the order of the text they
/// came from, because the order of messages on the wire is part of what is compared; equality
/// ignores it, because JSON does.
public indirect enum JSON: Sendable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSON])
  case object([Member])

  /// One `name: value` of an object.
  public struct Member: Sendable {
    /// The name without quotes or escapes.
    public var name: String
    /// What comes after the colon, which may be null.
    public var value: JSON

    /// Pairs a name with its value; whether an object has the name already is not checked.
    public init(_ name: String, _ value: JSON) {
      self.name = name
      self.value = value
    }
  }
}

extension JSON {
  /// An object of those members that have a value, in their order.
  package static func object(having members: KeyValuePairs<String, JSON?>) -> JSON {
    .object(members.compactMap { name, value in value.map { Member(name, $0) } })
  }

  /// A whole number.
  package static func count(_ number: some BinaryInteger) -> JSON { .number(Double(number)) }

  /// A text, or null where there is none.
  package static func optional(_ text: String?) -> JSON { text.map { .string($0) } ?? .null }

  /// A list of texts.
  package static func strings(_ texts: some Sequence<String>) -> JSON {
    .array(texts.map { .string($0) })
  }

  /// The value of the member `name`, or `nil` when this is no object or has no such member.
  ///
  /// - Complexity: O(*n*) in the number of members; messages have few.
  public subscript(name: String) -> JSON? {
    guard case let .object(members) = self else { return nil }
    return members.first { Text($0.name) == Text(name) }?.value
  }

  /// The members of an object, or `nil` for any other kind of value.
  public var members: [Member]? {
    if case let .object(members) = self { members } else { nil }
  }

  /// The elements of an array, or `nil` for any other kind of value.
  public var elements: [JSON]? {
    if case let .array(elements) = self { elements } else { nil }
  }

  /// The text of a string, or `nil` for any other kind of value.
  public var string: String? {
    if case let .string(text) = self { text } else { nil }
  }

  /// The number, or `nil` for any other kind of value.
  public var number: Double? {
    if case let .number(number) = self { number } else { nil }
  }

  /// The number when it is whole and fits an `Int`, else `nil`.
  public var integer: Int? {
    guard case let .number(number) = self else { return nil }
    return Int(exactly: number)
  }

  /// The truth value, or `nil` for any other kind of value.
  public var bool: Bool? {
    if case let .bool(bool) = self { bool } else { nil }
  }

  /// What kind of value this is, for messages: `an object`, `a number`, …
  public var kind: String {
    switch self {
    case .null: "null"
    case .bool: "a boolean"
    case .number: "a number"
    case .string: "a string"
    case .array: "a list"
    case .object: "a mapping"
    }
  }
}

extension JSON: Equatable {
  /// Equality as JSON understands it: numbers by value, strings by their bytes, members of an
  /// object in any order.
  ///
  /// - Complexity: O(*n*), and O(*n* · *m*) for objects with *m* members in different orders.
  public static func == (a: JSON, b: JSON) -> Bool {
    switch (a, b) {
    case (.null, .null): true
    case let (.bool(a), .bool(b)): a == b
    case let (.number(a), .number(b)): a == b
    case let (.string(a), .string(b)): Text(a) == Text(b)
    case let (.array(a), .array(b)): a == b
    case let (.object(a), .object(b)):
      a.count == b.count
        && a.allSatisfy { member in
          b.contains { Text($0.name) == Text(member.name) && $0.value == member.value }
        }
    case (.null, _), (.bool, _), (.number, _), (.string, _), (.array, _), (.object, _): false
    }
  }
}

extension JSON {
  /// Whether both are equal, as far as that is known without comparing what is inside them.
  ///
  /// - Complexity: O(1), and O(*n*) for texts.
  package func isSame(as other: JSON) -> Bool {
    switch (self, other) {
    case let (.array(a), .array(b)): Self.areOne(a, b)
    case let (.object(a), .object(b)): Self.areOne(a, b)
    default: self == other
    }
  }

  private static func areOne<Element>(_ a: [Element], _ b: [Element]) -> Bool {
    a.withUnsafeBufferPointer { a in
      b.withUnsafeBufferPointer { $0.baseAddress == a.baseAddress && $0.count == a.count }
    }
  }
}

extension JSON: Hashable {
  /// Equal values hash alike; members count in any order.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case let .bool(bool): hasher.combine(bool)
    case let .number(number): hasher.combine(number)
    case let .string(text): Text(text).hash(into: &hasher)
    case let .array(elements): hasher.combine(elements)
    case let .object(members): hasher.combine(members.count)
    }
  }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  /// Makes a JSON string of a literal; its contents are not parsed as JSON.
  public init(stringLiteral value: String) { self = .string(value) }
  /// Makes a JSON boolean, which never equals a number.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// Makes a JSON number of a literal with a fraction or an exponent.
  public init(floatLiteral value: Double) { self = .number(value) }
  /// Makes a JSON number: the nearest double, which is exact up to 2^53.
  public init(integerLiteral value: Int) { self = .number(Double(value)) }
  /// Makes a JSON array whose elements may be of different kinds.
  public init(arrayLiteral elements: JSON...) { self = .array(elements) }
  /// Makes a JSON object whose members keep the order of the literal; repeated names are kept too.
  public init(dictionaryLiteral elements: (String, JSON)...) {
    self = .object(elements.map { Member($0.0, $0.1) })
  }
}

extension JSON: CustomStringConvertible {
  public var description: String { text }
}

extension JSON {
  /// The value over several lines, for people: what fits into a line of 100 columns stays in one.
  public var indentedText: String { indented(width: 100) + "\n" }

  /// The value over several lines, indented by two spaces a level; only scalars and what is empty
  /// stay in one.
  package var prettyText: String { indented(width: 0) }

  private func indented(width: Int) -> String {
    var text = ""
    writeIndented(to: &text, by: 0, after: 0, width)
    return text
  }

  /// The line is indented by `margin`, and `length` more bytes stand in it before the value.
  private func writeIndented(
    to text: inout String, by margin: Int, after length: Int, _ width: Int
  ) {
    if width > 0 {
      let line = self.text
      if margin + length + line.utf8.count < width { return text += line }
    }
    let end = "\n" + String(repeating: " ", count: margin)
    var separator = ""
    if let elements, !elements.isEmpty {
      for element in elements {
        text += (separator.isEmpty ? "[" : separator) + end + "  "
        element.writeIndented(to: &text, by: margin + 2, after: 0, width)
        separator = ","
      }
      text += end + "]"
    } else if let members, !members.isEmpty {
      for member in members {
        let name = JSON.string(member.name).text + ": "
        text += (separator.isEmpty ? "{" : separator) + end + "  " + name
        member.value.writeIndented(to: &text, by: margin + 2, after: name.utf8.count, width)
        separator = ","
      }
      text += end + "}"
    } else {
      text += self.text
    }
  }
}

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
