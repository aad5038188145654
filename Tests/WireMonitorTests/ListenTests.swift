import RunModel
import Testing

/// What the monitor says of listens.
@Suite struct ListenTests {
  @Test func `going from a listen to the one above and back is lawful`() throws {
    var watched = try Watched.helloReceived()
    try watched.send(
      #"1 q {"p":"/a/b","h":""}"#, #"2 q {"p":"/a","h":""}"#, #"3 n {"p":"/a/b"}"#,
      #"4 q {"p":"/a/b","h":""}"#, #"5 n {"p":"/a"}"#)
    try watched.answer(1, 2, 3, 4, 5)
    watched.wait(10)
    try watched.send(#"6 n {"p":"/a/b"}"#)
    #expect(watched.found() == [])
  }

  @Test func `a covered listen that stays is told once, whichever came first`() throws {
    for (first, second) in [("/a", "/a/b"), ("/a/b", "/a")] {
      var watched = try Watched.helloReceived()
      try watched.send(#"1 q {"p":"\#(first)","h":""}"#, #"2 q {"p":"\#(second)","h":""}"#)
      try watched.answer(1, 2)
      #expect(watched.found() == [])
      watched.wait(3)
      try watched.send(#"3 s {"c":{}}"#)
      try watched.answer(3)
      let number = first == "/a/b" ? 1 : 2
      #expect(
        watched.found().filter { !$0.hasPrefix("note") } == [
          "request \(number) listens to /a/b, which the listen to /a covers; take it back, the other "
            + "one brings its data (WIR-4)"
        ])
    }
  }

  @Test func `a query at the location of a plain listen is covered`() throws {
    var watched = try Watched.helloReceived()
    try watched.send(
      #"1 q {"p":"/a","q":{"l":1,"vf":"l"},"t":1,"h":""}"#, #"2 q {"p":"/a","h":""}"#)
    watched.wait(3)
    try watched.answer(1)
    #expect(
      watched.found() == [
        "request 1 listens to a query at /a, which the listen to /a covers; take it back, the other "
          + "one brings its data (WIR-4)"
      ])
  }

  @Test func `what was refused or revoked is not taken back, as the client sees it`() throws {
    for end in [
      #"{"r":1,"b":{"s":"permission_denied","d":""}}"#, #"{"a":"c","b":{"p":"a"}}"#,
    ] {
      var watched = try Watched.helloReceived()
      try watched.send(#"1 q {"p":"/a","h":""}"#)
      if end.contains(#""a":"c""#) { try watched.answer(1) }
      try watched.receiveOutput(end)
      try watched.send(#"2 n {"p":"/a"}"#)
      #expect(
        watched.found() == [
          "request 2 takes back the listen to /a, which is not in place; take back only what was "
            + "listened to and not refused or ended since (WIR-4)"
        ])
    }
  }

  @Test func `a listen that crosses a revocation may be served, dropped and made again`() throws {
    for (query, tag) in [("", ""), (#","q":{"l":1,"vf":"l"}"#, #","t":1"#)] {
      let listed = query.isEmpty ? "" : #","q":[{"l":1,"vf":"l"}]"#
      var watched = try Watched.helloReceived()
      try watched.send(#"1 q {"p":"/a"\#(query)\#(tag),"h":""}"#)
      try watched.receiveOutput(
        #"{"a":"c","b":{"p":"a"\#(listed)}}"#, #"{"a":"d","b":{"p":"a","d":1\#(tag)}}"#)
      try watched.answer(1)
      try watched.receiveOutput(#"{"a":"d","b":{"p":"a","d":2\#(tag)}}"#)
      try watched.send(#"2 n {"p":"/a"\#(query)\#(tag)}"#)
      try watched.answer(2)
      #expect(watched.found() == [])
      try watched.receiveOutput(#"{"a":"d","b":{"p":"a","d":3\#(tag)}}"#)
      #expect(watched.found().count == 1)
    }
  }

  @Test func `a listen that is refused after a revocation is served no more`() throws {
    var watched = try Watched.helloReceived()
    try watched.send(#"1 q {"p":"/a","h":""}"#)
    try watched.receiveOutput(#"{"a":"c","b":{"p":"a"}}"#)
    try watched.answer(1, status: "permission_denied")
    #expect(watched.found() == [])
    try watched.receiveOutput(#"{"a":"d","b":{"p":"a","d":1}}"#)
    #expect(watched.found().count == 1)
  }

  @Test func `as the server sees it, taking back may cross the end`() throws {
    var watched = try Watched.helloReceived(seenBy: .server)
    try watched.send(#"1 q {"p":"/a","h":""}"#)
    try watched.receiveOutput(#"{"a":"c","b":{"p":"a"}}"#)
    try watched.send(#"2 n {"p":"/a"}"#)
    #expect(watched.found() == [])
    try watched.send(#"3 n {"p":"/a"}"#)
    #expect(watched.found().count == 1)
  }

  @Test func `a listen is taken back with its tag`() throws {
    var watched = try Watched.helloReceived()
    try watched.send(
      #"1 q {"p":"/a","q":{"l":1,"vf":"l"},"t":1,"h":""}"#,
      #"2 n {"p":"/a","q":{"l":1,"vf":"l"},"t":7}"#)
    #expect(
      watched.found() == [
        "request 2 takes back the listen to a query at /a with tag 7, but it was made with tag 1; "
          + "write the same \"q\" and \"t\" again (WIR-7)"
      ])
  }

  @Test func `a tag may be given again after its listen has ended`() throws {
    var watched = try Watched.helloReceived()
    try watched.send(
      #"1 q {"p":"/a","q":{"l":1,"vf":"l"},"t":1,"h":""}"#,
      #"2 n {"p":"/a","q":{"l":1,"vf":"l"},"t":1}"#,
      #"3 q {"p":"/b","q":{"l":1,"vf":"l"},"t":1,"h":""}"#)
    #expect(watched.found() == [])
    try watched.send(#"4 q {"p":"/c","q":{"l":1,"vf":"l"},"t":1,"h":""}"#)
    #expect(
      watched.found() == [
        "request 4 gives the listen to /c the tag 1, which that to /b has; a tag is given to another "
          + "query when its listen has ended (WIR-7)"
      ])
  }

  @Test func `a query that leaves nothing out is no query`() throws {
    var watched = try Watched.helloReceived()
    try watched.send(#"1 q {"p":"/a","q":{"i":"n"},"t":1,"h":""}"#)
    #expect(
      watched.found() == [
        "request 1 listens to /a with a query that leaves nothing out; leave \"q\" and \"t\" out, it "
          + "is the plain listen (WIR-13)"
      ])
  }

  @Test func `data come for listens only`() throws {
    var watched = try Watched.helloReceived()
    try watched.send(#"1 q {"p":"/a","h":""}"#)
    try watched.receiveOutput(
      #"{"a":"d","b":{"p":"a","d":1}}"#, #"{"a":"m","b":{"p":"a/b","d":{"c":1}}}"#)
    #expect(watched.found() == [])
    try watched.receiveOutput(
      #"{"a":"d","b":{"p":"b","d":1}}"#, #"{"a":"d","b":{"p":"a","d":1,"t":4}}"#)
    #expect(
      watched.found() == [
        "the server sends data of /b, where no plain listen of this connection is at or above "
          + "(WIR-18)",
        "the server sends data of /a for the tag 4, which no listen of this connection has (WIR-7)",
      ])
  }

  @Test func `data may cross the end of a listen until it is answered`() throws {
    var watched = try Watched.helloReceived()
    try watched.send(
      #"1 q {"p":"/a","h":""}"#, #"2 q {"p":"/b","q":{"l":1,"vf":"l"},"t":1,"h":""}"#)
    try watched.answer(1, 2)
    try watched.send(#"3 n {"p":"/a"}"#, #"4 n {"p":"/b","q":{"l":1,"vf":"l"},"t":1}"#)
    let data = [#"{"a":"d","b":{"p":"a","d":1}}"#, #"{"a":"d","b":{"p":"b","d":1,"t":1}}"#]
    for body in data { try watched.receiveOutput(body) }
    #expect(watched.found() == [])
    try watched.answer(3, 4)
    for body in data { try watched.receiveOutput(body) }
    #expect(watched.findings.map(\.check) == [.askedFor, .tagInUse])
  }

  @Test func `listens end with their connection`() throws {
    var watched = try Watched.helloReceived()
    try watched.send(#"1 q {"p":"/a","h":""}"#)
    try watched.answer(1)
    watched.end()
    watched.monitor.opened()
    watched.sendHello()
    try watched.send(#"2 q {"p":"/a","h":""}"#)
    #expect(watched.found() == [])
  }
}
