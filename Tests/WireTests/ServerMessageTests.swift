import Testing
import Tree
import Wire

@Suite struct ServerMessageTests {
  private static let messages: [(ServerMessage, String)] = [
    (
      .hello(.init(timestamp: 1_480_000_002_126, version: "1.0", host: "h.test", session: "s1")),
      #"{"t":"c","d":{"t":"h","d":{"ts":1480000002126,"v":"1.0","h":"h.test","s":"s1"}}}"#
    ),
    (.shutdown("bye"), #"{"t":"c","d":{"t":"s","d":"bye"}}"#),
    (.reset(host: "other.test"), #"{"t":"c","d":{"t":"r","d":"other.test"}}"#),
    (.pong, #"{"t":"c","d":{"t":"o","d":{}}}"#),
    (.response(.init(to: 4)), #"{"t":"d","d":{"r":4,"b":{"s":"ok","d":{}}}}"#),
    (
      .response(.init(to: 4, status: "permission_denied", payload: "Permission denied")),
      #"{"t":"d","d":{"r":4,"b":{"s":"permission_denied","d":"Permission denied"}}}"#
    ),
    (
      .put("room/a", Node(json: ["9": 1, "10": [".value": 2, ".priority": "p"]]), tag: nil),
      #"{"t":"d","d":{"a":"d","b":{"p":"room/a","d":{"9":1,"10":{".value":2,".priority":"p"}}}}}"#
    ),
    (.put("", .empty, tag: 3), #"{"t":"d","d":{"a":"d","b":{"p":"","d":null,"t":3}}}"#),
    (
      .merge("room", [.init("b/c", Node(1)), .init("a", .empty)], tag: 2),
      #"{"t":"d","d":{"a":"m","b":{"p":"room","d":{"b/c":1,"a":null},"t":2}}}"#
    ),
    (.revoked("room", queries: nil), #"{"t":"d","d":{"a":"c","b":{"p":"room"}}}"#),
    (.revoked("room", queries: []), #"{"t":"d","d":{"a":"c","b":{"p":"room","q":[]}}}"#),
    (
      .revoked("room", queries: [Query(limit: .first(1)), .all]),
      #"{"t":"d","d":{"a":"c","b":{"p":"room","q":[{"l":1,"vf":"l"},{}]}}}"#
    ),
    (
      .credentialRevoked(status: "expired_token", reason: "old"),
      #"{"t":"d","d":{"a":"ac","b":{"s":"expired_token","d":"old"}}}"#
    ),
    (.notice("look"), #"{"t":"d","d":{"a":"sd","b":{"msg":"look"}}}"#),
    (.other(["t": "c", "d": ["t": "z"]]), #"{"t":"c","d":{"t":"z"}}"#),
    (.other(["t": "d", "d": ["error": "x"]]), #"{"t":"d","d":{"error":"x"}}"#),
    (.other(["t": "d", "d": ["a": "rm", "b": [:]]]), #"{"t":"d","d":{"a":"rm","b":{}}}"#),
  ]

  @Test(arguments: messages)
  func `a message is written and read as the wire has it`(
    message: ServerMessage, text: String
  ) throws {
    for dialect in Dialect.allCases {
      #expect(message.json(in: dialect).text == text)
      #expect(try rewritten(text, from: .server, in: dialect) == text)
    }
    #expect(try ServerMessage(json: message.json(in: .firebase)) == message)
  }

  @Test(arguments: [
    (
      #"{"t":"d","d":{"a":"d","b":{"p":"/a","d":1}}}"#,
      #"{"t":"d","d":{"a":"d","b":{"p":"a","d":1}}}"#
    ),
    (#"{"t":"d","d":{"r":1,"b":{"s":"ok"}}}"#, #"{"t":"d","d":{"r":1,"b":{"s":"ok","d":null}}}"#),
    (#"{"t":"d","d":{"a":"c","b":{"p":"a","q":null}}}"#, #"{"t":"d","d":{"a":"c","b":{"p":"a"}}}"#),
    (#"{"t":"d","d":{"a":"ac","b":{}}}"#, #"{"t":"d","d":{"a":"ac","b":{"s":"","d":""}}}"#),
  ])
  func `other ways to say the same are read`(text: String, written: String) throws {
    #expect(try rewritten(text, from: .server, in: .firebase) == written)
  }

  @Test(arguments: [
    ("null", #"the message is null, expected a mapping with "t""#),
    (#"{"t":"x","d":{}}"#, #""t" of the message is "x", expected "c" or "d""#),
    (#"{"t":"c","d":{}}"#, #"the control message has no "t""#),
    (#"{"t":"c","d":{"t":"h"}}"#, #"the control message has no "d""#),
    (
      #"{"t":"c","d":{"t":"h","d":{"ts":"1"}}}"#,
      #"the hello has no number "ts", the server's time in milliseconds"#
    ),
    (#"{"t":"c","d":{"t":"h","d":{"ts":1}}}"#, #"the hello has no "v""#),
    (#"{"t":"c","d":{"t":"h","d":{"ts":1,"v":"5"}}}"#, #"the hello has no "h""#),
    (
      #"{"t":"c","d":{"t":"h","d":{"ts":1,"v":"5","h":"x","s":7}}}"#,
      #""s" of the hello is a number, expected a string"#
    ),
    (#"{"t":"c","d":{"t":"s","d":{}}}"#, #""d" of the shutdown is a mapping, expected a string"#),
    (#"{"t":"c","d":{"t":"r","d":{}}}"#, #""d" of the reset is a mapping, expected a string"#),
    (#"{"t":"d","d":{"r":1}}"#, #"the response has no "b""#),
    (
      #"{"t":"d","d":{"r":"1","b":{"s":"ok"}}}"#,
      #""r" of the response is "1", expected a whole number"#
    ),
    (#"{"t":"d","d":{"r":1,"b":{}}}"#, #"the response has no "s""#),
    (#"{"t":"d","d":{"a":1}}"#, #""a" of the message is a number, expected a string"#),
    (#"{"t":"d","d":{"a":"d"}}"#, #"message "d" has no "b""#),
    (#"{"t":"d","d":{"a":"d","b":{"p":"a"}}}"#, #"message "d" has no "d""#),
    (
      #"{"t":"d","d":{"a":"d","b":{"p":"a","d":1,"t":null}}}"#,
      #""t" of message "d" is null, expected a whole number"#
    ),
    (
      #"{"t":"d","d":{"a":"m","b":{"p":"a","d":null}}}"#,
      #""d" of message "m" is null, expected a mapping of paths to values"#
    ),
    (#"{"t":"d","d":{"a":"c","b":{}}}"#, #"message "c" has no "p""#),
    (
      #"{"t":"d","d":{"a":"c","b":{"p":"a","q":{}}}}"#,
      #""q" of message "c" is a mapping, expected a list of queries"#
    ),
    (
      #"{"t":"d","d":{"a":"c","b":{"p":"a","q":[1]}}}"#, "the query is a number, expected a mapping"
    ),
  ])
  func `a malformed message is told why`(text: String, reason: String) throws {
    #expect(try complaint(text, from: .server) == reason)
  }
}
