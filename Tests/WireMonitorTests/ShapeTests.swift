import Testing

/// What the monitor says of what messages consist of.
@Suite struct ShapeTests {
  @Test(arguments: [
    ("[1]", "the message is a list; expected a mapping"),
    (#"{"d":{}}"#, "the message has no \"t\"; add it: \"c\" for the connection or \"d\" for data"),
    (#"{"t":"d"}"#, "the message has no \"d\"; add it: the content"),
    (
      #"{"t":"x","d":{}}"#,
      "\"t\" of the message is \"x\"; expected \"c\" for the connection or \"d\" for data"
    ),
    (
      #"{"t":1,"d":{}}"#,
      "\"t\" of the message is 1; expected a string, \"c\" for the connection or \"d\" for data"
    ),
    (
      #"{"t":"d","d":{"a":"q","b":{}}}"#,
      "the request has no \"r\"; add it: the number of the request"
    ),
    (
      #"{"t":"d","d":{"r":1.5,"a":"q","b":{}}}"#,
      "\"r\" of the request is 1.5; expected a whole number from 0 on, the number of the request"
    ),
    (
      #"{"t":"d","d":{"r":-1,"a":"q","b":{}}}"#,
      "\"r\" of the request is -1; expected a whole number from 0 on, the number of the request"
    ),
    (#"{"t":"d","d":{"r":1,"b":{}}}"#, "the request has no \"a\"; add it: the action"),
    (
      #"{"t":"d","d":{"r":1,"a":"unauth"}}"#,
      "the request has no \"b\"; add it: the body, {} where it is empty"
    ),
    (
      #"{"t":"d","d":{"r":1,"a":"zz","b":{}}}"#,
      "there is no request \"zz\"; expected one of q n p m o om oc g s auth gauth unauth"
    ),
    (#"{"t":"c","d":{"t":"p"}}"#, "the control message has no \"d\"; add it: {}"),
    (
      #"{"t":"c","d":{"t":"h","d":{}}}"#,
      "there is no control message \"h\" of clients; expected \"p\", which asks for a keep-alive"
    ),
  ])
  func `an envelope that is none is told`(text: String, finding: String) throws {
    #expect(
      try Judged.findings(text).first == finding + " (WIR-17)"
        || Judged.findings(text).first == finding)
  }

  @Test(arguments: [
    (
      "q", #"{"p":"/a"}"#,
      "request \"q\" has no \"h\"; add it: the hash of what the client holds, \"\" when it holds nothing"
    ),
    ("q", #"{"h":""}"#, "request \"q\" has no \"p\"; add it: the location, as in \"/rooms/a\""),
    (
      "q", #"{"p":1,"h":""}"#,
      "\"p\" of request \"q\" is 1; expected a string, the location, as in \"/rooms/a\""
    ),
    (
      "q", #"{"p":"/a","h":"","t":1}"#,
      "request \"q\" has a tag without a query; a listen to a query has both, a plain one neither"
    ),
    (
      "q", #"{"p":"/a","h":"","q":{"l":1,"vf":"l"}}"#,
      "request \"q\" has a query without a tag; a listen to a query has both, a plain one neither"
    ),
    (
      "p", #"{"p":"/a"}"#,
      "request \"p\" has no \"d\"; add it: the data, null where nothing is to be"
    ),
    (
      "m", #"{"p":"/a","d":1}"#,
      "\"d\" of request \"m\" is 1; expected a mapping, relative paths with their new data"
    ),
    (
      "o", #"{"p":"/a"}"#,
      "request \"o\" has no \"d\"; add it: the data, null where nothing is to be"
    ),
    (
      "o", #"{"p":"/a","d":1,"h":""}"#,
      "request \"o\" has a hash; only the puts of transactions have one; leave \"h\" out"
    ),
    (
      "om", #"{"p":"/a","d":[]}"#,
      "\"d\" of request \"om\" is []; expected a mapping, relative paths with their new data"
    ),
    (
      "oc", #"{"p":"/a"}"#,
      "request \"oc\" has no \"d\"; add it: which is always null"
    ),
    (
      "oc", #"{"p":"/a","d":1}"#,
      "\"d\" of request \"oc\" is 1; expected null, which is always null"
    ),
    ("g", #"{"p":"/a"}"#, "request \"g\" has no \"q\"; add it: the query, {} for everything"),
    ("s", #"{}"#, "request \"s\" has no \"c\"; add it: counters with their numbers"),
    (
      "s", #"{"c":{"x":true,"y":"z"}}"#,
      "the counter \"x\" of request \"s\" is true; expected a number, or a text that names the device"
    ),
    ("auth", #"{}"#, "request \"auth\" has no \"cred\"; add it: the token"),
    ("auth", #"{"cred":""}"#, "the token of request \"auth\" is empty; expected one"),
    (
      "q", #"{"p":"/a","h":"","t":1,"q":{"sn":"k","l":1,"vf":"l"}}"#,
      "the query has \"sn\" without \"sp\"; the value of the start is always there, null for none"
    ),
    (
      "q", #"{"p":"/a","h":"","t":1,"q":{"ep":1,"ein":true,"i":".key"}}"#,
      "\"ep\" of the query is 1, but the order is by key; expected a string"
    ),
    (
      "q", #"{"p":"/a","h":"","t":1,"q":{"ep":{},"ein":true}}"#,
      "\"ep\" of the query is {}; expected a scalar or null, the value at which the range ends"
    ),
    (
      "q", #"{"p":"/a","h":"","t":1,"q":{"l":0,"vf":"l"}}"#,
      "\"l\" of the query is 0; expected a positive number"
    ),
    (
      "q", #"{"p":"/a","h":"","t":1,"q":{"l":1,"vf":"x"}}"#,
      "\"vf\" of the query is \"x\"; expected l for the first or r for the last"
    ),
    (
      "q", #"{"p":"/a","h":"","t":1,"q":{"l":1,"vf":"l","i":"a.b"}}"#,
      "the query orders by a location that cannot be: key \"a.b\" contains \".\"; keys may not contain . # $ [ ] /"
    ),
    (
      "p", #"{"p":"/a","d":{".sv":"now"}}"#,
      "\".sv\" at /a is \"now\"; expected \"timestamp\" or {\"increment\": NUMBER}, and nothing beside it but a priority"
    ),
    (
      "p", #"{"p":"/a","d":{".value":1,"b":2}}"#,
      "the leaf at /a has \"b\" beside \".value\"; a location has a value or children; leave one out"
    ),
    (
      "m", #"{"p":"/a","d":{"b":{".x":1}}}"#,
      "\".x\" at /a/b is no key; keys have no dot, and what begins with one is .priority, .value or .sv"
    ),
  ])
  func `a body with a mistake is told`(action: String, body: String, finding: String) throws {
    let found = try Judged.request(action, body)
    #expect(found.contains { $0.hasPrefix(finding) }, "\(found)")
    #expect(!found.contains { $0.hasPrefix("note") }, "\(found)")
  }

  @Test(arguments: [
    (
      "q", #"{"p":"a","h":""}"#,
      "\"p\" of request \"q\" is \"a\"; a client writes a slash first, and / for the root"
    ),
    (
      "q", #"{"p":"/a//b","h":""}"#,
      "\"p\" of request \"q\" is \"/a//b\"; write one slash between keys and none at the end"
    ),
    (
      "q", #"{"p":"/a/","h":""}"#,
      "\"p\" of request \"q\" is \"/a/\"; write one slash between keys and none at the end"
    ),
    ("l", #"{"p":"/a","h":""}"#, "request \"l\" is called \"q\" now"),
    (
      "p", #"{"p":"/a","d":1,"x":1}"#,
      "request \"p\" has a member \"x\", which it is not known to have; it changes nothing"
    ),
    (
      "p", #"{"p":"/a","d":1,"h":null}"#,
      "\"h\" of request \"p\" is null; leave it out where it is not needed"
    ),
    (
      "m", #"{"p":"/a","d":{"/b":1}}"#,
      "the path \"/b\" in a merge is relative; write it without a slash in front"
    ),
    (
      "q", #"{"p":"/a","h":"","t":1,"q":{"l":1}}"#,
      "the query has \"l\" without \"vf\"; write l for the first, r for the last"
    ),
    (
      "q", #"{"p":"/a","h":"","t":1,"q":{"sp":1}}"#,
      "the query has \"sp\" without \"sin\"; write true, or false for a bound that is left out"
    ),
    (
      "q", #"{"p":"/a","h":"","t":1,"q":{"l":1,"vf":"l","i":".priority"}}"#,
      "\"i\" of the query is \".priority\"; that is the order without \"i\" too"
    ),
    ("g", #"{"p":"/a","q":{"vf":"l"}}"#, "the query has \"vf\" without \"l\"; leave it out"),
  ])
  func `what is only unusual is a note`(action: String, body: String, finding: String) throws {
    let found = try Judged.request(action, body)
    #expect(found.contains { $0.hasPrefix("note: " + finding) }, "\(found)")
  }
}
