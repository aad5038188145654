internal import Tree

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
