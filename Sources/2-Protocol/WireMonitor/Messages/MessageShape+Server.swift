internal import Tree

// What servers send.

extension MessageShape {
  private static let path = Member.required("p", .path, "the location, as in \"rooms/a\"")
  private static let tag = Member.optional("t", .wholeNumber, "the tag of the query")

  private static let controls: [String: Member] = [
    "h": .required("d", .mapping, "time, version, host and session"),
    "s": .required("d", .text, "the reason"),
    "r": .required("d", .text, "the host to connect to"),
    "e": .required("d", .text, "what is wrong"),
    "o": .required("d", .mapping, "{}"),
    "p": .required("d", .mapping, "{}"),
  ]

  private static let hello: [Member] = [
    .required("ts", .number, "the server's time in milliseconds"),
    .required("v", .text, "the version"),
    .required("h", .text, "the host for next time"),
    .required("s", .text, "the session"),
  ]

  private static let bodies: [String: [Member]] = [
    "d": [path, .required("d", .any, "the data, null where nothing is"), tag],
    "m": [path, .required("d", .mapping, "relative paths with their new data"), tag],
    "rm": [path, .required("d", .list, "ranges with their data"), tag],
    "c": [path, .optional("q", .list, "the queries whose listens end")],
    "ac": [
      .required("s", .text, "the status"), .required("d", .text, "the reason"),
    ],
    "apc": [
      .required("s", .text, "the status"), .required("d", .text, "the reason"),
    ],
    "sd": [.required("msg", .text, "what the developer is to know")],
  ]

  mutating func judgeServerControl(_ content: JSON) {
    piece = content
    let kind = content["t"]?.string
    guard let kind, let payload = Self.controls[kind] else {
      if kind == nil {
        let members: [Member] = [
          .required("t", .text, "the kind"), .optional("d", .any, "the payload"),
        ]
        judge(content, members, "the control message")
      }
      if let kind {
        record(.unknown, "there is no known control message \"\(kind)\"; clients ignore it")
      }
      return
    }
    let members: [Member] = [.required("t", .text, "the kind"), payload]
    guard judge(content, members, "the control message"), kind == "h", let hello = content["d"]
    else { return }
    judge(hello, Self.hello, "the hello")
  }

  mutating func judgeData(_ content: JSON) {
    piece = content
    if content["r"] != nil { return judgeAnswer(content) }
    let members: [Member] = [
      .required("a", .text, "the action"), .required("b", .mapping, "the body"),
    ]
    guard judge(content, members, "the message"), let action = content["a"]?.string,
      let body = content["b"]
    else { return }
    guard let members = Self.bodies[action] else {
      return record(.unknown, "there is no known message \"\(action)\"; clients ignore it")
    }
    judge(body, members, "message \"\(action)\"")
    for query in action == "c" ? body["q"]?.elements ?? [] : [] { judgeQuery(query) }
  }

  private mutating func judgeAnswer(_ content: JSON) {
    let members: [Member] = [
      .required("r", .wholeNumber, "the number of the request"),
      .required("b", .mapping, "the status and what belongs to it"),
    ]
    guard judge(content, members, "the answer"), let body = content["b"] else { return }
    judge(
      body,
      [
        .required("s", .text, "the status, \"ok\" or a code"),
        .required("d", .any, "the payload, {} or \"\" where there is none"),
      ], "the body of the answer")
  }
}
