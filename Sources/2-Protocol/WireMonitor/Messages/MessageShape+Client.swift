internal import Tree
internal import Wire

// What clients send.

extension MessageShape {
  private static let path = Member.required("p", .path, "the location, as in \"/rooms/a\"")
  private static let data = Member.required(
    "d", .any, "the data, null where nothing is to be")
  private static let changes = Member.required(
    "d", .mapping, "relative paths with their new data")
  private static let condition = Member.optional("h", .text, "the hash of what was there")
  private static let query = Member.optional("q", .mapping, "the query")
  private static let tag = Member.optional("t", .wholeNumber, "the tag of the query")

  /// The bodies of requests, by their actions.
  private static let bodies: [String: [Member]] = [
    "q": [
      path, query, tag,
      .required("h", .text, "the hash of what the client holds, \"\" when it holds nothing"),
      .optional("ch", .mapping, "the hash in parts"),
    ],
    "n": [path, query, tag],
    "p": [path, data, condition],
    "m": [path, changes, condition],
    "o": [path, data],
    "om": [path, changes],
    "oc": [path, .required("d", .null, "which is always null")],
    "g": [path, .required("q", .mapping, "the query, {} for everything")],
    "s": [.required("c", .mapping, "counters with their numbers")],
    "auth": [
      .required("cred", .text, "the token"),
      .optional("authvar", .mapping, "what rules see of the user"),
    ],
    "gauth": [
      .required("cred", .text, "the token"),
      .optional("authvar", .mapping, "what rules see of the user"),
      .optional("noauth", .boolean, "whether rules see no user"),
    ],
    "unauth": [],
    "appcheck": [.required("token", .text, "the token of the application")],
    "unappcheck": [],
    "unappeck": [],
  ]

  /// Names that actions had once.
  private static let formerly = ["l": "q", "u": "n"]

  mutating func judgeRequest(_ content: JSON) {
    piece = content
    let members: [Member] = [
      .required("r", .wholeNumber, "the number of the request"),
      .required("a", .text, "the action"),
      .required("b", .mapping, "the body, {} where it is empty"),
    ]
    guard judge(content, members, "the request"), let action = content["a"]?.string,
      let body = content["b"]
    else { return }
    let name = Self.formerly[action] ?? action
    if name != action {
      record(.spelling, "request \"\(action)\" is called \"\(name)\" now")
    }
    guard let members = Self.bodies[name] else {
      return record(
        .action,
        "there is no request \"\(action)\"; expected one of q n p m o om oc g s auth gauth "
          + "unauth")
    }
    judge(body, members, "request \"\(name)\"")
    judgeBody(body, name)
  }

  private mutating func judgeBody(_ body: JSON, _ name: String) {
    let subject = "request \"\(name)\""
    switch name {
    case "q", "n":
      if (body["q"] == nil) != (body["t"] == nil) {
        let (has, lacks) = body["q"] == nil ? ("a tag", "query") : ("a query", "tag")
        record(
          .shape, rule: "WIR-7",
          "\(subject) has \(has) without a \(lacks); a listen to a query has "
            + "both, a plain one neither")
      }
      if let query = body["q"] { judgeQuery(query) }
    case "g": if let query = body["q"] { judgeQuery(query) }
    case "p", "o": if let data = body["d"] { judgeValue(data, at: body.path) }
    case "m", "om": judgeChanges(body["d"]?.members ?? [], at: body.path)
    case "s":
      for counter in body["c"]?.members ?? []
      where counter.value.number == nil && counter.value.string == nil {
        record(
          .shape,
          "the counter \"\(counter.name)\" of \(subject) is \(Self.quoted(counter.value)); "
            + "expected a number, or a text that names the device")
      }
    case "auth", "gauth":
      if body["cred"] == "" { record(.shape, "the token of \(subject) is empty; expected one") }
    default: break
    }
  }

  mutating func judgeChanges(_ changes: [JSON.Member], at path: Path) {
    for change in changes {
      if change.name.utf8.first == UInt8(ascii: "/") || change.name.isEmpty {
        record(
          .spelling,
          "the path \"\(change.name)\" in a merge is relative; write it without a slash "
            + "in front")
      }
      judgeValue(change.value, at: path.appending(Path(change.name)))
    }
  }

  mutating func judgeControl(_ content: JSON) {
    guard sender == .client else { return judgeServerControl(content) }
    piece = content
    let members: [Member] = [
      .required("t", .text, "\"p\", which asks for a keep-alive"),
      .required("d", .mapping, "{}"),
    ]
    guard judge(content, members, "the control message") else { return }
    guard let kind = content["t"]?.string, kind != "p" else { return }
    record(
      .action,
      "there is no control message \"\(kind)\" of clients; expected \"p\", which asks for a "
        + "keep-alive")
  }
}

extension JSON {
  /// The location that a body names.
  var path: Path { Path(self["p"]?.string ?? "") }
}
