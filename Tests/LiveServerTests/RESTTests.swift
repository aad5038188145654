import ClientInterface
import Faults
import LiveServer
import ReferenceServer
import Testing
import Tree

/// Reading and writing by REST.
@Suite struct RESTTests {
  private static let data =
    #"{"room":{"a":{"n":3},"b":{"n":1},"c":{"n":2,".priority":7}},"list":["x","y"],"s":"t"}"#

  private func answer(_ method: String, _ target: String, _ body: String = "") throws -> String {
    var table = try Table(data: Self.data)
    let response = table.ask(method, target, body)
    return "\(response?.status ?? 0) \(response?.text ?? "")"
  }

  @Test(arguments: [
    ("/s.json", "\"t\""), ("/none.json", "null"), ("/list.json", #"["x","y"]"#),
    ("/room/c.json", #"{"n":2}"#), ("/room/c.json?format=export", #"{"n":2,".priority":7}"#),
    ("/room.json?shallow=true", #"{"a":true,"b":true,"c":true}"#),
    ("/s.json?shallow=true", "\"t\""),
    (#"/room.json?orderBy="n"&startAt=2"#, #"{"a":{"n":3},"c":{"n":2}}"#),
    (#"/room.json?orderBy="n"&limitToLast=1"#, #"{"a":{"n":3}}"#),
    (#"/room.json?orderBy="n"&equalTo=1"#, #"{"b":{"n":1}}"#),
    (#"/room.json?orderBy="n"&startAfter=1&endBefore=3"#, #"{"c":{"n":2}}"#),
    (#"/room.json?orderBy="$key"&endAt="b""#, #"{"a":{"n":3},"b":{"n":1}}"#),
    (#"/room.json?orderBy="$priority"&startAt=7"#, #"{"c":{"n":2}}"#),
    (#"/room.json?orderBy="$priority"&limitToFirst=1"#, #"{"a":{"n":3}}"#),
    (#"/list.json?orderBy="$value"&startAt="y","1""#, #"[null,"y"]"#),
    ("/s.json?callback=f.g", "/**/f.g(\"t\");"), ("/room/a.json?print=pretty", "{\n  \"n\": 3\n}"),
  ])
  func `reads what is asked for`(target: String, expected: String) throws {
    #expect(try answer("GET", target) == "200 \(expected)\n")
  }

  @Test(arguments: [
    ("/room.json?startAt=2", "orderBy must be defined when other query parameters are defined"),
    (
      "/room.json?limitToFirst=2", "orderBy must be defined when other query parameters are defined"
    ),
    ("/room.json?orderBy=n", "orderBy must be a valid JSON encoded path"),
    (#"/room.json?orderBy="a.b""#, "orderBy must be a valid JSON encoded path"),
    (#"/room.json?orderBy="n"&limitToFirst=0"#, "limitToFirst must be a positive integer"),
    (
      #"/room.json?orderBy="n"&limitToFirst=1&limitToLast=1"#,
      "limitToFirst cannot be used together with limitToLast"
    ),
    (
      #"/room.json?orderBy="n"&startAt=1&startAfter=1"#,
      "startAt cannot be used together with startAfter"
    ),
    (
      #"/room.json?orderBy="n"&startAt=1&equalTo=1"#,
      "equalTo cannot be used together with a start or an end"
    ),
    (
      #"/room.json?orderBy="n"&startAt={}"#,
      "startAt must be a number, string, boolean, or null, in JSON"
    ),
    (
      #"/room.json?orderBy="n"&startAt=1,2"#,
      "the key in startAt must be a string that is a key, in JSON"
    ),
    (
      #"/room.json?orderBy="n"&shallow=true"#,
      "Mixing 'shallow' and querying parameters is not supported"
    ),
    ("/s.json?callback=alert(1)", "callback is no name"),
    (
      "/a.b.json", #"Invalid path: key \"a.b\" contains \".\"; keys may not contain . # $ [ ] /"#
    ),
  ])
  func `says what is wrong with a request`(target: String, reason: String) throws {
    #expect(try answer("GET", target) == "400 {\"error\":\"\(reason)\"}\n")
  }

  @Test func `there is nothing where no data are`() throws {
    #expect(
      try answer("GET", "/data")
        == "404 {\"error\":\"there is nothing here; data are at paths that end in .json\"}\n")
    #expect(try answer("PURGE", "/a.json").hasPrefix("405 {\"error\":\"the method PURGE means"))
    #expect(
      try answer("GET", "/.ws")
        == "400 {\"error\":\"/.ws is for WebSockets and engine.io\"}\n")
    #expect(try answer("OPTIONS", "/a.json") == "204 ")
    #expect(try answer("GET", "/a.json?ns=a/b").hasPrefix("404 {\"error\":\"\\\"a/b\\\" is no"))
  }

  @Test func `writes, and answers with what is stored`() throws {
    var table = Table()

    #expect(
      table.ask("PUT", "/a.json", #"{"x":{".sv":"timestamp"},"y":[1]}"#)?.text
        == #"{"x":1480000000000,"y":[1]}"# + "\n")
    #expect(
      table.ask("PATCH", "/a.json", #"{"y/0":null,"z/z":2}"#)?.text
        == #"{"y/0":null,"z/z":2}"# + "\n")
    #expect(table.ask("DELETE", "/a/x.json")?.text == "null\n")
    #expect(table.ask("PUT", "/b.json?print=silent", "1")?.status == 204)
    #expect(table.live.server(of: "default")?.tree.json.text == #"{"a":{"z":{"z":2}},"b":1}"#)
  }

  @Test func `a push is named by time, and later ones sort after it`() throws {
    var table = Table()
    var names: [String] = []
    for _ in 0..<3 { names.append(table.ask("POST", "/a.json", "1")?.text ?? "") }
    table.now = table.now + .milliseconds(-10)
    names.append(table.ask("POST", "/a.json", "1")?.text ?? "")

    #expect(names == names.sorted())
    #expect(Set(names).count == 4)
    #expect(names[0].hasPrefix(#"{"name":"-KX"#))
    #expect(names[0].utf8.count == 32)
  }

  @Test(arguments: [
    ("PUT", "{", "Invalid data; couldn't parse JSON object: 1:2"),
    ("PUT", #"{"a.b":1}"#, "Invalid data: below /a: key"),
    ("POST", #"{"":1}"#, "Invalid data: below /a/"),
    ("PATCH", "1", "Invalid data; a PATCH takes a JSON object"),
    ("PATCH", #"{"b":1,"b/c":2}"#, "Invalid data: /b and /b/c are written in one update"),
  ])
  func `data that cannot be stored are refused`(
    method: String, body: String, reason: String
  )
    throws
  {
    #expect(try answer(method, "/a.json", body).hasPrefix("400 {\"error\":\"\(reason)"))
  }

  @Test func `ETags make writes conditional`() throws {
    var table = try Table(data: #"{"a":1}"#)
    let wanted = ["x-firebase-etag": "true"]
    let tag = table.ask("GET", "/a.json", "", wanted)?.header("ETag") ?? ""
    #expect(tag == "YPVfR2bXt/lcDjiQZ8pOkAd3qkQ=")
    #expect(table.ask("GET", "/none.json", "", wanted)?.header("ETag") == "null_etag")
    #expect(table.ask("GET", "/a.json", "", ["if-none-match": tag])?.status == 304)

    let stale = table.ask("PUT", "/a.json", "2", ["if-match": "null_etag"])
    #expect(stale?.status == 412)
    #expect(stale?.text == "1\n")
    #expect(stale?.header("ETag") == tag)
    let done = table.ask("PUT", "/a.json", "2", ["if-match": tag])
    #expect(done?.status == 200)
    #expect(done?.header("ETag") == table.ask("GET", "/a.json", "", wanted)?.header("ETag"))
    #expect(table.ask("DELETE", "/a.json", "", ["if-match": tag])?.status == 412)
    #expect(table.ask("PUT", "/b.json", "2", ["if-match": "null_etag"])?.status == 200)
    #expect(
      table.ask("PATCH", "/", "", ["if-match": tag])?.status == 404)
    #expect(
      table.ask("PATCH", "/a.json", "{}", ["if-match": tag])?.text
        == "{\"error\":\"If-Match is not supported for PATCH\"}\n")
    #expect(
      table.ask("GET", "/a.json?shallow=true", "", wanted)?.text
        == "{\"error\":\"ETags are not supported for shallow reads and for queries\"}\n")
  }

  @Test func `a method can stand in a header`() {
    var table = Table()

    #expect(table.ask("POST", "/a.json", "5", ["x-http-method-override": "put"])?.text == "5\n")
    #expect(table.live.server(of: "default")?.tree.json.text == #"{"a":5}"#)
  }

  @Test func `rules and tokens hold, and the administrator may do everything`() {
    let rule = SecurityRule("a", deny: [.read, .write], unless: .user("alice"))
    var table = Table(
      LiveServerSettings(security: [rule], tokens: ["secret": TokenClaims(user: "alice")]))

    #expect(table.ask("PUT", "/a.json", "1")?.text == "{\"error\":\"Permission denied\"}\n")
    #expect(table.ask("PUT", "/a.json?auth=secret", "1")?.status == 200)
    #expect(table.ask("GET", "/a.json", "", ["authorization": "Bearer owner"])?.text == "1\n")
    #expect(table.ask("GET", "/a.json?auth=wrong")?.text == "{\"error\":\"Invalid token\"}\n")
    #expect(table.ask("GET", "/a.json?auth=wrong")?.status == 401)
    #expect(table.ask("PUT", "/b.json?auth=wrong", "1")?.status == 401)
    #expect(table.ask("GET", "/b.json")?.text == "null\n")
  }

  @Test func `the administrator may want to be taken for somebody`() throws {
    let rule = SecurityRule("a", deny: [.read, .write], unless: .user("alice"))
    var table = Table(
      LiveServerSettings(security: [rule], tokens: ["secret": TokenClaims(user: "alice")]))
    func ask(_ override: String, _ token: String = "owner") -> String {
      let target = "/a.json?auth_variable_override=\(override)&auth=\(token)"
      return table.ask("PUT", target, "1")?.text ?? ""
    }

    #expect(ask(#"{"uid":"alice","x":1}"#) == "1\n")
    for override in [#"{"uid":"bob"}"#, "{}", "null"] {
      #expect(ask(override) == "{\"error\":\"Permission denied\"}\n")
    }
    #expect(ask("5") == "{\"error\":\"auth_variable_override must be null or a JSON object\"}\n")
    #expect(
      ask("null", "secret") == "{\"error\":\"auth_variable_override is for the administrator\"}\n")
    #expect(table.ask("GET", "/a.json?auth=owner%20as%20alice")?.status == 401)

    let stream = table.socket()
    let target = #"/a.json?auth=owner&auth_variable_override={"uid":"alice"}"#
    table.begin("GET", target, "", ["accept": "text/event-stream"], on: stream)
    #expect(table.received(stream).last == "event: put\ndata: {\"path\":\"/\",\"data\":1}\n\n")
  }

  @Test func `a download has the name that was asked for`() throws {
    var table = Table()
    let response = table.ask("GET", "/a.json?download=a\"b/c.json")

    #expect(response?.header("Content-Disposition") == "attachment; filename=\"abc.json\"")
  }

  @Test func `no value ends the head of an answer`() {
    let response = HTTPResponse(200, [.init("A", "b\r\nC: d")], body: [1])

    #expect(
      String(decoding: response.head(), as: UTF8.self)
        == "HTTP/1.1 200 OK\r\nA: bC: d\r\nContent-Length: 1\r\n\r\n")
  }
}
