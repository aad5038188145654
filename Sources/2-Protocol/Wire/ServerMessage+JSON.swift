public import Tree

extension ServerMessage {
  /// The message as the server writes it: paths have no slash in front.
  public func json(in dialect: Dialect) -> JSON {
    switch self {
    case let .hello(hello):
      Self.control(
        "h",
        [
          "ts": .number(hello.timestamp), "v": .string(hello.version), "h": .string(hello.host),
          "s": .string(hello.session),
        ])
    case let .response(response):
      [
        "t": "d",
        "d": [
          "r": .number(Double(response.request)),
          "b": ["s": .string(response.status), "d": response.payload],
        ],
      ]
    case let .put(path, node, tag): Self.data("d", path, ("d", node.json), tag)
    case let .merge(path, assignments, tag): Self.data("m", path, ("d", assignments.json), tag)
    case let .revoked(path, queries):
      Self.data("c", path, queries.map { ("q", .array($0.map { $0.json(in: dialect) })) }, nil)
    case let .credentialRevoked(status, reason):
      ["t": "d", "d": ["a": "ac", "b": ["s": .string(status), "d": .string(reason)]]]
    case let .shutdown(reason): Self.control("s", .string(reason))
    case let .reset(host): Self.control("r", .string(host))
    case .pong: Self.control("o", .object([]))
    case let .notice(text): ["t": "d", "d": ["a": "sd", "b": ["msg": .string(text)]]]
    case let .other(json): json
    }
  }

  private static func control(_ kind: JSON, _ payload: JSON) -> JSON {
    ["t": "c", "d": ["t": kind, "d": payload]]
  }

  private static func data(
    _ action: JSON, _ path: Path, _ content: (name: String, value: JSON)?, _ tag: Int?
  ) -> JSON {
    var body: [JSON.Member] = [.init("p", .string(path.relativeText))]
    if let content { body.append(.init(content.name, content.value)) }
    if let tag { body.append(.init("t", .number(Double(tag)))) }
    return ["t": "d", "d": ["a": action, "b": .object(body)]]
  }
}

extension ServerMessage {
  /// Reads a message that a server sent. One of an unknown kind becomes `other`.
  ///
  /// - Throws: `WireError`, which quotes the message and reports what is wrong with it.
  public init(json: JSON) throws(WireError) {
    let reader = FieldReader(sender: .server, message: json)
    let kind = try reader.text("t", of: json, in: "the message")
    let content = try reader.field("d", of: json, in: "the message")
    switch kind {
    case "c": self = try Self.control(content, reader)
    case "d":
      if content["r"] != nil {
        self = try Self.response(content, reader)
      } else if content["a"] != nil {
        self = try Self.push(content, reader)
      } else {
        self = .other(json)
      }
    default:
      throw reader.fail("\"t\" of the message is \"\(kind)\", expected \"c\" or \"d\"")
    }
  }

  private static func control(
    _ content: JSON, _ reader: FieldReader
  ) throws(WireError) -> ServerMessage {
    let kind = try reader.text("t", of: content, in: "the control message")
    switch kind {
    case "h":
      let hello = try reader.field("d", of: content, in: "the control message")
      guard let timestamp = hello["ts"]?.number else {
        throw reader.fail("the hello has no number \"ts\", the server's time in milliseconds")
      }
      return .hello(
        Hello(
          timestamp: timestamp, version: try reader.text("v", of: hello, in: "the hello"),
          host: try reader.text("h", of: hello, in: "the hello"),
          session: try reader.text("s", of: hello, in: "the hello")))
    case "s": return .shutdown(try reader.text("d", of: content, in: "the shutdown"))
    case "r": return .reset(host: try reader.text("d", of: content, in: "the reset"))
    case "o": return .pong
    default: return .other(reader.message)
    }
  }

  private static func response(
    _ content: JSON, _ reader: FieldReader
  ) throws(WireError) -> ServerMessage {
    let body = try reader.field("b", of: content, in: "the response")
    return .response(
      Response(
        to: try reader.integer("r", of: content, in: "the response"),
        status: try reader.text("s", of: body, in: "the response"), payload: body["d"] ?? .null))
  }

  private static func push(
    _ content: JSON, _ reader: FieldReader
  ) throws(WireError) -> ServerMessage {
    let action = try reader.text("a", of: content, in: "the message")
    let context = "message \"\(action)\""
    let body = try reader.field("b", of: content, in: context)
    switch action {
    case "d":
      return .put(
        try reader.path(of: body, in: context),
        Node(json: try reader.field("d", of: body, in: context)),
        tag: try reader.tag(of: body, in: context))
    case "m":
      return .merge(
        try reader.path(of: body, in: context), try reader.assignments(of: body, in: context),
        tag: try reader.tag(of: body, in: context))
    case "c":
      return .revoked(
        try reader.path(of: body, in: context), queries: try queries(of: body, reader, context))
    case "ac":
      return .credentialRevoked(
        status: body["s"]?.string ?? "", reason: body["d"]?.string ?? "")
    case "sd": return .notice(body["msg"]?.string ?? "")
    default: return .other(reader.message)
    }
  }

  /// The queries whose listens end; `nil` when the message names none and means the plain one.
  private static func queries(
    of body: JSON, _ reader: FieldReader, _ context: String
  ) throws(WireError) -> [Query]? {
    guard let list = body["q"], list != .null else { return nil }
    guard let elements = list.elements else {
      throw reader.fail("\"q\" of \(context) is \(list.kind), expected a list of queries")
    }
    var queries: [Query] = []
    for json in elements { queries.append(try Query(json: json, reader: reader)) }
    return queries
  }
}
