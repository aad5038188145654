internal import Document
public import Tree
public import Wire

extension WireMonitor {
  /// What is wrong with how a message is written, whatever it says. What a message says is judged
  /// by `sent` and `received`.
  public static func judgeShape(
    of message: JSON, by sender: WireError.Sender, in dialect: Dialect
  ) -> [WireFinding] {
    var shape = MessageShape(sender, dialect)
    shape.judge(message)
    return shape.findings
  }

  /// The first thing that is wrong with how a client writes a message, notes apart.
  public static func mistake(inSent message: JSON) -> WireFinding? {
    judgeShape(of: message, by: .client, in: .firebase).first { !$0.isNote }
  }
}

/// Judges what one message consists of, as strictly as Specs/wire-messages.md shows it, and goes on
/// after a mistake.
struct MessageShape {
  private let sender: WireError.Sender
  private let dialect: Dialect
  fileprivate var findings: [WireFinding] = []
  /// The message, or the request in it: what findings quote.
  private var piece: JSON = .null

  fileprivate init(_ sender: WireError.Sender, _ dialect: Dialect) {
    self.sender = sender
    self.dialect = dialect
  }

  private mutating func record(_ check: WireCheck, rule: String? = nil, _ text: String) {
    findings.add(check, by: sender, rule: rule, "\(text); found in \(Self.quoted(piece))")
  }

  /// A piece of a message on one line, and not too long.
  static func quoted(_ json: JSON) -> String { quoted(json.text) }

  static func quoted(_ text: String) -> String {
    let limit = 120
    let rest = text.unicodeScalars.count - limit
    let shown = Truncation.end(of: text, toScalars: limit, mark: "… (\(rest) characters more)")
    return shown.replacingScalars { $0.isControl ? "\u{FFFD}" : nil }
  }

  fileprivate mutating func judge(_ message: JSON) {
    piece = message
    guard judge(message, Self.envelope, "the message"), let content = message["d"] else { return }
    piece = content
    switch (message["t"]?.string, sender) {
    case ("c", .client):
      guard judge(content, Self.keepAlive, "the control message"),
        let kind = content["t"]?.string, kind != "p"
      else { return }
      record(
        .action,
        "there is no control message \"\(kind)\" of clients; expected \"p\", which asks for a "
          + "keep-alive")
    case ("c", .server): judgeServerControl(content)
    case ("d", .client): judgeRequest(content)
    case ("d", .server): judgeData(content)
    case let (kind, _):
      piece = message
      record(
        .shape,
        "\"t\" of the message is \"\(kind ?? "")\"; expected \"c\" for the connection or "
          + "\"d\" for data")
    }
  }

  /// Judges the members of a mapping.
  ///
  /// - Returns: Whether all that are needed are there and of their kinds.
  @discardableResult
  private mutating func judge(
    _ json: JSON, _ fields: [Shape.Field], _ subject: String
  ) -> Bool {
    guard json.members != nil else {
      record(.shape, "\(subject) is \(json.kind); expected a mapping")
      return false
    }
    if fields.first?.name == "p", let path = json["p"]?.string { judgePath(path, subject) }
    var isWhole = true
    for mismatch in Shape.mismatches(in: json, fields, { subject }) {
      switch mismatch.problem {
      case let .unknown(member, _):
        if member.name == "h", sender == .client, Self.hashless.contains(subject) {
          record(
            .hashAllowed,
            "\(subject) has a hash; only the puts of transactions have one; leave \"h\" out")
        } else {
          record(
            .unknown,
            "\(subject) has a member \"\(member.name)\", which it is not known to have; it changes "
              + "nothing")
        }
        continue
      case let .missing(field, _):
        record(.shape, "\(subject) has no \"\(field.name)\"; add it: \(field.meaning)")
      case .wrong(.null, _, let field?) where !field.isRequired:
        record(.spelling, "\(mismatch.subject) is null; leave it out where it is not needed")
      case let .wrong(value, shape, field):
        record(
          .shape,
          "\(mismatch.subject) is \(Self.quoted(value)); expected \(shape.name), "
            + (field?.meaning ?? ""))
      case .cases: continue
      }
      isWhole = false
    }
    return isWhole
  }

  /// What could be taken for a put with a condition, and is none.
  private static let hashless = Set(["o", "om", "oc", "n", "g"].map { "request \"\($0)\"" })

  /// Judges how a location is written; whether it can be is judged where it is used.
  private mutating func judgePath(_ text: String, _ subject: String) {
    let slash = UInt8(ascii: "/")
    let isRooted = text.utf8.first == slash
    let found = "\"p\" of \(subject) is \"\(text)\""
    if sender == .client, !isRooted {
      record(.spelling, "\(found); a client writes a slash first, and / for the root")
    } else if sender == .server, isRooted {
      record(.spelling, "\(found); a server writes no slash first, and nothing for the root")
    }
    let inner = text.utf8.dropFirst(isRooted ? 1 : 0)
    let keys = inner.split(separator: slash, omittingEmptySubsequences: false)
    if !inner.isEmpty, keys.contains(where: \.isEmpty) {
      record(.spelling, "\(found); write one slash between keys and none at the end")
    }
  }
}

// MARK: - What clients send

extension MessageShape {
  private static let mapping = Shape.mapping(.anything)
  private static let list = Shape.list(.anything)

  private static let envelope: [Shape.Field] = [
    .needs("t", .text, "\"c\" for the connection or \"d\" for data"),
    .needs("d", mapping, "the content"),
  ]
  private static let keepAlive: [Shape.Field] = [
    .needs("t", .text, "\"p\", which asks for a keep-alive"), .needs("d", mapping, "{}"),
  ]
  private static let request: [Shape.Field] = [
    .needs("r", .count, "the number of the request"), .needs("a", .text, "the action"),
    .needs("b", mapping, "the body, {} where it is empty"),
  ]
  private static let path = Shape.Field.needs("p", .text, "the location, as in \"/rooms/a\"")
  private static let data = Shape.Field.needs(
    "d", .anything, "the data, null where nothing is to be")
  private static let changes = Shape.Field.needs(
    "d", mapping, "relative paths with their new data")
  private static let condition = Shape.Field.may("h", .text, "the hash of what was there")
  private static let query = Shape.Field.may("q", mapping, "the query")
  private static let tag = Shape.Field.may("t", .count, "the tag of the query")
  private static let token = Shape.Field.needs("cred", .text, "the token")
  private static let user = Shape.Field.may("authvar", mapping, "what rules see of the user")

  /// The bodies of requests, by their actions.
  private static let bodies: [String: [Shape.Field]] = [
    "q": [
      path, query, tag,
      .needs("h", .text, "the hash of what the client holds, \"\" when it holds nothing"),
      .may("ch", mapping, "the hash in parts"),
    ],
    "n": [path, query, tag],
    "p": [path, data, condition],
    "m": [path, changes, condition],
    "o": [path, data],
    "om": [path, changes],
    "oc": [path, .needs("d", .null, "which is always null")],
    "g": [path, .needs("q", mapping, "the query, {} for everything")],
    "s": [.needs("c", mapping, "counters with their numbers")],
    "auth": [token, user],
    "gauth": [token, user, .may("noauth", .flag, "whether rules see no user")],
    "unauth": [],
    "appcheck": [.needs("token", .text, "the token of the application")],
    "unappcheck": [],
    "unappeck": [],
  ]

  /// Names that actions had once.
  private static let formerly = ["l": "q", "u": "n"]

  private mutating func judgeRequest(_ content: JSON) {
    guard judge(content, Self.request, "the request"), let action = content["a"]?.string,
      let body = content["b"]
    else { return }
    let name = Self.formerly[action] ?? action
    if name != action { record(.spelling, "request \"\(action)\" is called \"\(name)\" now") }
    guard let fields = Self.bodies[name] else {
      return record(
        .action,
        "there is no request \"\(action)\"; expected one of q n p m o om oc g s auth gauth "
          + "unauth")
    }
    let subject = "request \"\(name)\""
    judge(body, fields, subject)
    judge(body, of: name, subject)
  }

  /// Judges the members of a request by each other.
  private mutating func judge(_ body: JSON, of name: String, _ subject: String) {
    let path = Path(body["p"]?.string ?? "")
    switch name {
    case "q", "n":
      if (body["q"] == nil) != (body["t"] == nil) {
        let (has, lacks) = body["q"] == nil ? ("a tag", "query") : ("a query", "tag")
        record(
          .shape, rule: "WIR-7",
          "\(subject) has \(has) without a \(lacks); a listen to a query has "
            + "both, a plain one neither")
      }
      judgeQuery(body["q"])
    case "g": judgeQuery(body["q"])
    case "p", "o": if let data = body["d"] { judgeValue(data, at: path) }
    case "m", "om":
      for change in body["d"]?.members ?? [] {
        if change.name.utf8.first == UInt8(ascii: "/") || change.name.isEmpty {
          record(
            .spelling,
            "the path \"\(change.name)\" in a merge is relative; write it without a slash in front")
        }
        judgeValue(change.value, at: path.appending(Path(change.name)))
      }
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
}

// MARK: - What servers send

extension MessageShape {
  private static let kind = Shape.Field.needs("t", .text, "the kind")
  /// The payloads of control messages, by their kinds.
  private static let controls: [String: Shape.Field] = [
    "h": .needs("d", mapping, "time, version, host and session"),
    "s": .needs("d", .text, "the reason"),
    "r": .needs("d", .text, "the host to connect to"),
    "e": .needs("d", .text, "what is wrong"),
    "o": .needs("d", mapping, "{}"),
    "p": .needs("d", mapping, "{}"),
  ]
  private static let hello: [Shape.Field] = [
    .needs("ts", .number, "the server's time in milliseconds"), .needs("v", .text, "the version"),
    .needs("h", .text, "the host for next time"), .needs("s", .text, "the session"),
  ]
  private static let push: [Shape.Field] = [
    .needs("a", .text, "the action"), .needs("b", mapping, "the body"),
  ]
  private static let location = Shape.Field.needs("p", .text, "the location, as in \"rooms/a\"")
  private static let status: [Shape.Field] = [
    .needs("s", .text, "the status"), .needs("d", .text, "the reason"),
  ]
  /// The bodies of messages about data and credentials, by their actions.
  private static let pushes: [String: [Shape.Field]] = [
    "d": [location, .needs("d", .anything, "the data, null where nothing is"), tag],
    "m": [location, changes, tag],
    "rm": [location, .needs("d", list, "ranges with their data"), tag],
    "c": [location, .may("q", list, "the queries whose listens end")],
    "ac": status,
    "apc": status,
    "sd": [.needs("msg", .text, "what the developer is to know")],
  ]
  private static let answer: [Shape.Field] = [
    .needs("r", .count, "the number of the request"),
    .needs("b", mapping, "the status and what belongs to it"),
  ]
  private static let answerBody: [Shape.Field] = [
    .needs("s", .text, "the status, \"ok\" or a code"),
    .needs("d", .anything, "the payload, {} or \"\" where there is none"),
  ]

  private mutating func judgeServerControl(_ content: JSON) {
    guard let name = content["t"]?.string else {
      judge(content, [Self.kind, .may("d", .anything, "the payload")], "the control message")
      return
    }
    guard let payload = Self.controls[name] else {
      return record(.unknown, "there is no known control message \"\(name)\"; clients ignore it")
    }
    guard judge(content, [Self.kind, payload], "the control message"), name == "h",
      let hello = content["d"]
    else { return }
    judge(hello, Self.hello, "the hello")
  }

  private mutating func judgeData(_ content: JSON) {
    if content["r"] != nil {
      guard judge(content, Self.answer, "the answer"), let body = content["b"] else { return }
      judge(body, Self.answerBody, "the body of the answer")
      return
    }
    guard judge(content, Self.push, "the message"), let action = content["a"]?.string,
      let body = content["b"]
    else { return }
    guard let fields = Self.pushes[action] else {
      return record(.unknown, "there is no known message \"\(action)\"; clients ignore it")
    }
    judge(body, fields, "message \"\(action)\"")
    if action == "c" { for query in body["q"]?.elements ?? [] { judgeQuery(query) } }
  }
}

// MARK: - Queries

extension MessageShape {
  private static let queryFields: [Shape.Field] = [
    .may("sp", .scalar, "the value at which the range starts"),
    .may("sn", .text, "the key beside it"),
    .may("sin", .flag, "whether the start belongs to the range"),
    .may("ep", .scalar, "the value at which the range ends"),
    .may("en", .text, "the key beside it"),
    .may("ein", .flag, "whether the end belongs to the range"),
    .may("l", .count, "the limit"),
    .may("vf", .text, "the side of the limit"),
    .may("i", .text, "the order"),
  ]

  private mutating func judgeQuery(_ query: JSON?) {
    guard let query, judge(query, Self.queryFields, "the query") else { return }
    judgeBound(query, ("sp", "sn", "sin"), "start")
    judgeBound(query, ("ep", "en", "ein"), "end")
    if query["l"] == 0 {
      record(.shape, rule: "ERR-4", "\"l\" of the query is 0; expected a positive number")
    }
    switch (query["l"], query["vf"]?.string) {
    case (_?, "l"?), (_?, "r"?), (nil, nil): break
    case (_?, nil):
      record(.spelling, "the query has \"l\" without \"vf\"; write l for the first, r for the last")
    case (nil, _?): record(.spelling, "the query has \"vf\" without \"l\"; leave it out")
    case let (_?, side?):
      record(
        .shape, "\"vf\" of the query is \"\(side)\"; expected l for the first or r for the last")
    }
    guard let order = query["i"]?.string else { return }
    if order == ".priority" {
      record(.spelling, "\"i\" of the query is \".priority\"; that is the order without \"i\" too")
    } else if ![".key", ".value"].contains(order), let problem = Path(order).problem {
      record(.path, "the query orders by a location that cannot be: \(problem)")
    }
  }

  private mutating func judgeBound(
    _ query: JSON, _ names: (value: String, key: String, inclusion: String), _ end: String
  ) {
    guard let value = query[names.value] else {
      for name in [names.key, names.inclusion] where query[name] != nil {
        record(
          .shape,
          "the query has \"\(name)\" without \"\(names.value)\"; the value of the \(end) is "
            + "always there, null for none")
      }
      return
    }
    if query["i"] == ".key", value.string == nil {
      record(
        .shape, rule: "ERR-9",
        "\"\(names.value)\" of the query is \(Self.quoted(value)), but the "
          + "order is by key; expected a string")
    }
    let inclusion = query[names.inclusion]?.bool
    if dialect == .firebase, inclusion == nil {
      record(
        .spelling,
        "the query has \"\(names.value)\" without \"\(names.inclusion)\"; write true, or false for "
          + "a bound that is left out")
    } else if dialect == .wilddog, inclusion == true {
      record(.spelling, "\"\(names.inclusion)\" of the query is true; leave it out")
    }
  }
}

// MARK: - Data

extension MessageShape {
  /// Judges how data are written; what they come to is judged with the request.
  private mutating func judgeValue(_ value: JSON, at path: Path) {
    switch value {
    case let .string(text) where text.utf8.count > 10 << 20:
      record(
        .large,
        "the string at \(path) has \(text.utf8.count) bytes; official clients write 10 MiB at "
          + "most; split it")
    case let .array(elements):
      for (index, element) in elements.enumerated() {
        judgeValue(element, at: path.appending(Key(String(index))))
      }
    case let .object(members): judge(members, value, at: path)
    case .null, .bool, .number, .string: break
    }
  }

  private mutating func judge(_ members: [JSON.Member], _ value: JSON, at path: Path) {
    if let special = value[".sv"], ServerValue(value) == nil {
      record(
        .value,
        "\".sv\" at \(path) is \(Self.quoted(special)); expected \"timestamp\" or "
          + "{\"increment\": NUMBER}, and nothing beside it but a priority")
    }
    if value[".value"] != nil,
      let other = members.first(where: { $0.name != ".value" && $0.name != ".priority" })
    {
      record(
        .value,
        "the leaf at \(path) has \"\(other.name)\" beside \".value\"; a location has a value or "
          + "children; leave one out")
    }
    for member in members {
      if member.name.utf8.first != UInt8(ascii: ".") {
        judgeValue(member.value, at: path.appending(Key(member.name)))
      } else if ![".priority", ".value", ".sv"].contains(member.name) {
        record(
          .value,
          "\"\(member.name)\" at \(path) is no key; keys have no dot, and what begins with "
            + "one is .priority, .value or .sv")
      }
    }
  }
}
