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
    let reader = FieldReader(sender: .client, message: json)
    let kind = try reader.text("t", of: json, in: "the message")
    let content = try reader.field("d", of: json, in: "the message")
    switch kind {
    case "c":
      let control = try reader.text("t", of: content, in: "the control message")
      guard control == "p" else {
        throw reader.fail(
          "control message \"\(control)\" is not one a client sends; expected \"p\"")
      }
      self = .ping
    case "d":
      let number = try reader.integer("r", of: content, in: "the request")
      let code = try reader.text("a", of: content, in: "the request")
      let body = try reader.field("b", of: content, in: "the request")
      self = .request(number, try Request(code: code, body: body, reader: reader))
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

  init(code: String, body: JSON, reader: FieldReader) throws(WireError) {
    let context = "request \"\(code)\""
    switch code {
    case "q", "l": self = .listen(try Listen(body: body, reader: reader, context: context))
    case "n", "u":
      self = .unlisten(
        try reader.path(of: body, in: context), query: try Self.query(body, reader),
        tag: try reader.tag(of: body, in: context))
    case "p":
      self = .put(
        try reader.path(of: body, in: context),
        Node(json: try reader.field("d", of: body, in: context)),
        hash: try reader.hash(of: body, in: context))
    case "m":
      self = .merge(
        try reader.path(of: body, in: context), try reader.assignments(of: body, in: context),
        hash: try reader.hash(of: body, in: context))
    case "o":
      self = .onDisconnectPut(
        try reader.path(of: body, in: context),
        Node(json: try reader.field("d", of: body, in: context)))
    case "om":
      self = .onDisconnectMerge(
        try reader.path(of: body, in: context), try reader.assignments(of: body, in: context))
    case "oc": self = .onDisconnectCancel(try reader.path(of: body, in: context))
    default: self = try Self.connectionRequest(code, body, reader, context)
    }
  }

  private static func connectionRequest(
    _ code: String, _ body: JSON, _ reader: FieldReader, _ context: String
  ) throws(WireError) -> Request {
    switch code {
    case "g":
      return .get(try reader.path(of: body, in: context), try query(body, reader) ?? .all)
    case "s":
      let counters = try reader.field("c", of: body, in: context)
      guard let members = counters.members else {
        throw reader.fail("\"c\" of \(context) is \(counters.kind), expected a mapping of counters")
      }
      return .stats(members.map { Counter($0.name, $0.value.number ?? 0) })
    case "auth", "gauth":
      let token = try reader.text("cred", of: body, in: context)
      return .authenticate(Credential(token, kind: code == "auth" ? .token : .administrator))
    case "unauth": return .unauthenticate
    default:
      throw reader.fail(
        "unknown action \"\(code)\"; expected one of q n p m o om oc g s auth gauth unauth")
    }
  }

  fileprivate static func query(_ body: JSON, _ reader: FieldReader) throws(WireError) -> Query? {
    guard let json = body["q"] else { return nil }
    return try Query(json: json, reader: reader)
  }
}

extension Request.Listen {
  fileprivate init(body: JSON, reader: FieldReader, context: String) throws(WireError) {
    self.init(
      path: try reader.path(of: body, in: context), query: try Request.query(body, reader),
      tag: try reader.tag(of: body, in: context), hash: try reader.hash(of: body, in: context) ?? ""
    )
    if (query == nil) != (tag == nil) {
      throw reader.fail(
        "\(context) has \(query == nil ? "a tag without a query" : "a query without a tag");"
          + " a filtered listen has both, a plain one neither")
    }
  }
}
