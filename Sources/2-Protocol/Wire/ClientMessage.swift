public import Tree

/// What a client sends.
///
/// The framing around it (segments, engine.io packets) is not part of a message.
public enum ClientMessage: Hashable, Sendable {
  /// A numbered request, to be answered by `ServerMessage.response` with the same number.
  indirect case request(Int, Request)
  /// A keep-alive that some clients ask for (WIR-16).
  case ping
}

/// What a client asks of the server.
public enum Request: Hashable, Sendable {
  indirect case listen(Listen)
  /// Ends a listen; the tag is the one it was made with.
  indirect case unlisten(Path, query: Query?, tag: Int?)
  /// Overwrites a location. A hash makes it conditional on the data that is there (WIR-8).
  indirect case put(Path, Node, hash: String?)
  /// Overwrites several locations at or below one, all or none of them.
  indirect case merge(Path, [Assignment], hash: String?)
  indirect case onDisconnectPut(Path, Node)
  indirect case onDisconnectMerge(Path, [Assignment])
  case onDisconnectCancel(Path)
  indirect case get(Path, Query)
  indirect case stats([Counter])
  indirect case authenticate(Credential)
  case unauthenticate

  /// A listen on one query at one location.
  public struct Listen: Hashable, Sendable {
    /// The location whose data and changes are asked for.
    public var path: Path
    /// The query, or `nil` for a listen on everything.
    public var query: Query?
    /// What the server marks this query's data with. Present exactly when there is a query.
    public var tag: Int?
    /// The hash of what the client holds (HSH-7).
    public var hash: String

    /// Makes a listen, by default on everything, by a client that holds nothing yet (HSH-7).
    public init(path: Path, query: Query? = nil, tag: Int? = nil, hash: String = "") {
      self.path = path
      self.query = query
      self.tag = tag
      self.hash = hash
    }
  }

  /// A usage counter, such as the name of the library.
  public struct Counter: Hashable, Sendable {
    /// What is counted, such as `sdk.kennel.firebase`; any text is allowed.
    public var name: String
    /// The count, without a unit; what is no number on the wire is read as 0.
    public var value: Double

    /// Makes a counter for a `stats` request.
    public init(_ name: String, _ value: Double) {
      self.name = name
      self.value = value
    }
  }

  /// Who the client says it is.
  public struct Credential: Hashable, Sendable {
    /// How the client signs in; the raw value is the action on the wire.
    public enum Kind: String, Hashable, Sendable {
      case token = "auth"
      case administrator = "gauth"
    }

    /// Whether the token stands for a user or for an administrator.
    public var kind: Kind
    /// The text from which the server learns who the client acts for.
    public var token: String

    /// Makes a credential, by default one that is sent with the action `auth`.
    public init(_ token: String, kind: Kind = .token) {
      self.kind = kind
      self.token = token
    }
  }
}

extension Request {
  /// The kinds of request, by the names that scenarios and reports use.
  public enum Action: String, CaseIterable, Hashable, Sendable {
    case listen
    case unlisten
    case put
    case merge
    case onDisconnectPut = "on-disconnect-put"
    case onDisconnectMerge = "on-disconnect-merge"
    case onDisconnectCancel = "on-disconnect-cancel"
    case get
    case stats
    case authenticate = "auth"
    case unauthenticate = "unauth"
  }

  /// The kind of this request, without its contents.
  public var action: Action {
    switch self {
    case .listen: .listen
    case .unlisten: .unlisten
    case .put: .put
    case .merge: .merge
    case .onDisconnectPut: .onDisconnectPut
    case .onDisconnectMerge: .onDisconnectMerge
    case .onDisconnectCancel: .onDisconnectCancel
    case .get: .get
    case .stats: .stats
    case .authenticate: .authenticate
    case .unauthenticate: .unauthenticate
    }
  }

  /// The location the request is about; `nil` for one about the connection.
  public var path: Path? {
    switch self {
    case let .listen(listen): listen.path
    case let .unlisten(path, _, _), let .put(path, _, _), let .merge(path, _, _),
      let .onDisconnectPut(path, _), let .onDisconnectMerge(path, _),
      let .onDisconnectCancel(path), let .get(path, _):
      path
    case .stats, .authenticate, .unauthenticate: nil
    }
  }

  /// What a get asks for; `nil` for any other request.
  package var got: (path: Path, query: Query)? {
    if case let .get(path, query) = self { (path, query) } else { nil }
  }

  /// What a sign-in hands over; `nil` for any other request.
  package var credential: Credential? {
    if case let .authenticate(credential) = self { credential } else { nil }
  }

  /// Whether it is a get of what a query shows at a location.
  package func reads(_ path: Path, _ query: Query) -> Bool {
    got.map { $0.path == path && Query.isListen($0.query.onWire, for: query.onWire) } ?? false
  }
}

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

extension Request {
  /// The request without what a client is free in: tags, and hashes but for whether there is one.
  package var outline: Request {
    switch self {
    case let .listen(listen):
      return .listen(.init(path: listen.path, query: listen.query?.acrossKinds))
    case let .put(path, node, hash): return .put(path, node, hash: hash.map { _ in "" })
    case let .merge(path, assignments, hash):
      return .merge(
        path, assignments.sorted { $0.path < $1.path }, hash: hash.map { _ in "" })
    case let .onDisconnectMerge(path, assignments):
      return .onDisconnectMerge(path, assignments.sorted { $0.path < $1.path })
    case let .unlisten(path, query, _):
      return .unlisten(path, query: query?.acrossKinds, tag: nil)
    case .onDisconnectPut, .onDisconnectCancel, .get, .stats, .authenticate,
      .unauthenticate:
      return self
    }
  }

  /// Whether both are conditional writes at one location: what they write depends on when they are
  /// sent.
  package func isSameTransaction(as other: Request) -> Bool {
    guard case let .put(path, _, _?) = self, case let .put(otherPath, _, _?) = other else {
      return false
    }
    return path == otherPath
  }
}
