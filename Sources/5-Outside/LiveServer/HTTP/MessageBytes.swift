internal import Tree

/// The bytes that have arrived on one connection, and how they are cut into the lines of heads, and bodies, of
/// HTTP/1.1, whatever the pieces they arrive in.
struct MessageBytes: Sendable {
  /// How a body is sent.
  enum Framing: Hashable {
    case none
    case length(Int)
    case chunks
    /// It ends with the connection.
    case rest
  }

  private enum Part {
    case bytes
    case chunkSize
    case chunk
    case chunkEnd
    case trailers
  }

  /// How long a head may be, in bytes.
  private static let maxHeadBytes = 16 << 10
  /// How long the line before a chunk may be, in bytes.
  private static let maxChunkLineBytes = 256

  private var buffer: [UInt8] = []
  /// What comes before is used up.
  private var position = 0
  /// Before this there is no end of the line that is being read.
  private var searched = 0
  /// The lines of this head so far, or of the end of a body in chunks, in bytes.
  private(set) var lines = 0
  private var part = Part.bytes
  private var body: [UInt8] = []
  /// How much of the body, or of a chunk, is still to come; nil where it ends with the connection.
  private var left: Int?

  /// How many bytes are held.
  var count: Int { waiting + body.count }

  /// How much has arrived that is not used up.
  var waiting: Int { buffer.count - position }

  /// What has arrived and is not used up.
  var rest: ArraySlice<UInt8> { buffer[position...] }

  /// Takes time linear in the number of the bytes, amortised.
  mutating func append(_ bytes: some Sequence<UInt8>) {
    if position == buffer.count {
      buffer.removeAll(keepingCapacity: buffer.capacity <= 1 << 17)
      searched -= position
      position = 0
    } else if position > 1 << 16 {
      buffer.removeFirst(position)
      searched -= position
      position = 0
    }
    buffer.append(contentsOf: bytes)
  }

  /// The next line of a head without its end; `nil` when that has not arrived.
  ///
  /// - Throws: `Refused` when the lines come to more than the limit.
  mutating func line(_ status: Int) throws(Refused) -> ArraySlice<UInt8>? {
    try line(limit: Self.maxHeadBytes, status)
  }

  private mutating func line(
    limit: Int, _ status: Int, isStrict: Bool = false
  ) throws(Refused) -> ArraySlice<UInt8>? {
    let (length, isWhole) = upcoming()
    if lines + length > limit {
      throw Refused(
        status, "a head, or the line before a part of a body, has at most \(limit) bytes")
    }
    if !isWhole { return nil }
    lines += length + 1
    var line = takeLine(length)
    if line.last == UInt8(ascii: "\r") {
      line.removeLast()
    } else if isStrict {
      // A proxy may take such a line for part of what comes next.
      throw Refused(400, "the line before or behind a chunk does not end with CR LF")
    }
    if line.contains(UInt8(ascii: "\r")) { throw Refused(400, "a line of the head breaks off") }
    return line
  }

  /// How long the line that is being read is so far, and whether it has arrived with its end.
  mutating func upcoming() -> (length: Int, isWhole: Bool) {
    searched = max(searched, position)
    let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n"))
    searched = end ?? buffer.count
    return (searched - position, end != nil)
  }

  /// Uses up a line of this length that has arrived with its end.
  mutating func takeLine(_ length: Int) -> ArraySlice<UInt8> {
    defer { position += length + 1 }
    return buffer[position..<(position + length)]
  }
}

// Bodies.

extension MessageBytes {
  /// A head is over, and a body follows.
  mutating func beginBody(_ framing: Framing) {
    switch framing {
    case .none: (part, left) = (.bytes, 0)
    case let .length(length): (part, left) = (.bytes, length)
    case .chunks: (part, left) = (.chunkSize, 0)
    case .rest: (part, left) = (.bytes, nil)
    }
  }

  /// Takes what has arrived of the body.
  ///
  /// - Returns: Whether the body is whole.
  mutating func takeBody(limit: Int) throws(Refused) -> Bool {
    while true {
      switch part {
      case .bytes, .chunk:
        takeBytes()
        guard left == 0 else {
          if body.count > limit { throw HeadFields.tooLong(limit) }
          return false
        }
        if part == .bytes { return true }
        part = .chunkEnd
      case .chunkSize:
        lines = 0
        guard let line = try line(limit: Self.maxChunkLineBytes, 400, isStrict: true) else {
          return false
        }
        try beginChunk(line, limit)
      case .chunkEnd:
        lines = 0
        guard let line = try line(limit: Self.maxChunkLineBytes, 400, isStrict: true) else {
          return false
        }
        guard line.isEmpty else {
          throw Refused(400, "a chunk does not have the length that it gives")
        }
        part = .chunkSize
      case .trailers:
        guard let line = try line(431) else { return false }
        if line.isEmpty { return true }
      }
    }
  }

  private mutating func takeBytes() {
    let count = min(left ?? waiting, waiting)
    body += buffer[position..<(position + count)]
    position += count
    left = left.map { $0 - count }
  }

  private mutating func beginChunk(_ line: ArraySlice<UInt8>, _ limit: Int) throws(Refused) {
    let digits = line.prefix { $0 != UInt8(ascii: ";") && $0 != 32 && $0 != 9 }
    let text = String(decoding: digits, as: UTF8.self)
    guard !text.hasPrefix("+"), !text.hasPrefix("-"), text.utf8.count <= 15,
      let size = Int(text, radix: 16)
    else { throw Refused(400, "a chunk does not begin with its length") }
    guard body.count + size <= limit else { throw HeadFields.tooLong(limit) }
    (part, left) = (size == 0 ? .trailers : .chunk, size)
  }

  /// Whether a body that ends with the connection would be whole.
  var endsWithConnection: Bool { left == nil }

  /// Hands out what has been taken of the body.
  mutating func takenBody() -> [UInt8] {
    defer { body = [] }
    return body
  }

  /// The body is whole: another head may follow.
  mutating func endBody() -> [UInt8] {
    (lines, left) = (0, 0)
    return takenBody()
  }
}

/// The fields of a head, by their names in small letters.
struct HeadFields: Sendable {
  private(set) var values: [String: String] = [:]

  subscript(_ name: String) -> String? { values[name] }

  /// Reads a line. Values of a name that comes again are joined.
  mutating func take(_ line: ArraySlice<UInt8>) throws(Refused) {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
      line[..<colon].allSatisfy(Self.isOfToken)
    else { throw Refused(400, "a line of the head is no NAME: VALUE") }
    var value = line[(colon + 1)...]
    while let first = value.first, first == 32 || first == 9 { value.removeFirst() }
    while let last = value.last, last == 32 || last == 9 { value.removeLast() }
    guard value.allSatisfy({ $0 >= 32 && $0 != 127 || $0 == 9 }) else {
      throw Refused(400, "a value in the head has control characters")
    }
    let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
    let text = String(decoding: value, as: UTF8.self)
    guard let other = values[name] else { return values[name] = text }
    if name == "host" || name == "content-length" && other != text {
      throw Refused(400, "the head has two values of \(name)")
    }
    if name != "content-length" { values[name] = other + ", " + text }
  }

  static func isOfToken(_ byte: UInt8) -> Bool {
    byte.isLetterOrDigit || "!#$%&'*+-.^_`|~".utf8.contains(byte)
  }

  /// Whether a field, a list, has a word in it.
  func list(_ name: String, has word: String) -> Bool {
    values[name]?.lowercased().split(separator: ",").contains { $0.trimmed == word } == true
  }

  /// How the body is sent; nil where that is not stated.
  ///
  /// - Throws: `Refused` where it is not clear, or the body is too long.
  func framing(limit: Int) throws(Refused) -> MessageBytes.Framing? {
    if let coding = values["transfer-encoding"] {
      if values["content-length"] != nil {
        throw Refused(400, "the head gives the length of the body twice")
      }
      guard coding.lowercased() == "chunked" else {
        throw Refused(501, "no transfer coding is known here but chunked")
      }
      return .chunks
    }
    guard let text = values["content-length"] else { return nil }
    guard !text.isEmpty, text.utf8.allSatisfy(\.isDigit) else {
      throw Refused(400, "the length of the body is no number")
    }
    guard let length = Int(text), length <= limit else { throw Self.tooLong(limit) }
    return .length(length)
  }

  static func tooLong(_ limit: Int) -> Refused {
    Refused(413, "the body has more than \(limit) bytes")
  }
}

extension Substring {
  /// Without the optional white space of HTTP around it: blanks and tabs.
  var trimmed: Substring {
    var text = self
    while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
    while let last = text.last, last == " " || last == "\t" { text.removeLast() }
    return text
  }
}
