import ClientInterface
import Document
import LiveServer
import Testing
import Tree

/// The framing of Wilddog Sync: engine.io 3, by requests and by WebSocket.
@Suite struct EngineTests {
  private static let ping = #"42["wd",{"t":"c","d":{"t":"p","d":{}}}]"#
  private static let pong = #"42["wd",{"t":"c","d":{"t":"o","d":{}}}]"#

  /// Begins a session by polling.
  private func begin(_ table: inout Table, _ rest: String = "") throws -> String {
    let number = table.live.connectionCount + 1
    let answer = table.ask("GET", "/.ws/?EIO=3&transport=polling&v=1.0&cv=2.0.0" + rest)?.text ?? ""
    #expect(answer.contains("2:40"))
    #expect(
      answer.hasSuffix(
        framed(
          #"42["wd",{"t":"c","d":{"t":"h","d":{"ts":1480000000000,"v":"1.0","#
            + #""h":"localhost","s":"session\#(number)"}}}]"#)))
    let start = try #require(answer.firstIndex(of: "{"))
    let end = try #require(answer[start...].firstIndex(of: "}"))
    let json = answer[start...end]
    return try #require(try JSON(parsing: String(json))["sid"]?.string)
  }

  private func url(_ sid: String) -> String { "/.ws/?EIO=3&transport=polling&sid=" + sid }

  private func framed(_ packet: String) -> String { "\(packet.utf16.count):\(packet)" }

  private func webSocket(_ table: inout Table, _ arguments: String...) -> Socket {
    let socket = table.socket()
    let request = HTTPRequest(
      "GET", "/.ws/",
      ["EIO=3", "transport=websocket"].map { .init($0) } + arguments.map { .init($0) })
    #expect(table.live.refusal(ofSocketFor: request) == nil)
    table.perform { $0.open(socket, for: request) }
    return socket
  }

  @Test func `a session by requests has a handshake, then the hello, then answers`() throws {
    var table = Table()
    let sid = try begin(&table)

    #expect(table.ask("POST", url(sid), framed(Self.ping))?.text == "ok")
    #expect(table.ask("GET", url(sid))?.text == framed(Self.pong))
  }

  @Test func `a request waits for something to tell`() throws {
    var table = Table()
    let sid = try begin(&table)
    let poll = table.socket()
    table.begin("GET", url(sid), on: poll)
    #expect(table.answer(to: poll) == nil)

    _ = table.ask("POST", url(sid), framed("2"))

    #expect(table.answer(to: poll)?.text == "1:3")
  }

  @Test func `everything beyond ASCII is escaped, so that all count alike`() throws {
    var table = Table()
    let sid = try begin(&table)
    let put = #"42["wd",{"t":"d","d":{"r":1,"a":"p","b":{"p":"/a","d":"é😀"}}}]"#
    _ = table.ask("POST", url(sid), framed(put))
    _ = table.ask("GET", url(sid))

    _ = table.ask(
      "POST", url(sid), framed(#"42["wd",{"t":"d","d":{"r":2,"a":"q","b":{"p":"/a","h":""}}}]"#))
    let text = table.ask("GET", url(sid))?.text ?? ""

    #expect(text.contains(#""d":"\u00e9\ud83d\ude00""#))
    #expect(text.utf8.allSatisfy { $0 < 128 })
  }

  @Test func `bodies in the form for bytes are read too`() throws {
    var table = Table()
    let sid = try begin(&table)
    let request = HTTPRequest(
      "POST", "/.ws/", ["EIO=3", "transport=polling", "sid=" + sid].map { .init($0) },
      body: [0, 1, 255, 50, 0, 1, 0, 255] + Array("2abcdefghi".utf8))
    let poll = table.socket()
    table.perform { $0.handle(request, from: poll) }

    #expect(table.ask("GET", url(sid))?.text == "1:310:3abcdefghi")
  }

  @Test func `a session goes over to a WebSocket`() throws {
    var table = Table()
    let sid = try begin(&table)
    let poll = table.socket()
    table.begin("GET", url(sid), on: poll)

    let socket = webSocket(&table, "sid=" + sid)
    table.say("2probe", over: socket)
    #expect(table.received(socket) == ["3probe"])
    #expect(table.answer(to: poll)?.text == "1:6")
    table.say("5", Self.ping, "2", over: socket)

    #expect(table.received(socket) == [Self.pong, "3"])
    table.perform { $0.closed(socket) }
    #expect(table.live.connectionCount == 0)
    #expect(table.ask("GET", url(sid))?.status == 400)
  }

  @Test func `a WebSocket that asks the wrong thing is closed`() throws {
    var table = Table()
    let socket = webSocket(&table, "sid=" + (try begin(&table)))
    table.say("hello", over: socket)

    #expect(table.received(socket) == ["closed 1002 expected 2probe, then 5"])
  }

  @Test func `a session can be a WebSocket from the beginning`() {
    var table = Table()
    let socket = webSocket(&table)
    let received = table.received(socket)

    #expect(received.count == 3)
    #expect(received[0].hasPrefix("0{\"sid\":"))
    #expect(received[0].contains(#""upgrades":[],"pingInterval":25000,"pingTimeout":60000"#))
    #expect(received[1] == "40")
    #expect(received[2].hasPrefix(#"42["wd",{"t":"c","d":{"t":"h""#))
    table.say("40", "41", "6", "1", over: socket)
    #expect(table.received(socket) == ["closed 1000 the client closes"])
  }

  @Test(arguments: [
    (#"42["other",1]"#, #"closed 1008 an event is no ["wd", MESSAGE]"#),
    ("43[]", "closed 1008 a packet begins with \"3\"; events begin with 2"),
    ("x", "closed 1002 a packet begins with \"x\"; those of engine.io begin with 0 to 6"),
  ])
  func `what the framing does not have closes the session`(packet: String, goodbye: String) {
    var table = Table()
    let socket = webSocket(&table)
    _ = table.received(socket)

    table.say(packet, over: socket)

    #expect(table.received(socket) == [goodbye])
  }

  @Test(arguments: ["5:2", "x:2", "99999999999999:2", "-1:2"])
  func `a body that is no payload ends the session`(body: String) throws {
    var table = Table()
    let sid = try begin(&table)

    #expect(
      table.ask("POST", url(sid), body)?.text
        == "{\"error\":\"the body is no payload of engine.io\"}\n")
    #expect(table.ask("GET", url(sid))?.text == #"{"code":1,"message":"Session ID unknown"}"#)
    #expect(
      table.effects.contains(.reportProblem("a body that is no payload", connection: 1)))
  }

  @Test func `two requests that wait at a time end the session`() throws {
    var table = Table()
    let sid = try begin(&table)
    table.begin("GET", url(sid), on: table.socket())

    #expect(
      table.ask("GET", url(sid))?.text == "{\"error\":\"the session polls already\"}\n")
    #expect(table.effects.contains(.reportProblem("two polls at a time", connection: 1)))
  }

  @Test func `a silent session ends`() throws {
    var table = Table()
    _ = try begin(&table)

    table.now = table.now + .seconds(86)
    table.perform { $0.tick() }

    #expect(table.live.connectionCount == 0)
  }

  @Test func `a session whose messages nobody fetches ends`() throws {
    var settings = LiveServerSettings()
    settings.bounds.waiting = 10
    var table = Table(settings)
    _ = table.ask("POST", url(try begin(&table)), framed(Self.ping))

    #expect(
      table.effects.contains(
        .reportProblem("the client does not fetch its messages", connection: 1)))
    #expect(table.live.connectionCount == 0)
  }

  @Test func `what waits for all sessions has a bound, and who waits for most must go`() throws {
    var settings = LiveServerSettings()
    settings.bounds.allWaiting = 300
    var table = Table(settings)
    let (few, many) = (try begin(&table), try begin(&table))
    _ = table.ask("POST", url(few), framed("2"))
    for _ in 0..<10 { _ = table.ask("POST", url(many), framed("2")) }

    #expect(
      table.effects.contains(
        .reportProblem("the client does not fetch its messages", connection: 2)))
    #expect(table.ask("GET", url(few))?.text == "1:3")
    #expect(table.ask("GET", url(many))?.status == 400)
  }

  @Test func `a body has so many packets`() throws {
    var settings = LiveServerSettings()
    settings.bounds.packets = 3
    var table = Table(settings)
    let sid = try begin(&table)

    #expect(table.ask("POST", url(sid), "1:31:31:3")?.text == "ok")
    #expect(table.ask("POST", url(sid), "1:31:31:31:3")?.status == 400)
  }

  @Test func `only the last WebSocket that asked for it takes a session over`() throws {
    var table = Table()
    let sid = try begin(&table)
    let (first, second) = (webSocket(&table, "sid=" + sid), webSocket(&table, "sid=" + sid))

    table.say("2probe", "5", over: first)
    table.say("2probe", "5", over: second)

    #expect(table.received(first) == ["3probe", "closed 1002 expected 2probe, then 5"])
    #expect(table.received(second) == ["3probe"])
    table.say("2", over: second)
    #expect(table.received(second) == ["3"])
  }

  @Test func `only version 3 is spoken, and only so many sessions are kept`() throws {
    var settings = LiveServerSettings()
    settings.bounds.sessions = 0
    var table = Table(settings)

    #expect(
      table.ask("GET", "/.ws/?EIO=4&transport=polling")?.text
        == "{\"error\":\"this server supports version 3 of engine.io only\"}\n")
    #expect(
      table.ask("GET", "/.ws/?EIO=3&transport=polling")?.text
        == "{\"error\":\"there are too many sessions\"}\n")
  }

  @Test func `a session has one WebSocket`() throws {
    var table = Table()
    let sid = try begin(&table)
    let socket = webSocket(&table, "sid=" + sid)
    table.say("2probe", "5", over: socket)
    let request = HTTPRequest(
      "GET", "/.ws/", ["EIO=3", "transport=websocket", "sid=" + sid].map { .init($0) })

    #expect(
      table.live.refusal(ofSocketFor: request)?.text
        == "{\"error\":\"session \\\"\(sid)\\\" has a WebSocket already\"}\n")
  }
}
