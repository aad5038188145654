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

  static let noData = [
    #"{".info":1}"#, #"{".sv":"foo"}"#, #"{".x":1,"b":2}"#, #"{".value":1,"a":2}"#,
    #"{"a":{".value":{"x":1}}}"#, #"[{".sv":1}]"#, #""12345678901""#, #"{"a":{"b":"12345678901"}}"#,
  ]

  @Test(arguments: noData, [nil, 10])
  func `what can be no data changes nothing, by whatever way it comes`(
    data: String, large: Int?
  ) throws {
    var settings = LiveServerSettings(data: Node(json: ["keep": 1]))
    settings.bounds.text = 10
    settings.largeMessage = large
    var table = Table(settings)
    let socket = table.greeted()
    table.say(
      #"{"t":"d","d":{"r":1,"a":"p","b":{"p":"/","d":\#(data)}}}"#,
      #"{"t":"d","d":{"r":2,"a":"m","b":{"p":"/","d":{"keep":\#(data)}}}}"#,
      #"{"t":"d","d":{"r":3,"a":"o","b":{"p":"/","d":\#(data)}}}"#,
      #"{"t":"d","d":{"r":4,"a":"om","b":{"p":"/","d":{"keep":\#(data)}}}}"#, over: socket)
    table.finishWork()
    let answers = table.received(socket)
    table.begin("PUT", "/.json", data, on: table.socket())
    table.begin("PATCH", "/.json", #"{"keep":\#(data)}"#, on: table.socket())
    table.finishWork()
    let statuses = table.effects.compactMap { effect -> Int? in
      if case let .respond(_, response) = effect { response.status } else { nil }
    }
    table.perform { $0.closed(socket) }

    #expect(answers.map { $0.contains(#""s":"failure""#) } == [true, true, true, true])
    #expect(statuses == [400, 400])
    #expect(table.live.server(of: "default")?.tree == Node(json: ["keep": 1]))
  }

  @Test func `a placeholder may have a priority`() {
    var table = Table()
    let data = #"{".value":{".sv":"timestamp"},".priority":7}"#

    #expect(table.ask("PUT", "/a.json", data)?.status == 200)
    #expect(table.live.server(of: "default")?.tree[Path("a")].priority == .number(7))
  }

  @Test func `a POST with a condition is refused`() {
    var table = Table()

    #expect(table.ask("POST", "/a.json", "1", ["if-match": "x"])?.status == 400)
    #expect(table.live.server(of: "default")?.tree == .empty)
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
