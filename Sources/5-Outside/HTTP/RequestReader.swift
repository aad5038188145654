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
