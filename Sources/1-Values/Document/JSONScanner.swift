import Tree

/// Reads a JSON text into positioned values, and reports what is wrong where.
///
/// It knows the structure of JSON and where tokens begin and end; what a token means is left to
/// jansson, so that this and the fast way without locations cannot disagree about a string or
/// number. A bad token is reported and reading goes on; a mistake in the structure ends it.
struct JSONScanner {
  var problems: [DocumentError] = []
  private(set) var position = Position.start
  private(set) var offset = 0
  let text: UnsafeBufferPointer<UInt8>
  /// The lists and mappings around the current location, outermost first.
  private var collections: [(kind: String, start: Position)] = []

  init(_ text: UnsafeBufferPointer<UInt8>) {
    self.text = text
  }

  mutating func document() throws(DocumentError) -> DocumentNode {
    try skipSpace()
    guard next != nil else { throw halt(.empty) }
    let root = try value()
    try skipSpace()
    guard next == nil else { throw halt(.moreThanOneValue(found: found)) }
    return root
  }

  private mutating func value() throws(DocumentError) -> DocumentNode {
    let start = position
    switch next {
    case UInt8(ascii: "{"): return DocumentNode(.mapping(try members()), at: start)
    case UInt8(ascii: "["): return DocumentNode(.list(try elements()), at: start)
    case UInt8(ascii: "\""): return DocumentNode(.string(try string()), at: start)
    default:
      try refuseSingleQuote()
      guard let content = word() else { throw halt(.valueExpected(found: found)) }
      return DocumentNode(content, at: start)
    }
  }

  private mutating func elements() throws(DocumentError) -> [DocumentNode] {
    try open("list")
    var elements: [DocumentNode] = []
    if next != UInt8(ascii: "]") {
      repeat {
        elements.append(try value())
      } while try hasAnother(before: UInt8(ascii: "]"))
    }
    close()
    return elements
  }

  private mutating func members() throws(DocumentError) -> [DocumentNode.Entry] {
    try open("mapping")
    var members = UniqueEntries()
    if next != UInt8(ascii: "}") {
      repeat {
        members.add(try member(), problems: &problems)
      } while try hasAnother(before: UInt8(ascii: "}"))
    }
    close()
    return members.entries
  }

  private mutating func member() throws(DocumentError) -> DocumentNode.Entry {
    let keyPosition = position
    try refuseSingleQuote()
    guard next == UInt8(ascii: "\"") else { throw halt(.keyExpected(found: found)) }
    let key = try string()
    try skipSpace()
    guard next == UInt8(ascii: ":") else { throw halt(.colonExpected(found: found, key: key)) }
    advance()
    try skipSpace()
    return DocumentNode.Entry(key: key, keyPosition: keyPosition, value: try value())
  }

  /// Goes on to the next element of the current collection, if there is one before `closer`.
  private mutating func hasAnother(before closer: UInt8) throws(DocumentError) -> Bool {
    try skipSpace()
    if next == closer { return false }
    let bracket = "\"\(Unicode.Scalar(closer))\""
    guard next == UInt8(ascii: ",") else {
      throw halt(.separatorExpected(found: found, closer: bracket))
    }
    advance()
    try skipSpace()
    if next == closer { throw halt(.trailingComma(before: bracket)) }
    return true
  }

  private mutating func open(_ kind: String) throws(DocumentError) {
    guard collections.count < Limits.depth else {
      throw DocumentError(at: position, TextError.tooDeep.message)
    }
    collections.append((kind, position))
    advance()
    try skipSpace()
  }

  private mutating func close() {
    collections.removeLast()
    advance()
  }

  /// `mistake` at the current location; at the end of the text, that a collection was never closed.
  private func halt(_ mistake: JSONStructureError) -> DocumentError {
    guard next == nil, let innermost = collections.last else {
      return DocumentError(at: position, mistake.message)
    }
    let unclosed = JSONStructureError.unclosed(innermost.kind, from: innermost.start)
    return DocumentError(at: position, unclosed.message)
  }

  private func refuseSingleQuote() throws(DocumentError) {
    guard next == UInt8(ascii: "'") else { return }
    throw DocumentError(at: position, JSONTokenError.singleQuotes.message)
  }
}

extension JSONScanner {
  var next: UInt8? { offset < text.count ? text[offset] : nil }

  mutating func advance() {
    let byte = text[offset]
    offset += 1
    position.advance(over: byte, before: next)
  }

  private mutating func skipSpace() throws(DocumentError) {
    while let byte = next {
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        advance()
      case UInt8(ascii: "/"), UInt8(ascii: "#"):
        throw DocumentError(at: position, JSONStructureError.comment.message)
      default:
        return
      }
    }
  }

  mutating func report(_ mistake: JSONTokenError, at position: Position) {
    problems.append(DocumentError(at: position, mistake.message))
  }
}

extension JSONScanner {
  /// What is at the current location, for messages.
  var found: String {
    guard let byte = next else { return "the end of the text" }
    var end = offset + 1
    if isWordByte(byte) {
      while end < text.count, isWordByte(text[end]) { end += 1 }
    }
    return shown(string(offset..<end))
  }

  /// Reads a number or one of the three words, or notes what else it is.
  ///
  /// - Returns: nil, and nothing is read, when nothing of the kind stands here.
  mutating func word() -> DocumentNode.Content? {
    let (start, startPosition) = (offset, position)
    while let byte = next, isWordByte(byte) { advance() }
    let word = string(start..<offset)
    switch word {
    case "": return nil
    case "null": return .null
    case "true": return .bool(true)
    case "false": return .bool(false)
    default: return number(word, in: start..<offset, at: startPosition)
    }
  }

  private mutating func number(
    _ word: String, in range: Range<Int>, at start: Position
  ) -> DocumentNode.Content {
    switch Jansson.decode(UnsafeBufferPointer(rebasing: text[range])) {
    case let .value(.number(number)): return .number(number)
    case .overflow: problems.append(DocumentError(at: start, notFinite(word)))
    case _ where ["NaN", "Infinity", "-Infinity"].contains(word):
      problems.append(DocumentError(at: start, notFinite(word)))
    case _ where "+-.0123456789".contains(word.prefix(1)): report(.badNumber(word), at: start)
    default: report(.unknownWord(word), at: start)
    }
    return .null
  }

  private func notFinite(_ word: String) -> String { TextError.notFinite(word).message }

  /// Reads a string with its quotes.
  ///
  /// - Throws: when it does not end on its line.
  mutating func string() throws(DocumentError) -> String {
    let (start, startPosition) = (offset, position)
    var isPlain = true
    advance()
    while let byte = next, byte != UInt8(ascii: "\"") {
      guard byte != UInt8(ascii: "\n"), byte != UInt8(ascii: "\r") else { break }
      if byte == UInt8(ascii: "\\") || byte < 0x20 { isPlain = false }
      advance()
      if byte == UInt8(ascii: "\\"), next == UInt8(ascii: "\"") || next == UInt8(ascii: "\\") {
        advance()
      }
    }
    guard next == UInt8(ascii: "\"") else {
      throw DocumentError(at: startPosition, JSONTokenError.unclosedString.message)
    }
    advance()
    if isPlain { return string(start + 1..<offset - 1) }
    let token = UnsafeBufferPointer(rebasing: text[start..<offset])
    if case let .value(.string(string)) = Jansson.decode(token) { return string }
    let (mistake, index) = mistake(inToken: token)
    var position = startPosition
    // A token has no line breaks, so its columns are its scalars.
    position.column += string(start..<start + index).unicodeScalars.count
    report(mistake, at: position)
    return ""
  }

  /// Why jansson does not accept the string `token`, and at which byte of it.
  private func mistake(
    inToken token: UnsafeBufferPointer<UInt8>
  ) -> (mistake: JSONTokenError, index: Int) {
    let end = token.count - 1
    var index = 1
    var pendingHalf: Int?
    while index < end {
      let isUnicode = token[index] == UInt8(ascii: "\\") && token[index + 1] == UInt8(ascii: "u")
      if let pendingHalf, !isUnicode { return (.loneSurrogate, pendingHalf) }
      guard isUnicode else {
        if let mistake = mistake(at: index, in: token) { return (mistake, index) }
        index += token[index] == UInt8(ascii: "\\") ? 2 : 1
        continue
      }
      guard let unit = codeUnit(token[index + 2..<min(index + 6, end)]) else {
        return (.badUnicodeEscape, index)
      }
      switch (unit, pendingHalf) {
      case (0xD800...0xDBFF, nil): pendingHalf = index
      case (0xDC00...0xDFFF, .some): pendingHalf = nil
      case (0xDC00...0xDFFF, nil): return (.loneSurrogate, index)
      case let (_, half?): return (.loneSurrogate, half)
      case (_, nil): break
      }
      index += 6
    }
    return (.loneSurrogate, pendingHalf ?? 1)
  }

  /// What is wrong with the plain character or the short escape at `index`.
  private func mistake(
    at index: Int, in token: UnsafeBufferPointer<UInt8>
  ) -> JSONTokenError? {
    if token[index] < 0x20 { return .controlCharacter(token[index]) }
    guard token[index] == UInt8(ascii: "\\"), !"\"\\/bfnrt".utf8.contains(token[index + 1]) else {
      return nil
    }
    let rest = String(decoding: token[index...], as: UTF8.self)
    return .unknownEscape(shown(String(rest.unicodeScalars.prefix(2))))
  }

  private func codeUnit(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> UInt16? {
    let text = String(decoding: digits, as: UTF8.self)
    guard text.utf8.count == 4, text.utf8.first != UInt8(ascii: "+") else { return nil }
    return UInt16(text, radix: 16)
  }

  private func string(_ range: Range<Int>) -> String {
    String(decoding: text[range], as: UTF8.self)
  }

  private func isWordByte(_ byte: UInt8) -> Bool {
    byte > 0x20 && !"{}[]:,\"'/#".utf8.contains(byte)
  }
}
