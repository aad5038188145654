import LiveServer
import TestKit
import Testing

@Suite struct WebSocketReaderTests {
  /// A frame as a client sends it.
  private static func frame(
    _ payload: [UInt8], _ first: UInt8 = 0x81, mask: [UInt8] = [1, 2, 3, 4]
  ) -> [UInt8] {
    let count = payload.count
    let length: [UInt8] =
      count < 126 ? [UInt8(count)] : [126, UInt8(count >> 8), UInt8(truncatingIfNeeded: count)]
    return [first, length[0] | 0x80] + length.dropFirst() + mask
      + payload.indices.map { payload[$0] ^ mask[$0 % 4] }
  }

  private func outcomes(
    _ bytes: [UInt8], pieces size: Int = .max, limit: Int = 1000
  ) -> [WebSocketReader.Outcome] {
    var reader = WebSocketReader(maxMessageBytes: limit)
    var found: [WebSocketReader.Outcome] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      reader.append(rest.prefix(size))
      rest = rest.dropFirst(size)
      while true {
        let next = reader.next()
        if next == .nothing { break }
        found.append(next)
      }
    }
    return found
  }

  @Test(arguments: [1, 2, 3, 7, 200, Int.max])
  func `messages do not depend on the pieces they arrive in`(size: Int) {
    let long = [UInt8](repeating: 0x61, count: 300)
    let bytes =
      Self.frame(Array("é😀".utf8)) + Self.frame(long) + Self.frame([1], 0x82)
      + Self.frame(Array("a".utf8), 0x01) + Self.frame([7], 0x89) + Self.frame([], 0x8A)
      + Self.frame(Array("b".utf8), 0x00) + Self.frame(Array("c".utf8), 0x80)
      + Self.frame([3, 0xE8], 0x88) + Self.frame(Array("never".utf8))

    #expect(
      outcomes(bytes, pieces: size) == [
        .text("é😀"), .text(String(repeating: "a", count: 300)), .binary, .ping([7]),
        .text("abc"), .close(code: 1000),
      ])
  }

  @Test(
    arguments: [
      ([0x81, 0x01, 0x61], 1002, "a frame of a client is not masked"),
      (frame([0x61], 0xC1), 1002, "a frame has a reserved bit"),
      (frame([0x61], 0x83), 1002, "there are no frames of kind 3"),
      (frame([], 0x09), 1002, "a frame of control is in parts, or longer than 125 bytes"),
      (
        frame([UInt8](repeating: 0, count: 126), 0x89), 1002,
        "a frame of control is in parts, or longer than 125 bytes"
      ),
      (frame([0x61], 0x80), 1002, "a frame continues no message"),
      (frame([0x61], 0x01) + frame([0x61]), 1002, "a message begins amid another one"),
      (
        [0x81, 0xFE, 0, 1, 0, 0, 0, 0, 0x61], 1002,
        "a frame gives its length in a form that is not allowed"
      ),
      (
        [0x81, 0xFF, 0x80, 0, 0, 0, 0, 0, 0, 0], 1002,
        "a frame gives its length in a form that is not allowed"
      ),
      ([0x81, 0xFF, 0, 0, 1, 0, 0, 0, 0, 0], 1009, "a message is longer than 1000 bytes"),
      (
        frame([UInt8](repeating: 0x61, count: 600), 0x01)
          + frame([UInt8](repeating: 0x61, count: 401), 0x80), 1009,
        "a message is longer than 1000 bytes"
      ),
      (frame([0xC3, 0x28]), 1007, "a text frame is not UTF-8"),
      (frame([0xC3], 0x01) + frame([0x28], 0x80), 1007, "a text frame is not UTF-8"),
      (frame([0xC3, 0x28, 0x61], 0x01), 1007, "a text frame is not UTF-8"),
      (frame([0xE2], 0x01) + frame([0x82, 0x41], 0x00), 1007, "a text frame is not UTF-8"),
      (frame([0x61, 0x80], 0x01), 1007, "a text frame is not UTF-8"),
      (frame([0xF8], 0x01) + frame([0x80, 0x80, 0x80], 0x00), 1007, "a text frame is not UTF-8"),
      (frame([3], 0x88), 1002, "a close frame has a code that is not allowed"),
      (frame([3, 0xED], 0x88), 1002, "a close frame has a code that is not allowed"),
      (frame([3, 0xE8, 0xFF], 0x88), 1007, "the reason of a close frame is not UTF-8"),
    ] as [([UInt8], Int, String)])
  func `what the RFC forbids ends the connection`(bytes: [UInt8], code: Int, reason: String) {
    let found = outcomes(bytes + Self.frame(Array("never".utf8)))

    #expect(found == [.violation(code: code, reason: reason)])
  }

  @Test func `a character may be cut anywhere`() {
    for cut in 0...9 {
      let text = Array("aé€😀".utf8)
      let frames =
        Self.frame(Array(text[..<cut]), 0x01) + Self.frame([], 0x00)
        + Self.frame(Array(text[cut...]), 0x80)
      #expect(outcomes(frames) == [.text("aé€😀")], "cut at \(cut)")
    }
  }

  @Test func `a close frame may have no code`() {
    #expect(outcomes(Self.frame([], 0x88)) == [.close(code: WebSocketFrame.noCode)])
  }

  @Test func `memory is counted and given back`() {
    var reader = WebSocketReader(maxMessageBytes: 1000)
    reader.append(Self.frame(Array("ab".utf8), 0x01).dropLast())
    #expect(reader.next() == .nothing)
    #expect(reader.count == 7)

    reader.append([0x62 ^ 2])
    #expect(reader.next() == .nothing)
    #expect(reader.count == 2)

    reader.append(Self.frame([], 0x80))
    #expect(reader.next() == .text("ab"))
    #expect(reader.count == 0)
  }

  @Test func `frames of a server have the shortest length and no mask`() {
    #expect(WebSocketFrame.text.bytes([0x61]) == [0x81, 1, 0x61])
    #expect(
      WebSocketFrame.text.bytes([UInt8](repeating: 0, count: 126)).prefix(5) == [
        0x81, 126, 0, 126, 0,
      ])
    #expect(
      WebSocketFrame.text.bytes([UInt8](repeating: 0, count: 1 << 16)).prefix(11) == [
        0x81, 127, 0, 0, 0, 0, 0, 1, 0, 0, 0,
      ])
    #expect(WebSocketFrame.closing(code: 1002, reason: "no") == [0x88, 4, 3, 0xEA, 0x6E, 0x6F])
    #expect(WebSocketFrame.closing(code: WebSocketFrame.noCode, reason: "") == [0x88, 0])
    let long = WebSocketFrame.closing(code: 1000, reason: String(repeating: "é", count: 100))
    #expect(long.count == 2 + 2 + 122)
  }

  /// The key and the answer are those of RFC 6455.
  @Test func `the handshake proves that the key was read`() {
    let text = String(
      decoding: WebSocketFrame.handshake(key: "dGhlIHNhbXBsZSBub25jZQ=="), as: UTF8.self)

    #expect(text.hasPrefix("HTTP/1.1 101 Switching Protocols\r\n"))
    #expect(text.contains("\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"))
    #expect(text.hasSuffix("\r\n\r\n"))
  }
}
