import Testing

/// Messages in a few words, as somebody who watches reads them.
@Suite struct MessageSummaryTests {
  @Test(arguments: [
    (#""q","b":{"p":"/a","h":""}"#, "listen /a"),
    (#""q","b":{"p":"/a","h":"x"}"#, "listen /a (has data)"),
    (
      #""q","b":{"p":"/a","q":{"sp":1,"sn":"k","ep":2,"l":3,"vf":"l","i":"n/m"},"t":4,"h":""}"#,
      "listen /a orderBy=n/m startAt=1,\"k\" endAt=2 limitToFirst=3 (tag 4)"
    ),
    (
      #""q","b":{"p":"/a","q":{"sp":1,"ep":1},"t":1,"h":""}"#,
      "listen /a orderBy=.priority equalTo=1 (tag 1)"
    ),
    (
      #""q","b":{"p":"/a","q":{"sp":"a","sin":false,"ep":"x","ein":false,"i":".key"},"t":1,"h":""}"#,
      "listen /a orderBy=.key startAfter=\"a\" endBefore=\"x\" (tag 1)"
    ),
    (#""n","b":{"p":"/a"}"#, "unlisten /a"),
    (
      #""n","b":{"p":"/a","q":{"l":3,"vf":"r","i":".key"},"t":4}"#,
      "unlisten /a orderBy=.key limitToLast=3 (tag 4)"
    ),
    (#""p","b":{"p":"/a","d":{"b":[1]}}"#, #"put /a {"b":{"0":1}}"#),
    (#""p","b":{"p":"/a","d":null,"h":"x"}"#, "put /a null (if unchanged)"),
    (#""m","b":{"p":"/a","d":{"b":1,"c/d":2}}"#, #"merge /a {"b":1,"c/d":2}"#),
    (#""o","b":{"p":"/a","d":true}"#, "on-disconnect-put /a true"),
    (#""om","b":{"p":"/a","d":{"b":1}}"#, #"on-disconnect-merge /a {"b":1}"#),
    (#""oc","b":{"p":"/a","d":null}"#, "on-disconnect-cancel /a"),
    (#""g","b":{"p":"/a","q":{}}"#, "get /a"),
    (#""s","b":{"c":{"sdk.js.1":1}}"#, "stats sdk.js.1"),
    (#""auth","b":{"cred":"0123456789abcdefghij"}"#, "auth 0123456789abcdef…"),
    (#""unauth","b":{}"#, "unauth"),
  ])
  func `a request is read`(rest: String, text: String) throws {
    var table = try Watching()
    let socket = table.look()
    let alice = table.connect()
    table.say(#"{"t":"d","d":{"r":7,"a":\#(rest)}}"#, over: alice)

    #expect(try table.received(socket).first { $0.hasPrefix("in ") } == "in 1: \(text)")
  }

  @Test func `what is no message is shown as it is`() throws {
    var table = try Watching()
    let socket = table.look()
    table.say("[1]", over: table.connect())
    table.say("{", over: table.connect())

    let received = try table.received(socket).filter { $0.hasPrefix("in ") }
    #expect(received == ["in 1: [1]", "in 2: {"])
  }

  @Test func `answers are read`() throws {
    var table = try Watching(data: #"{"a":{"b":1,"c":2}}"#)
    let socket = table.look()
    let alice = table.connect()
    table.say(
      frame(1, "q", #"{"p":"/a","q":{"l":1,"vf":"l","i":".key"},"t":3,"h":""}"#),
      frame(2, "g", #"{"p":"/a/b","q":{}}"#), frame(3, "auth", #"{"cred":"wrong"}"#),
      frame(4, "m", #"{"p":"/a","d":{"b":5}}"#), #"{"t":"c","d":{"t":"p","d":{}}}"#, over: alice)

    let received = try table.received(socket).filter { $0.hasPrefix("out ") }
    #expect(received.contains(#"out 1: data /a {"b":1} (tag 3)"#), "\(received)")
    #expect(received.contains("out 1: ok 2 1 (get /a/b)"), "\(received)")
    #expect(received.contains { $0.hasPrefix("out 1: invalid_token 3 ") }, "\(received)")
    #expect(received.contains(#"out 1: merge /a {"b":5} (tag 3)"#), "\(received)")
  }
}
