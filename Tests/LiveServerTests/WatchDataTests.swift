import ClientInterface
import Document
import Faults
import LiveServer
import Testing
import Trace
import Tree

/// Who is connected, and what is stored, as the page is told it.
@Suite struct WatchDataTests {
  private func members(_ json: JSON?, _ names: String...) -> String {
    JSON.object(names.compactMap { name in json?[name].map { JSON.Member(name, $0) } }).text
  }

  private func overview(_ table: inout Watching) throws -> JSON {
    try JSON(parsing: table.ask("GET", "/.kennel/connections")?.body ?? [])
  }

  @Test func `a connection is told with what went over it and what it holds`() throws {
    var table = try Watching()
    let alice = table.connect("ns=demo")
    table.say(
      frame(1, "q", #"{"p":"/a","q":{"l":1,"vf":"l","i":".key"},"t":1,"h":""}"#),
      frame(2, "o", #"{"p":"/b","d":{"x":1}}"#), frame(3, "om", #"{"p":"/c","d":{"y":2}}"#),
      frame(4, "auth", #"{"cred":"owner"}"#), frame(4, "s", "{\"c\":{}}"), over: alice)
    table.now = table.now + .seconds(3)
    let found = try overview(&table)
    let one = found["connections"]?.elements?.first

    #expect(
      members(found, "time", "namespaces", "count")
        == #"{"time":1480000003000,"namespaces":["demo"],"count":1}"#)
    #expect(
      members(one, "connection", "namespace", "dialect", "carrier", "since", "user")
        == #"{"connection":1,"namespace":"demo","dialect":"firebase","carrier":"websocket","#
        + #""since":1480000000000,"user":"owner"}"#)
    #expect(one?["fromClient"]?["messages"]?.integer == 5)
    #expect(one?["toClient"]?["messages"]?.integer == 6)
    #expect((one?["fromClient"]?["bytes"]?.integer ?? 0) > 200)
    #expect(
      members(one, "listenCount", "listens", "onDisconnectCount", "onDisconnects")
        == #"{"listenCount":1,"listens":[{"path":"/a","query":{"l":1,"vf":"l","i":".key"},"#
        + #""text":"/a orderBy=.key limitToFirst=1"}],"onDisconnectCount":2,"#
        + #""onDisconnects":["put /b {\"x\":1}","merge /c {\"y\":2}"]}"#)
    #expect(one?["findingCount"]?.integer == 1)
    #expect(one?["findings"]?.elements?.first?.string?.hasSuffix("(WIR-12)") == true)
  }

  @Test func `what has ended is remembered for a while, and not for ever`() throws {
    var table = try Watching()
    for _ in 0..<60 { table.close(table.connect()) }
    var found = try overview(&table)

    #expect(found["count"]?.integer == 0)
    #expect(found["ended"]?.elements?.count == 50)
    #expect(
      members(found["ended"]?.elements?.first, "connection", "end")
        == #"{"connection":60,"end":1480000000000}"#)
    table.flush(after: .seconds(61))
    found = try overview(&table)
    #expect(found["ended"]?.elements?.count == 0)
  }

  @Test func `the page is told of so many connections, and control of all`() throws {
    var table = try Watching(hasControl: true)
    for _ in 0..<210 { _ = table.connect() }
    let found = try overview(&table)
    let all = try JSON(parsing: table.ask("GET", "/connections", byControl: true)?.body ?? [])

    #expect(found["count"]?.integer == 210)
    #expect(found["connections"]?.elements?.count == 200)
    #expect(all.elements?.count == 210)
    #expect(
      members(all.elements?.last, "connection", "carrier")
        == #"{"connection":210,"carrier":"websocket"}"#)
  }

  @Test func `what a fault keeps from the server is unanswered`() throws {
    var table = try Watching()
    let alice = table.connect("client=alice")
    table.fault(.stall(ClientIndex(0), .toServer))
    table.say(frame(1, "p", #"{"p":"/a","d":1}"#), over: alice)
    var one = try overview(&table)["connections"]?.elements?.first
    #expect(
      members(one, "client", "unansweredCount", "unanswered")
        == #"{"client":"alice","unansweredCount":1,"unanswered":["put /a, request 1"]}"#)
    table.fault(.resume(ClientIndex(0), .toServer))
    one = try overview(&table)["connections"]?.elements?.first
    #expect(
      members(one, "unansweredCount", "unanswered") == #"{"unansweredCount":0,"unanswered":[]}"#)
    table.close(alice)
    #expect(try overview(&table)["ended"]?.elements?.first?["client"] == "alice")
  }

  // MARK: Data

  private func tree(_ table: inout Watching, _ locations: String) throws -> [JSON] {
    let body = #"{"namespace":"default","places":[\#(locations)]}"#
    let answer = table.ask("POST", "/.kennel/tree", body)
    return try JSON(parsing: answer?.body ?? [])["places"]?.elements ?? []
  }

  /// Without the marks, which are numbers that say nothing.
  private func withoutMarks(_ json: JSON) -> JSON {
    if let elements = json.elements { return .array(elements.map(withoutMarks)) }
    guard let members = json.members else { return json }
    return .object(
      members.filter { $0.name != "mark" }.map { JSON.Member($0.name, withoutMarks($0.value)) })
  }

  @Test func `places are told with their children, and those without what is below`() throws {
    var table = try Watching(
      data: #"{"a":{"b":1,"c":{"d":{"e":2}},".priority":"p"},"s":{".value":"x",".priority":3}}"#)
    let found = try tree(&table, #"{"path":"/"},{"path":"/a"},{"path":"/s"},{"path":"/no"}"#)

    #expect(
      found.map { withoutMarks($0).text } == [
        #"{"path":"/","count":2,"children":[{"key":"a","count":2,"priority":"p"},"#
          + #"{"key":"s","value":"x","priority":3}]}"#,
        #"{"path":"/a","count":2,"priority":"p","children":[{"key":"b","value":1},"#
          + #"{"key":"c","count":1}]}"#,
        #"{"path":"/s","value":"x","priority":3,"children":[]}"#,
        #"{"path":"/no","count":0,"children":[]}"#,
      ])
  }

  @Test func `a location that is as it was is not told again`() throws {
    var table = try Watching(data: #"{"a":{"b":1}}"#)
    let first = try tree(&table, #"{"path":"/a"}"#)
    let mark = try #require(first.first?["mark"]?.string)
    let known = #"{"path":"/a","mark":"\#(mark)"}"#

    #expect(try tree(&table, known).map(\.text) == [#"{"path":"/a","isSame":true}"#])
    _ = table.ask("PUT", "/a/b.json", "2")
    #expect(try tree(&table, known).first?["children"]?.elements?.first?["value"] == 2)
  }

  @Test func `of many children a bounded part is told, from any of them on`() throws {
    let many = (0..<1000).map { "\"k\($0 + 1000)\":\($0)" }.joined(separator: ",")
    var table = try Watching(data: "{\(many)}")
    let found = try tree(
      &table,
      #"{"path":"/"},{"path":"/","limit":9999},{"path":"/","after":"k1499","limit":2},"#
        + #"{"path":"/","limit":-1}"#)

    #expect(found.map { $0["children"]?.elements?.count ?? -1 } == [100, 500, 2, 0])
    #expect(found.map { $0["count"]?.integer ?? -1 } == [1000, 1000, 1000, 1000])
    #expect(found[2]["children"]?.elements?.map { $0["key"]?.string } == ["k1500", "k1501"])
    #expect(found[2]["after"]?.string == "k1499")
  }

  @Test func `a long text is cut, and its length told`() throws {
    var table = try Watching(data: "{\"a\":\"\(String(repeating: "é", count: 600))\"}")
    let one = try tree(&table, #"{"path":"/"}"#).first?["children"]?.elements?.first

    #expect(one?["length"]?.integer == 600)
    #expect(one?["value"]?.string == String(repeating: "é", count: 500) + "…")
  }

  @Test func `what asks for no places is refused`() throws {
    var table = try Watching()
    let words =
      "{\"error\":\"expected {\\\"namespace\\\": NAME, \\\"places\\\": [{\\\"path\\\": PATH}]} with"
      + " at most 100 locations\"}\n"
    let many = (0..<101).map { _ in "{}" }.joined(separator: ",")

    for body in [
      "", "{", "[]", #"{"namespace":"a"}"#, #"{"places":[]}"#,
      #"{"namespace":"a","places":[\#(many)]}"#,
    ] {
      let answer = table.ask("POST", "/.kennel/tree", body)
      #expect(answer?.status == 400)
      #expect(answer?.text == words)
    }
  }

  @Test func `looking at a namespace does not begin it`() throws {
    var table = try Watching(data: #"{"a":1}"#)

    #expect(try tree(&table, #"{"path":"/"}"#).first?["count"]?.integer == 1)
    #expect(try overview(&table)["namespaces"]?.text == "[]")
  }
}
