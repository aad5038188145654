import LiveServer
import ReferenceServer
import Testing
import Tree

/// How much a namespace stores at most.
@Suite struct StorageTests {
  private func table(limit: Int) -> Table {
    var settings = LiveServerSettings()
    settings.bounds.stored = limit
    return Table(settings)
  }

  @Test func `beyond the limit nothing is stored, until something is removed`() {
    var table = table(limit: 1000)
    let value = "\"\(String(repeating: "x", count: 300))\""
    for name in ["a", "b", "c"] {
      #expect(table.ask("PUT", "/\(name).json", value)?.status == 200)
    }

    let refused = table.ask("PUT", "/d.json", value)

    #expect(refused?.status == 413)
    #expect(
      refused?.text
        == "{\"error\":\"a namespace stores at most 1000 bytes; remove something first\"}\n")
    #expect(table.live.server(of: "default")?.tree.children.count == 3)
    #expect(table.ask("DELETE", "/a.json")?.status == 200)
    #expect(table.ask("PUT", "/d.json", value)?.status == 200)
    #expect(table.ask("PUT", "/d.json?ns=other", value)?.status == 200)
  }

  @Test func `what is overwritten does not count for ever`() {
    var table = table(limit: 1000)
    let value = "\"\(String(repeating: "x", count: 300))\""

    for _ in 0..<20 { #expect(table.ask("PUT", "/a.json", value)?.status == 200) }
  }

  @Test func `over a WebSocket the answer is a failure`() {
    var table = table(limit: 100)
    let socket = table.greeted()
    let value = String(repeating: "x", count: 200)

    table.say(
      #"{"t":"d","d":{"r":1,"a":"p","b":{"p":"/a","d":"\#(value)"}}}"#,
      #"{"t":"d","d":{"r":2,"a":"m","b":{"p":"/a","d":{"x":"\#(value)"}}}}"#, over: socket)

    #expect(
      table.received(socket).map { $0.contains(#""s":"failure""#) } == [true, true])
  }
}
