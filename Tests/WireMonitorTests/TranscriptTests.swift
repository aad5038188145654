import Document
import RunModel
import Testing
import Trace

/// What the monitor says of recordings and traces.
@Suite struct TranscriptTests {
  private let recording = #"{"recording":1,"client":"firebase","name":"A","epoch":0}"#
  private let served =
    #"{"recording":1,"client":"firebase","name":"A","namespace":"demo","epoch":0}"#
  private let hello =
    #""in":{"frame":{"t":"c","d":{"t":"h","d":{"ts":1,"v":"5","h":"x","s":"s"}}}}"#

  private var helloReceived: [String] {
    [#"{"t":0,"out":{"connect":{}}}"#, #"{"t":1,"in":{"opened":{}}}"#, "{\"t\":2,\(hello)}"]
  }

  private func listen(_ number: Int, _ time: Int = 3) -> String {
    #"{"t":\#(time),"out":{"send":{"t":"d","d":{"r":\#(number),"a":"q","b":{"p":"/a","h":""}}}}}"#
  }

  private func transcript(_ lines: [String]) throws -> WireTranscript {
    try WireTranscript(lines.map { $0 + "\n" }.joined(), file: "a.jsonl")
  }

  private func reported(_ lines: [String]) throws -> [String] {
    try transcript(lines).locatedFindings.map { $0.text(file: "a.jsonl") }
  }

  @Test func `a finding is told with file and line, a note as one`() throws {
    let lines =
      [recording] + helloReceived + [listen(1), listen(2), #"{"t":9,"in":{"closed":{}}}"#]
    #expect(
      try reported(lines) == [
        "a.jsonl:6: request 2 listens to /a, which request 1 listens to already; one listen serves "
          + "all listeners (WIR-4)",
        "a.jsonl:7: note: the connection ended before these requests were answered: 1, listen /a; 2, "
          + "listen /a (WIR-12)",
      ])
  }

  @Test func `connections are counted`() throws {
    let closed = #"{"t":9,"in":{"closed":{}}}"#
    let refused = [#"{"t":10,"out":{"connect":{}}}"#, #"{"t":11,"in":{"refused":{}}}"#]
    let found = try transcript(
      [recording] + helloReceived + [listen(1), closed] + refused + helloReceived + [
        listen(2), listen(3),
      ])
    #expect(found.tally == Tally(passed: 1, failed: 1, skipped: 1))
  }

  @Test func `what is said without a connection counts as one`() throws {
    let found = try transcript([recording, listen(1)])
    #expect(found.locatedFindings.map(\.finding.check) == [.helloComesFirst])
    #expect(found.tally == Tally(failed: 1))
  }

  @Test func `the form of messages is judged`() throws {
    let lines =
      [recording] + helloReceived + [
        #"{"t":3,"out":{"send":{"t":"d","d":{"r":1,"a":"q","b":{"p":"/a"}}}}}"#,
        #"{"t":4,"in":{"frame":{"t":"d","d":{"r":1,"b":{"s":"ok"}}}}}"#,
      ]
    #expect(try transcript(lines).locatedFindings.map(\.line) == [5, 6])
    #expect(try transcript(lines).locatedFindings.allSatisfy { $0.finding.check == .shape })
  }

  @Test func `what a server wrote down is what the server saw`() throws {
    let lines =
      helloReceived + [
        listen(1), #"{"t":4,"in":{"frame":{"t":"d","d":{"r":1,"b":{"s":"ok","d":""}}}}}"#,
        #"{"t":4,"in":{"frame":{"t":"d","d":{"a":"c","b":{"p":"a"}}}}}"#,
        #"{"t":5,"out":{"send":{"t":"d","d":{"r":2,"a":"n","b":{"p":"/a"}}}}}"#,
      ]
    #expect(try transcript([recording] + lines).tally.failed == 1)
    #expect(try transcript([served] + lines).tally.failed == 0)
  }

  @Test func `a server wrote down whatever it was sent`() throws {
    let lines = [served] + helloReceived + [#"{"t":3,"out":{"send":{"t":}}"#]
    let found = try reported(lines)
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix("a.jsonl:5: a message is no JSON, at ") == true)
    #expect(found.first?.hasSuffix("; found in {\"t\": (WIR-17)") == true, "\(found)")
  }

  @Test func `going offline ends a connection, also where the end was not written down`() throws {
    let offline = #"{"t":5,"in":{"call":{"id":"c","op":"go-offline"}}}"#
    let found = try transcript([recording] + helloReceived + [offline] + helloReceived)
    #expect(found.locatedFindings == [])
    #expect((found.tally.passed, found.tally.failed) == (2, 0))
  }

  @Test func `what the application does ends what is restored`() throws {
    let put = #"{"t":2,"out":{"send":{"t":"d","d":{"r":1,"a":"p","b":{"p":"/a","d":1}}}}}"#
    let call = #"{"t":2,"in":{"call":{"id":"c","op":"listen"}}}"#
    #expect(try transcript([recording] + helloReceived + [put, call, listen(2)]).tally.failed == 0)
    #expect(try transcript([recording] + helloReceived + [put, listen(2)]).tally.failed == 1)
  }

  @Test func `the clients of a trace are told apart`() throws {
    let header = #"{"trace":1,"profile":"wilddog-2","clients":["alice","bob"]}"#
    let hello = hello.replacing("\"5\"", with: "\"1.0\"")
    var lines = [header]
    for name in ["alice", "bob"] {
      let who = "\"n\":1,\"t\":1,\"step\":-1,\"client\":\"\(name)\""
      lines += [
        "{\(who),\"out\":{\"connect\":{}}}", "{\(who),\"in\":{\"opened\":{}}}", "{\(who),\(hello)}",
      ]
    }
    lines.append(
      #"{"n":9,"t":5,"step":1,"client":"bob","out":{"send":{"t":"c","d":{"t":"x","d":{}}}}}"#)
    lines.append(#"{"end":{"events":10}}"#)
    let found = try transcript(lines)
    #expect(found.tally == Tally(passed: 1, failed: 1))
    #expect(
      try reported(lines).first?.hasPrefix("a.jsonl:8: bob: there is no control message \"x\"")
        == true)
  }

  @Test func `a last line that is cut off is passed over, another one is not`() throws {
    let text = ([recording] + helloReceived).joined(separator: "\n")
    #expect(try WireTranscript(text + "\n{\"t\":3,\"o", file: "x").tally.passed == 1)
    #expect {
      _ = try WireTranscript(text + "\n{\"t\":3,\"o\n", file: "x")
    } throws: { error in
      let error = error as? SourceError
      return error?.position == Position(line: 5, column: 8)
        && error?.message.hasPrefix("the line is no JSON: ") == true
    }
  }

  @Test(arguments: ["9e18", "1e15", "-9e18", "1e300", "\"5\""])
  func `a time that no clock shows is told with its place`(time: String) throws {
    let header = #"{"trace":1,"profile":"firebase","clients":["alice"]}"#
    let line = #"{"n":1, "t":\#(time),"step":1,"client":"alice","in":{"closed":{}}}"#
    for first in [recording, served, header] {
      let error = #expect(throws: SourceError.self) { try transcript([first, line]) }

      #expect(error?.description.hasPrefix("a.jsonl:2:13: \"t\" is ") == true)
      #expect(error?.message.contains(", expected milliseconds") == true)
    }
  }

  @Test func `times that go back are no obstacle`() throws {
    let lines =
      [recording] + helloReceived + [#"{"t":-1,"in":{"closed":{}}}"#, #"{"in":{"closed":{}}}"#]
    #expect(try transcript(lines).tally.passed == 1)
  }

  @Test(arguments: [
    ("", "this is neither a recording nor a trace"),
    ("{}", "this is neither a recording nor a trace"),
    (
      #"{"recording":1,"client":"x"}"#,
      "there is no dialect for \"x\"; expected wilddog or firebase"
    ),
    (#"{"recording":1}"#, "the first line has no \"client\"; expected wilddog or firebase"),
    (#"{"trace":1}"#, "the first line has no \"profile\"; expected wilddog or firebase"),
  ])
  func `what is no transcript is told`(text: String, message: String) {
    #expect {
      _ = try WireTranscript(text, file: "x")
    } throws: { error in
      (error as? SourceError)?.message.hasPrefix(message) == true
    }
  }

  @Test func `numbers of another connection say nothing where identities are guessed`() throws {
    let connection = """
      {"t":0,"out":{"connect":{}}}
      {"t":0,"in":{"opened":{}}}
      {"t":0,"in":{"frame":{"t":"c","d":{"t":"h","d":{"ts":0,"v":"5","h":"x","s":"s"}}}}}
      {"t":1,"out":{"send":{"t":"d","d":{"r":1,"a":"p","b":{"p":"/a","d":"\\u001b[31m"}}}}}
      {"t":1,"in":{"frame":{"t":"d","d":{"r":1,"b":{"s":"ok","d":{}}}}}}
      {"t":2,"in":{"closed":{}}}

      """
    let server =
      #"{"recording":1,"client":"firebase","name":"A","namespace":"demo","epoch":0}"# + "\n"
    let client = #"{"recording":1,"client":"firebase","name":"A","seed":0}"# + "\n"

    #expect(
      try WireTranscript(server + connection + connection, file: "a").tally.failed == 0)
    #expect(
      try WireTranscript(client + connection + connection, file: "a").tally.failed == 1)
  }

  @Test func `escape sequences of clients are not written to terminals`() throws {
    let text = """
      {"recording":1,"client":"firebase","name":"A","namespace":"demo","epoch":0}
      {"t":0,"in":{"opened":{}}}
      {"t":1,"out":{"send":{"t":"d","d":{"r":1,"a":"\\u001b[31mRED","b":{}}}}}

      """
    let transcript = try WireTranscript(text, file: "a")

    #expect(!transcript.locatedFindings.isEmpty)
    #expect(transcript.locatedFindings.allSatisfy { !$0.text(file: "a").contains("\u{1B}") })
  }
}
