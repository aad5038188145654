internal import Glibc
internal import Tree

/// Reads what nearly every JSON text consists of, ten times as fast as jansson.
///
/// It decides nothing: a text with a mistake, or with something rare, has no value here, and jansson
/// is asked for it. Of tokens that are not plain jansson decodes each by itself.
struct PlainJSON {
  private let text: UnsafeBufferPointer<UInt8>
  private var offset = 0

  private init(_ text: UnsafeBufferPointer<UInt8>) { self.text = text }

  /// The value of a text; `nil` if jansson has to look at it.
  static func value(of text: UnsafeBufferPointer<UInt8>) -> JSON? {
    var reader = PlainJSON(text)
    guard let value = reader.value(depth: 0) else { return nil }
    reader.skipSpace()
    return reader.offset == text.count ? value : nil
  }

  private mutating func value(depth: Int) -> JSON? {
    skipSpace()
    guard offset < text.count else { return nil }
    switch text[offset] {
    case UInt8(ascii: "{"): return depth < Limits.depth ? members(depth: depth + 1) : nil
    case UInt8(ascii: "["): return depth < Limits.depth ? elements(depth: depth + 1) : nil
    case UInt8(ascii: "\""): return string().map { .string($0) }
    default: return word()
    }
  }

  private mutating func elements(depth: Int) -> JSON? {
    offset += 1
    var elements: [JSON] = []
    if take(UInt8(ascii: "]")) { return .array(elements) }
    repeat {
      guard let element = value(depth: depth) else { return nil }
      elements.append(element)
    } while take(UInt8(ascii: ","))
    return take(UInt8(ascii: "]")) ? .array(elements) : nil
  }

  private mutating func members(depth: Int) -> JSON? {
    offset += 1
    var members: [JSON.Member] = []
    if take(UInt8(ascii: "}")) { return .object(members) }
    var isOrdered = true
    repeat {
      skipSpace()
      guard let name = plainString(), take(UInt8(ascii: ":")), let value = value(depth: depth)
      else { return nil }
      if let last = members.last, !(Text(last.name) < Text(name)) { isOrdered = false }
      members.append(JSON.Member(name, value))
    } while take(UInt8(ascii: ","))
    // Only where names are in order it is certain that each is another.
    if !isOrdered, Set(members.map { Text($0.name) }).count < members.count { return nil }
    return take(UInt8(ascii: "}")) ? .object(members) : nil
  }

  private mutating func skipSpace() {
    while offset < text.count {
      switch text[offset] {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        offset += 1
      default: return
      }
    }
  }

  /// Goes behind a character, if that is what comes next.
  private mutating func take(_ byte: UInt8) -> Bool {
    skipSpace()
    guard offset < text.count, text[offset] == byte else { return false }
    offset += 1
    return true
  }
}

// Tokens.

extension PlainJSON {
  private mutating func string() -> String? {
    let start = offset
    if let plain = plainString() { return plain }
    offset = start + 1
    while offset < text.count, text[offset] != UInt8(ascii: "\"") {
      offset += text[offset] == UInt8(ascii: "\\") ? 2 : 1
    }
    guard offset < text.count else { return nil }
    offset += 1
    guard case let .value(.string(string)) = decoded(from: start) else { return nil }
    return string
  }

  /// A string without escapes.
  private mutating func plainString() -> String? {
    guard offset < text.count, text[offset] == UInt8(ascii: "\""), let base = text.baseAddress,
      let found = memchr(base + offset + 1, Int32(UInt8(ascii: "\"")), text.count - offset - 1)
    else { return nil }
    let end = UnsafeRawPointer(found) - UnsafeRawPointer(base)
    let content = UnsafeBufferPointer(rebasing: text[offset + 1..<end])
    // Without a branch for each byte this is done many bytes at a time.
    var escapes: UInt8 = 0
    for byte in content { escapes |= (byte < 0x20 ? 1 : 0) | (byte == UInt8(ascii: "\\") ? 1 : 0) }
    guard escapes == 0, let string = String(validating: content, as: UTF8.self) else { return nil }
    offset = end + 1
    return string
  }

  private mutating func word() -> JSON? {
    let start = offset
    while offset < text.count, !" \t\n\r,]}".utf8.contains(text[offset]) { offset += 1 }
    let word = text[start..<offset]
    switch word.first {
    case UInt8(ascii: "n") where word.elementsEqual("null".utf8): return .null
    case UInt8(ascii: "t") where word.elementsEqual("true".utf8): return .bool(true)
    case UInt8(ascii: "f") where word.elementsEqual("false".utf8): return .bool(false)
    default: break
    }
    if let number = Self.number(word) { return .number(number) }
    guard case let .value(.number(number)) = decoded(from: start) else { return nil }
    return .number(number)
  }

  /// A whole number without a sign that is certainly exact, in its shortest form.
  private static func number(_ word: Slice<UnsafeBufferPointer<UInt8>>) -> Double? {
    guard (1...15).contains(word.count), word.count == 1 || word.first != UInt8(ascii: "0") else {
      return nil
    }
    var number = 0
    for byte in word {
      guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
      number = number * 10 + Int(byte - UInt8(ascii: "0"))
    }
    return Double(number)
  }

  /// What jansson makes of the token that ends here.
  private func decoded(from start: Int) -> Jansson.Outcome {
    Jansson.decode(UnsafeBufferPointer(rebasing: text[start..<offset]))
  }
}
