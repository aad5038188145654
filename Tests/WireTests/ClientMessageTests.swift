import Testing
import Tree
import Wire

@Suite struct ClientMessageTests {
  private static let requests: [(Request, String)] = [
    (
      .listen(.init(path: "room/a", hash: "abc=")), #""a":"q","b":{"p":"/room/a","h":"abc="}"#
    ),
    (
      .listen(.init(path: "", query: query, tag: 3)),
      #""a":"q","b":{"p":"/","q":{"l":2,"vf":"r","i":"a"},"t":3,"h":""}"#
    ),
    (.unlisten("room", query: nil, tag: nil), #""a":"n","b":{"p":"/room"}"#),
    (
      .unlisten("room", query: query, tag: 3),
      #""a":"n","b":{"p":"/room","q":{"l":2,"vf":"r","i":"a"},"t":3}"#
    ),
    (
      .put("room", Node(json: ["a": [".value": 1, ".priority": 2]]), hash: nil),
      #""a":"p","b":{"p":"/room","d":{"a":{".value":1,".priority":2}}}"#
    ),
    (.put("room", .empty, hash: ""), #""a":"p","b":{"p":"/room","d":null,"h":""}"#),
    (
      .put("room/.priority", Node("p"), hash: nil), #""a":"p","b":{"p":"/room/.priority","d":"p"}"#
    ),
    (
      .merge("room", [.init("b/c", Node(1)), .init("a", .empty)], hash: nil),
      #""a":"m","b":{"p":"/room","d":{"b/c":1,"a":null}}"#
    ),
    (
      .merge("room", [.init("a", Node(1))], hash: "x="),
      #""a":"m","b":{"p":"/room","d":{"a":1},"h":"x="}"#
    ),
    (
      .onDisconnectPut("room", Node(json: [".sv": "timestamp"])),
      #""a":"o","b":{"p":"/room","d":{".sv":"timestamp"}}"#
    ),
    (
      .onDisconnectMerge("room", [.init("a", Node(true))]),
      #""a":"om","b":{"p":"/room","d":{"a":true}}"#
    ),
    (.onDisconnectCancel("room"), #""a":"oc","b":{"p":"/room","d":null}"#),
    (.get("room", .all), #""a":"g","b":{"p":"/room","q":{}}"#),
    (.get("room", query), #""a":"g","b":{"p":"/room","q":{"l":2,"vf":"r","i":"a"}}"#),
    (
      .stats([.init("sdk.js.2-0-0", 1), .init("b", 2.5)]),
      #""a":"s","b":{"c":{"sdk.js.2-0-0":1,"b":2.5}}"#
    ),
    (.authenticate(.init("token")), #""a":"auth","b":{"cred":"token"}"#),
    (
      .authenticate(.init("token", kind: .administrator)), #""a":"gauth","b":{"cred":"token"}"#
    ),
    (.unauthenticate, #""a":"unauth","b":{}"#),
  ]

  private static let query = Query(ordering: .child("a"), limit: .last(2))

  @Test(arguments: requests)
  func `a request is written and read as the wire has it`(request: Request, content: String) throws
  {
    let text = #"{"t":"d","d":{"r":7,"# + content + "}}"
    let message = ClientMessage.request(7, request)

    #expect(message.json(in: .wilddog).text == text)
    #expect(message.json(in: .firebase).text == text)
    #expect(try ClientMessage(json: message.json(in: .wilddog)) == message)
    #expect(try rewritten(text, from: .client, in: .firebase) == text)
  }

  @Test func `a ping is written and read`() throws {
    let text = #"{"t":"c","d":{"t":"p","d":{}}}"#

    #expect(ClientMessage.ping.json(in: .firebase).text == text)
    #expect(try ClientMessage(json: ClientMessage.ping.json(in: .firebase)) == .ping)
  }

  @Test func `older letters for listening are read`() throws {
    #expect(
      try rewritten(#"{"t":"d","d":{"r":1,"a":"l","b":{"p":"a"}}}"#, from: .client, in: .firebase)
        == #"{"t":"d","d":{"r":1,"a":"q","b":{"p":"/a","h":""}}}"#)
    #expect(
      try rewritten(#"{"t":"d","d":{"r":1,"a":"u","b":{"p":"a"}}}"#, from: .client, in: .firebase)
        == #"{"t":"d","d":{"r":1,"a":"n","b":{"p":"/a"}}}"#)
  }

  @Test func `every request has an action and those about a location have a path`() {
    let requests: [Request] = [
      .listen(.init(path: "a")), .unlisten("a", query: nil, tag: nil),
      .put("a", Node(1), hash: nil),
      .merge("a", [], hash: nil), .onDisconnectPut("a", Node(1)), .onDisconnectMerge("a", []),
      .onDisconnectCancel("a"), .get("a", .all), .stats([]), .authenticate(.init("t")),
      .unauthenticate,
    ]

    #expect(requests.map(\.action) == Request.Action.allCases)
    #expect(requests.map(\.path) == Array(repeating: "a", count: 8) + [nil, nil, nil])
  }

  @Test(arguments: [
    (#"1"#, #"the message is a number, expected a mapping with "t""#),
    (#"{}"#, #"the message has no "t""#),
    (#"{"t":1}"#, #""t" of the message is a number, expected a string"#),
    (#"{"t":"c"}"#, #"the message has no "d""#),
    (#"{"t":"x","d":{}}"#, #""t" of the message is "x", expected "c" or "d""#),
    (#"{"t":"c","d":[]}"#, #"the control message is a list, expected a mapping with "t""#),
    (
      #"{"t":"c","d":{"t":"h","d":{}}}"#,
      #"control message "h" is not one a client sends; expected "p""#
    ),
    (#"{"t":"d","d":{}}"#, #"the request has no "r""#),
    (
      #"{"t":"d","d":{"r":1.5,"a":"q","b":{}}}"#,
      #""r" of the request is 1.5, expected a whole number"#
    ),
    (
      #"{"t":"d","d":{"r":1e300,"a":"q","b":{}}}"#,
      #""r" of the request is 1e+300, expected a whole number"#
    ),
    (#"{"t":"d","d":{"r":1,"b":{}}}"#, #"the request has no "a""#),
    (#"{"t":"d","d":{"r":1,"a":"q"}}"#, #"the request has no "b""#),
    (
      #"{"t":"d","d":{"r":1,"a":"zz","b":{}}}"#,
      #"unknown action "zz"; expected one of q n p m o om oc g s auth gauth unauth"#
    ),
  ])
  func `a malformed message is told why`(text: String, reason: String) throws {
    #expect(try complaint(text, from: .client) == reason)
  }

  @Test(arguments: [
    ("q", #"{}"#, #"request "q" has no "p""#),
    ("q", #"[]"#, #"request "q" is a list, expected a mapping with "p""#),
    ("q", #"{"p":1}"#, #""p" of request "q" is a number, expected a string"#),
    ("q", #"{"p":"a","h":1}"#, #""h" of request "q" is a number, expected a string"#),
    (
      "q", #"{"p":"a","q":{"l":1}}"#,
      #"request "q" has a query without a tag; a filtered listen has both, a plain one neither"#
    ),
    (
      "q", #"{"p":"a","t":1}"#,
      #"request "q" has a tag without a query; a filtered listen has both, a plain one neither"#
    ),
    (
      "q", #"{"p":"a","q":{"l":1},"t":"x"}"#,
      #""t" of request "q" is "x", expected a whole number"#
    ),
    ("n", #"{"p":null}"#, #""p" of request "n" is null, expected a string"#),
    ("p", #"{"p":"a"}"#, #"request "p" has no "d""#),
    ("p", #"{"p":"a","d":1,"h":true}"#, #""h" of request "p" is a boolean, expected a string"#),
    (
      "m", #"{"p":"a","d":1}"#,
      #""d" of request "m" is a number, expected a mapping of paths to values"#
    ),
    ("o", #"{"p":"a"}"#, #"request "o" has no "d""#),
    (
      "om", #"{"p":"a","d":[1]}"#,
      #""d" of request "om" is a list, expected a mapping of paths to values"#
    ),
    ("oc", #"{}"#, #"request "oc" has no "p""#),
    ("g", #"{}"#, #"request "g" has no "p""#),
    ("g", #"{"p":"a","q":1}"#, "the query is a number, expected a mapping"),
    ("s", #"{}"#, #"request "s" has no "c""#),
    ("s", #"{"c":"x"}"#, #""c" of request "s" is a string, expected a mapping of counters"#),
    ("auth", #"{}"#, #"request "auth" has no "cred""#),
    ("gauth", #"{"cred":1}"#, #""cred" of request "gauth" is a number, expected a string"#),
  ])
  func `a malformed request is told why`(code: String, body: String, reason: String) throws {
    let text = #"{"t":"d","d":{"r":1,"a":"\#(code)","b":\#(body)}}"#

    #expect(try complaint(text, from: .client) == reason)
  }

  @Test func `the whole sentence quotes the message and cuts a long one`() {
    let error = WireError(from: .client, "it is wrong", received: #"{"a":1}"#)
    let long = WireError(
      from: .server, "it is wrong", received: String(repeating: "é", count: 401))

    #expect(
      error.description == "the client sent a message the protocol does not allow: it is wrong;"
        + #" received: {"a":1}"#)
    #expect(
      long.description == "the server sent a message the protocol does not allow: it is wrong;"
        + " received: " + String(repeating: "é", count: 400) + "… (802 bytes)")
  }
}
