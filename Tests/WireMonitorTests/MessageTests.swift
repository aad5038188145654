import Document
import RunModel
import Testing
import Tree
import Wire

/// What the monitor says of values and locations, of what servers write, and how findings are told.
@Suite struct MessageTests {
  @Test func `the other dialect writes no bounds that belong to the range`() throws {
    let query = #"{"p":"/a","h":"","t":1,"q":{"sp":1,"sin":true}}"#
    #expect(try Judged.request("q", query) == [])
    #expect(
      try Judged.request("q", query, .wilddog).first
        == "note: \"sin\" of the query is true; leave it out")
    let plain = #"{"p":"/a","h":"","t":1,"q":{"sp":1}}"#
    #expect(try Judged.request("q", plain, .wilddog) == [])
  }

  @Test func `a long string is told`() throws {
    let text = String(repeating: "x", count: (10 << 20) + 1)
    let message: JSON = [
      "t": "d", "d": ["r": 1, "a": "p", "b": ["p": "/a", "d": .string(text)]],
    ]
    let found = try Judged.findings(message)
    #expect(
      found == [
        "note: the string at /a has 10485761 bytes; official clients write 10 MiB at most; split it"
      ])
  }

  @Test(arguments: [
    ("p", #"{"p":"/a$","d":1}"#, "request 1 is about /a$: key \"a$\" contains \"$\"", "KEY-1"),
    (
      "q", #"{"p":"/.info/connected","h":""}"#,
      "request 1 is about /.info/connected; what is below", "CON-2"
    ),
    ("p", #"{"p":"/a","d":{"b#":1}}"#, "request 1 writes /a: below /a: key \"b#\"", "KEY-1"),
    (
      "p", #"{"p":"/a/.priority","d":true}"#,
      "request 1 writes true at /a/.priority; a priority is", "PRI-4"
    ),
    (
      "o", #"{"p":"/a","d":{".value":1,".priority":true}}"#,
      "request 1 writes /a: the priority true", "PRI-4"
    ),
    (
      "m", #"{"p":"/a","d":{"b/.value":1}}"#, "request 1 is about /a/b/.value: key \".value\"",
      "KEY-1"
    ),
    (
      "p", #"{"p":"/a","d":1,"h":"x"}"#, "note: request 1 has the hash \"x\"; expected the SHA-1",
      "HSH-2"
    ),
    (
      "q", #"{"p":"/a","h":"w28swksk9+tXf5jEdS9R5oSFAv8"}"#, "note: request 1 has the hash", "HSH-2"
    ),
  ])
  func `what the database cannot have is told`(
    action: String, body: String, finding: String, rule: String
  ) throws {
    let found = try Judged.request(action, body)
    #expect(found.contains { $0.hasPrefix(finding) && $0.hasSuffix("(\(rule))") }, "\(found)")
  }

  @Test func `a location that is too deep is told`() throws {
    let path = String(repeating: "/a", count: 33)
    let found = try Judged.request("p", #"{"p":"\#(path)","d":1}"#)
    #expect(found.first?.hasSuffix("the path has 33 keys; a path has at most 32 (KEY-6)") == true)
  }

  @Test(arguments: [
    (
      #"{"t":"c","d":{"t":"h","d":{"ts":1,"v":"5","h":"x"}}}"#,
      "the hello has no \"s\"; add it: the session"
    ),
    (#"{"t":"c","d":{"d":{}}}"#, "the control message has no \"t\"; add it: the kind"),
    (
      #"{"t":"c","d":{"t":"r","d":{}}}"#,
      "\"d\" of the control message is {}; expected a string, the host to connect to"
    ),
    (
      #"{"t":"c","d":{"t":"zz","d":{}}}"#,
      "note: there is no known control message \"zz\"; clients ignore it"
    ),
    (#"{"t":"d","d":{"b":{}}}"#, "the message has no \"a\"; add it: the action"),
    (
      #"{"t":"d","d":{"a":"d","b":{"p":"a"}}}"#,
      "message \"d\" has no \"d\"; add it: the data, null where nothing is"
    ),
    (
      #"{"t":"d","d":{"a":"d","b":{"p":"/a","d":1}}}"#,
      "note: \"p\" of message \"d\" is \"/a\"; a server writes no slash first, and nothing for the root"
    ),
    (
      #"{"t":"d","d":{"a":"c","b":{"p":"a","q":{}}}}"#,
      "\"q\" of message \"c\" is {}; expected a list, the queries whose listens end"
    ),
    (
      #"{"t":"d","d":{"a":"c","b":{"p":"a","q":[{"l":0,"vf":"l"}]}}}"#,
      "\"l\" of the query is 0; expected a positive number"
    ),
    (
      #"{"t":"d","d":{"a":"zz","b":{}}}"#,
      "note: there is no known message \"zz\"; clients ignore it"
    ),
    (
      #"{"t":"d","d":{"r":1,"b":{"s":"ok"}}}"#,
      "the body of the answer has no \"d\"; add it: the payload, {} or \"\" where there is none"
    ),
    (
      #"{"t":"d","d":{"r":1,"b":{"s":1,"d":""}}}"#,
      "\"s\" of the body of the answer is 1; expected a string, the status, \"ok\" or a code"
    ),
  ])
  func `what a server writes is judged as well`(text: String, finding: String) throws {
    #expect(try Judged.findings(text, by: .server) == [finding])
  }

  @Test func `a finding quotes the piece, and not all of a long one`() throws {
    var watched = try Watched.helloReceived()
    let long = String(repeating: "x", count: 300)
    let json = try JSON(parsing: #"{"t":"d","d":{"r":1,"a":"q","b":{"p":"/\#(long)"}}}"#)
    let text = watched.monitor.sent(json, at: watched.now).first?.text ?? ""
    #expect(text.hasSuffix("xxx… (209 characters more)"), "\(text)")
    #expect(text.contains(#"found in {"r":1,"a":"q","b":{"p":"/xxx"#))
  }

  @Test func `a request that cannot be understood has a number all the same`() throws {
    var watched = try Watched.helloReceived()
    let json = try JSON(parsing: #"{"t":"d","d":{"r":4,"a":"zz","b":{}}}"#)
    _ = watched.monitor.sent(json, at: watched.now)
    try watched.answer(4)
    #expect(watched.found() == [])
    try watched.send(#"4 unauth {}"#)
    #expect(watched.findings.map(\.check) == [.numbered])
  }

  @Test func `what is no JSON is quoted with the location of the mistake`() throws {
    for (text, mistake) in [
      (#"{"t":"d","d":"#, "1:14: the text ends inside"),
      (#"{"t":"d","d":"\uD800"}"#, "1:15: this is half of a surrogate pair"),
      (#"{"t":"d","t":"d"}"#, "key \"t\" occurs twice"),
      (#"{"t":"d","d":1e999}"#, "too large"),
      (String(repeating: "[", count: 100), "nested deeper than 64"),
    ] {
      do throws(DocumentError) {
        _ = try JSON(parsing: text)
        Issue.record("\(text) is JSON")
      } catch {
        let finding = Watched().monitor.judge(unreadable: text, error, by: .client).first
        let reported = finding?.sentence ?? ""
        #expect(reported.hasPrefix("a message is no JSON, at "))
        #expect(reported.contains(mistake), "\(reported)")
        #expect(reported.contains("; found in \(text.prefix(20))"))
        #expect(finding?.check == .json)
      }
    }
  }
}
