import ClientInterface
import Faults
import ReferenceServer
import Tree
import Wire

/// A server with connections that have been greeted; it numbers the requests itself.
struct Harness {
  var server: ReferenceServer
  var now = Instant(milliseconds: 1_480_000_000_000)
  private var requests = 0

  init(_ data: JSON = .null, connections: Int = 1, security: [SecurityRule] = []) {
    server = ReferenceServer(
      data: Node(json: data), security: security, dialect: .wilddog, host: "test.example")
    for number in 0..<connections { _ = open(number) }
  }

  mutating func open(_ number: Int) -> [String] {
    collect { $0.server.open(.init(number), at: $0.now, into: &$1) }
  }

  mutating func close(_ number: Int) -> [String] {
    collect { $0.server.close(.init(number), at: $0.now, into: &$1) }
  }

  /// Everything that the request makes the server send, one line each; see `line`.
  mutating func send(_ request: Request, from number: Int = 0) -> [String] {
    requests += 1
    let message = ClientMessage.request(requests, request)
    return collect { $0.server.receive(message, from: .init(number), at: $0.now, into: &$1) }
  }

  mutating func write(_ write: ReferenceServer.Write) -> [String] {
    collect { $0.server.write(write, at: $0.now, into: &$1) }
  }

  mutating func collect(
    _ action: (inout Harness, inout [ReferenceServer.Outgoing]) -> Void
  ) -> [String] {
    lines(as: nil, action)
  }

  /// The same in a form, where it has several.
  mutating func lines(
    as form: WireForm?, _ action: (inout Harness, inout [ReferenceServer.Outgoing]) -> Void
  ) -> [String] {
    var out: [ReferenceServer.Outgoing] = []
    action(&self, &out)
    return out.flatMap { outgoing in
      let messages = form.map { outgoing.messages(as: $0) } ?? [outgoing.message]
      return messages.map { Self.line(ReferenceServer.Outgoing(outgoing.connection, $0)) }
    }
  }

  var tree: String { server.tree.description }

  /// `0: put room/a 1 tag 3`, `0: ok {}`: the connection, then what is sent to it.
  private static func line(_ outgoing: ReferenceServer.Outgoing) -> String {
    let text =
      switch outgoing.message {
      case let .put(path, node, tag): "put \(path) \(node)" + suffix(tag)
      case let .merge(path, parts, tag): "merge \(path) \(parts.json)" + suffix(tag)
      case let .response(response): "\(response.status) \(response.payload)"
      case let .revoked(path, queries):
        "revoked \(path)" + (queries ?? []).map { " \($0.identifier)" }.joined()
      default: outgoing.message.json(in: .wilddog).text
      }
    return "\(outgoing.connection.number): \(text)"
  }

  private static func suffix(_ tag: Int?) -> String { tag.map { " tag \($0)" } ?? "" }
}

extension Request {
  static func listen(_ path: Path, hash: String = "") -> Request {
    .listen(Listen(path: path, hash: hash))
  }

  static func listen(_ path: Path, _ query: Query, tag: Int, hash: String = "") -> Request {
    .listen(Listen(path: path, query: query, tag: tag, hash: hash))
  }

  static func put(_ path: Path, _ json: JSON, if hash: String? = nil) -> Request {
    .put(path, Node(json: json), hash: hash)
  }

  static func merge(_ path: Path, _ json: JSON, if hash: String? = nil) -> Request {
    .merge(path, [Assignment](json: json) ?? [], hash: hash)
  }
}
