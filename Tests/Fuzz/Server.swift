import ClientInterface
import LiveServer
import ReferenceServer
import Tree

/// What two clients of the two framings and REST send to the whole server: a line is a frame, behind
/// a letter that says who sends it.
func fuzzServer(_ bytes: [UInt8]) {
  var server = FuzzedServer()
  for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n").prefix(200) {
    server.take(line)
  }
  server.end()
}

private struct FuzzedServer {
  private static let rules =
    SecurityRules.read(Array(#"{"rules":{".read":true,"$k":{".write":"newData.val()!=5"}}}"#.utf8))
    .rules

  private var live: FaultyServer
  private var now = Instant(milliseconds: 1_480_000_000_000)
  private var effects: [Effect] = []
  /// What is read and written elsewhere.
  private var works: [LargeWork] = []
  private var sockets = 0

  init() {
    var settings = LiveServerSettings(isRecorded: true)
    settings.databaseRules = Self.rules
    settings.largeMessage = 64
    live = FaultyServer(LiveServer(settings), clients: [], seed: 1)
    open("/.ws", [.init("v", "5"), .init("ns", "demo")])
    open("/.ws/", [.init("EIO", "3"), .init("transport", "websocket")])
  }

  private mutating func perform(_ body: (inout FaultyServer) -> Void) {
    live.perform(at: now, into: &effects, body)
  }

  private mutating func open(_ path: String, _ arguments: [HTTPRequest.Argument]) {
    sockets += 1
    let request = HTTPRequest("GET", path, arguments, headers: ["host": "localhost"])
    if live.server.refusal(ofSocketFor: request) != nil { return }
    let socket = Socket(sockets)
    perform { $0.open(socket, for: request) }
  }

  mutating func take(_ line: Substring) {
    now = now + .milliseconds(20)
    let text = String(line.dropFirst())
    switch line.first {
    case "f": perform { $0.receive(text, from: Socket(1)) }
    case "w": perform { $0.receive(text, from: Socket(2)) }
    case "t": perform { $0.disturb { $0.tick() } }
    case "l" where !works.isEmpty:
      let outcome = works.removeFirst().outcome()
      perform { $0.disturb { $0.resume(with: outcome) } }
    default: request(text)
    }
    perform { $0.arriveDue() }
    for case let .work(work) in effects { works.append(work) }
    effects.removeAll()
  }

  /// `METHOD PATH BODY`.
  private mutating func request(_ text: String) {
    let words = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    guard words.count == 3 else { return }
    sockets += 1
    let parts = words[1].split(separator: "?", maxSplits: 1)
    let arguments =
      parts.count < 2 ? [] : parts[1].split(separator: "&").map { HTTPRequest.Argument(String($0)) }
    let request = HTTPRequest(
      String(words[0]), String(parts.first ?? "/"), arguments, headers: ["host": "localhost"],
      body: Array(words[2].utf8))
    let socket = Socket(sockets)
    perform { $0.handle(request, from: socket) }
  }

  mutating func end() {
    perform { $0.closed(Socket(1)) }
    perform { $0.closed(Socket(2)) }
    perform { $0.disturb { $0.shutDown() } }
  }
}
