import LiveServer
import ReferenceServer
import Testing
import Tree
import Wire

/// The Firebase framing, frame by frame.
@Suite struct SegmentFramingTests {
  private static let hello =
    #"{"t":"c","d":{"t":"h","d":{"ts":1480000000000,"v":"5","h":"here:9000","s":"session1"}}}"#

  @Test func `the first message is the hello, with the host under which the client came`() {
    var table = Table()
    let alice = table.connect("v=5", "ns=demo")

    #expect(table.received(alice) == [Self.hello])
  }

  @Test func `a listen is told its data, then answered`() throws {
    var table = try Table(data: #"{"a":{"x":1}}"#)
    let alice = table.greeted()

    table.say(#"{"t":"d","d":{"r":1,"a":"q","b":{"p":"/a","h":""}}}"#, over: alice)

    #expect(
      table.received(alice) == [
        #"{"t":"d","d":{"a":"d","b":{"p":"a","d":{"x":1}}}}"#,
        #"{"t":"d","d":{"r":1,"b":{"s":"ok","d":{}}}}"#,
      ])
  }

  @Test func `messages go in the form of the settings`() throws {
    var settings = LiveServerSettings(data: Node(json: ["x": 1]))
    settings.form = .whole
    var table = Table(settings)
    let alice = table.connect()
    table.say(#"{"t":"d","d":{"r":1,"a":"q","b":{"p":"/","h":""}}}"#, over: alice)
    _ = table.received(alice)

    table.say(#"{"t":"d","d":{"r":2,"a":"p","b":{"p":"/y","d":2}}}"#, over: alice)

    #expect(
      table.received(alice).first == #"{"t":"d","d":{"a":"d","b":{"p":"","d":{"x":1,"y":2}}}}"#)
  }

  @Test func `keep-alives are not answered, and pings are`() {
    var table = Table()
    let alice = table.greeted()

    table.say("0", "0", #"{"t":"c","d":{"t":"p","d":{}}}"#, over: alice)

    #expect(table.received(alice) == [#"{"t":"c","d":{"t":"o","d":{}}}"#])
  }

  @Test func `long messages go in segments both ways`() {
    var table = Table()
    let alice = table.greeted()
    let text = String(repeating: "é", count: 40_000)
    let put = #"{"t":"d","d":{"r":1,"a":"p","b":{"p":"/a","d":""# + text + #""}}}"#

    for frame in Segments.frames(of: put) { table.say(frame, over: alice) }
    table.say(#"{"t":"d","d":{"r":2,"a":"g","b":{"p":"/a","q":{}}}}"#, over: alice)
    let received = table.received(alice)

    let segments = Array(received.dropFirst(2))
    #expect(received.prefix(2) == [#"{"t":"d","d":{"r":1,"b":{"s":"ok","d":{}}}}"#, "3"])
    #expect(segments.allSatisfy { $0.utf16.count <= 16384 })
    let whole = segments.joined()
    #expect(whole == #"{"t":"d","d":{"r":2,"b":{"s":"ok","d":""# + text + #""}}}"#)
  }

  @Test func `namespaces have nothing in common`() {
    var table = Table()
    let (alice, bob) = (table.connect("ns=one"), table.connect("ns=two"))
    table.say(#"{"t":"d","d":{"r":1,"a":"q","b":{"p":"/","h":""}}}"#, over: bob)
    _ = table.received(bob)

    table.say(#"{"t":"d","d":{"r":1,"a":"p","b":{"p":"/a","d":1}}}"#, over: alice)

    #expect(table.received(bob) == [])
    #expect(table.live.server(of: "one")?.tree.json.text == #"{"a":1}"#)
    #expect(table.live.server(of: "two")?.tree.json.text == "null")
  }

  @Test func `who connects again and names the last session ends it`() {
    var table = Table()
    let first = table.connect()
    table.say(#"{"t":"d","d":{"r":1,"a":"o","b":{"p":"/gone","d":true}}}"#, over: first)
    _ = table.received(first)

    let second = table.connect("ls=session1")

    #expect(table.received(first) == ["closed 1000 the client has connected again"])
    #expect(table.received(second).count == 1)
    #expect(table.live.server(of: "default")?.tree.json.text == #"{"gone":true}"#)
  }

  @Test func `a closed socket carries out what it left`() {
    var table = Table()
    let alice = table.connect()
    table.say(#"{"t":"d","d":{"r":1,"a":"o","b":{"p":"/gone","d":true}}}"#, over: alice)

    table.perform { $0.closed(alice) }

    #expect(table.live.connectionCount == 0)
    #expect(table.live.server(of: "default")?.tree.json.text == #"{"gone":true}"#)
  }

  @Test(arguments: [
    (#"{"t":"d""#, "closed 1007 a message is no JSON: 1:9"),
    ("[1]", "closed 1008 the client sent a message the protocol does not allow: the message is"),
    (#"{"t":"c","d":{"t":"h"}}"#, "closed 1008 the client sent a message the protocol does not"),
  ])
  func `what the protocol does not allow closes the connection`(frame: String, goodbye: String) {
    var table = Table()
    let alice = table.greeted()

    table.say(frame, over: alice)

    #expect(table.received(alice).first?.hasPrefix(goodbye) == true)
    #expect(table.live.connectionCount == 0)
    #expect(table.effects.count == 1)
  }

  @Test func `a binary frame closes the connection`() {
    var table = Table()
    let alice = table.greeted()

    table.perform { $0.receiveBinary(from: alice) }

    #expect(table.received(alice) == ["closed 1003 a binary frame; messages are text"])
  }

  @Test func `a message that is too long closes the connection, whatever count is in front`() {
    var settings = LiveServerSettings()
    settings.bounds.message = 1000
    var table = Table(settings)
    let (alice, bob) = (table.greeted(), table.greeted())

    table.say("99999", over: alice)
    for _ in 0..<40 { table.say("", over: alice) }
    table.say(String(repeating: "x", count: 1001), over: bob)

    #expect(table.received(alice) == ["closed 1009 a message is longer than 1000 bytes"])
    #expect(table.received(bob) == ["closed 1009 a message is longer than 1000 bytes"])
  }

  @Test func `a request about the application is believed`() {
    var table = Table()
    let alice = table.greeted()

    table.say(#"{"t":"d","d":{"r":1,"a":"appcheck","b":{"token":"x"}}}"#, over: alice)

    #expect(table.received(alice) == [#"{"t":"d","d":{"r":1,"b":{"s":"ok","d":""}}}"#])
  }

  @Test func `messages that many clients leave incomplete have a bound together`() {
    var bounds = ResourceLimits()
    bounds.assembling = 1000
    var table = Table(LiveServerSettings(bounds: bounds))
    let (small, large) = (table.greeted(), table.greeted())
    table.say("9", "x", over: small)
    for _ in 0..<20 { table.say("99", "x", over: large) }
    table.say("{}", over: small)

    #expect(
      table.received(large)
        == ["closed 1013 the server has too many messages of which parts are missing"])
    #expect(table.received(small).isEmpty)

    let next = table.greeted()
    table.say("2", String(repeating: " ", count: 600), "0", over: next)
    #expect(table.received(next).first?.hasPrefix("closed 1008") == true)
  }

  @Test func `many parts of a message cost no more than few`() {
    var table = Table()
    let alice = table.greeted()
    // What is copied for each part takes minutes here.
    table.say("60000", over: alice)
    let part = "x"
    for _ in 0..<60_000 { table.say(part, over: alice) }
    #expect(table.received(alice).first?.hasPrefix("closed 1007 a message is no JSON") == true)
  }
}
