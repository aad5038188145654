internal import Tree

/// Cuts what a client sends over a WebSocket into messages, as RFC 6455 demands of a server, whatever
/// the pieces it arrives in.
///
/// Nothing is kept that is beyond the bound for a message. Behind a close frame, and behind anything
/// that the RFC forbids, nothing is read.
public struct WebSocketReader: Sendable {
  /// What the bytes so far come to.
  public enum Outcome: Hashable, Sendable {
    /// Nothing more, until more has arrived.
    case nothing
    case text(String)
    case binary
    /// To be answered with a pong that has the same payload.
    case ping([UInt8])
    /// The client closes, with this code, or with ``WebSocketFrame/noCode``.
    case close(code: Int)
    /// Something for which the connection is to be closed with this code.
    case violation(code: Int, reason: String)
  }

  private struct Violation: Error {
    let code: Int
    let reason: String

    /// A violation of the framing.
    init(_ reason: String) { (code, self.reason) = (1002, reason) }

    init(code: Int, _ reason: String) { (self.code, self.reason) = (code, reason) }
  }

  private let maxMessageBytes: Int
  private var buffer: [UInt8] = []
  /// What comes before is used up.
  private var position = 0
  /// The kind of the message that is under way, its frames so far, and how much of them is text.
  private var message: (kind: WebSocketFrame, payload: [UInt8], checked: Int)?
  private var isFinished = false

  /// - Parameter maxMessageBytes: How long a message may be, in bytes.
  public init(maxMessageBytes: Int) { self.maxMessageBytes = maxMessageBytes }

  /// How many bytes are held.
  public var count: Int { buffer.count - position + (message?.payload.count ?? 0) }

  /// Takes in bytes that have arrived, for `next` to read. Takes time linear in their number,
  /// amortised.
  public mutating func append(_ bytes: some Sequence<UInt8>) {
    guard !isFinished else { return }
    if position == buffer.count {
      buffer.removeAll(keepingCapacity: buffer.capacity <= 1 << 17)
      position = 0
    } else if position > 1 << 16 {
      buffer.removeFirst(position)
      position = 0
    }
    buffer.append(contentsOf: bytes)
  }

  /// Reads on. Call it until it says `nothing`.
  public mutating func next() -> Outcome {
    do throws(Violation) {
      while let frame = try nextFrame() {
        if let outcome = try take(frame) { return outcome }
      }
      return .nothing
    } catch {
      end()
      return .violation(code: error.code, reason: error.reason)
    }
  }

  /// Forgets everything; nothing is read any more.
  private mutating func end() {
    isFinished = true
    (buffer, position, message) = ([], 0, nil)
  }
}

extension WebSocketReader {
  private typealias Frame = (kind: WebSocketFrame, isFinal: Bool, payload: [UInt8])

  /// The next frame; `nil` when it has not arrived whole.
  private mutating func nextFrame() throws(Violation) -> Frame? {
    let head = buffer[position...].prefix(14)
    guard !isFinished, head.count >= 2 else { return nil }
    let (first, second) = (buffer[position], buffer[position + 1])
    guard first & 0x70 == 0 else { throw Violation("a frame has a reserved bit") }
    guard let kind = WebSocketFrame(rawValue: first & 0x0F) else {
      throw Violation("there are no frames of kind \(first & 0x0F)")
    }
    // A proxy could otherwise be made to take what a page sends for something else.
    guard second & 0x80 != 0 else { throw Violation("a frame of a client is not masked") }
    let isFinal = first & 0x80 != 0
    if kind.isControl, !isFinal || second & 0x7F > 125 {
      throw Violation("a frame of control is in parts, or longer than 125 bytes")
    }
    guard let (length, start) = try Self.length(in: head) else { return nil }
    if !kind.isControl, length > maxMessageBytes - (message?.payload.count ?? 0) {
      throw Violation(code: 1009, "a message is longer than \(maxMessageBytes) bytes")
    }
    guard buffer.count - start - 4 >= length else { return nil }
    let payload = (0..<length).map { buffer[start + 4 + $0] ^ buffer[start + $0 & 3] }
    position = start + 4 + length
    return (kind, isFinal, payload)
  }

  /// How long the payload is, and where its mask begins; `nil` when that has not arrived.
  private static func length(
    in head: ArraySlice<UInt8>
  ) throws(Violation) -> (length: Int, mask: Int)? {
    let start = head.startIndex + 2
    let short = Int(head[start - 1] & 0x7F)
    if short < 126 { return (short, start) }
    let size = short == 126 ? 2 : 8
    guard head.count >= 2 + size else { return nil }
    let length = head[start..<(start + size)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard length <= UInt64(Int.max), length >= (size == 2 ? 126 : 1 << 16) else {
      throw Violation("a frame gives its length in a form that is not allowed")
    }
    return (Int(length), start + size)
  }

  /// Takes a frame; `nil` when more is to be read.
  private mutating func take(_ frame: Frame) throws(Violation) -> Outcome? {
    switch frame.kind {
    case .ping: return .ping(frame.payload)
    case .pong: return nil
    case .close:
      end()
      return .close(code: try Self.closeCode(in: frame.payload))
    case .text, .binary:
      guard message == nil else { throw Violation("a message begins amid another one") }
      if frame.isFinal { return try Self.whole(frame.kind, frame.payload) }
      message = (frame.kind, frame.payload, 0)
    case .continuation:
      guard message != nil else { throw Violation("a frame continues no message") }
      message?.payload += frame.payload
      guard frame.isFinal, let (kind, payload, _) = message else { break }
      message = nil
      return try Self.whole(kind, payload)
    }
    try checkText()
    return nil
  }

  /// What has come of a message is refused as soon as it can be no text, not only at its end.
  private mutating func checkText() throws(Violation) {
    guard let (kind, payload, checked) = message, kind == .text else { return }
    // The last character may still be under way.
    let tail = payload[checked...].suffix(3)
    let lead = tail.lastIndex { $0 & 0xC0 != 0x80 } ?? payload.endIndex
    let length = lead < payload.endIndex ? Self.length(from: payload[lead]) : 0
    let isWhole = payload.endIndex - lead >= length
    let end = isWhole ? payload.endIndex : lead
    guard String(validating: payload[checked..<end], as: UTF8.self) != nil else {
      throw Self.notText
    }
    message?.checked = end
  }

  /// How many bytes a character has that begins with this byte.
  private static func length(from lead: UInt8) -> Int {
    switch lead {
    case 0xF0...: 4
    case 0xE0...: 3
    case 0xC0...: 2
    default: 1
    }
  }

  private static let notText = Violation(code: 1007, "a text frame is not UTF-8")

  private static func whole(
    _ kind: WebSocketFrame, _ payload: [UInt8]
  ) throws(Violation) -> Outcome {
    if kind == .binary { return .binary }
    guard let text = String(validating: payload, as: UTF8.self) else {
      throw notText
    }
    return .text(text)
  }

  private static func closeCode(in payload: [UInt8]) throws(Violation) -> Int {
    if payload.isEmpty { return WebSocketFrame.noCode }
    let code = payload.prefix(2).reduce(0) { $0 << 8 | Int($1) }
    guard payload.count >= 2, 1000...1003 ~= code || 1007...1014 ~= code || 3000...4999 ~= code
    else { throw Violation("a close frame has a code that is not allowed") }
    guard String(validating: payload.dropFirst(2), as: UTF8.self) != nil else {
      throw Violation(code: 1007, "the reason of a close frame is not UTF-8")
    }
    return code
  }
}

/// The kinds of frames of a WebSocket (RFC 6455), by their numbers.
public enum WebSocketFrame: UInt8, Sendable {
  case continuation = 0
  case text
  case binary
  case close = 8
  case ping
  case pong

  /// Whether it is about the connection, and may come amid a message.
  var isControl: Bool { rawValue >= Self.close.rawValue }

  /// A whole frame of a server, which does not mask.
  public func bytes(_ payload: [UInt8]) -> [UInt8] {
    let size = payload.count < 126 ? 0 : payload.count < 1 << 16 ? 2 : 8
    var bytes: [UInt8] = []
    bytes.reserveCapacity(2 + size + payload.count)
    bytes.append(0x80 | rawValue)
    bytes.append(size == 0 ? UInt8(payload.count) : size == 2 ? 126 : 127)
    for index in 0..<size {
      bytes.append(UInt8(truncatingIfNeeded: payload.count >> (8 * (size - 1 - index))))
    }
    return bytes + payload
  }

  /// What stands for no code.
  public static let noCode = 1005

  /// A close frame; one without a code has no reason either. Of the reason, 123 bytes are all that
  /// there is room for.
  public static func closing(code: Int, reason: String) -> [UInt8] {
    guard code != noCode else { return Self.close.bytes([]) }
    var payload = [UInt8(truncatingIfNeeded: code >> 8), UInt8(truncatingIfNeeded: code)]
    for character in reason where payload.count + character.utf8.count <= 125 {
      payload += Array(character.utf8)
    }
    return Self.close.bytes(payload)
  }

  /// The answer to a request for a WebSocket with this key.
  public static func handshake(key: String) -> [UInt8] {
    let proof = base64(sha1(Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)))
    return Array(
      ("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        + "Sec-WebSocket-Accept: \(proof)\r\n\r\n").utf8)
  }
}
