import Faults
import LiveServer
import ReferenceServer
import Testing
import Tree

/// Requests of the protocol that are not done, and those of an administrator.
@Suite struct RequestTests {
  private func answer(
    to action: String, _ body: String, _ settings: LiveServerSettings = LiveServerSettings()
  )
    -> String?
  {
    var table = Table(settings)
    let alice = table.greeted()
    table.say(#"{"t":"d","d":{"r":1,"a":""# + action + #"","b":"# + body + "}}", over: alice)
    return table.received(alice).last
  }

  @Test(arguments: [
    ("p", #"{"p":"/a.b","d":1}"#, #"key \"a.b\" contains \".\"; keys may not contain . # $ [ ] /"#),
    ("p", #"{"p":"/.info/x","d":1}"#, "/.info/x is of the client and never sent"),
    (
      "p", #"{"p":"/a/.priority","d":true}"#,
      "the priority at /a/.priority is no number and no string"
    ),
    (
      "m", #"{"p":"/","d":{"a":1,"a/b":2}}"#,
      "/a and /a/b are written in one update, and one is inside the other"
    ),
    (
      "q", #"{"p":"/a#","h":""}"#, ##"key \"a#\" contains \"#\"; keys may not contain . # $ [ ] /"##
    ),
    ("g", #"{"p":"/a[","q":{}}"#, #"key \"a[\" contains \"[\"; keys may not contain . # $ [ ] /"#),
  ])
  func `what the database does not store is not done`(
    action: String, body: String, reason: String
  ) {
    #expect(
      answer(to: action, body)
        == #"{"t":"d","d":{"r":1,"b":{"s":"failure","d":""# + reason + #""}}}"#)
  }

  @Test func `a connection has only so many listens and writes for its end`() {
    var settings = LiveServerSettings()
    (settings.bounds.listens, settings.bounds.onDisconnects) = (0, 0)

    #expect(
      answer(to: "q", #"{"p":"/a","h":""}"#, settings)
        == #"{"t":"d","d":{"r":1,"b":{"s":"failure","d":"a connection has at most 0 listens"}}}"#)
    #expect(
      answer(to: "o", #"{"p":"/a","d":1}"#, settings)
        == #"{"t":"d","d":{"r":1,"b":{"s":"failure","d":"#
        + #""a connection leaves at most 0 writes for its end"}}}"#)
  }

  @Test func `the administrator is bound by no rule, and everybody else is`() {
    let rule = SecurityRule("a", deny: [.read, .write])
    var table = Table(LiveServerSettings(security: [rule]))
    let (alice, bob) = (table.connect(), table.connect())
    table.say(#"{"t":"d","d":{"r":1,"a":"gauth","b":{"cred":"owner"}}}"#, over: alice)
    _ = (table.received(alice), table.received(bob))

    for socket in [bob, alice] {
      table.say(#"{"t":"d","d":{"r":2,"a":"p","b":{"p":"/a","d":1}}}"#, over: socket)
    }

    #expect(
      table.received(bob) == [
        #"{"t":"d","d":{"r":2,"b":{"s":"permission_denied","d":"Permission denied"}}}"#
      ])
    #expect(table.received(alice) == [#"{"t":"d","d":{"r":2,"b":{"s":"ok","d":{}}}}"#])
  }

  @Test func `there are only so many namespaces, and their names are names`() {
    var settings = LiveServerSettings()
    settings.bounds.namespaces = 1
    var table = Table(settings)
    _ = table.connect("ns=one")

    for name in ["two", "a/b", "a b"] {
      let request = HTTPRequest("GET", "/.ws", [.init("ns", name)])
      let refusal = table.live.refusal(ofSocketFor: request)
      #expect(refusal?.status == 404)
      #expect(
        refusal?.text
          == "{\"error\":\"\\\"\(name)\\\" is no namespace here: the name is not allowed, or there are"
          + " too many\"}\n")
    }
  }

  @Test func `what was only looked at takes nobody's namespace away`() {
    var settings = LiveServerSettings(data: Node(json: ["a": 1]))
    settings.bounds.namespaces = 2
    var table = Table(settings)
    _ = table.connect("ns=used")
    #expect(table.ask("PUT", "/b.json?ns=written", "1")?.status == 200)
    #expect(table.ask("GET", "/a.json?ns=third")?.status == 404)

    #expect(table.ask("DELETE", "/b.json?ns=written")?.status == 200)
    for number in 0..<5 { #expect(table.ask("GET", "/a.json?ns=g\(number)")?.text == "1\n") }

    #expect(table.live.namespaceNames == ["g4", "used"])
    #expect(table.ask("PUT", "/b.json?ns=g4", "1")?.status == 200)
    #expect(table.ask("GET", "/a.json")?.text == "1\n")
    #expect(table.live.namespaceNames == ["default", "g4", "used"])
  }

  @Test func `WebSockets are at one location only`() {
    var table = Table()

    #expect(
      table.live.refusal(ofSocketFor: HTTPRequest("GET", "/ws"))?.text
        == "{\"error\":\"WebSockets are at /.ws; /ws is none\"}\n")
  }

  @Test func `a host below localhost names a namespace`() {
    var table = Table()
    let request = HTTPRequest(
      "PUT", "/a.json", headers: ["host": "demo.localhost:9000"], body: Array("1".utf8))

    let socket = table.socket()
    table.perform { $0.handle(request, from: socket) }

    #expect(table.live.server(of: "demo")?.tree.json.text == #"{"a":1}"#)
  }

  @Test func `recordings get every message without its framing`() {
    var table = Table(LiveServerSettings(isRecorded: true))
    let alice = table.connect("ns=demo")
    table.say("2", #"{"t":"c","d":"#, #"{"t":"p","d":{}}}"#, over: alice)
    table.perform { $0.shutDown() }

    let records = table.effects.compactMap { effect -> String? in
      guard case let .record(record, 1) = effect else { return nil }
      if case let .opened(opening) = record { return "opened in \(opening.namespace)" }
      return "\(record)"
    }
    #expect(records.count == 5)
    #expect(records[0] == "opened in demo")
    #expect(records[2] == #"sent("{\"t\":\"c\",\"d\":{\"t\":\"p\",\"d\":{}}}")"#)
    #expect(records[3] == #"received("{\"t\":\"c\",\"d\":{\"t\":\"o\",\"d\":{}}}")"#)
    #expect(records[4].contains("server"))
    #expect(table.received(alice).last == "closed 1001 the server stops")
  }
}
