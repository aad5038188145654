import ClientInterface
import Faults
import LiveServer
import ReferenceServer
import Testing
import Tree

/// Streams of events.
@Suite struct EventStreamTests {
  private static let accept = ["accept": "text/event-stream"]

  private func put(_ path: String, _ data: String) -> String {
    "event: put\ndata: {\"path\":\"\(path)\",\"data\":\(data)}\n\n"
  }

  @Test func `a stream begins with what is there, even nothing, and goes on with changes`() {
    var table = Table()
    let stream = table.socket()
    table.begin("GET", "/a.json", "", Self.accept, on: stream)
    #expect(table.received(stream).last == put("/", "null"))

    _ = table.ask("PUT", "/a/x.json", "1")
    _ = table.ask("PATCH", "/a.json", #"{"y":2,"z/z":3}"#)
    _ = table.ask("PUT", "/a/.priority.json", "3")
    _ = table.ask("DELETE", "/.json")

    #expect(
      table.received(stream) == [
        put("/x", "1"), "event: patch\ndata: {\"path\":\"/\",\"data\":{\"y\":2,\"z/z\":3}}\n\n",
        put("/", "null"),
      ])
  }

  @Test func `a stream of a query has its window`() throws {
    var table = try Table(data: #"{"a":{"x":1,"y":2}}"#)
    let stream = table.socket()
    table.begin(
      "GET", #"/a.json?orderBy="$key"&limitToFirst=1"#, "", Self.accept, on: stream)
    #expect(table.received(stream).last == put("/", #"{"x":1}"#))

    _ = table.ask("DELETE", "/a/x.json")

    #expect(
      table.received(stream) == [
        "event: patch\ndata: {\"path\":\"/\",\"data\":{\"x\":null,\"y\":2}}\n\n"
      ])
  }

  @Test func `a stream with priorities shows them`() {
    var table = Table()
    let stream = table.socket()
    table.begin("GET", "/a.json?format=export", "", Self.accept, on: stream)
    _ = table.ask("PUT", "/a.json", #"{"x":1}"#)
    _ = table.received(stream)

    _ = table.ask("PUT", "/a/.priority.json", "3")

    #expect(table.received(stream) == [put("/.priority", "3")])
  }

  @Test func `a silent stream shows that it is alive every thirty seconds`() {
    var table = Table()
    let stream = table.socket()
    table.begin("GET", "/a.json", "", Self.accept, on: stream)
    _ = table.received(stream)

    for _ in 0..<61 {
      table.now = table.now + .seconds(1)
      table.perform { $0.tick() }
    }

    #expect(
      table.received(stream) == Array(repeating: "event: keep-alive\ndata: null\n\n", count: 2))
  }

  @Test func `who may not read gets an answer and no stream`() {
    var table = Table(LiveServerSettings(security: [SecurityRule("a", deny: [.read])]))

    #expect(table.ask("GET", "/a.json", "", Self.accept)?.status == 401)
    #expect(table.ask("GET", "/a.json?orderBy=x", "", Self.accept)?.status == 400)
    #expect(table.live.connectionCount == 0)
  }

  @Test func `a closed stream is forgotten`() {
    var table = Table()
    let stream = table.socket()
    table.begin("GET", "/a.json", "", Self.accept, on: stream)

    table.perform { $0.closed(stream) }

    #expect(table.live.connectionCount == 0)
    #expect(table.live.server(of: "default")?.openConnections == [])
  }
}
