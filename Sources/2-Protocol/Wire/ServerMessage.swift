public import Tree

/// What the server sends.
public enum ServerMessage: Hashable, Sendable {
  /// The first message of a connection (WIR-1).
  indirect case hello(Hello)
  /// The answer to a request.
  indirect case response(Response)
  /// The data at a location, whole. A tag makes it data for that query alone (WIR-7).
  indirect case put(Path, Node, tag: Int?)
  /// New data at several locations at or below one, to be taken as one change (EVT-14).
  indirect case merge(Path, [Assignment], tag: Int?)
  /// The server ended a listen: access was taken away (ACC-10).
  indirect case revoked(Path, queries: [Query]?)
  indirect case credentialRevoked(status: String, reason: String)
  /// Do not come back.
  indirect case shutdown(String)
  /// Close, and connect to this host instead.
  indirect case reset(host: String)
  case pong
  /// Text for the developer.
  indirect case notice(String)
  /// Something this vocabulary has no word for. Clients ignore it.
  indirect case other(JSON)

  /// What the server sends about itself and the connection in hello (WIR-1).
  public struct Hello: Hashable, Sendable {
    /// The server's clock, in milliseconds since 1970.
    public var timestamp: Double
    /// The version of the protocol; a conforming server states `Dialect.version`.
    public var version: String
    /// The host that the client is to connect to next time.
    public var host: String
    /// The server's name for the session of this connection.
    public var session: String

    /// Makes a hello; `timestamp` is the server's clock in milliseconds since 1970.
    public init(timestamp: Double, version: String, host: String, session: String) {
      self.timestamp = timestamp
      self.version = version
      self.host = host
      self.session = session
    }
  }

  /// The one answer to a numbered request of the client.
  public struct Response: Hashable, Sendable {
    /// The number of the request that is answered.
    public var request: Int
    /// `ok`, or an error code (ERR-5).
    public var status: String
    /// What was asked for, or beside an error code a text for people; null where the message has
    /// none.
    public var payload: JSON

    /// What most answers carry, made once.
    public static let emptyObject = JSON.object([])

    /// Makes the answer to the request with the number `request`: by default success without data.
    public init(to request: Int, status: String = "ok", payload: JSON = Response.emptyObject) {
      self.request = request
      self.status = status
      self.payload = payload
    }
  }
}

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
    case let .put(path, node, tag): Self.data("d", path, "d", node.json, tag)
    case let .merge(path, assignments, tag): Self.data("m", path, "d", assignments.json, tag)
    case let .revoked(path, queries):
      Self.data("c", path, "q", queries.map { .array($0.map { $0.json(in: dialect) }) }, nil)
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
    _ action: JSON, _ path: Path, _ name: String, _ content: JSON?, _ tag: Int?
  ) -> JSON {
    let body = JSON.object(having: [
      "p": .string(path.relativeText), name: content,
      "t": tag.map { .number(Double($0)) },
    ])
    return ["t": "d", "d": ["a": action, "b": body]]
  }
}

extension ServerMessage {
  /// Reads a message that a server sent. One of an unknown kind becomes `other`.
  ///
  /// - Throws: `WireError`, which quotes the message and reports what is wrong with it.
  public init(json: JSON) throws(WireError) {
    let reader = FieldReader(json, by: .server)
    let kind = try reader.text("t")
    let content = try reader.field("d")
    switch kind {
    case "c": self = try Self.control(reader.entering(content, "the control message"))
    case "d":
      if content["r"] != nil {
        self = try Self.response(reader.entering(content, "the response"))
      } else if content["a"] != nil {
        self = try Self.push(reader.entering(content, "the message"))
      } else {
        self = .other(json)
      }
    default:
      throw reader.fail("\"t\" of the message is \"\(kind)\", expected \"c\" or \"d\"")
    }
  }

  private static func control(_ content: FieldReader) throws(WireError) -> ServerMessage {
    switch try content.text("t") {
    case "h":
      let hello = content.entering(try content.field("d"), "the hello")
      guard let timestamp = hello["ts"]?.number else {
        throw hello.fail("the hello has no number \"ts\", the server's time in milliseconds")
      }
      return .hello(
        Hello(
          timestamp: timestamp, version: try hello.text("v"), host: try hello.text("h"),
          session: try hello.text("s")))
    case "s": return .shutdown(try content.called("the shutdown").text("d"))
    case "r": return .reset(host: try content.called("the reset").text("d"))
    case "o": return .pong
    default: return .other(content.message)
    }
  }

  private static func response(_ content: FieldReader) throws(WireError) -> ServerMessage {
    let body = content.entering(try content.field("b"), "the response")
    return .response(
      Response(
        to: try content.integer("r"), status: try body.text("s"), payload: body["d"] ?? .null))
  }

  private static func push(_ content: FieldReader) throws(WireError) -> ServerMessage {
    let action = try content.text("a")
    let context = "message \"\(action)\""
    let body = content.entering(try content.called(context).field("b"), context)
    switch action {
    case "d": return .put(try body.path(), try body.node(), tag: try body.tag())
    case "m": return .merge(try body.path(), try body.assignments(), tag: try body.tag())
    case "c": return .revoked(try body.path(), queries: try queries(of: body))
    case "ac":
      return .credentialRevoked(
        status: body["s"]?.string ?? "", reason: body["d"]?.string ?? "")
    case "sd": return .notice(body["msg"]?.string ?? "")
    default: return .other(body.message)
    }
  }

  /// The queries whose listens end; `nil` when the message names none and means the plain one.
  private static func queries(of body: FieldReader) throws(WireError) -> [Query]? {
    guard let list = body["q"], list != .null else { return nil }
    guard let elements = list.elements else {
      throw body.fail("\"q\" of \(body.context) is \(list.kind), expected a list of queries")
    }
    var queries: [Query] = []
    for json in elements { queries.append(try Query(json: json, reader: body)) }
    return queries
  }
}
