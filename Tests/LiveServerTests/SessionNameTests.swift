import ClientInterface
import LiveServer
import Testing
import Trace

/// Who is taken for whom.
@Suite struct SessionNameTests {
  @Test func `a session of an earlier start is not one of this one`() {
    var settings = LiveServerSettings()
    settings.sessionSuffix = "-new"
    var table = Table(settings)
    let first = table.connect()
    #expect(table.received(first).first?.contains(#""s":"session1-new""#) == true)

    let second = table.connect("ls=session1-old")
    #expect(table.live.connectionCount == 2)
    #expect(!table.received(second).contains { $0.contains("note") })
    _ = table.connect("ls=session1-new")
    #expect(table.live.connectionCount == 2)
    #expect(table.received(first) == ["closed 1000 the client has connected again"])
  }

  @Test func `a client without a session is no client that came before`() {
    var net = Net()
    net.connect("x", isNamed: false)
    net.leave("x")
    net.connect("y", isNamed: false)
    net.connect("x", .segments, "ls=session1", isNamed: false)

    #expect((1...3).map { net.live.client(of: $0)?.number } == [0, 1, 0])
    #expect(net.live.clients == ["client-1", "client-2"])
  }

  @Test func `healing spares clients to come`() throws {
    var net = Net()
    var effects: [Effect] = []
    let cut = HTTPRequest("POST", "/faults", body: Array(#"{"network.cut":"any"}"#.utf8))
    #expect(net.live.perform(at: net.now, into: &effects) { $0.control(cut) }.status == 200)
    let isRefused = !net.connect("x", isNamed: false)
    #expect(isRefused)
    _ = net.live.perform(at: net.now, into: &effects) { $0.control(HTTPRequest("POST", "/heal")) }

    let isConnected = net.connect("x", isNamed: false)
    let isAnswered = net.ask("GET", "/a.json") != nil
    #expect(isConnected && isAnswered)
  }

  @Test(arguments: [
    ("demo.wilddogio.com:9000", "demo"), ("Other.wilddogio.com", "other"),
    ("demo.localhost:9", "demo"),
    ("127.0.0.1:9000", "default"), ("localhost", "default"), ("example.com", "default"),
  ])
  func `the first part of a host is the namespace`(host: String, namespace: String) {
    var table = Table()
    _ = table.ask("PUT", "/a.json", "1", ["host": host])

    #expect(table.live.server(of: namespace) != nil)
  }

  @Test(arguments: [("cross-site", 403), ("same-site", 403), ("same-origin", 200), ("none", 200)])
  func `pages of other sites get nothing, also without an origin`(site: String, status: Int) throws
  {
    var table = try Watching()
    let answer = table.ask("GET", "/", "", ["host": "localhost:9", "sec-fetch-site": site])

    #expect(answer?.status == status)
    if status == 403 {
      #expect(
        answer?.text
          == "{\"error\":\"pages of another site may not do this (sec-fetch-site: \(site))\"}\n")
    }
  }
}
