import LiveServer
import TestKit
import Testing

/// Cutting bytes into requests.
@Suite struct RequestReaderTests {
  private typealias Outcome = RequestReader.Outcome

  /// What a text comes to, read in pieces of some length.
  private func outcomes(_ text: String, by size: Int = .max, limit: Int = 100) -> [Outcome] {
    outcomes(Array(text.utf8), by: size, limit: limit)
  }

  private func outcomes(_ bytes: [UInt8], by size: Int = .max, limit: Int = 100) -> [Outcome] {
    var reader = RequestReader(maxBodyBytes: limit)
    var found: [Outcome] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      reader.append(rest.prefix(size))
      rest = rest.dropFirst(size)
      while true {
        let outcome = reader.next()
        if outcome == .nothing { break }
        found.append(outcome)
      }
    }
    return found
  }

  private func described(_ outcomes: [Outcome]) -> [String] {
    outcomes.map { outcome in
      switch outcome {
      case .nothing: "nothing"
      case .expectContinue: "waits"
      case let .request(request, isLast):
        "\(request.method) \(request.path) \(String(decoding: request.body, as: UTF8.self))"
          + (isLast ? " last" : "")
      case let .webSocket(request, key): "\(request.path) \(key)"
      case let .refusal(response):
        "\(response.status) \(String(decoding: response.body.dropLast(), as: UTF8.self))"
      }
    }
  }

  private func status(_ text: String) -> Int? {
    guard case let .refusal(response)? = outcomes(text).last else { return nil }
    return response.status
  }

  private static let several =
    "PUT /a.json HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\n123"
    + "\r\nPOST /b.json HTTP/1.1\nhost:h\ntransfer-encoding: chunked\n\n"
    + "2;x=\"y\"\r\nab\r\n0A\r\n0123456789\r\n0\r\nTrailer: t\r\n\r\n"
    + "GET /%61%2Fb.json?x=1+2&&y=%22&z HTTP/1.1\r\nHost: h\r\n\r\n"
    + "DELETE http://other:1/c.json HTTP/1.0\r\nContent-Length: 1\r\n\r\n5GET / HTTP/1.1\r\n\r\n"

  @Test(arguments: [1, 2, 3, 7, 40, 10_000])
  func `requests are the same whatever pieces they arrive in`(size: Int) {
    let found = outcomes(Self.several, by: size)
    #expect(
      described(found) == [
        "PUT /a.json 123", "POST /b.json ab0123456789", "GET /a/b.json ", "DELETE /c.json 5 last",
      ])
    guard found.count == 4, case let .request(get, _) = found[2],
      case let .request(delete, _) = found[3]
    else { return }
    #expect(get.arguments == [.init("x", "1 2"), .init("y", "\""), .init("z", "")])
    #expect(delete.headers["host"] == "other:1")
  }

  @Test func `a client that waits is told to go on, unless it has begun`() {
    let head = "PUT /a HTTP/1.1\r\nHost: h\r\nExpect: 100-Continue\r\nContent-Length: 1\r\n\r\n"
    #expect(described(outcomes(head + "1")) == ["PUT /a 1"])
    #expect(described(outcomes(head)) == ["waits"])
    #expect(described(outcomes(head + "1", by: head.utf8.count)) == ["waits", "PUT /a 1"])
    let long = head.replacing("Length: 1", with: "Length: 101")
    #expect(described(outcomes(long)) == [#"413 {"error":"the body has more than 100 bytes"}"#])
  }

  @Test(arguments: [
    ("GET /\r\n\r\n", 400), ("GET / HTTP/2.0\r\n\r\n", 505), ("GET / HTPP\r\n\r\n", 400),
    ("G(T / HTTP/1.1\r\n\r\n", 400), ("GET /a b HTTP/1.1\r\n\r\n", 400),
    ("GET /\u{1} HTTP/1.1\r\n\r\n", 400), ("GET a HTTP/1.1\r\nHost: h\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost : a\r\n\r\n", 400), ("GET / HTTP/1.1\r\nA: b\r\n c\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nA: \0\r\n\r\n", 400), ("GET / HTTP/1.1\r\nA: b\rc: d\r\n\r\n", 400),
    ("GET /% HTTP/1.1\r\nHost: h\r\n\r\n", 400), ("GET /%4 HTTP/1.1\r\nHost: h\r\n\r\n", 400),
    ("GET /%zz HTTP/1.1\r\nHost: h\r\n\r\n", 400), ("GET /?%g HTTP/1.1\r\nHost: h\r\n\r\n", 400),
    ("GET /%ff HTTP/1.1\r\nHost: h\r\n\r\n", 400), ("GET /%c0%af HTTP/1.1\r\nHost: h\r\n\r\n", 400),
    ("PUT / HTTP/1.1\r\nHost: h\r\n\r\n", 411),
    ("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: -1\r\n\r\n", 400),
    ("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 1, 2\r\n\r\n", 400),
    ("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
    ("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 99999999999999999999\r\n\r\n", 413),
    (
      "PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400
    ), ("PUT / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
    ("PUT / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", 501),
    ("PUT / HTTP/1.1\r\nHost: h\r\nExpect: tea\r\nContent-Length: 1\r\n\r\n", 417),
    ("PUT / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n", 400),
    ("PUT / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n", 400),
    ("PUT / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n", 400),
    ("PUT / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n65\r\n", 413),
    ("PUT / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n", 400),
  ])
  func `what could be understood in two ways is refused`(text: String, status: Int) {
    #expect(self.status(text) == status)
    #expect(outcomes(text + "GET / HTTP/1.1\r\nHost: h\r\n\r\n").count == 1)
  }

  @Test func `heads and the lines of chunks have an end`() {
    let long = String(repeating: "x", count: 17_000)
    #expect(status("GET /" + long) == 414)
    #expect(status("GET / HTTP/1.1\r\nA: " + long) == 431)
    let many = String(repeating: "A: b\r\n", count: 3000)
    #expect(status("GET / HTTP/1.1\r\n" + many) == 431)
    let chunks = "PUT / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
    #expect(status(chunks + "1;" + long) == 400)
    #expect(status(chunks + "0\r\n" + many) == 431)
  }

  @Test func `what is held is bounded by what has arrived`() {
    var reader = RequestReader(maxBodyBytes: 1 << 20)
    reader.append("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000\r\n\r\n".utf8)
    #expect(reader.next() == .nothing)
    #expect(reader.count == 0)
    #expect(reader.isInBody)
    reader.append("12".utf8)
    #expect(reader.next() == .nothing)
    #expect(reader.count == 2)
    #expect(reader.waiting == 0)
  }

  @Test func `a WebSocket has what comes after its request`() {
    var reader = RequestReader(maxBodyBytes: 100)
    let head =
      "GET /.ws?v=5 HTTP/1.1\r\nHost: h\r\nUpgrade: WebSocket\r\nConnection: keep-alive, Upgrade\r\n"
      + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    reader.append((head + "rest").utf8)
    guard case let .webSocket(request, key) = reader.next() else {
      Issue.record("no WebSocket")
      return
    }
    #expect(request.path == "/.ws")
    #expect(key == "dGhlIHNhbXBsZSBub25jZQ==")
    #expect(Array(reader.rest) == Array("rest".utf8))
    #expect(status(head.replacing("Version: 13", with: "Version: 8")) == 426)
    #expect(status(head.replacing("==", with: "=")) == 400)
    #expect(status(head.replacing("dGhl", with: "d\"hl")) == 400)
    #expect(status(head.replacing("HTTP/1.1", with: "HTTP/1.0")) == 400)
    #expect(described(outcomes(head.replacing("e: WebSocket", with: "e: h2c"))) == ["GET /.ws "])
  }

  @Test func `noise never gets through as anything but answers`() {
    var seed: UInt64 = 1
    for _ in 0..<200 {
      var bytes = Array(Self.several.utf8)
      for _ in 0..<3 {
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        bytes[Int(seed >> 33) % bytes.count] = UInt8(truncatingIfNeeded: seed >> 20)
      }
      let all = outcomes(bytes)
      #expect(described(all) == described(outcomes(bytes, by: 5)))
      #expect(all.dropLast().allSatisfy { if case .refusal = $0 { false } else { true } })
    }
  }
}
