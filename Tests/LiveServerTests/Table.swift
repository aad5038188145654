import ClientInterface
import Document
import LiveServer
import Tree

/// A live server with somebody who plays its clients, and keeps what it does.
struct Table {
  var live: LiveServer
  var effects: [Effect] = []
  var now = Instant(milliseconds: 1_480_000_000_000)
  private var sockets = 0

  init(_ settings: LiveServerSettings = LiveServerSettings()) { live = LiveServer(settings) }

  /// One whose namespaces begin with some data.
  init(data: String) throws {
    self.init(LiveServerSettings(data: Node(json: try JSON(parsing: data))))
  }

  mutating func socket() -> Socket {
    sockets += 1
    return Socket(sockets)
  }

  @discardableResult
  mutating func perform<Result>(_ body: (inout LiveServer) -> Result) -> Result {
    live.perform(at: now, into: &effects, body)
  }

  /// Opens a WebSocket of the Firebase framing.
  mutating func connect(_ arguments: String...) -> Socket {
    let socket = socket()
    let request = HTTPRequest(
      "GET", "/.ws", (["v=5"] + arguments).map { HTTPRequest.Argument($0) },
      headers: ["host": "here:9000"])
    guard live.refusal(ofSocketFor: request) == nil else { return socket }
    perform { $0.open(socket, for: request) }
    return socket
  }

  /// Opens a WebSocket and passes over the greeting.
  mutating func greeted() -> Socket {
    let socket = connect()
    _ = received(socket)
    return socket
  }

  mutating func say(_ frames: String..., over socket: Socket) {
    for frame in frames { perform { $0.receive(frame, from: socket) } }
  }

  /// Does what other threads are to do, and hands it back.
  mutating func finishWork() {
    while let index = effects.firstIndex(where: { if case .work = $0 { true } else { false } }),
      case let .work(work) = effects.remove(at: index)
    {
      perform { $0.resume(with: work.outcome()) }
    }
  }

  /// What a socket was sent since this was asked last, and how it was closed.
  mutating func received(_ socket: Socket) -> [String] {
    let own = effects.filter { $0.socket == socket }
    effects.removeAll { $0.socket == socket }
    return own.map { effect in
      switch effect {
      case let .send(_, text), let .write(_, text): text
      case let .close(_, code, reason): "closed \(code) \(reason)"
      default: "\(effect)"
      }
    }
  }

  /// Answers a request of HTTP; nil when the answer has not come yet.
  mutating func ask(
    _ method: String, _ target: String, _ body: String = "", _ headers: [String: String] = [:]
  ) -> HTTPResponse? {
    let socket = socket()
    begin(method, target, body, headers, on: socket)
    return answer(to: socket)
  }

  mutating func begin(
    _ method: String, _ target: String, _ body: String = "", _ headers: [String: String] = [:],
    on socket: Socket
  ) {
    let parts = target.split(separator: "?", maxSplits: 1)
    let arguments = parts.count == 2 ? parts[1].split(separator: "&") : []
    let request = HTTPRequest(
      method, String(parts[0]), arguments.map { HTTPRequest.Argument(String($0)) },
      headers: headers, body: Array(body.utf8))
    perform { $0.handle(request, from: socket) }
  }

  mutating func answer(to socket: Socket) -> HTTPResponse? {
    for (index, effect) in effects.enumerated() {
      guard case .respond(socket, let response) = effect else { continue }
      effects.remove(at: index)
      return response
    }
    return nil
  }
}

extension Effect {
  var socket: Socket? {
    switch self {
    case let .send(socket, _), let .respond(socket, _), let .begin(socket, _),
      let .write(socket, _), let .close(socket, _, _):
      socket
    case .work, .relay, .record, .reportProblem, .fault, .found: nil
    }
  }
}

extension HTTPResponse {
  var text: String { String(decoding: body, as: UTF8.self) }
}
