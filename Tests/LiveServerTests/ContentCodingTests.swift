import LiveServer
import TestKit
import Testing

@Suite struct ContentCodingTests {
  /// `{"a":"text"}`.
  private static let packed: [UInt8] = [
    0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xab, 0x56, 0x4a, 0x54, 0xb2, 0x52,
    0x2a, 0x49, 0xad, 0x28, 0x51, 0xaa, 0x05, 0x00, 0x5c, 0xc3, 0xe4, 0x9b, 0x0c, 0x00, 0x00, 0x00,
  ]

  private func outcome(_ coding: String, _ body: [UInt8], limit: Int = 100) -> RequestReader.Outcome
  {
    var reader = RequestReader(maxBodyBytes: limit)
    reader.append(
      "PUT /a.json HTTP/1.1\r\nHost: h\r\nContent-Encoding: \(coding)\r\nContent-Length: \(body.count)"
        .utf8)
    reader.append("\r\n\r\n".utf8)
    reader.append(body)
    return reader.next()
  }

  private func refusal(_ coding: String, _ body: [UInt8], limit: Int = 100) -> String {
    guard case let .refusal(response) = outcome(coding, body, limit: limit) else { return "none" }
    return "\(response.status) \(response.text)"
  }

  @Test(arguments: ["gzip", "GZIP", "x-gzip"])
  func `a body that is packed is unpacked`(coding: String) {
    guard case let .request(request, _) = outcome(coding, Self.packed) else {
      Issue.record("it is refused: \(refusal(coding, Self.packed))")
      return
    }
    #expect(String(decoding: request.body, as: UTF8.self) == #"{"a":"text"}"#)
  }

  @Test func `a body of several members is all of their texts`() {
    guard case let .request(request, _) = outcome("gzip", Self.packed + Self.packed) else {
      Issue.record("it is refused")
      return
    }
    #expect(String(decoding: request.body, as: UTF8.self) == #"{"a":"text"}{"a":"text"}"#)
  }

  @Test func `a body that is not packed as it says is refused`() {
    #expect(
      refusal("gzip", Array("{}".utf8))
        == "400 {\"error\":\"the body is not gzip, and Content-Encoding says that it is\"}\n")
    #expect(refusal("gzip", Array(Self.packed.dropLast())).hasPrefix("400"))
    #expect(refusal("gzip", Self.packed + [0]).hasPrefix("400"))
    #expect(
      refusal("br", Self.packed)
        == "415 {\"error\":\"this server knows no content coding br; it knows gzip and identity\"}\n"
    )
    guard case .request = outcome("identity", Array("{}".utf8)) else {
      Issue.record("identity is refused")
      return
    }
  }

  @Test func `a body that is too long when it is unpacked is refused`() {
    let zeros = HTTPRequest("GET", "/", headers: ["accept-encoding": "gzip"]).coded(
      HTTPResponse(200, body: [UInt8](repeating: 48, count: 1 << 20)))
    #expect(zeros.header("Content-Encoding") == "gzip")
    #expect(zeros.body.count < 10_000)
    #expect(
      refusal("gzip", zeros.body, limit: 1 << 19)
        == "413 {\"error\":\"the body has more than 524288 bytes\"}\n")
    guard case let .request(request, _) = outcome("gzip", zeros.body, limit: 1 << 20) else {
      Issue.record("what is not too long is refused")
      return
    }
    #expect(request.body == [UInt8](repeating: 48, count: 1 << 20))
  }

  @Test(
    arguments: [
      ("gzip", 2000, true), ("br, gzip;q=0.5", 2000, true), ("*", 2000, true),
      ("gzip;q=0", 2000, false), ("br", 2000, false), ("", 2000, false), ("gzip", 1000, false),
      ("gzip", 5 << 20, false),
    ] as [(String, Int, Bool)])
  func `an answer is packed where the client allows it and it is worth it`(
    accepted: String, size: Int, isPacked: Bool
  ) {
    let response = HTTPResponse(200, body: [UInt8](repeating: 48, count: size))
    let coded = HTTPRequest("GET", "/", headers: ["accept-encoding": accepted]).coded(response)

    #expect((coded.header("Content-Encoding") == "gzip") == isPacked)
    #expect((coded.header("Vary") == "Accept-Encoding") == isPacked)
    #expect(isPacked || coded == response)
  }
}
