import ClientInterface
import Document
import Faults
import LiveServer
import Tree

/// A live server with clients, and somebody who watches.
struct Watching {
  var live: FaultyServer
  var watch: Dashboard
  var now = Instant(milliseconds: 1_480_000_000_000)
  /// What those who watch were sent, and what requests were answered.
  var effects: [Effect] = []
  private var sockets = 0

  static let token = "t0ken"
  static let page = Dashboard.File(path: "/", type: "text/html", bytes: Array("<p>".utf8))

  init(
    data: String = "null", files: [Dashboard.File] = [page], hasControl: Bool = false
  ) throws {
    var settings = LiveServerSettings(data: Node(json: try JSON(parsing: data)))
    settings.isRecorded = true
    live = FaultyServer(LiveServer(settings))
    watch = Dashboard(token: Self.token, files: files, hasControl: hasControl)
  }

  mutating func socket() -> Socket {
    sockets += 1
    return Socket(sockets)
  }

  private mutating func perform(_ body: (inout FaultyServer, inout Dashboard) -> Void) {
    var own: [Effect] = []
    live.perform(at: now, into: &own) { body(&$0, &watch) }
    watch.take(own, by: live)
    effects += own
  }

  /// Opens a WebSocket.
  mutating func connect(_ arguments: String...) -> Socket {
    let socket = socket()
    let request = HTTPRequest(
      "GET", "/.ws", (["v=5"] + arguments).map { HTTPRequest.Argument($0) })
    perform { live, _ in
      _ = live.server.refusal(ofSocketFor: request)
      live.open(socket, for: request)
    }
    return socket
  }

  mutating func say(_ frames: String..., over socket: Socket) {
    for frame in frames { perform { live, _ in live.receive(frame, from: socket) } }
  }

  mutating func close(_ socket: Socket) {
    perform { live, _ in live.closed(socket) }
  }

  /// Lets a fault happen.
  mutating func fault(_ fault: IndexedFault) {
    perform { live, _ in live.inject(fault) }
  }

  /// Asks as somebody does who came by the port for clients, or by the one for control.
  mutating func begin(
    _ method: String, _ target: String, _ body: String = "", _ headers: [String: String] = [:],
    byControl: Bool = false, on socket: Socket
  ) {
    let parts = target.split(separator: "?", maxSplits: 1)
    let arguments = parts.count == 2 ? parts[1].split(separator: "&") : []
    let request = HTTPRequest(
      method, String(parts[0]), arguments.map { HTTPRequest.Argument(String($0)) },
      headers: headers, body: Array(body.utf8))
    perform { live, watch in
      if byControl {
        return watch.control(request, from: socket, by: &live)
      }
      if watch.handle(request, from: socket, by: &live) { return }
      watch.take(request, on: socket)
      live.disturb { $0.handle(request, from: socket) }
    }
  }

  mutating func ask(
    _ method: String, _ target: String, _ body: String = "", _ headers: [String: String] = [:],
    byControl: Bool = false
  ) -> HTTPResponse? {
    let socket = socket()
    begin(method, target, body, headers, byControl: byControl, on: socket)
    for case .respond(socket, let response) in effects { return response }
    return nil
  }

  /// Begins to watch.
  mutating func look() -> Socket {
    let socket = socket()
    begin("GET", "/.kennel/traffic", on: socket)
    effects = []
    return socket
  }

  /// Lets time pass and tells those who watch what was there.
  mutating func flush(after pause: Interval = .milliseconds(100), waiting: Int = 0) {
    now = now + pause
    live.perform(at: now, into: &effects) { watch.flush(by: &$0, waiting: { _ in waiting }) }
  }

  /// The text that somebody who watches was sent since this was asked last.
  mutating func written(to socket: Socket) -> String {
    var text = ""
    for case .write(socket, let part) in effects { text += part }
    effects.removeAll { $0.socket == socket }
    return text
  }

  /// What somebody who watches was told of since this was asked last.
  mutating func reported(_ socket: Socket) throws -> [JSON] {
    try written(to: socket).split(separator: "\n").filter { $0.hasPrefix("data: ") }.map {
      try JSON(parsing: String($0.dropFirst("data: ".count)))
    }
  }

  /// The same in short: kind, connection, text.
  mutating func received(_ socket: Socket) throws -> [String] {
    flush()
    return try reported(socket).map(Self.short)
  }

  static func short(_ item: JSON) -> String {
    let who = item["connection"]?.integer.map { " \($0)" } ?? ""
    let what = item["text"]?.string ?? item["count"]?.text ?? ""
    return "\(item["kind"]?.string ?? "?")\(who): \(what)"
  }
}

/// A request as a client of the Firebase framing sends it.
func frame(_ number: Int, _ action: String, _ body: String) -> String {
  #"{"t":"d","d":{"r":\#(number),"a":"\#(action)","b":\#(body)}}"#
}
