import Document
import LiveServer
import Testing
import Tree
import Wire

/// Requests to a server elsewhere, and what it answers.
@Suite struct AnswerReaderTests {
  private typealias Event = AnswerReader.Event

  /// What bytes come to that arrive in pieces of some length, and then the end of the connection.
  private func events(
    _ text: String, by size: Int = .max, path: String = "/a.json", limit: Int = 100
  ) -> [Event] {
    var reader = AnswerReader(to: HTTPRequest("GET", path), upTo: limit)
    var found: [Event] = []
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      found += reader.take(rest.prefix(size))
      rest = rest.dropFirst(size)
    }
    return found + reader.end()
  }

  private func described(_ events: [Event]) -> [String] {
    events.map { event in
      switch event {
      case let .answer(response):
        (["\(response.status)"] + response.headers.map { "\($0.name)=\($0.value)" }
          + [response.text]).joined(separator: " ")
      case let .begins(response): "begins \(response.status)"
      case let .message(message): message.short
      case let .odd(text): "odd \(text)"
      case let .broken(reason): "broken: \(reason)"
      }
    }
  }

  private static let answers: [(text: String, events: [String])] = [
    ("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nETag: x\r\n\r\n123", ["200 etag=x 123"]),
    ("HTTP/1.0 404 Not Found\r\n\r\nnothing", ["404 nothing"]),
    ("HTTP/1.1 204\r\nETag: x\r\n\r\n", ["204 etag=x "]),
    ("HTTP/1.1 304 Not Modified\r\nContent-Length: 999\r\n\r\n", ["304 "]),
    (
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 412 X\r\nB: 2\r\na: 1\r\nTransfer-Encoding: chunked\r\n\r\n"
        + "2\r\nab\r\n1;x\r\nc\r\n0\r\n\r\n",
      ["412 a=1 b=2 abc"]
    ),
    ("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n12", ["broken: \(closed)"]),
    ("HTTP/1.1 200 OK\r\n", ["broken: \(closed)"]), ("", ["broken: \(closed)"]),
    ("SSH-2.0\r\n", ["broken: the answer does not begin with HTTP/1.1 STATUS"]),
    ("HTTP/1.1 OK\r\n\r\n", ["broken: the answer does not begin with HTTP/1.1 STATUS"]),
    ("HTTP/1.1 200 OK\r\nno field\r\n\r\n", ["broken: a line of the head is no NAME: VALUE"]),
    (
      "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n",
      ["broken: the length of the body is no number"]
    ),
    (
      "HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "x", count: 101),
      ["broken: the body has more than 100 bytes"]
    ),
    (
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
      ["broken: a chunk does not begin with its length"]
    ),
    (
      "\(stream)\r\ndata: \(String(repeating: "x", count: 101))",
      ["begins 200", "broken: an event has more than 100 bytes"]
    ),
    (
      "\(stream)\r\ndata: 1\n\n" + String(repeating: "data: 123456789\n", count: 9),
      ["begins 200", "odd message 1", "broken: an event has more than 100 bytes"]
    ),
    (
      "\(stream)Transfer-Encoding: chunked\r\n\r\n9\r\ndata: 1\n\n\r\nzz\r\n",
      ["begins 200", "odd message 1", "broken: a chunk does not begin with its length"]
    ),
  ]
  private static let stream = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
  private static let closed = "the connection was closed before the answer was whole"

  @Test(arguments: answers.indices)
  func `an answer is the same whatever pieces it arrives in`(index: Int) {
    let (text, expected) = Self.answers[index]
    for size in [1, 2, 7, Int.max] { #expect(described(events(text, by: size)) == expected) }
  }

  @Test(arguments: ["", "Transfer-Encoding: chunked\r\n"])
  func `a stream of events is what a connection would be sent`(coding: String) {
    let stream =
      "event: put\r\ndata: {\"path\":\"/\",\"data\":{\"x\":1}}\r\n\r\n"
      + ": a comment\n\nevent: patch\ndata: {\"path\":\"/b/c\",\ndata: \"data\":{\"x/y\":2}}\n\n"
      + "event: keep-alive\ndata: null\n\nevent: put\ndata: nothing\n\nevent: x\ndata: 1\n\n"
      + "event: auth_revoked\ndata: \"late\"\n\nevent: cancel\ndata: null\n\n"
    let body =
      coding.isEmpty
      ? stream
      : stream.map { "\(String($0.utf8.count, radix: 16))\r\n\($0)\r\n" }.joined() + "0\r\n\r\n"
    let text =
      "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\n\(coding)\r\n" + body
    for size in [1, 5, Int.max] {
      #expect(
        described(events(text, by: size, path: "/a/b.json")) == [
          "begins 200", #"put /a/b {"x":1}"#, "merge /a/b/b/c", "odd put nothing", "odd x 1",
          "credential revoked", "revoked /a/b",
        ])
    }
  }

  @Test func `a request goes to the database that is meant, below a location`() {
    let request = HTTPRequest(
      "PUT", "/a b/ü.json",
      [.init("ns", "mine"), .init("client", "alice"), .init("orderBy", "\"x/y\""), .init("z", "")],
      headers: ["host": "here", "if-match": "t", "authorization": "Bearer x", "cookie": "c"],
      body: Array("12".utf8))
    let bytes = request.bytes(to: "there:5000", "ns=test", below: "/run")
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == "PUT /run/a%20b/%C3%BC.json?ns=test&orderBy=%22x%2Fy%22&z= HTTP/1.1\r\nHost: there:5000\r\n"
        + "authorization: Bearer x\r\nif-match: t\r\nContent-Length: 2\r\nConnection: close\r\n\r\n12"
    )
    var reader = RequestReader(maxBodyBytes: 100)
    reader.append(bytes)
    guard case let .request(read, isLast: true) = reader.next() else {
      Issue.record("it is no request")
      return
    }
    #expect(read.path == "/run/a b/ü.json")
    #expect(
      String(decoding: HTTPRequest("HEAD", "/").bytes(to: "h", "ns=x", below: ""), as: UTF8.self)
        .hasPrefix("GET /?ns=x HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"))
  }
}
