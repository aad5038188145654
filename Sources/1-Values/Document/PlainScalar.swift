/// What a YAML scalar without quotes means, by the core schema of YAML 1.2.
enum PlainScalar {
  /// - Returns: nil for a number that is infinite, not a number, or too large for a double.
  static func content(of text: String) -> DocumentNode.Content? {
    switch text {
    case "", "~", "null", "Null", "NULL": return .null
    case "true", "True", "TRUE": return .bool(true)
    case "false", "False", "FALSE": return .bool(false)
    case ".nan", ".NaN", ".NAN": return nil
    default: break
    }
    let unsigned = text.first == "-" || text.first == "+" ? text.dropFirst() : text[...]
    if [".inf", ".Inf", ".INF"].contains(unsigned) { return nil }
    guard let number = decimal(text, unsigned.utf8) ?? radix(text) else { return .string(text) }
    return number.isFinite ? .number(number) : nil
  }

  /// `[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?`
  private static func decimal(_ text: String, _ unsigned: Substring.UTF8View) -> Double? {
    var rest = unsigned
    let whole = rest.removeDigits()
    var fraction = 0
    if rest.removeOne(of: ".") { fraction = rest.removeDigits() }
    guard whole + fraction > 0 else { return nil }
    if rest.removeOne(of: "eE") {
      _ = rest.removeOne(of: "+-")
      guard rest.removeDigits() > 0 else { return nil }
    }
    return rest.isEmpty ? Double(text) : nil
  }

  /// `0x[0-9a-fA-F]+|0o[0-7]+`, without a sign.
  private static func radix(_ text: String) -> Double? {
    let digits = text.dropFirst(2)
    guard !digits.isEmpty, let radix = ["0x": 16, "0o": 8][text.prefix(2)] else { return nil }
    var number = 0.0
    for digit in digits {
      guard let value = digit.hexDigitValue, value < radix else { return nil }
      number = number * Double(radix) + Double(value)
    }
    return number
  }
}

extension Substring.UTF8View {
  fileprivate mutating func removeOne(of characters: String) -> Bool {
    guard let first, characters.utf8.contains(first) else { return false }
    removeFirst()
    return true
  }

  fileprivate mutating func removeDigits() -> Int {
    let digits = prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
    removeFirst(digits)
    return digits
  }
}
