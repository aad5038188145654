import LiveServer
import Testing

/// Answers of servers elsewhere, good ones and broken ones, in pieces of any length: Tests/Fuzz has the same law.
@Suite struct AnswerPiecesTests {
  private static let stream = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
  private static let events =
    "event: put\ndata: {\"path\":\"/\",\ndata: \"data\":{\"x\":1}}\n\n: nothing\n\nevent: keep-alive\n"
    + "data: null\r\n\r\nevent: patch\ndata: {\"path\":\"/a\",\"data\":{\"x/y\":\"ü\"}}\n\ndata: 1\n\n"
  private static let chunked = "Transfer-Encoding: chunked\r\n\r\n"

  /// Where what is drawn begins.
  private static let answers: [[UInt8]] = [
    "HTTP/1.1 200 OK\r\nContent-Length: 12\r\nETag: x\r\n\r\n{\"a\":\"long\"}and more",
    "HTTP/1.0 404 Not Found\r\n\r\nnothing", "HTTP/1.1 204\r\n\r\n",
    "HTTP/1.1 304 Not Modified\r\nContent-Length: 99999\r\n\r\nHTTP/1.1 200 OK\r\n\r\n",
    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 412 X\r\nB: 2\r\n\(chunked)"
      + "2\r\nab\r\n1e;x=y\r\n{\"error\":\"no place to write at\"\r\n1\r\n}\r\n0\r\nT: 1\r\n\r\n",
    "HTTP/1.1 200 OK\r\n\(chunked)3\r\nabcd\r\n", "HTTP/1.1 200 OK\r\n\(chunked)zz\r\n",
    "\(stream)\r\n\(events)", "\(stream)Content-Length: 40\r\n\r\n\(events)",
    "\(stream)\(chunked)" + chunks(of: events, 7) + "0\r\n\r\n",
    "\(stream)\(chunked)" + chunks(of: events, 90) + "x\r\n",
    "\(stream)\r\ndata: \(String(repeating: "long ", count: 40))\n\n",
    "\(stream)\r\n\(events)data: \(String(repeating: "1\ndata: ", count: 200))\n\n",
  ].map { Array($0.utf8) }

  private static func chunks(of text: String, _ size: Int) -> String {
    var rest = Substring(text)
    var chunks = ""
    while !rest.isEmpty {
      let chunk = rest.prefix(size)
      chunks += "\(String(chunk.utf8.count, radix: 16))\r\n\(chunk)\r\n"
      rest = rest.dropFirst(size)
    }
    return chunks
  }

  @Test(arguments: 0..<answers.count)
  func `what is read does not depend on the pieces that it arrives in`(index: Int) {
    var draw = Draw(state: UInt64(index))
    for round in 0..<100 {
      var bytes = Self.answers[index]
      for _ in 0..<min(round, Int.random(in: 0...4, using: &draw)) { draw.change(&bytes) }
      let text = String(decoding: bytes, as: UTF8.self)

      let one = events(of: bytes) { 1 }
      #expect(events(of: bytes) { bytes.count } == one, "in one piece: \(text)")
      #expect(events(of: bytes) { .random(in: 1...40, using: &draw) } == one, "in pieces: \(text)")
    }
  }

  /// What bytes come to that arrive in pieces of these lengths, then again and again, as of a server that never ends,
  /// and then the end of the connection.
  private func events(of bytes: [UInt8], by size: () -> Int) -> [AnswerReader.Event] {
    let limit = 150
    var reader = AnswerReader(to: HTTPRequest("GET", "/a.json"), upTo: limit)
    var found: [AnswerReader.Event] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let length = size()
      found += reader.take(rest.prefix(length))
      rest = rest.dropFirst(length)
    }
    let atEnd = reader
    for _ in 0..<20 {
      let more = reader.take(bytes)
      #expect(more.isEmpty || !atEnd.isFinished)
      #expect(reader.count <= (reader.isFinished ? 0 : limit + (16 << 10)))
    }
    var ended = atEnd
    return found + ended.end()
  }

  /// SplitMix64, and changes of bytes that it decides.
  private struct Draw: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9e37_79b9_7f4a_7c15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
      return mixed ^ (mixed >> 31)
    }

    mutating func change(_ bytes: inout [UInt8]) {
      let start = Int.random(in: 0...bytes.count, using: &self)
      let end = min(bytes.count, start + Int.random(in: 0...6, using: &self))
      let other = Int.random(in: 0...bytes.count, using: &self)
      switch Int.random(in: 0..<3, using: &self) {
      case 0: bytes.removeSubrange(start..<end)
      case 1: bytes.insert(contentsOf: bytes[start..<end], at: other)
      default:
        bytes.insert("\r\n: ;0fF\u{0}\u{e9}-".utf8.randomElement(using: &self) ?? 0, at: start)
      }
    }
  }
}
