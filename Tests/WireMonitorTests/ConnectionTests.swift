import RunModel
import Testing
import Wire

/// What the monitor says of how connections begin and end, and of requests and answers.
@Suite struct ConnectionTests {
  @Test func `nothing is sent without a connection`() {
    var watched = Watched()
    #expect(
      watched.monitor.sent(.ping, at: watched.now).map(\.sentence) == [
        "the client sends a ping without a connection; wait for the server's hello (CON-12)"
      ])
  }

  @Test func `nothing is sent before the hello`() throws {
    var watched = Watched()
    #expect(watched.monitor.connecting() == [])
    watched.monitor.opened()
    #expect(watched.monitor.sent(.ping, at: watched.now) == [])
    try watched.send(#"1 s {"c":{}}"#)
    #expect(
      watched.found() == [
        "the client sends request 1, stats, before the hello of the server; wait for it (CON-12)"
      ])
  }

  @Test func `a client has one connection`() {
    var watched = Watched()
    #expect(watched.monitor.connecting() == [])
    #expect(
      watched.monitor.connecting().map(\.sentence) == [
        "the client asks for a connection although it has one or has asked for one; close the first "
          + "(CON-11)"
      ])
    #expect(watched.monitor.ended(at: watched.now) == [])
    #expect(watched.monitor.connecting() == [])
  }

  @Test func `the server sends hello first`() throws {
    var watched = Watched()
    watched.monitor.opened()
    try watched.receiveOutput(#"{"a":"sd","b":{"msg":"x"}}"#)
    #expect(
      watched.found() == ["the first message of the server is a notice; expected its hello (WIR-1)"]
    )
  }

  @Test func `the server says hello once`() throws {
    var watched = try Watched.helloReceived()
    watched.sendHello()
    #expect(
      watched.found() == ["the server sends hello again; it does so once, first of all (WIR-1)"])
  }

  @Test func `the hello states the version`() {
    var watched = Watched(.wilddog)
    watched.monitor.opened()
    watched.sendHello(version: "5")
    #expect(watched.found() == ["the hello states version \"5\"; expected \"1.0\" (WIR-15)"])
  }

  @Test func `what is restored has an order`() throws {
    var watched = Watched()
    watched.monitor.opened()
    watched.sendHello()
    try watched.send(
      #"1 s {"c":{}}"#, #"2 auth {"cred":"t"}"#, #"3 q {"p":"/a","h":""}"#,
      #"4 p {"p":"/a","d":1}"#,
      #"5 g {"p":"/b","q":{}}"#, #"6 o {"p":"/c","d":1}"#)
    #expect(watched.found() == [])
    try watched.send(#"7 q {"p":"/b","h":""}"#, #"8 m {"p":"/a","d":{}}"#, #"9 auth {"cred":"t"}"#)
    #expect(
      watched.found() == [
        "request 7, listen /b, restores listens after on-disconnect requests; listens come first, "
          + "then writes, then on-disconnect requests (CON-7)",
        "request 8, merge /a, restores writes after on-disconnect requests; listens come first, then "
          + "writes, then on-disconnect requests (CON-7)",
        "request 9 restores the credential after on-disconnect requests; what is judged by it comes "
          + "after it (ACC-12)",
      ])
  }

  @Test func `what the application asks for afterwards comes in any order`() throws {
    var watched = Watched()
    watched.monitor.opened()
    watched.sendHello()
    try watched.send(#"1 p {"p":"/a","d":1}"#)
    watched.monitor.interrupted()
    try watched.send(#"2 q {"p":"/b","h":""}"#)
    #expect(watched.found() == [])
  }

  @Test func `statistics come first`() throws {
    var watched = try Watched.helloReceived()
    try watched.send(#"1 p {"p":"/a","d":1}"#, #"2 s {"c":{}}"#)
    #expect(
      watched.found() == [
        "note: request 2 has statistics, but is not the first of the connection; they are sent "
          + "first, or not at all (CON-7)"
      ])
  }

  @Test func `who was sent away says nothing more`() throws {
    var watched = try Watched.helloReceived()
    watched.monitor.opened()
    watched.sendHello()
    _ = watched.monitor.received(.shutdown("server_kill"), at: watched.now)
    try watched.send(#"1 p {"p":"/a","d":1}"#)
    #expect(
      watched.found() == [
        "the client sends request 1, put /a, although the server has sent it away; close the "
          + "connection and stay away (CON-18)"
      ])
  }

  @Test func `a client of Wilddog Sync may come back`() throws {
    var watched = try Watched.helloReceived(.wilddog)
    _ = watched.monitor.received(.shutdown("server_kill"), at: watched.now)
    try watched.send(#"1 p {"p":"/a","d":1}"#)
    #expect(watched.found() == [])
  }

  @Test func `as the server sees it, requests may cross a shutdown`() throws {
    var watched = try Watched.helloReceived(seenBy: .server)
    _ = watched.monitor.received(.shutdown("server_kill"), at: watched.now)
    try watched.send(#"1 p {"p":"/a","d":1}"#)
    #expect(watched.found() == [])
  }

  @Test func `numbers increase, on new connections too`() throws {
    var watched = try Watched.helloReceived()
    try watched.send(#"4 p {"p":"/a","d":1}"#, #"4 p {"p":"/b","d":1}"#)
    try watched.answer(4, 4)
    watched.end()
    watched.monitor.opened()
    watched.sendHello()
    try watched.send(#"1 p {"p":"/c","d":1}"#)
    #expect(
      watched.found() == [
        "request 4, put /b, has the number of the request before it; each has a larger number than "
          + "all before it, also on a new connection (WIR-12)",
        "request 1, put /c, comes after request 4; each has a larger number than all before it, also "
          + "on a new connection (WIR-12)",
      ])
  }

  @Test func `the server answers what was asked, once`() throws {
    var watched = try Watched.helloReceived()
    try watched.send(#"1 p {"p":"/a","d":1}"#)
    try watched.answer(1, 1, 7)
    #expect(
      watched.found() == [
        "the server answers request 1 again, with \"ok\"; each request is answered once (WIR-12)",
        "the server answers request 7 with \"ok\", which was not made on this connection; an answer "
          + "has the number of its request (WIR-12)",
      ])
  }

  @Test func `a number that is given twice is answered twice`() throws {
    var watched = try Watched.helloReceived()
    try watched.send(#"1 p {"p":"/a","d":1}"#, #"1 p {"p":"/b","d":1}"#)
    try watched.answer(1, 1)
    #expect(watched.findings.map(\.check) == [.numbered])
    try watched.answer(1)
    #expect(watched.findings.map(\.check) == [.numbered, .answersOnce])
  }

  @Test func `answers do not outlive their connection`() throws {
    var watched = try Watched.helloReceived()
    try watched.send(#"1 p {"p":"/a","d":1}"#)
    _ = watched.monitor.ended(at: watched.now)
    watched.monitor.opened()
    watched.sendHello()
    try watched.answer(1)
    #expect(watched.findings.map(\.check) == [.answersOnce])
  }

  @Test func `requests without an answer are named at the end`() throws {
    var watched = try Watched.helloReceived()
    for number in 1...7 { try watched.send(#"\#(number) p {"p":"/a\#(number)","d":1}"#) }
    try watched.answer(1)
    watched.end()
    #expect(
      watched.found() == [
        "note: the connection ended before these requests were answered: 2, put /a2; 3, put /a3; 4, "
          + "put /a4; 5, put /a5; 6, put /a6; and 1 more (WIR-12)"
      ])
  }

  @Test func `a request that waits for a minute is named once`() throws {
    var watched = try Watched.helloReceived()
    try watched.send(#"1 p {"p":"/a","d":1}"#)
    watched.wait(30)
    try watched.send(#"2 p {"p":"/b","d":1}"#)
    watched.wait(30)
    try watched.send(#"3 unauth {}"#, #"4 unauth {}"#)
    #expect(
      watched.found() == [
        "note: request 1, put /a, has had no answer for 60 s; every request is answered (WIR-12)"
      ])
    watched.wait(30)
    try watched.answer(3)
    #expect(
      watched.found() == [
        "note: request 2, put /b, has had no answer for 60 s; every request is answered (WIR-12)"
      ])
  }

  @Test func `requests of the vocabulary of others are requests`() throws {
    var watched = try Watched.helloReceived()
    #expect(watched.monitor.asked("appcheck", 1, at: watched.now) == [])
    try watched.answer(1)
    #expect(watched.found() == [])
    #expect(watched.monitor.asked("appcheck", 1, at: watched.now).count == 1)
  }
}
