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
