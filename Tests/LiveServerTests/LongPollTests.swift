import ClientInterface
import Document
import LiveServer
import ReferenceServer
import Testing
import Tree

@Suite struct LongPollTests {
  private static let put = #"{"t":"d","d":{"r":1,"a":"p","b":{"p":"/a","d":"é😀"}}}"#
  private static let listen = #"{"t":"d","d":{"r":2,"a":"q","b":{"p":"/a","h":""}}}"#
  private static let end = #"{"t":"c","d":{"t":"n","d":{}}}"#
  private static let take = #"{"t":"c","d":{"t":"a","d":{}}}"#
  private static let ping = #"{"t":"c","d":{"t":"p","d":{}}}"#

  @Test func `a session begins with the names of its functions, then the hello`() throws {
    var table = Table()
    let script = table.ask("GET", "/.lp?start=t&cb=12&v=5", "", ["host": "here:9"])?.text ?? ""

    #expect(script.contains(#"parent.window["pLPCommand12"]"#))
    #expect(script.contains(#"parent.window["pRTLPCB12"]"#))
    #expect(script.contains(#""here:9","5");"#))
    #expect(Page.messages(in: script).first?["d"]?["d"]?["s"] == "session1")
  }

  @Test func `messages come in the order of their segments, whatever that of the requests`() throws
  {
    var table = Table()
    var page = try Page(&table)
    let first = page.url(Self.put, size: 20)
    let second = page.url(Self.listen)
    let (late, early) = (table.socket(), table.socket())
    table.begin("GET", second, on: early)
    table.begin("GET", first, on: late)
    page.take(table.answer(to: early))
    page.take(table.answer(to: late))
    page.take(table.ask("GET", page.url()))

    #expect(page.messages.compactMap { $0["d"]?["r"]?.integer } == [1, 2])
    #expect(table.live.server(of: "default")?.tree[Path("a")].json == "é😀")
  }

  @Test func `a request waits, and goes back when the next one comes`() throws {
    var table = Table()
    var page = try Page(&table)
    let (first, second) = (table.socket(), table.socket())
    table.begin("GET", page.url(), on: first)
    #expect(table.answer(to: first) == nil)

    table.begin("GET", page.url(), on: second)
    #expect(table.answer(to: first)?.text == "pRTLPCB(1,[]);\n")
    #expect(table.answer(to: second) == nil)
    _ = table.ask("PUT", "/b.json", "1")
    #expect(table.answer(to: second) == nil)
  }

  @Test func `a session that is over, or has another password, is closed`() throws {
    var table = Table()
    let page = try Page(&table)
    let closed = "pLPCommand(\"close\");\n"

    #expect(table.ask("GET", "/.lp?id=\(page.id)&pw=x&ser=1")?.text == closed)
    #expect(
      table.ask("POST", "/.lp?disconn=t&id=\(page.id)&pw=\(page.password)")?.status == 204)
    #expect(table.live.connectionCount == 0)
    #expect(table.ask("GET", "/.lp?id=\(page.id)&pw=\(page.password)&ser=1")?.text == closed)
  }

  @Test func `the frame of a page reports its end`() throws {
    var table = Table()
    let page = try Page(&table)
    let answer = table.ask("GET", "/.lp?dframe=t&id=\(page.id)&pw=\(page.password)")

    #expect(answer?.header("Content-Type") == "text/html; charset=utf-8")
    #expect(answer?.text.contains("disconn=t&id=\(page.id)&pw=\(page.password)&ns=default") == true)
  }

  @Test func `the end of the server closes the session`() throws {
    var table = Table()
    var page = try Page(&table)
    let poll = table.socket()
    table.begin("GET", page.url(), on: poll)
    table.perform { $0.shutDown() }

    #expect(table.answer(to: poll)?.text == "pRTLPCB(1,[]);\npLPCommand(\"close\");\n")
  }

  @Test func `a session whose client fetches nothing is over`() throws {
    var table = Table()
    _ = try Page(&table)
    table.live.perform(at: table.now + .seconds(30), into: &table.effects) { $0.tick() }
    #expect(table.live.connectionCount == 1)

    table.live.perform(at: table.now + .seconds(31), into: &table.effects) { $0.tick() }
    #expect(table.live.connectionCount == 0)
  }

  @Test(arguments: [
    ("&seg0=0&ts0=1&d0=%%%", "a message is no base64 of UTF-8"),
    ("&seg0=0&ts0=1&d0=_w..", "a message is no base64 of UTF-8"),
    ("&seg0=x&ts0=1&d0=aa", "seg0, ts0 and d0 are no segment"),
    ("&seg0=5000&ts0=1&d0=aa", "segment 5000 is far ahead of 0"),
  ])
  func `what is no message ends the session`(rest: String, reason: String) throws {
    var table = Table()
    var page = try Page(&table)
    let answer = table.ask("GET", page.url() + rest)

    #expect(answer?.text.hasSuffix("pLPCommand(\"close\");\n") == true)
    #expect(table.effects.contains(.reportProblem(reason, connection: 1)))
    #expect(table.live.connectionCount == 0)
  }

  @Test func `messages and sessions have their bounds`() throws {
    var bounds = ResourceLimits()
    (bounds.message, bounds.sessions) = (100, 1)
    var table = Table(LiveServerSettings(bounds: bounds))
    var page = try Page(&table)

    #expect(table.ask("GET", "/.lp?start=t&cb=1&v=5")?.status == 503)
    let long =
      #"{"t":"d","d":{"r":1,"a":"p","b":{"p":"/a","d":"\#(String(repeating: "x", count: 200))"}}}"#
    _ = table.ask("GET", page.url(long))
    #expect(
      table.effects.contains(
        .reportProblem("a message is longer than 100 bytes", connection: 1)))
  }

  @Test func `the name of a callback is an identifier`() {
    var table = Table()

    #expect(
      table.ask("GET", "/.lp?start=t&cb=a%22;alert(1)&v=5")?.text
        == "{\"error\":\"cb is no identifier: letters and digits only\"}\n")
    #expect(table.live.connectionCount == 0)
  }

  @Test func `a key that scripts read in another way arrives as it is`() throws {
    var table = Table()
    var page = try Page(&table)
    let put = #"{"t":"d","d":{"r":1,"a":"p","b":{"p":"/a","d":{"__proto__":1}}}}"#
    _ = table.ask("GET", page.url(put))
    let script = table.ask("GET", page.url(Self.listen))?.text ?? ""

    #expect(script.contains(#"JSON.parse("[{\"#))
    #expect(script.contains(#"\"__proto__\":1"#))
  }
}

extension LongPollTests {
  private func webSocket(_ table: inout Table, _ session: String) -> Socket {
    table.connect("s=" + session)
  }

  @Test func `a session goes over to a WebSocket, and nothing is lost or repeated`() throws {
    var table = Table()
    var page = try Page(&table)
    let poll = table.socket()
    table.begin("GET", page.url(), on: poll)
    let socket = webSocket(&table, "session1")
    #expect(table.received(socket) == [Self.take])

    table.say(Self.ping, over: socket)
    #expect(table.received(socket) == [#"{"t":"c","d":{"t":"o","d":{}}}"#])
    // What comes here before the last request waits for it.
    table.say(Self.take, Self.listen, over: socket)
    page.take(table.answer(to: poll))
    #expect(page.messages.last?.text == Self.end)
    #expect(table.received(socket).isEmpty)

    let last = table.ask("GET", page.url(Self.put, Self.end))
    #expect(last?.text == "pRTLPCB(2,[]);\npLPCommand(\"close\");\n")
    let received = table.received(socket)
    #expect(received.count == 3)
    #expect(received.first?.contains(#""r":1"#) == true)
    #expect(received.last?.contains(#""r":2"#) == true)
    #expect(table.live.connectionCount == 1)
    table.perform { $0.closed(socket) }
    #expect(table.live.connectionCount == 0)
  }

  @Test func `the client's last request may come first`() throws {
    var table = Table()
    var page = try Page(&table)
    let socket = webSocket(&table, "session1")
    let poll = table.socket()
    table.begin("GET", page.url(Self.end), on: poll)
    table.say(Self.take, over: socket)

    page.take(table.answer(to: poll))
    #expect(page.messages.last?.text == Self.end)
    table.say(Self.ping, over: socket)
    #expect(table.received(socket) == [Self.take, #"{"t":"c","d":{"t":"o","d":{}}}"#])
  }

  @Test func `a WebSocket that names no session by requests is reset`() {
    var table = Table()
    _ = table.connect()
    let socket = webSocket(&table, "session1")

    #expect(
      table.received(socket) == [
        #"{"t":"c","d":{"t":"r","d":"here:9000"}}"#, "closed 1000 there is no such session",
      ])
  }

  @Test func `a WebSocket that is lost before it takes over changes nothing`() throws {
    var table = Table()
    var page = try Page(&table)
    let socket = webSocket(&table, "session1")
    table.perform { $0.closed(socket) }
    page.take(table.ask("GET", page.url(Self.put)))
    #expect(page.messages.last?["d"]?["r"] == 1)

    let other = webSocket(&table, "session1")
    table.say(Self.take, over: other)
    table.perform { $0.closed(other) }
    #expect(table.live.connectionCount == 0)
  }
}
