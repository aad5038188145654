import ClientInterface
import Document
import Faults
import LiveServer
import Testing
import Tree
import Wire

/// A server elsewhere that does what clients ask.
@Suite struct RelayTests {
  private var net: Net

  init() {
    var settings = LiveServerSettings()
    settings.isRelay = true
    net = Self.net(settings)
  }

  private static func net(_ settings: LiveServerSettings) -> Net {
    var net = Net(FaultyServer(LiveServer(settings), clients: ["alice", "bob"]))
    net.inject(.latency(.fixed(.zero), nil))
    return net
  }

  /// What was handed on since this was asked last.
  private mutating func relayed() -> [String] {
    defer { net.effects = [] }
    return net.effects.compactMap { effect in
      guard case let .relay(relayed, connection) = effect else { return nil }
      return switch relayed {
      case let .opened(dialect): "\(connection) opens \(dialect)"
      case let .message(message): "\(connection) " + message.json(in: .firebase).text
      case let .asked(request):
        "\(connection) \(request.method) \(request.path) "
          + String(decoding: request.body, as: UTF8.self)
      case .closed: "\(connection) closes"
      case let .change(write): "\(connection) \(write.step) \(write.path)"
      case let .denied(rule): "\(connection) denies \(rule.denied) at \(rule.path)"
      }
    }
  }

  /// The server elsewhere has done its work.
  private mutating func release() {
    net.perform {
      $0.server.isHeld = false
      $0.arriveDue()
    }
  }

  @Test mutating func `one thing after the other arrives there`() {
    net.connect("alice")
    #expect(relayed() == ["1 opens firebase"])
    net.put("alice", "/a", "1")
    net.put("alice", "/a", "2")
    #expect(relayed() == [])
    release()
    #expect(relayed() == [#"1 {"t":"d","d":{"r":1,"a":"p","b":{"p":"/a","d":1}}}"#])
    release()
    #expect(relayed() == [#"1 {"t":"d","d":{"r":2,"a":"p","b":{"p":"/a","d":2}}}"#])
    release()
    net.leave("alice")
    #expect(relayed() == ["1 closes"])
  }

  @Test mutating func `what it sends has the host and the session of this server`() {
    net.connect("alice")
    release()
    let hello = ServerMessage.Hello(timestamp: 5, version: "5", host: "there:1", session: "x")
    net.perform { net in net.disturb { $0.take(relayed: .hello(hello), on: 1) } }

    let sent = net.effects.compactMap { effect in
      if case let .send(_, text) = effect { text } else { nil }
    }
    let own = #""h":"here:9000","s":"session1""#
    #expect(sent == [#"{"t":"c","d":{"t":"h","d":{"ts":5,"v":"5",\#(own)}}}"#])
  }

  @Test mutating func `its end ends the connection here, and a lost one is closed there`() {
    net.connect("alice")
    release()
    net.connect("bob")
    release()
    _ = relayed()
    net.perform { net in net.disturb { $0.end(relayed: 1) } }
    net.wait(0)
    #expect(net.received("alice") == ["closed"])
    release()
    _ = relayed()
    net.inject(.drop(bob))
    #expect(relayed() == ["2 closes"])
  }

  @Test mutating func `a write of no client and a revocation are handed on too`() {
    net.inject(.write(.set("/a", Node(.number(1)))))
    net.inject(.revoke("/b"))
    #expect(relayed() == ["0 server.set /a", "0 denies [Faults.SecurityRule.Access.read] at /b"])
  }

  @Test mutating func `a server in between hands everything on at once`() {
    var settings = LiveServerSettings()
    (settings.isRelay, settings.handsOnAtOnce) = (true, true)
    net = Self.net(settings)
    net.connect("alice")
    net.put("alice", "/a", "1")
    net.put("alice", "/a.b", "2")

    #expect(relayed().map { $0.prefix(8) } == ["1 opens ", #"1 {"t":""#, #"1 {"t":""#])
  }

  private static var between: LiveServerSettings {
    var settings = LiveServerSettings()
    (settings.isRelay, settings.handsOnAtOnce, settings.isRecorded) = (true, true, true)
    return settings
  }

  private mutating func ask(
    _ method: String, _ target: String, _ body: String = ""
  ) throws -> Socket {
    let socket = net.ask(method, target, body)
    return try #require(socket)
  }

  /// What was recorded of what the server elsewhere has.
  private mutating func recorded() -> [String] {
    defer { net.effects.removeAll { if case .record = $0 { true } else { false } } }
    return net.effects.compactMap { effect in
      guard case let .record(record, connection) = effect else { return nil }
      return switch record {
      case let .wrote(path, node, namespace): "\(namespace) \(path) = \(node.json.text)"
      case let .updated(path, assignments, _):
        "\(path): "
          + assignments.map { "\($0.path.relativeText) = \($0.node)" }.joined(separator: ", ")
      case let .opened(opening): "\(connection) \(opening.isStream ? "stream" : "client")"
      case let .sent(text), let .received(text): text
      case .closed: "\(connection) closed"
      default: "\(record)"
      }
    }
  }

  /// A request, how the server elsewhere answers it, and what is recorded.
  private static let requests:
    [(request: [String], status: Int, answer: String, records: [String])] = [
      (["PUT", "/a.json?ns=x", "1"], 200, "1", ["x /a = 1"]),
      (["PUT", "/a.json", "1"], 401, "", []), (["PUT", "/a.json", "{"], 200, "", []),
      (["PATCH", "/a.json?print=silent", #"{"b":2,"c/d":3}"#], 204, "", ["/a: b = 2, c/d = 3"]),
      (["POST", "/a.json", "1"], 200, #"{"name":"-k"}"#, ["default /a/-k = 1"]),
      (["POST", "/a.json", "1"], 200, "null", []),
      (["DELETE", "/a.json"], 200, "null", ["default /a = null"]),
      (["POST", "/a.json?x-http-method-override=DELETE"], 200, "null", ["default /a = null"]),
      (["GET", "/a.json"], 200, "1", []), (["PUT", "/.settings/rules.json", "{}"], 200, "{}", []),
    ]

  @Test(arguments: requests.indices)
  mutating func `a request of REST is handed on, and what it wrote is recorded`(index: Int) throws {
    let (words, status, answer, records) = Self.requests[index]
    net = Net(FaultyServer(LiveServer(Self.between)))
    let socket = try ask(words[0], words[1], words.count > 2 ? words[2] : "")
    let path = words[1].prefix { $0 != "?" }
    #expect(net.came(to: socket) == [])
    #expect(relayed() == ["1 \(words[0]) \(path) \(words.count > 2 ? words[2] : "")"])
    let response = HTTPResponse(status, [.init("etag", "x")], body: Array(answer.utf8))
    net.perform { $0.take(relayed: response, isStream: false, on: 1) }
    #expect(net.effects.contains(.respond(socket, response)))
    #expect(recorded() == records)
    net.perform { $0.take(relayed: response, isStream: false, on: 1) }
    #expect(recorded() == [])
  }

  @Test mutating func `faults come between a request of REST and its answer`() throws {
    net = Net(FaultyServer(LiveServer(Self.between), clients: ["alice"]))
    net.inject(.latency(.fixed(.milliseconds(30)), nil))
    let socket = try ask("PUT", "/a.json?client=alice", "1")
    net.wait(29)
    #expect(relayed() == [])
    net.wait(1)
    #expect(relayed() == ["1 PUT /a.json 1"])
    net.perform { $0.take(relayed: HTTPResponse(200), isStream: false, on: 1) }
    net.wait(29)
    #expect(net.came(to: socket) == [])
    net.wait(1)
    #expect(net.came(to: socket) == ["200"])

    let other = try ask("PUT", "/a.json?client=alice", "2")
    net.wait(30)
    net.inject(.drop(alice))
    #expect(net.came(to: other) == ["closed 1006"])
    net.perform { $0.take(relayed: HTTPResponse(200), isStream: false, on: 2) }
    net.wait(30)
    #expect(net.came(to: other) == [])
    #expect(recorded().contains("default /a = 2"))
    net.inject(.refuse(alice))
    #expect(net.ask("GET", "/a.json?client=alice") == nil)
  }

  @Test mutating func `a stream of events is a connection, with the faults of one`() throws {
    net = Net(FaultyServer(LiveServer(Self.between), clients: ["alice"]))
    let stream = try ask("STREAM", "/a.json?client=alice&orderBy=\"$key\"&limitToFirst=2")
    #expect(relayed() == ["1 GET /a.json "])
    net.perform { $0.take(relayed: HTTPResponse(200), isStream: true, on: 1) }
    #expect(net.came(to: stream) == ["stream 200"])
    let data = Node(.number(1))
    net.perform { net in net.disturb { $0.take(relayed: .put("/a/b", data, tag: 1), on: 1) } }
    #expect(net.came(to: stream) == [#"event: put data: {"path":"/b","data":1}"#])
    #expect(
      recorded() == [
        "1 stream",
        #"{"t":"c","d":{"t":"h","d":{"ts":1480000000000,"v":"5","h":"localhost","s":"session1"}}}"#,
        #"{"t":"d","d":{"r":1,"a":"q","b":{"p":"/a","q":{"l":2,"vf":"l","i":".key"},"t":1,"h":"-"}}}"#,
        #"{"t":"d","d":{"a":"d","b":{"p":"a/b","d":1,"t":1}}}"#,
        #"{"t":"d","d":{"r":1,"b":{"s":"ok","d":{}}}}"#,
      ])
    net.inject(.cut(alice))
    #expect(net.came(to: stream) == ["closed 1006"])
    #expect(relayed() == ["1 closes"])
  }

  @Test mutating func `a stream that is given up before it begins ends there`() throws {
    net = Net(FaultyServer(LiveServer(Self.between)))
    let stream = try ask("STREAM", "/a.json")
    let get = try ask("GET", "/a.json")
    #expect(relayed() == ["1 GET /a.json ", "2 GET /a.json "])
    net.perform {
      $0.closed(stream)
      $0.closed(get)
    }
    #expect(relayed() == ["1 closes"])
    net.perform { $0.take(relayed: HTTPResponse(200), isStream: true, on: 1) }
    #expect(net.came(to: stream) == [])
  }
}
