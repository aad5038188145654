import Tree

/// Cuts what arrives on one connection into requests of HTTP/1.1, whatever the pieces it arrives
/// in.
///
/// Bodies may come in chunks; requests may come before the last one is answered. Nothing is kept
/// that is beyond the bounds: 16 KiB for a head, and what the caller says for a body.
public struct RequestReader: Sendable {
  /// What the bytes so far come to.
  public enum Outcome: Hashable, Sendable {
    /// Nothing more, until more has arrived.
    case nothing
    /// The client wants to receive `100 Continue` before it sends the body.
    case expectContinue
    /// A request; with `isLast` nothing after it is read.
    case request(HTTPRequest, isLast: Bool)
    /// A request for a WebSocket, with its key. What has arrived after it is of the WebSocket, and
    /// is `rest`.
    case webSocket(HTTPRequest, key: String)
    /// Something that is no request. Nothing after it is read: where the next one would begin is
    /// not known.
    case refusal(HTTPResponse)
  }

  private enum State: Hashable {
    case requestLine
    case fields
    case body
    case chunkSize
    case chunk
    case chunkEnd
    case trailers
    case finished
  }

  /// How long a head may be, in bytes.
  static let maxHeadBytes = 16 << 10
  /// How long the line before a chunk may be, in bytes.
  private static let maxChunkLineBytes = 256

  private let maxBodyBytes: Int
  private var state = State.requestLine
  private var buffer: [UInt8] = []
  /// What comes before is used up.
  private var position = 0
  /// Before this there is no end of the line that is being read.
  private var searched = 0
  /// The lines of this head so far, or of the end of a body in chunks, in bytes.
  private var lines = 0
  private var head: RequestHead?
  private var request = HTTPRequest("GET", "/")
  private var body: [UInt8] = []
  /// How much of the body, or of a chunk, is still to come.
  private var left = 0

  /// - Parameter maxBodyBytes: How long a body may be, in bytes.
  public init(maxBodyBytes: Int) { self.maxBodyBytes = maxBodyBytes }

  /// How many bytes are held.
  public var count: Int { buffer.count - position + body.count }

  /// How much has arrived that is not used up.
  public var waiting: Int { buffer.count - position }

  /// Whether no part of a request has arrived.
  public var isIdle: Bool { state == .requestLine && lines == 0 && waiting == 0 }

  /// Whether a body is under way.
  public var isInBody: Bool { ![.requestLine, .fields, .finished].contains(state) }

  /// What has arrived behind the last request.
  public var rest: ArraySlice<UInt8> { buffer[position...] }

  /// Takes in bytes that have arrived, for `next` to read; ignores them after the last request.
  /// Takes time linear in their number, amortised.
  public mutating func append(_ bytes: some Sequence<UInt8>) {
    guard state != .finished else { return }
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

  /// Reads on. Call it until it says `nothing`, but for the request that is being answered.
  public mutating func next() -> Outcome {
    do throws(Refused) {
      while state != .finished {
        if let outcome = try step() { return outcome }
      }
      return .nothing
    } catch {
      end()
      return .refusal(error.response)
    }
  }

  /// Forgets everything; nothing is read any more.
  public mutating func end() {
    state = .finished
    (buffer, body, position, searched) = ([], [], 0, 0)
  }

  /// Does one line, or one part of a body; `nil` when there is more to do.
  private mutating func step() throws(Refused) -> Outcome? {
    switch state {
    case .body, .chunk: return try takeBody()
    case .chunkSize:
      lines = 0
      guard let line = try line(limit: Self.maxChunkLineBytes, 400) else { return .nothing }
      try beginChunk(line)
    case .chunkEnd:
      lines = 0
      guard let line = try line(limit: Self.maxChunkLineBytes, 400) else { return .nothing }
      guard line.isEmpty else {
        throw Refused(400, "a chunk does not have the length that it gives")
      }
      state = .chunkSize
    case .trailers:
      guard let line = try line(limit: Self.maxHeadBytes, 431) else { return .nothing }
      if line.isEmpty { return try finish() }
    case .requestLine:
      guard let line = try line(limit: Self.maxHeadBytes, 414) else { return .nothing }
      // Some clients send an empty line behind a body.
      guard !line.isEmpty else { return nil }
      head = try RequestHead(requestLine: line)
      state = .fields
    case .fields:
      guard let line = try line(limit: Self.maxHeadBytes, 431) else { return .nothing }
      if line.isEmpty { return try endHead() }
      try head?.take(field: line)
    case .finished: return .nothing
    }
    return nil
  }

  /// The next line without its end; `nil` when that has not arrived.
  ///
  /// - Throws: `Refused` when the lines come to more than the limit.
  private mutating func line(limit: Int, _ status: Int) throws(Refused) -> ArraySlice<UInt8>? {
    let end = buffer[max(searched, position)...].firstIndex(of: UInt8(ascii: "\n"))
    let length = (end ?? buffer.count) - position
    if lines + length > limit {
      throw Refused(status, "the head of a request, or of a part of it, has at most \(limit) bytes")
    }
    guard let end else {
      searched = buffer.count
      return nil
    }
    var line = buffer[position..<end]
    if line.last == UInt8(ascii: "\r") {
      line.removeLast()
    } else if state == .chunkSize || state == .chunkEnd {
      // A proxy may take such a line for part of what comes next.
      throw Refused(400, "the line before or behind a chunk does not end with CR LF")
    }
    if line.contains(UInt8(ascii: "\r")) { throw Refused(400, "a line of the head breaks off") }
    position = end + 1
    searched = position
    lines += length + 1
    return line
  }

  /// The empty line behind a head is there.
  private mutating func endHead() throws(Refused) -> Outcome? {
    guard let head else { return nil }
    request = try head.request()
    let framing = try head.framing(limit: maxBodyBytes)
    if framing == .none, let key = try head.webSocketKey() {
      state = .finished
      return .webSocket(request, key: key)
    }
    switch framing {
    case .none: return try finish()
    case let .length(length): (state, left) = (.body, length)
    case .chunks: state = .chunkSize
    }
    return head.waits && waiting == 0 ? .expectContinue : nil
  }

  private mutating func beginChunk(_ line: ArraySlice<UInt8>) throws(Refused) {
    let digits = line.prefix { $0 != UInt8(ascii: ";") && $0 != 32 && $0 != 9 }
    let text = String(decoding: digits, as: UTF8.self)
    guard !text.hasPrefix("+"), !text.hasPrefix("-"), text.utf8.count <= 15,
      let size = Int(text, radix: 16)
    else { throw Refused(400, "a chunk does not begin with its length") }
    guard body.count + size <= maxBodyBytes else { throw RequestHead.tooLong(maxBodyBytes) }
    (state, left) = (size == 0 ? .trailers : .chunk, size)
  }

  private mutating func takeBody() throws(Refused) -> Outcome? {
    let count = min(left, waiting)
    body += buffer[position..<(position + count)]
    position += count
    searched = position
    left -= count
    if left > 0 { return .nothing }
    if state == .body { return try finish() }
    state = .chunkEnd
    return nil
  }

  private mutating func finish() throws(Refused) -> Outcome {
    let isLast = head?.isLast ?? true
    var request = request
    request.body = body
    try request.unpack(head?.fields["content-encoding"], limit: maxBodyBytes)
    (body, head, lines, left) = ([], nil, 0, 0)
    state = isLast ? .finished : .requestLine
    return .request(request, isLast: isLast)
  }
}

/// The head of a request of HTTP/1.0 or 1.1, as its lines arrive.
///
/// Whatever could be understood in two ways is refused: a proxy in front of this server might
/// understand it in the other one.
struct RequestHead: Sendable {
  /// How the body is sent.
  enum Framing: Hashable {
    case none
    case length(Int)
    case chunks
  }

  private(set) var method = ""
  private(set) var fields: [String: String] = [:]
  private var target: [UInt8] = []
  private var isOld = false

  /// Reads the first line.
  ///
  /// - Throws: `Refused`, with the answer.
  init(requestLine line: ArraySlice<UInt8>) throws(Refused) {
    let parts = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    guard parts.count == 3, !parts[0].isEmpty, parts[0].allSatisfy(Self.isOfToken),
      !parts[1].isEmpty, parts[1].allSatisfy({ $0 > 32 && $0 != 127 })
    else { throw Refused(400, "the request does not begin with METHOD TARGET HTTP/1.1") }
    let version = String(decoding: parts[2], as: UTF8.self)
    guard version == "HTTP/1.1" || version == "HTTP/1.0" else {
      throw Refused(
        version.hasPrefix("HTTP/") ? 505 : 400, "the version of the request is not HTTP/1.1")
    }
    method = String(decoding: parts[0], as: UTF8.self)
    target = Array(parts[1])
    isOld = version == "HTTP/1.0"
  }

  /// Reads another line. Values of a name that comes again are joined.
  mutating func take(field line: ArraySlice<UInt8>) throws(Refused) {
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
    guard let other = fields[name] else { return fields[name] = text }
    if name == "host" || name == "content-length" && other != text {
      throw Refused(400, "the head has two values of \(name)")
    }
    if name != "content-length" { fields[name] = other + ", " + text }
  }

  private static func isOfToken(_ byte: UInt8) -> Bool {
    byte.isLetterOrDigit || "!#$%&'*+-.^_`|~".utf8.contains(byte)
  }

  /// Whether a header, a list, has a word in it.
  private func list(_ name: String, has word: String) -> Bool {
    fields[name]?.lowercased().split(separator: ",").contains { $0.trimmed == word } == true
  }

  /// Whether the connection is of no use after this request.
  var isLast: Bool { isOld || list("connection", has: "close") }

  /// Whether the client waits until it is asked to send the body.
  var waits: Bool { !isOld && fields["expect"]?.lowercased() == "100-continue" }

  /// How the body is sent.
  ///
  /// - Throws: `Refused` where that is not clear, or the body is too long.
  func framing(limit: Int) throws(Refused) -> Framing {
    if let other = fields["expect"], other.lowercased() != "100-continue" {
      throw Refused(417, "this server knows no expectation but 100-continue")
    }
    if let coding = fields["transfer-encoding"] {
      if fields["content-length"] != nil || isOld {
        throw Refused(400, "the head gives the length of the body twice")
      }
      guard coding.lowercased() == "chunked" else {
        throw Refused(501, "this server knows no transfer coding but chunked")
      }
      return .chunks
    }
    guard let text = fields["content-length"] else {
      if ["PUT", "POST", "PATCH"].contains(method) {
        throw Refused(411, "the head of the request states no length")
      }
      return .none
    }
    guard !text.isEmpty, text.utf8.allSatisfy(\.isDigit) else {
      throw Refused(400, "the length of the body is no number")
    }
    guard let length = Int(text), length <= limit else { throw Self.tooLong(limit) }
    return length == 0 ? .none : .length(length)
  }

  static func tooLong(_ limit: Int) -> Refused {
    Refused(413, "the body has more than \(limit) bytes")
  }
}

extension RequestHead {
  /// The request, without its body.
  ///
  /// - Throws: `Refused`.
  func request() throws(Refused) -> HTTPRequest {
    guard isOld || fields["host"] != nil else { throw Refused(400, "the head names no host") }
    var (path, host) = (target[...], fields["host"])
    if path.first != UInt8(ascii: "/") { (path, host) = try parts(path, host) }
    let mark = path.firstIndex(of: UInt8(ascii: "?")) ?? path.endIndex
    var request = HTTPRequest(method, try Self.decoded(path[..<mark]))
    for part in path[mark...].dropFirst().split(separator: UInt8(ascii: "&")) {
      let plain = part.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
      let pair = plain.split(
        separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      let value = pair.count == 2 ? try Self.decoded(pair[1]) : ""
      request.arguments.append(HTTPRequest.Argument(try Self.decoded(pair[0]), value))
    }
    for name in HTTPRequest.headersOfInterest { request.headers[name] = fields[name] }
    request.headers["host"] = host
    return request
  }

  /// Cuts a target that names a server too, as proxies are sent them.
  private func parts(
    _ target: ArraySlice<UInt8>, _ host: String?
  ) throws(Refused) -> (ArraySlice<UInt8>, String?) {
    let scheme = Array("http://".utf8)
    if method == "OPTIONS", target.elementsEqual([UInt8(ascii: "*")]) { return (target, host) }
    guard target.starts(with: scheme) else {
      throw Refused(400, "the target of the request is no path")
    }
    let rest = target.dropFirst(scheme.count)
    let end = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }
    let authority = String(decoding: rest[..<(end ?? rest.endIndex)], as: UTF8.self)
    let path = rest[(end ?? rest.endIndex)...]
    return (path.first == UInt8(ascii: "/") ? path : [UInt8(ascii: "/")] + path, authority)
  }

  /// The text without percent signs.
  private static func decoded(_ bytes: ArraySlice<UInt8>) throws(Refused) -> String {
    guard let plain = bytes.percentDecoded else {
      throw Refused(400, "a percent sign without two hexadecimal digits")
    }
    guard let text = String(validating: plain, as: UTF8.self) else {
      throw Refused(400, "the target of the request is no UTF-8")
    }
    return text
  }

  /// The key of a WebSocket that a request asks for; `nil` when it asks for none.
  ///
  /// - Throws: `Refused` when it asks in a way that this server does not know.
  func webSocketKey() throws(Refused) -> String? {
    guard method == "GET", list("upgrade", has: "websocket"), list("connection", has: "upgrade")
    else { return nil }
    guard fields["sec-websocket-version"] == "13" else {
      var response = HTTPResponse.error(426, "this server knows version 13 of WebSockets only")
      response.headers.append(.init("Sec-WebSocket-Version", "13"))
      throw Refused(response)
    }
    let key = fields["sec-websocket-key"] ?? ""
    let isKey = key.utf8.dropLast(2).allSatisfy { $0.isLetterOrDigit || "+/".utf8.contains($0) }
    guard key.utf8.count == 24, key.hasSuffix("=="), isKey, !isOld else {
      throw Refused(400, "Sec-WebSocket-Key is not 16 bytes in Base64")
    }
    return key
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
