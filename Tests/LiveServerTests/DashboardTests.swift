import ClientInterface
import Faults
import LiveServer
import Testing
import Trace
import Tree

/// Who may watch, and what of the traffic they are told.
@Suite struct WatchTests {
  @Test func `the page and its files are handed out, and nothing else is there`() throws {
    var table = try Watching(
      files: [Watching.page, .init(path: "/.kennel/a.js", type: "text/javascript", bytes: [59])])
    let answer = table.ask("GET", "/")
    let page = try #require(answer)

    #expect(page.status == 200)
    #expect(page.header("Content-Type") == "text/html")
    #expect(page.header("X-Frame-Options") == "DENY")
    #expect(page.header("Access-Control-Allow-Origin") == nil)
    let policy = try #require(page.header("Content-Security-Policy"))
    #expect(policy.hasPrefix("default-src 'none'; "))
    #expect(!policy.contains("unsafe"))
    #expect(table.ask("HEAD", "/")?.body == [])
    #expect(table.ask("GET", "/.kennel/a.js")?.text == ";")
    #expect(
      table.ask("GET", "/.kennel/b.js")?.text
        == "{\"error\":\"there is nothing here; the page is at /\"}\n")
    #expect(table.ask("PUT", "/", "1")?.status == 404)
    #expect(table.ask("PUT", "/kennel.json", "1")?.status == 200)
  }

  @Test func `where there is to be no page there is none, and nothing of it`() throws {
    var table = try Watching(files: [])

    for path in ["/", "/.kennel/traffic", "/.kennel/connections"] {
      #expect(table.ask("GET", path)?.status == 404)
    }
    #expect(table.ask("POST", "/.kennel/tree", "{}")?.status == 404)
    #expect(!table.watch.isOn)
  }

  @Test(arguments: [
    "localhost", "localhost:9000", "LocalHost:9", "127.0.0.1:9000", "[::1]:9000",
    "demo.localhost:9",
  ])
  func `names that cannot lead elsewhere are answered`(host: String) throws {
    var table = try Watching()

    #expect(table.ask("GET", "/", "", ["host": host])?.status == 200)
    #expect(
      table.ask("GET", "/", "", ["host": host, "origin": "http://\(host)"])?.status == 200)
  }

  @Test(arguments: [
    "evil.test", "evil.test:9000", "localhost.evil.test", "127.0.0.1.evil.test", "notlocalhost",
    "[::2]:9000", "[::1", "127.0.0.2", "",
    "127.0.0.1:9@evil", "127.0.0.1:evil", "[::1]evil", "localhost:9000:evil",
  ])
  func `other names are refused, by either port`(host: String) throws {
    var table = try Watching(hasControl: true)
    let words =
      "{\"error\":\"\\\"\(host)\\\" is not a name of this machine; use localhost or 127.0.0.1\"}\n"

    for path in ["/", "/.kennel/traffic", "/.kennel/connections"] {
      #expect(table.ask("GET", path, "", ["host": host])?.text == words)
    }
    #expect(table.ask("POST", "/cut", "", ["host": host], byControl: true)?.text == words)
    #expect(table.ask("GET", "/traffic", "", ["host": host], byControl: true)?.status == 403)
    // Data stay open.
    #expect(table.ask("GET", "/a.json", "", ["host": host])?.status == 200)
  }

  @Test(arguments: ["http://evil.test", "http://localhost:9001", "https://localhost:9000", "null"])
  func `pages of other origins are refused, by either port`(origin: String) throws {
    var table = try Watching(hasControl: true)
    let headers = ["host": "localhost:9000", "origin": origin]
    let words =
      "{\"error\":\"pages of another origin (\(origin)) may not do this\"}\n"

    #expect(table.ask("GET", "/.kennel/traffic", "", headers)?.text == words)
    #expect(table.ask("POST", "/cut", "", headers, byControl: true)?.text == words)
    let all = headers.merging(["x-kennel-token": Watching.token]) { a, _ in a }
    #expect(table.ask("POST", "/.kennel/control/cut", "", all)?.text == words)
    #expect(table.ask("GET", "/a.json", "", headers)?.status == 200)
  }

  @Test func `the page switches faults with its token, where there is a port for control`() throws {
    var table = try Watching(hasControl: true)
    let alice = table.connect()
    let token = ["x-kennel-token": Watching.token]

    #expect(
      table.ask("POST", "/.kennel/control/cut")?.text
        == "{\"error\":\"the header x-kennel-token does not have the token of the page\"}\n")
    #expect(table.ask("POST", "/.kennel/control/cut", "", ["x-kennel-token": "x"])?.status == 403)
    #expect(!table.effects.contains(.close(alice, code: 1006, reason: "")))
    #expect(table.ask("POST", "/.kennel/control/cut", "", token)?.text == "{\"cut\":1}\n")
    #expect(table.effects.contains(.close(alice, code: 1006, reason: "")))
    table = try Watching()
    let refused = table.ask("POST", "/.kennel/control/cut", "", token)
    #expect(refused?.status == 403)
    #expect(
      refused?.text
        == "{\"error\":\"faults are switched by the port for control: start with --control P\"}\n")
  }

  @Test func `who watches is greeted with the token, and bounded in number`() throws {
    var table = try Watching(hasControl: true)
    for number in 1...16 {
      let socket = table.socket()
      table.begin(
        "GET", number % 2 == 0 ? "/traffic" : "/.kennel/traffic", byControl: number % 2 == 0,
        on: socket)
      #expect(
        table.written(to: socket)
          == "retry: 1000\nevent: hello\ndata: {\"token\":\"t0ken\",\"control\":true,"
          + "\"time\":1480000000000}\n\n")
    }

    #expect(table.ask("GET", "/.kennel/traffic")?.text == "{\"error\":\"16 watch already\"}\n")
    table.watch.closed(Socket(3))
    let socket = table.socket()
    table.begin("GET", "/.kennel/traffic", on: socket)
    #expect(table.written(to: socket).contains("hello"))
    var effects: [Effect] = []
    table.live.perform(at: table.now, into: &effects) { table.watch.shutDown(by: &$0) }
    #expect(effects.count == 16)
    #expect(effects.first == .close(Socket(1), code: 1001, reason: "the server stops"))
  }

  @Test func `what happens is told in order, with findings between`() throws {
    var table = try Watching()
    let socket = table.look()
    let alice = table.connect("ns=demo")
    table.say(
      frame(1, "q", #"{"p":"/a","h":""}"#), frame(1, "p", #"{"p":"/a","d":{"b":1}}"#), over: alice)
    table.close(alice)

    #expect(
      try table.received(socket) == [
        "open 1: websocket, firebase", "out 1: hello, version 5, session1", "in 1: listen /a",
        "out 1: ok 1 (listen /a)", "in 1: put /a {\"b\":1}",
        "finding 1: request 1, put /a, has the number of the request before it; each has a larger"
          + " number than all before it, also on a new connection (WIR-12)",
        "out 1: data /a {\"b\":1}",
        "out 1: ok 1 (put /a {\"b\":1})", "close 1: lost",
      ])
    #expect(try table.received(socket) == [])
  }

  @Test func `faults are told with whom they concern, and notes apart from findings`() throws {
    var table = try Watching()
    let socket = table.look()
    let alice = table.connect("client=alice")
    table.say(
      frame(1, "q", #"{"p":"/a","h":""}"#), frame(2, "s", #"{"c":{"x":1}}"#), over: alice)
    table.fault(.stall(ClientIndex(0), .both))

    table.flush()
    let items = try table.reported(socket)
    #expect(items.allSatisfy { $0["kind"] == "fault" || $0["client"] == "alice" }, "\(items)")
    let received = items.map(Watching.short)
    #expect(received.contains("fault: stall both ways (alice)"), "\(received)")
    #expect(
      received.contains { $0.hasPrefix("note 1: note: request 2 has statistics") }, "\(received)")
  }

  @Test func `what is asked of the page is not asked of the server`() throws {
    let table = try Watching()
    let paths = ["/", "/.kennel/traffic", "/.kennel/no", "/.kennel.json", "/a.json", "/.ws", ""]

    #expect(
      paths.map { table.watch.isAsked(by: HTTPRequest("GET", $0)) }
        == [true, true, true, false, false, false, false])
    #expect(!(try Watching(files: []).watch.isAsked(by: HTTPRequest("GET", "/"))))
  }

  @Test func `requests of REST are told with their answers, and without tokens`() throws {
    var table = try Watching()
    let socket = table.look()
    _ = table.ask("PUT", "/a/b.json?auth=owner", "[1]")
    _ = table.ask("GET", "/a.json?shallow=true")
    _ = table.ask("GET", "/a.json?auth=wrong")
    _ = table.ask("GET", "/nothing")

    #expect(
      try table.received(socket) == [
        "rest 0: PUT /a/b [1] → 200", "rest 0: GET /a?shallow=true → 200", "rest 0: GET /a → 401",
      ])
  }

  @Test func `a long message is cut, and its length told`() throws {
    var table = try Watching()
    let socket = table.look()
    let alice = table.connect()
    let text = frame(1, "p", #"{"p":"/a","d":"\#(String(repeating: "é", count: 3000))"}"#)
    table.say(text, over: alice)
    table.flush()
    let item = try #require(try table.reported(socket).first { $0["kind"]?.string == "in" })

    #expect(item["bytes"]?.integer == text.utf8.count)
    #expect(item["raw"]?.string == text.prefix(2000) + "…")
    #expect(item["text"]?.string?.count == "put /a ".count + 161)
    let long = frame(2, "p", #"{"p":"/a","d":"\#(String(repeating: "x", count: 20000))"}"#)
    table.say(long, over: alice)
    table.flush()
    let second = try #require(try table.reported(socket).first { $0["kind"]?.string == "in" })
    #expect(second["text"]?.string == long.prefix(160) + "…")
  }
}
