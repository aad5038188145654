public import Tree

extension ClientMessage {
  /// The message as the client writes it: paths begin with a slash.
  public func json(in dialect: Dialect) -> JSON {
    switch self {
    case .ping: ["t": "c", "d": ["t": "p", "d": .object([])]]
    case let .request(number, request):
      [
        "t": "d",
        "d": [
          "r": .number(Double(number)), "a": .string(request.code), "b": request.body(in: dialect),
        ],
      ]
    }
  }

  /// Reads a message that a client sent.
  ///
  /// - Throws: `WireError`, which quotes the message and reports what is wrong with it.
  public init(json: JSON) throws(WireError) {
    let reader = FieldReader(json, by: .client)
    let kind = try reader.text("t")
    let content = try reader.field("d")
    switch kind {
    case "c":
      let control = try reader.entering(content, "the control message").text("t")
      guard control == "p" else {
        throw reader.fail(
          "control message \"\(control)\" is not one a client sends; expected \"p\"")
      }
      self = .ping
    case "d":
      let request = reader.entering(content, "the request")
      let number = try request.integer("r")
      let code = try request.text("a")
      let body = reader.entering(try request.field("b"), "request \"\(code)\"")
      self = .request(number, try Request(code, body))
    default:
      throw reader.fail("\"t\" of the message is \"\(kind)\", expected \"c\" or \"d\"")
    }
  }
}

extension Request {
  /// The action letter on the wire.
  var code: String {
    switch self {
    case .listen: "q"
    case .unlisten: "n"
    case .put: "p"
    case .merge: "m"
    case .onDisconnectPut: "o"
    case .onDisconnectMerge: "om"
    case .onDisconnectCancel: "oc"
    case .get: "g"
    case .stats: "s"
    case let .authenticate(credential): credential.kind.rawValue
    case .unauthenticate: "unauth"
    }
  }

  func body(in dialect: Dialect) -> JSON {
    var members: [JSON.Member] = []
    func add(_ name: String, _ value: JSON?) {
      if let value { members.append(.init(name, value)) }
    }
    if let path { add("p", .string(path.description)) }
    switch self {
    case let .listen(listen):
      add("q", listen.query?.json(in: dialect))
      add("t", listen.tag.map { .number(Double($0)) })
      add("h", .string(listen.hash))
    case let .unlisten(_, query, tag):
      add("q", query?.json(in: dialect))
      add("t", tag.map { .number(Double($0)) })
    case let .put(_, node, hash):
      add("d", node.json)
      add("h", hash.map { .string($0) })
    case let .merge(_, assignments, hash):
      add("d", assignments.json)
      add("h", hash.map { .string($0) })
    case let .onDisconnectPut(_, node): add("d", node.json)
    case let .onDisconnectMerge(_, assignments): add("d", assignments.json)
    case .onDisconnectCancel: add("d", .null)
    case let .get(_, query): add("q", query.json(in: dialect))
    case let .stats(counters):
      add("c", .object(counters.map { JSON.Member($0.name, .number($0.value)) }))
    case let .authenticate(credential): add("cred", .string(credential.token))
    case .unauthenticate: break
    }
    return .object(members)
  }

  fileprivate init(_ code: String, _ body: FieldReader) throws(WireError) {
    switch code {
    case "q", "l": self = .listen(try Listen(body))
    case "n", "u":
      self = .unlisten(try body.path(), query: try body.query(), tag: try body.tag())
    case "p": self = .put(try body.path(), try body.node(), hash: try body.hash())
    case "m": self = .merge(try body.path(), try body.assignments(), hash: try body.hash())
    case "o": self = .onDisconnectPut(try body.path(), try body.node())
    case "om": self = .onDisconnectMerge(try body.path(), try body.assignments())
    case "oc": self = .onDisconnectCancel(try body.path())
    case "g": self = .get(try body.path(), try body.query() ?? .all)
    case "s":
      let counters = try body.field("c")
      guard let members = counters.members else {
        throw body.fail(
          "\"c\" of \(body.context) is \(counters.kind), expected a mapping of counters")
      }
      self = .stats(members.map { Counter($0.name, $0.value.number ?? 0) })
    case "auth", "gauth":
      let kind: Credential.Kind = code == "auth" ? .token : .administrator
      self = .authenticate(Credential(try body.text("cred"), kind: kind))
    case "unauth": self = .unauthenticate
    default:
      throw body.fail(
        "unknown action \"\(code)\"; expected one of q n p m o om oc g s auth gauth unauth")
    }
  }
}

extension Request.Listen {
  fileprivate init(_ body: FieldReader) throws(WireError) {
    self.init(
      path: try body.path(), query: try body.query(), tag: try body.tag(),
      hash: try body.hash() ?? "")
    if (query == nil) != (tag == nil) {
      throw body.fail(
        "\(body.context) has \(query == nil ? "a tag without a query" : "a query without a tag");"
          + " a filtered listen has both, a plain one neither")
    }
  }
}
