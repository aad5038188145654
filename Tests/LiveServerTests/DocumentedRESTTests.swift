import LiveServer
import ReferenceServer
import Testing
import Tree

/// What the documentation of REST has besides data: rules, indexes, limits, CORS.
@Suite struct DocumentedRESTTests {
  private static let administrator = "auth=owner"

  private func table(rules: String? = nil, data: String = "null") throws -> Table {
    var table = try Table(data: data)
    if let rules {
      let response = table.ask("PUT", "/.settings/rules.json?auth=owner", rules)
      #expect(response?.status == 200)
    }
    return table
  }

  private func shown(_ response: HTTPResponse?) -> String {
    "\(response?.status ?? 0) \(response?.text ?? "")"
  }

  @Test func `the administrator reads and replaces the rules`() throws {
    var table = try table()
    #expect(
      shown(table.ask("GET", "/.settings/rules.json?auth=owner"))
        == "200 {\n  \"rules\": {\n    \".read\": true,\n    \".write\": true\n  }\n}\n")

    #expect(
      shown(
        table.ask("PUT", "/.settings/rules.json?auth=owner", #"{"rules":{"a":{".read":true}}}"#))
        == "200 {\"status\":\"ok\"}\n")

    #expect(table.ask("GET", "/a/b.json")?.status == 200)
    #expect(shown(table.ask("GET", "/b.json")) == "401 {\"error\":\"Permission denied\"}\n")
    #expect(table.ask("PUT", "/a.json", "1")?.status == 401)
    #expect(table.ask("PUT", "/a.json?auth=owner", "1")?.status == 200)
    #expect(table.ask("GET", "/.settings/rules.json")?.status == 401)
    #expect(
      shown(table.ask("PUT", "/.settings/rules.json", "{}"))
        == "401 {\"error\":\"Permission denied: the rules are for the administrator\"}\n")
    #expect(
      shown(table.ask("DELETE", "/.settings/rules.json?auth=owner"))
        == "405 {\"error\":\"rules are read with GET and replaced with PUT\"}\n")
  }

  @Test func `rules with a mistake change nothing, and the mistake is located`() throws {
    var table = try table(rules: #"{"rules":{".read":true}}"#)

    #expect(
      shown(table.ask("PUT", "/.settings/rules.json?auth=owner", #"{"rules":{".read":"nwo > 1"}}"#))
        == #"400 {"error":"rules.json:1:20: .read, character 1: unknown variable \"nwo\"; did you mean"#
        + #" \"now\"?"}"# + "\n")
    #expect(table.ask("GET", "/a.json")?.status == 200)
  }

  @Test func `each namespace has rules of its own`() throws {
    var table = try table(rules: #"{"rules":{}}"#)

    #expect(table.ask("GET", "/a.json")?.status == 401)
    #expect(table.ask("GET", "/a.json?ns=other")?.status == 200)
  }

  @Test func `with rules a query needs an index`() throws {
    var table = try table(
      rules: #"{"rules":{".read":true,"a":{".indexOn":["n",".value"]}}}"#,
      data: #"{"a":{"x":{"n":1}}}"#)

    #expect(
      shown(table.ask("GET", #"/a.json?orderBy="n"&limitToFirst=1"#)) == "200 {\"x\":{\"n\":1}}\n")
    #expect(table.ask("GET", #"/a.json?orderBy="$value""#)?.status == 200)
    #expect(table.ask("GET", #"/a.json?orderBy="$key""#)?.status == 200)
    #expect(
      shown(table.ask("GET", #"/a.json?orderBy="m"&limitToFirst=1"#))
        == #"400 {"error":"Index not defined, add \".indexOn\": \"m\", for path \"/a\", to the rules"}"#
        + "\n")
    #expect(table.ask("GET", #"/b.json?orderBy="$value""#)?.status == 400)
    #expect(
      table.ask("GET", #"/a.json?orderBy="m""#, "", ["accept": "text/event-stream"])?.status == 400)
  }

  @Test func `a listen whose query lacks an index is answered with a warning`() throws {
    var table = try table(rules: #"{"rules":{".read":true,"a":{".indexOn":"n"}}}"#)
    let alice = table.greeted()
    for (number, child) in ["n", "m"].enumerated() {
      table.say(
        #"{"t":"d","d":{"r":\#(number),"a":"q","b":{"p":"/a","q":{"i":"\#(child)"},"t":\#(number + 1)"#
          + #","h":""}}}"#, over: alice)
    }

    #expect(
      table.received(alice).filter { $0.contains(#""r":"#) } == [
        #"{"t":"d","d":{"r":0,"b":{"s":"ok","d":{}}}}"#,
        #"{"t":"d","d":{"r":1,"b":{"s":"ok","d":{"w":["no_index"]}}}}"#,
      ])
  }

  @Test func `rules that are replaced end the listens that they do not allow`() throws {
    var table = try table(data: #"{"a":1,"b":2}"#)
    let alice = table.connect()
    let streams = [table.socket(), table.socket(), table.socket()]
    for (number, path) in ["/a", "/b"].enumerated() {
      table.say(
        #"{"t":"d","d":{"r":\#(number),"a":"q","b":{"p":"\#(path)","h":""}}}"#, over: alice)
      table.begin("GET", path + ".json", "", ["accept": "text/event-stream"], on: streams[number])
    }
    table.begin(
      "GET", "/a.json?auth=owner", "", ["accept": "text/event-stream"], on: streams[2])
    for socket in streams + [alice] { _ = table.received(socket) }

    let response = table.ask(
      "PUT", "/.settings/rules.json?auth=owner", #"{"rules":{"b":{".read":true}}}"#)

    #expect(response?.status == 200)
    #expect(table.received(alice) == [#"{"t":"d","d":{"a":"c","b":{"p":"a"}}}"#])
    #expect(
      table.received(streams[0]) == ["event: cancel\ndata: null\n\n", "closed 1000 cancelled"])
    #expect(table.received(streams[1]) == [])
    #expect(table.received(streams[2]) == [])
    _ = table.ask("PUT", "/b.json?auth=owner", "3")
    #expect(table.received(alice).count == 1)
  }

  @Test(
    arguments: [
      ("10s", 200), ("500ms", 200), ("15min", 200), ("0.5min", 200), ("16min", 400), ("abc", 400),
      ("10", 400), ("0s", 400), ("-1s", 400), ("", 400),
    ] as [(String, Int)])
  func `the time for a read is checked`(text: String, status: Int) throws {
    var table = try table()
    let response = table.ask("GET", "/a.json?timeout=\(text)")

    #expect(response?.status == status)
    #expect(
      status == 200
        || response?.text
          == #"{"error":"timeout must be a time up to 15min: a number with ms, s or min, such as 10s"}"#
          + "\n"
    )
  }

  @Test func `the size of a write is limited where that is asked for`() throws {
    var table = try table()
    let long = "\"\(String(repeating: "a", count: 1_000_000))\""

    #expect(table.ask("PUT", "/a.json?writeSizeLimit=tiny", "1")?.status == 200)
    #expect(
      shown(table.ask("PUT", "/a.json?writeSizeLimit=tiny", long))
        == "400 {\"error\":\"the write has 1000002 bytes; writeSizeLimit tiny allows 1000000\"}\n")
    for limit in ["small", "medium", "large", "unlimited"] {
      #expect(table.ask("PUT", "/a.json?writeSizeLimit=\(limit)", long)?.status == 200)
    }
    for method in ["PUT", "PATCH", "POST", "DELETE"] {
      #expect(
        shown(table.ask(method, "/a.json?writeSizeLimit=huge", "{}"))
          == "400 {\"error\":\"writeSizeLimit must be one of tiny, small, medium, large and unlimited\"}\n"
      )
    }
  }

  @Test(
    arguments: [
      (
        #"{".sv":"foo"}"#,
        #"the server value {\".sv\":\"foo\"} is not known; expected \"timestamp\" or {\"increment\": NUMBER}"#
      ),
      (
        #"{"b":[{".value":1,"a":2}]}"#,
        #"\"a\" is beside \".value\"; a location has a value or children"#
      ),
    ])
  func `data that would be lost are refused`(body: String, reason: String) throws {
    var table = try table()

    for method in ["PUT", "POST"] {
      #expect(
        shown(table.ask(method, "/a.json", body)) == "400 {\"error\":\"Invalid data; \(reason)\"}\n"
      )
    }
    #expect(table.ask("PATCH", "/a.json", "{\"x\":\(body)}")?.status == 400)
    #expect(table.live.server(of: "default")?.tree.isEmpty == true)
  }

  @Test func `a string is as long as is documented at most`() throws {
    var table = try table()
    let longest = "\"\(String(repeating: "a", count: 10 << 20))\""

    #expect(table.ask("PUT", "/a.json?print=silent", longest)?.status == 204)
    #expect(
      shown(table.ask("PUT", "/a.json", "{\"x\":\(longest.dropLast())a\"}"))
        == "400 {\"error\":\"Invalid data; a string has more than 10485760 bytes of UTF-8\"}\n")
  }

  @Test func `pages of every origin may read every answer`() throws {
    var table = try table()
    let requests = [
      ("GET", "/a.json", ""), ("GET", "/nothing", ""), ("PUT", "/a.json", "{"),
      ("TRACE", "/a.json", ""),
      ("OPTIONS", "/a.json", ""), ("GET", "/.ws", ""), ("GET", "/.settings/rules.json", ""),
    ]

    for (method, target, body) in requests {
      let response = table.ask(method, target, body)
      #expect(response?.header("Access-Control-Allow-Origin") == "*", "\(method) \(target)")
    }
    let refused = table.ask(
      "GET", #"/a.json?orderBy=x"#, "", ["accept": "text/event-stream"])
    #expect(refused?.status == 400)
    #expect(refused?.header("Access-Control-Allow-Origin") == "*")
  }

  @Test func `another method may be named by an argument`() throws {
    var table = try table(data: #"{"a":1}"#)

    #expect(table.ask("POST", "/a.json?X-HTTP-Method-Override=PUT", "2")?.text == "2\n")
    #expect(table.ask("POST", "/a.json?x-http-method-override=delete", "")?.status == 200)
    #expect(table.live.server(of: "default")?.tree.isEmpty == true)
  }
}
